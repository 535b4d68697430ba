"""What do the numbers mean? Every metric of the catalogue, worked on five documents that the reader judges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from ragdash import escape, stats, wording
from ragdash.metrics import CATALOGUE, Judgments, Metric, Rankings, Settings, score
from ragdash.metrics.catalogue import Block
from ragdash.metrics.spans import Spans
from ragdash.ui import picks

DEPTH = 5
#: Characters of each chunk in the example, those that it shares with the next, and those that answer.
CHUNK, OVERLAP, EVIDENCE = 800, 200, 100

#: Which metric for which question; the first is what to begin with.
CHOICES = (
    ("Will the language model get the passage it needs?", ("Recall@K", "Success@K")),
    ("Is one good passage enough, and people read from the top?", ("RR@K", "Success@K")),
    ("Are some documents better than others, and does the order matter?", ("nDCG@K",)),
    ("Does every useless passage cost attention or tokens?", ("Precision@K", "ContextPrecision@K")),
    ("Must all relevant documents be found, early ones first?", ("AP", "nDCG@K")),
    ("Must one number stand for finding and for noise?", ("F1@K",)),
    ("How far must people read?", ("FirstRank@K",)),
    ("Are documents cut into chunks in two ways?", ("BudgetRecall", "CharRecall@K", "CharsRead@K")),
    ("Can the other numbers be believed at all?", ("Judged@K",)),
)


def choices(k: int) -> None:
    """Which to pick for which question."""
    rows = [
        f"| {question} | {', '.join(escape.markdown(picks.at_k(name, k).label) for name in names)} |"
        for question, names in CHOICES
    ]
    with st.expander("Which metric for which question?", icon=":material/route:", key="choices"):
        st.markdown("\n".join(["| The question | Look at |", "|---|---|", *rows]))


def example() -> tuple[Rankings, int]:
    """Five documents whose relevance the reader sets, how many relevant ones were not returned, and K."""
    st.markdown("A run returned five documents. **Which of them are relevant?** Every number below follows.")
    st.caption(
        f"Metrics over evidence see five chunks of {CHUNK} characters, each sharing {OVERLAP} with the next; a "
        f"relevant one has {EVIDENCE} characters that answer."
    )
    ranks = list(range(1, DEPTH + 1))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.pills(
            "Relevant documents, by rank", ranks, selection_mode="multi", default=[2, 4], key="example_relevant",
            format_func=lambda rank: f"Nr. {rank}",
        )  # fmt: skip
        missed = st.number_input("Relevant, but not returned", 0, 20, 1, key="example_missed", width=220)
        k = st.segmented_control("K", ranks, default=3, required=True, key="example_k")
    return ranking([rank in (chosen or []) for rank in ranks], int(missed)), int(k or 3)


def ranking(relevant: Sequence[bool], missed: int) -> Rankings:
    """One query whose first documents are relevant or not, with `missed` relevant ones that were not returned."""
    grades = np.array([float(one) for one in relevant])
    n = len(grades)
    judgments = Judgments.of([0, n + missed], np.concatenate([grades, np.ones(missed)]))
    ones = np.ones(n, dtype=np.int64)
    ranks = np.arange(1, n + 1)
    spans = chunks(relevant, missed)
    return Rankings(judgments, ones * 0, ranks, grades, np.array([n]), np.array([True]), ranks, ones, spans=spans)


def chunks(relevant: Sequence[bool], missed: int) -> Spans:
    """The same five as chunks of one document, each of which shares some characters with the next.

    A relevant one holds evidence in its middle, and so does each that was not returned.
    """
    n = len(relevant)
    begins = np.arange(n) * (CHUNK - OVERLAP)
    found = np.flatnonzero(np.asarray(relevant, dtype=bool))
    places = np.concatenate([begins[found], (n + 1 + np.arange(missed)) * CHUNK]) + CHUNK // 2
    evidence = [0, len(places)], np.zeros(len(places)), places, places + EVIDENCE
    return Spans.of(evidence, ([0, n], np.zeros(n), begins, begins + CHUNK))


def metrics_at(k: int) -> list[Metric]:
    """Every metric of the catalogue, the usual ones first, at the cutoff `k` where it takes one."""
    names = [*picks.MAIN, *(f"{key}@K" if block.takes_cutoff else key for key, block in CATALOGUE.items())]
    return list(dict.fromkeys(picks.at_k(name, k) for name in names))


def values(rankings: Rankings, metrics: Sequence[Metric]) -> list[float]:
    """What each metric says about the example."""
    return [float(one) for one in score(rankings, metrics, Settings())[:, 0]]


def entries(rankings: Rankings, metrics: Sequence[Metric]) -> None:
    """One line a metric, its value on the example in it."""
    with st.container(gap="xsmall"):
        for metric, value in zip(metrics, values(rankings, metrics)):
            entry(metric, value)


def entry(metric: Metric, value: float) -> None:
    """One metric: its value on the example, and closed beneath it what to know."""
    block = metric.block
    label = f"**{escape.markdown(metric.label)} = {wording.number(value)}** · {escape.markdown(block.sentence)}"
    shown = st.expander(label, key=f"metric_{block.name}", on_change="rerun")
    if shown.open:
        with shown:
            body(block)


def body(block: Block) -> None:
    """Formula, range, when to use it, when it misleads, where it comes from."""
    st.latex(block.formula)
    low, high = (("∞" if np.isinf(one) else f"{one:g}") for one in block.range)
    direction = "higher is better" if block.higher_is_better else "lower is better"
    st.markdown(f"**Range** {low} to {high}, {direction}.")
    st.markdown(f"**When to use it.** {escape.markdown(block.use_when)}")
    st.markdown(f"**When it misleads.** {escape.markdown(block.misleads)}")
    st.markdown(f"**No relevant document.** {escape.markdown(block.on_no_relevant)}")
    st.markdown(f"**Short lists.** {escape.markdown(block.on_short_list)}")
    if block.aliases:
        st.markdown(f"**Also called** {escape.markdown(', '.join(one for one in block.aliases if '(' not in one))}")
    st.caption(escape.markdown(block.reference))


def tests() -> None:
    """The tests that a verdict may rest on."""
    st.markdown("#### Tests")
    for block in stats.TESTS.values():
        with st.expander(
            f"**{block.name}** · {escape.markdown(block.sentence)}", key=f"test_{block.key}", type="compact"
        ):
            st.markdown(f"**Assumes.** {escape.markdown(block.assumption)}")
            st.caption(escape.markdown(block.reference))
