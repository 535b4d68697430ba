"""Every metric, from rankings to one score per query. Needs numpy alone; knows no files, no screen.

>>> from ragdash.metrics import parse
>>> parse("mrr@10").name, parse("mrr@10").label
('RR@10', 'MRR@10')
"""

from ragdash.metrics.catalogue import CATALOGUE, Block, Metric, Parameter, ceiling, score
from ragdash.metrics.evaluator import RetrievalEvaluator, rankings_of
from ragdash.metrics.names import UnknownMetric, parse
from ragdash.metrics.rankings import Judgments, Rankings
from ragdash.metrics.ties import tie_bounds
from ragdash.metrics.view import Settings

__all__ = [
    "CATALOGUE",
    "Block",
    "Judgments",
    "Metric",
    "Parameter",
    "Rankings",
    "RetrievalEvaluator",
    "Settings",
    "UnknownMetric",
    "ceiling",
    "parse",
    "rankings_of",
    "score",
    "tie_bounds",
]
