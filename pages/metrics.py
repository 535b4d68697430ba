"""What do the numbers mean? Every metric of the catalogue, worked on five documents that the reader judges."""

from ragdash.ui import frame, glossary

frame.begin("pages/metrics.py")
frame.end()
rankings, k = glossary.example()
metrics = glossary.metrics_at(k)
for metric, value in zip(metrics, glossary.values(rankings, metrics)):
    glossary.entry(metric, value)
glossary.tests()
