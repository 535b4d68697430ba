"""Nouns, the formats they are read from, and what was found odd on the way."""
