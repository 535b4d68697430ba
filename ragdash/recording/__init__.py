"""From a retriever to a run: `ragdash.record`."""
