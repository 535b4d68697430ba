"""Evaluate, compare, check and drill down: what the numbers say about an experiment."""
