"""What did the pages that inspect queries compute already? Shared objects, keyed as in `cached`, not written to."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from ragdash.analysis.agreement import Agreement
from ragdash.analysis.agreement import agreement as agreement_of
from ragdash.analysis.facts import fact_table
from ragdash.analysis.ledger import Ledger
from ragdash.analysis.ledger import ledger as ledger_of
from ragdash.analysis.over_k import means_over_k
from ragdash.analysis.over_read import AtRead, over_read
from ragdash.analysis.presets import Asked, Mask, masks
from ragdash.analysis.slices import Slice, Slices, slices, whole
from ragdash.metrics import Metric
from ragdash.ui.cached import key_of
from ragdash.ui.picks import Picks

Key = tuple[object, ...]


def asked(chosen: Picks) -> Asked:
    """What is compared, as the presets and filters want it."""
    return Asked(chosen.scores, chosen.metric, chosen.baseline, chosen.contender, chosen.k)


def _key(chosen: Picks) -> Key:
    return (*key_of(chosen.scores), chosen.baseline, chosen.contender, chosen.k)


@st.cache_resource(max_entries=16, show_spinner=False)
def _facts(key: Key, _asked: Asked) -> tuple[pd.DataFrame, dict[str, Mask]]:
    table = fact_table(_asked.scores, _asked.metric, _asked.baseline, _asked.run, _asked.k)
    return table, masks(_asked)


def facts(chosen: Picks) -> pd.DataFrame:
    """One row per counted query, worst first, with what can be counted about it; the index is its place on the axis."""
    return _facts(_key(chosen), asked(chosen))[0]


def presets(chosen: Picks) -> dict[str, Mask]:
    """Which counted queries each preset holds."""
    return _facts(_key(chosen), asked(chosen))[1]


@st.cache_resource(max_entries=16, show_spinner="Looking for lost and gained documents …")
def _ledger(key: Key, _asked: Asked) -> Ledger:
    return ledger_of(_asked.scores, _asked.baseline, _asked.run, _asked.k)


def ledger(chosen: Picks) -> Ledger:
    """Relevant documents that entered or left the top K."""
    return _ledger(_key(chosen), asked(chosen))


@st.cache_resource(max_entries=32, show_spinner=False)
def _slices(key: Key, by: str, alpha: float, _asked: Asked) -> tuple[Slices, Slice]:
    which = (_asked.scores, _asked.metric, _asked.baseline, _asked.run)
    return slices(*which, by, alpha), whole(*which)


def slices_by(chosen: Picks, by: str) -> tuple[Slices, Slice]:
    """The groups of one column, and all queries as one group."""
    return _slices(_key(chosen), by, chosen.testing.alpha, asked(chosen))


@st.cache_resource(max_entries=16, show_spinner=False)
def _means_over_k(key: Key, _asked: Asked) -> dict[str, list[tuple[int, float]]]:
    return means_over_k(_asked.scores, _asked.metric)


def curves(chosen: Picks) -> dict[str, list[tuple[int, float]]]:
    """The mean of every run at the usual cutoffs; empty where the metric takes none."""
    return _means_over_k(_key(chosen), asked(chosen))


@st.cache_resource(max_entries=16, show_spinner=False)
def _over_read(key: Key, _asked: Asked) -> dict[str, tuple[AtRead, ...]]:
    return over_read(_asked.scores)


def reading(chosen: Picks) -> dict[str, tuple[AtRead, ...]]:
    """Recall of every run over characters read; empty where the metric does not look at evidence."""
    return _over_read(_key(chosen), asked(chosen)) if chosen.metric.block.needs_spans else {}


@st.cache_resource(max_entries=8, show_spinner="Comparing the runs' lists …")
def _agreement(key: Key, k: int, metric: Metric, _asked: Asked) -> Agreement:
    return agreement_of(_asked.scores, k)


def agreement(chosen: Picks) -> Agreement:
    """How alike each two runs are in their top K."""
    return _agreement(key_of(chosen.scores)[:1], chosen.k, chosen.metric, asked(chosen))
