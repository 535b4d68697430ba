"""Is it real, how sure is that, and what would settle it? Paired tests, intervals and power over per-query differences.

Numbers in, frozen records out; numpy and scipy only. A difference is contender minus baseline for one query.
"""

from ragdash.stats.correction import CORRECTIONS, CorrectionBlock, correct
from ragdash.stats.defaults import (
    DEFAULT_CORRECTION,
    DEFAULT_INTERVAL,
    DEFAULT_RESAMPLES,
    DEFAULT_TEST,
    MIN_DIFFERING,
    MIN_QUERIES,
    MOST_SIGNS,
)
from ragdash.stats.differences import EPS, LARGEST, Counts, clean, counts
from ragdash.stats.effect import EffectSize, effect_size, standardised, win_share
from ragdash.stats.enough import smallest_p, why_too_few
from ragdash.stats.evidence import EVIDENCE, Evidence
from ragdash.stats.influence import LeaveOneOut, leave_one_out
from ragdash.stats.intervals import INTERVALS, Interval, IntervalBlock, bca_interval, bca_many, t_interval
from ragdash.stats.paired import TESTS, TestBlock, run_tests, sign_test, t_test, wilcoxon
from ragdash.stats.power import detectable_effect, power_curve, queries_needed, smallest_detectable, t_power
from ragdash.stats.result import SMALLEST_P, TestResult
from ragdash.stats.signflips import randomization, randomization_distribution, randomization_many
from ragdash.stats.tukey import TukeyResult, tukey_hsd
from ragdash.stats.worthwhile import Equivalence, NonInferiority, equivalence, non_inferiority

__all__ = [
    "CORRECTIONS",
    "DEFAULT_CORRECTION",
    "DEFAULT_INTERVAL",
    "DEFAULT_RESAMPLES",
    "DEFAULT_TEST",
    "EPS",
    "EVIDENCE",
    "INTERVALS",
    "LARGEST",
    "MIN_DIFFERING",
    "MIN_QUERIES",
    "MOST_SIGNS",
    "SMALLEST_P",
    "TESTS",
    "CorrectionBlock",
    "Counts",
    "EffectSize",
    "Equivalence",
    "Evidence",
    "Interval",
    "IntervalBlock",
    "LeaveOneOut",
    "NonInferiority",
    "TestBlock",
    "TestResult",
    "TukeyResult",
    "bca_interval",
    "bca_many",
    "clean",
    "correct",
    "counts",
    "detectable_effect",
    "effect_size",
    "equivalence",
    "leave_one_out",
    "non_inferiority",
    "power_curve",
    "queries_needed",
    "randomization",
    "randomization_distribution",
    "randomization_many",
    "run_tests",
    "sign_test",
    "smallest_detectable",
    "smallest_p",
    "standardised",
    "t_interval",
    "t_power",
    "t_test",
    "tukey_hsd",
    "why_too_few",
    "wilcoxon",
    "win_share",
]
