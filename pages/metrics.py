"""What do the numbers mean? Every metric of the catalogue, worked on five documents that the reader judges."""

from ragdash.ui import frame, glossary

frame.begin("pages/metrics.py")
frame.end()
rankings, k = glossary.example()
glossary.choices(k)
glossary.entries(rankings, glossary.metrics_at(k))
glossary.tests()
