"""Which column is which? A table as read and as understood, side by side, with a picker for each role."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import pyarrow as pa
import streamlit as st

from ragdash import escape
from ragdash.data.columns import joined, positions, text_column
from ragdash.data.formats.base import Role
from ragdash.data.formats.grades import scale_of
from ragdash.data.formats.numbers import numbers
from ragdash.data.preview import Preview
from ragdash.errors import GradeError, RagdashError
from ragdash.ui import session
from ragdash.ui.questions import WIDEST, Columns, Question, read, taken
from ragdash.ui.shelf import Workspace

#: What a column can be, in each slot, and what people read.
ROLES: dict[str, dict[str, str]] = {
    "dataset": {
        "query_id": "Query id",
        "query": "Query text",
        "doc_id": "Document id",
        "grade": "Grade",
        "title": "Document title",
        "text": "Document text",
        "relevant": "Relevant documents (a list)",
    },
    "run": {
        "query_id": "Query id",
        "query": "Query text",
        "doc_id": "Document id",
        "score": "Score (more is better)",
        "distance": "Distance (less is better)",
        "rank": "Rank",
        "text": "Document text",
        "run": "Name of the run",
        "retrieved": "Retrieved documents (a list)",
    },
}
#: Roles of few tables: their pickers are there where such a column was found.
SELDOM: dict[str, dict[str, str]] = {
    "dataset": {
        "evidence": "Evidence (spans or quotes)",
        "parent": "Document of the chunk",
        "begin": "Begins at character",
        "end": "Ends before character",
    },
    "run": {"parent": "Document of the chunk", "begin": "Begins at character", "end": "Ends before character"},
}
NONE = "–"


def ask(workspace: Workspace | None) -> None:
    """One card for each file that waits for an answer."""
    for asked in session.asked():
        with st.container(border=True, key=f"ask_{asked.key}"):
            card(asked, workspace or Workspace())


def card(asked: Question, workspace: Workspace) -> None:
    """As read, as understood, a picker for each role, what words are worth, and three ways on."""
    name = escape.markdown(escape.shortened(asked.blob.name, 60))
    asks = f"Which column is which in {name}?" if asked.seen else f"What are the grades of {name} worth?"
    st.markdown(f"**{asks}**")
    st.markdown(escape.markdown(asked.why.partition("; expected")[0]))
    columns: dict[str, str] = {}
    if asked.seen is not None:
        columns = table(asked, asked.seen, workspace)
    labels = labels_of(asked, columns)
    worth = weights(asked, labels) if labels else {}
    ready = len(worth) == len(labels) and (asked.seen is None or enough(columns, asked.role))
    said = columns | {f"grade:{label}": f"{value:g}" for label, value in worth.items()}
    with st.container(horizontal=True):
        st.button("Use these columns" if asked.seen else "Use these grades", type="primary", icon=":material/check:",
                  key=f"use_{asked.key}", on_click=use, args=(asked, said, workspace), disabled=not ready)  # fmt: skip
        st.button("Auto", icon=":material/auto_fix_high:", key=f"auto_{asked.key}", on_click=auto, args=(asked,),
                  help="Back to what the names of the columns, and what is in them, suggest")  # fmt: skip
        st.button("Keep it as it was read" if asked.again else "Leave this file out", key=f"skip_{asked.key}",
                  type="tertiary", on_click=leave, args=(asked,))  # fmt: skip


def table(asked: Question, seen: Preview, workspace: Workspace) -> dict[str, str]:
    """The pickers, and the table before and after them; returns role -> column."""
    wide = ranks(asked)
    likely = suggested(asked, seen, workspace)
    roles = ["query_id"] if wide else list(roles_of(asked, likely))
    with st.container(horizontal=True, gap="small"):
        picked = {role: pick(asked, seen, role, likely) for role in roles}
    columns = {role: name for role, name in picked.items() if name != NONE}
    if wide:
        columns["ranks"] = "\n".join(asked.ranked) if seen.n_columns <= WIDEST else "*"
    left, right = st.columns(2, gap="medium")
    read_as = pd.DataFrame(list(seen.rows), columns=list(seen.columns))
    with left:
        st.caption(f"As read: {seen.n_rows:,} rows, {seen.n_columns:,} columns")
        st.dataframe(read_as, key=f"read_{asked.key}", hide_index=True)
    with right:
        st.caption("As understood")
        st.dataframe(understood(asked, columns, read_as), key=f"as_{asked.key}", hide_index=True)
    return columns


def roles_of(asked: Question, likely: Columns) -> dict[str, str]:
    """The roles that a column can have here, with the words for them; seldom ones where there is such a column."""
    seldom = {role: words for role, words in SELDOM[asked.role].items() if role in likely or role in asked.picked}
    return ROLES[asked.role] | seldom


def labels_of(asked: Question, columns: Columns) -> tuple[str, ...]:
    """The words that stand for grades: those of the column that is picked, else those that were not understood."""
    if asked.role != "dataset":
        return ()
    if asked.seen is None or "grade" not in columns:
        return asked.labels
    return asked.seen.labels.get(columns["grade"], ())


def weights(asked: Question, labels: Sequence[str]) -> dict[str, float]:
    """A number for each word, filled in where a scale is known; those that have one."""
    st.caption("What each word is worth (0: not relevant; higher is better)")
    known = scale_of(labels)
    out: dict[str, float] = {}
    with st.container(horizontal=True, gap="small"):
        for place, label in enumerate(labels):
            if numbers(pa.array([label])).bad[0]:
                widget = f"worth_{place}_{asked.key}"
                said = asked.picked.get(f"grade:{label}")
                if widget not in st.session_state:
                    st.session_state[widget] = float(said) if said is not None else known[label]
                value = st.number_input(
                    escape.markdown(escape.shortened(label, 26)), key=widget, step=1.0, format="%g", width=150,
                    placeholder="a number",
                )  # fmt: skip
            else:
                value = float(numbers(pa.array([label])).values[0])
            if value is not None:
                out[label] = value
    return out


def enough(columns: Columns, role: Role) -> bool:
    """Whether the file could be read so: something names the query, and something its documents (or a text)."""
    has_query = bool({"query_id", "query"} & set(columns))
    if role == "run":
        return has_query and bool({"doc_id", "retrieved", "ranks"} & set(columns))
    return (has_query and len(columns) > 1) or {"doc_id", "text"} <= set(columns)


def suggested(asked: Question, seen: Preview, workspace: Workspace) -> Columns:
    """The guess from the columns' names; for query and document also from ids that the dataset knows,
    and for the score the first column of numbers that vary. What was read already is shown as it was understood."""
    likely = dict(seen.mapping)
    if asked.again:
        return likely
    judged = [part.reading.qrels for part in workspace.parts if part.reading.qrels is not None]
    rows = pd.DataFrame(list(seen.rows), columns=list(seen.columns))
    for role, known in (("query_id", [q.query_ids for q in judged]), ("doc_id", [q.doc_ids for q in judged])):
        free = [name for name in rows if name not in likely.values()]
        if role in likely or not known or not free:
            continue
        ids = joined(known).unique()
        met = {name: int((positions(text_column(rows[name].tolist()), ids) >= 0).sum()) for name in free}
        best = max(free, key=lambda name: met[name])
        if met[best] * 4 >= len(rows) > 0:  # a run returns much that is not judged
            likely[role] = best
    if asked.role == "run" and not {"score", "distance", "rank"} & set(likely):
        free = [name for name in rows if name not in likely.values()]
        values = {name: pd.to_numeric(rows[name], errors="coerce") for name in free}
        varied = [name for name, column in values.items() if column.notna().all() and column.nunique() > 1]
        likely |= {"score": varied[0]} if varied and "doc_id" in likely else {}
    return likely


def ranks(asked: Question) -> bool:
    """Whether a wide table is to be made long: asked, never guessed."""
    if asked.seen is None or asked.role != "run" or len(asked.ranked) < 2 or "doc_id" in asked.seen.mapping:
        return False
    named = ", ".join(escape.shortened(name, 20) for name in asked.ranked[:3])
    return st.checkbox(
        f"One row a question and one column a rank ({escape.markdown(named)}, …): make it long",
        key=f"wide_{asked.key}",
    )


def pick(asked: Question, seen: Preview, role: str, likely: Columns) -> str:
    """The picker of one role, filled with what was said before, or the guess."""
    widget = f"map_{role}_{asked.key}"
    guessed = (asked.picked or likely).get(role, NONE)
    options = [NONE, *seen.columns]
    if widget not in st.session_state:
        st.session_state[widget] = guessed if guessed in options else NONE
    return str(
        st.selectbox(
            roles_of(asked, likely)[role],
            options,
            key=widget,
            width=196,
            format_func=lambda name: escape.shortened(escape.one_line(name), 26),
        )
    )


def understood(asked: Question, columns: Columns, read_as: pd.DataFrame) -> pd.DataFrame:
    """The first rows under the names of their roles; a wide table one row a result; other columns as they are."""
    labels = ROLES[asked.role] | SELDOM[asked.role]
    if "ranks" in columns:
        wide = [name for name in asked.ranked if name in read_as]
        query = columns.get("query_id")
        rows: list[dict[str, Any]] = [
            {"Query id": row[query] if query else "", "Rank": rank, "Document id": row[name]}
            for _, row in read_as.iterrows()
            for rank, name in enumerate(wide, start=1)
            if row[name]
        ]
        return pd.DataFrame(rows[:8], columns=["Query id", "Rank", "Document id"])
    named = {labels[role]: read_as[name] for role, name in columns.items() if role in labels and name in read_as}
    further = [name for name in read_as if name not in columns.values()]
    return pd.DataFrame(
        named | {f"{name} ({kept_as(asked, columns, read_as, name)})": read_as[name] for name in further}
    )


def kept_as(asked: Question, columns: Columns, read_as: pd.DataFrame, name: str) -> str:
    """What becomes of a column without a role: it is kept where it has one value a query."""
    query = columns.get("query_id") or columns.get("query")
    if query is None or (read_as.groupby(query)[name].nunique() > 1).any():
        return "not read"
    return "measurement" if asked.role == "run" else "metadata"


def use(asked: Question, columns: Columns, workspace: Workspace) -> None:
    """Read the file as picked, and every waiting file of the same shape; remember the choice for later ones."""
    session.remember(asked.shape_key, columns)
    for one in session.asked():
        if one.shape_key != asked.shape_key:
            continue
        try:
            workspace = taken(workspace, *read(one, columns), again=one.again)
        except RagdashError as error:
            labels = error.labels if isinstance(error, GradeError) else one.labels
            session.answered(one.key, replace(one, why=str(error), labels=labels, picked=columns))
        else:
            session.answered(one.key)
    session.save(workspace)


def auto(asked: Question) -> None:
    """Back to the guess."""
    for widget in list(st.session_state):
        if str(widget).endswith(f"_{asked.key}") and str(widget).startswith(("map_", "wide_", "worth_")):
            del st.session_state[widget]
    session.answered(asked.key, replace(asked, picked={}))


def leave(asked: Question) -> None:
    session.answered(asked.key)
