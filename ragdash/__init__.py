"""Which retrieval run is better, is that real, on which queries, and why."""
