"""Which column is which? A table as read and as understood, side by side, with a picker for each role."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd
import streamlit as st

from ragdash import escape
from ragdash.data.columns import joined, positions, text_column
from ragdash.data.formats.base import Blob, Role
from ragdash.data.formats.sheet import RANKED
from ragdash.data.formats.words import plain
from ragdash.data.intake import Part, Preview, preview, read_part, read_runs, unique_names
from ragdash.data.nouns import Run
from ragdash.errors import FileError, RagdashError, UnknownFormatError
from ragdash.ui import session
from ragdash.ui.shelf import Workspace

Columns = Mapping[str, str]

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
NONE = "–"
#: Wider tables without numbered columns are matrices of scores: there is no document column to pick.
WIDEST = 40


@dataclass(frozen=True)
class Question:
    """A file that a person is asked about: its bytes, the table in it, and why it is asked."""

    blob: Blob
    role: Role
    seen: Preview
    why: str
    picked: Columns = field(default_factory=dict)

    @property
    def key(self) -> str:
        return f"{self.blob.sha256[:12]}_{self.role}"

    @property
    def ranked(self) -> tuple[str, ...]:
        """Columns that look like ranks: `rank_1`, `doc2`, `3`."""
        return tuple(name for name in self.seen.columns if RANKED.match(plain(name)))


def question(blob: Blob, role: Role, error: FileError | None = None) -> Question | None:
    """What to ask about a file that was not understood (`error`), or of which two columns could be the grade."""
    if error is not None and not isinstance(error, UnknownFormatError):
        return None
    seen = preview(blob, role)
    if seen is None or seen.sure or len(seen.columns) < 2:
        return None
    asked = Question(blob, role, seen, str(error) if error else f"{seen.why}.")
    if seen.n_columns > WIDEST and len(asked.ranked) < 2:
        return None
    return asked


def read(asked: Question, columns: Columns) -> tuple[list[Part], list[Run]]:
    """The file with its columns settled. Raises RagdashError."""
    if asked.role == "run":
        return [], read_runs(asked.blob, columns)
    part = read_part(asked.blob, columns)
    return [part], list(part.reading.runs)


def taken(workspace: Workspace, parts: Sequence[Part], runs: Sequence[Run]) -> Workspace:
    """The workspace with what was read; a file that was there before is replaced."""
    known = {part.source.sha256 for part in parts}
    kept = tuple(part for part in workspace.parts if part.source.sha256 not in known)
    return replace(workspace, parts=(*kept, *parts), runs=tuple(unique_names([*workspace.runs, *runs])))


def ask(workspace: Workspace | None) -> None:
    """One card for each file that waits for an answer."""
    for asked in session.asked():
        with st.container(border=True, key=f"ask_{asked.key}"):
            card(asked, workspace or Workspace())


def card(asked: Question, workspace: Workspace) -> None:
    """As read, as understood, a picker for each role, and three ways on."""
    seen = asked.seen
    st.markdown(f"**Which column is which in {escape.markdown(escape.shortened(asked.blob.name, 60))}?**")
    st.markdown(escape.markdown(asked.why.partition("; expected")[0]))
    wide = ranks(asked)
    likely = suggested(asked, workspace)
    with st.container(horizontal=True, gap="small"):
        picked = {role: pick(asked, role, likely) for role in (["query_id"] if wide else ROLES[asked.role])}
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
    with st.container(horizontal=True):
        st.button("Use these columns", type="primary", icon=":material/check:", key=f"use_{asked.key}",
                  on_click=use, args=(asked, columns, workspace), disabled=not enough(columns, asked.role))  # fmt: skip
        st.button("Auto", icon=":material/auto_fix_high:", key=f"auto_{asked.key}", on_click=auto, args=(asked,),
                  help="Back to what the names of the columns, and the ids in them, suggest")  # fmt: skip
        st.button("Leave this file out", key=f"skip_{asked.key}", type="tertiary", on_click=leave, args=(asked,))


def enough(columns: Columns, role: Role) -> bool:
    """Whether the file could be read so: something names the query, and something its documents (or a text)."""
    has_query = bool({"query_id", "query"} & set(columns))
    if role == "run":
        return has_query and bool({"doc_id", "retrieved", "ranks"} & set(columns))
    return (has_query and len(columns) > 1) or {"doc_id", "text"} <= set(columns)


def suggested(asked: Question, workspace: Workspace) -> Columns:
    """The guess from the columns' names; for query and document also from ids that the dataset knows,
    and for the score the first column of numbers that vary."""
    likely = dict(asked.seen.mapping)
    judged = [part.reading.qrels for part in workspace.parts if part.reading.qrels is not None]
    rows = pd.DataFrame(list(asked.seen.rows), columns=list(asked.seen.columns))
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
    if asked.role != "run" or len(asked.ranked) < 2 or "doc_id" in asked.seen.mapping:
        return False
    named = ", ".join(escape.shortened(name, 20) for name in asked.ranked[:3])
    return st.checkbox(
        f"One row a question and one column a rank ({escape.markdown(named)}, …): make it long",
        key=f"wide_{asked.key}",
    )


def pick(asked: Question, role: str, likely: Columns) -> str:
    """The picker of one role, filled with the guess."""
    widget = f"map_{role}_{asked.key}"
    guessed = likely.get(role, NONE)
    options = [NONE, *asked.seen.columns]
    if widget not in st.session_state:
        st.session_state[widget] = guessed if guessed in options else NONE
    return str(
        st.selectbox(
            ROLES[asked.role][role],
            options,
            key=widget,
            width=196,
            format_func=lambda name: escape.shortened(escape.one_line(name), 26),
        )
    )


def understood(asked: Question, columns: Columns, read_as: pd.DataFrame) -> pd.DataFrame:
    """The first rows under the names of their roles; a wide table one row a result; other columns as they are."""
    labels = ROLES[asked.role]
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
    kept = "measurement" if asked.role == "run" else "metadata"
    return pd.DataFrame(named | {f"{name} ({kept})": read_as[name] for name in further})


def use(asked: Question, columns: Columns, workspace: Workspace) -> None:
    """Read the file as picked, and every waiting file of the same shape; remember the choice for later ones."""
    session.remember(asked.seen.shape_key, columns)
    for one in session.asked():
        if one.seen.shape_key != asked.seen.shape_key:
            continue
        try:
            workspace = taken(workspace, *read(one, columns))
        except RagdashError as error:
            session.answered(one.key, replace(one, why=str(error)))
        else:
            session.answered(one.key)
    session.save(workspace)


def auto(asked: Question) -> None:
    """Back to the guess."""
    for widget in [*(f"map_{role}_{asked.key}" for role in ROLES[asked.role]), f"wide_{asked.key}"]:
        st.session_state.pop(widget, None)


def leave(asked: Question) -> None:
    session.answered(asked.key)
