"""What does the ledger page show? Relevant documents that left or entered the top K, by change and cause."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from ragdash import escape
from ragdash.analysis.ledger import CAUSES, Ledger
from ragdash.ui import filters, frame, inspected, links, names, selection, session
from ragdash.ui.picks import Picks
from ragdash.ui.selection import Selection

CHANGES = {"lost": "▼ Lost", "gained": "▲ Gained"}


def rows(chosen: Picks, found: Selection) -> Ledger:
    """The ledger of the filtered queries."""
    every = inspected.ledger(chosen)
    return every if len(found.table) == chosen.scores.n else every.of(found.ids)


def by_evidence(chosen: Picks) -> None:
    """A metric over evidence does not look at documents: that is said, and the page ends."""
    if not chosen.metric.block.needs_spans:
        return
    frame.answer(f"Nothing to list: {escape.markdown(chosen.metric.label)} looks at evidence, not at documents.")
    frame.nothing("Which evidence a run has missed stands on the page Query, with the chunks beside it. A metric over "
                  "documents, such as nDCG, has its documents here.")  # fmt: skip
    links.from_evidence(chosen)
    frame.details([], chosen)
    st.stop()


def answer(every: Ledger, chosen: Picks) -> str:
    """The ledger's sentence, and what came in; escaped."""
    gained = sum(every.counts("gained").values())
    more = f" {gained:,} came into it." if gained and every.counts("lost") else ""
    return names.trimmed(every.sentence + more, chosen.experiment.run_names)


def bar(every: Ledger, chosen: Picks, found: Selection) -> None:
    """Lost or gained, the cause, the order, and the filters that came along."""
    change, cause = _one("change", CHANGES), _one("cause", CAUSES)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.pills(
            "Change", list(CHANGES), key=session.show("pick_change", change), label_visibility="collapsed",
            format_func=lambda one: f"{CHANGES[one]} {sum(every.counts(one).values()):,}",
            on_change=session.picked("pick_change", "change", also={"from": None}),
        )  # fmt: skip
        counts = every.table["cause"].value_counts() if change is None else pd.Series(every.counts(change), dtype=int)
        st.selectbox(
            "Why", [one for one in CAUSES if one in counts or one == cause], index=None, width=330,
            key=session.show("pick_cause", cause), label_visibility="collapsed", placeholder="Any cause",
            format_func=lambda one: f"{CAUSES[one]} ({int(counts.get(one, 0)):,})",
            on_change=session.picked("pick_cause", "cause", also={"from": None}),
        )  # fmt: skip
        selection.order(list(every.table), "order", {name: _label(name) for name in every.table})
        selection.chips(chosen, found, preset=True)


def _label(column: str) -> str:
    return escape.one_line(str(column).replace("_", " "))


def _one(key: str, allowed: dict[str, str]) -> str | None:
    text = session.get(key)
    if not text or text in allowed:
        return text or None
    filters.refuse(key, text, ", ".join(allowed), "all of them")
    return None


def picked(every: Ledger) -> pd.DataFrame:
    """The rows of the change and cause that were picked, in the order that was picked."""
    table = every.table
    for key, allowed in (("change", CHANGES), ("cause", CAUSES)):
        wanted = _one(key, allowed)
        if wanted:
            table = table[table[key] == wanted]
    return selection.by_column(table, session.get("order"), "order")


def table(shown: pd.DataFrame, chosen: Picks) -> Any:
    """The rows in view. A row is picked."""
    k, ranks = chosen.k, [f"rank: {name}" for name in (chosen.baseline, chosen.contender)]
    here = session.get("query")
    out = pd.DataFrame({"change": [CHANGES[one] for one in shown["change"]]})
    if here in set(shown["query_id"]):
        out.insert(0, "here", ["▶" if one == here else "" for one in shown["query_id"]])
    out["document"] = [escape.shortened(escape.one_line(a or b), 60) for a, b in zip(shown["title"], shown["doc_id"])]
    out["grade"] = shown["grade"].to_numpy()
    for i, rank in enumerate(ranks):
        out[f"r{i}"] = shown[rank].where(shown[rank] > 0).astype("Int64").to_numpy()
    out["why"] = [CAUSES[one] for one in shown["cause"]]
    out["question"] = [escape.shortened(escape.one_line(text), 80) for text in shown["query"]]
    for kind in ("new_relevant", "new_not_relevant", "new_unjudged"):
        out[kind] = shown[kind].to_numpy()
    out["id"], out["document id"] = shown["query_id"].to_numpy(), shown["doc_id"].to_numpy()
    columns = {
        "here": st.column_config.TextColumn("", width=28, help="The question that was open last"),
        "document": st.column_config.TextColumn("relevant document", width="medium"),
        "grade": frame.number("grade", "%g"),
        "why": st.column_config.TextColumn("why", width="medium"),
        "question": st.column_config.TextColumn("question", width="medium"),
    }
    for i, (mark, name) in enumerate((("●", chosen.baseline), ("◆", chosen.contender))):
        head = f"{mark} rank in {escape.shortened(escape.one_line(name), 18)}"
        columns[f"r{i}"] = frame.number(head, "%d", help=escape.markdown(name))
    for kind in ("relevant", "not_relevant", "unjudged"):
        columns[f"new_{kind}"] = frame.number(f"in its place: {kind.replace('_', ' ')}", "%d", help=f"In the top {k}")
    height = 36 * 15 if len(out) > 14 else "auto"
    return frame.table(
        out, "ledger", select=True, column_config=columns, height=height, alt="Lost and gained documents",
        placeholder="–",
    )  # fmt: skip


def why_empty(every: Ledger, chosen: Picks) -> str:
    """Why there is no row, escaped."""
    if len(every.table):
        return "No document of this change and cause: take one of the two out."
    return f"No relevant document entered or left the top {chosen.k} of these questions."


def reading(chosen: Picks) -> list[str]:
    """Details: what the columns are."""
    return [
        escape.markdown(
            f"Lost: in the top {chosen.k} of {chosen.baseline} and not of {chosen.contender}. Gained: the other way."
        ),
        "Why is said of the run that lacks the document, as far as rankings can say.",
        "A rank of – means that the run does not return the document at all.",
        "In its place: how many documents of each kind took the places that the other run does not give them.",
    ]
