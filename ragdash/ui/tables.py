"""How are scores shown as tables? Means of all runs, and the dense table of queries."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from ragdash import escape
from ragdash.analysis.evaluate import Scores
from ragdash.analysis.measured import medians
from ragdash.ui import frame, nav, picks, session
from ragdash.ui.picks import Picks

PAGE = 50


def means(scores: Scores, chosen: Picks) -> None:
    """Every run's mean on every usual metric, then the medians of what else was measured; baseline and contender
    named, the best run of the first metric on top."""
    table = scores.means()
    table.columns = [metric.label for metric in scores.metrics]
    columns: dict[str, Any] = {
        metric.label: frame.number(metric.label, help=escape.markdown(metric.block.sentence))
        for metric in scores.metrics
    }
    first = table.columns[0]
    for name, column in medians(scores).items():
        shown = f"{escape.one_line(str(name))} (median)"
        table[shown] = column
        columns[shown] = frame.number(
            escape.shortened(shown, 28), None, help="A measurement of the run, not a score: its median over questions."
        )
    roles = {chosen.baseline: "● baseline", chosen.contender: "◆ contender"}
    table.insert(0, "run", table.index)
    table.insert(1, "role", [roles.get(name, "") for name in table.index])
    st.markdown("**Mean scores**")
    upwards = not scores.metrics[0].block.higher_is_better
    ordered = table.sort_values(first, ascending=upwards, kind="stable")
    columns["run"] = st.column_config.TextColumn("run", width="medium")
    columns["role"] = st.column_config.TextColumn("")
    frame.table(ordered, "means", column_config=columns)
    frame.download(table, "ragdash-means.csv")


def queries(table: pd.DataFrame, chosen: Picks, key: str) -> Any:
    """The dense table: text, each run's score, the difference as a small bar around zero, metadata. A row is picked."""
    shown = pd.DataFrame({"query": [escape.shortened(escape.one_line(text), 120) for text in table["query"]]})
    shown.insert(0, "id", table["query_id"].to_numpy())
    if (table["query"] == table["query_id"]).all():  # no file gave the questions' texts
        del shown["query"]
    columns: dict[str, Any] = {
        "id": st.column_config.TextColumn("id", width="small"),
        "query": st.column_config.TextColumn("question", width="large"),
    }
    order = [chosen.baseline, chosen.contender]
    order += [name for name in chosen.experiment.run_names if name not in order]
    for i, name in enumerate(order):
        shown[f"s{i}"] = table[f"score: {name}"].to_numpy()
        mark = ("● ", "◆ ")[i] if i < 2 else ""
        columns[f"s{i}"] = frame.number(mark + escape.shortened(escape.one_line(name), 22), help=escape.markdown(name))
    shown.insert(list(shown).index("s0") + 2, "difference", table["difference"].to_numpy())
    columns["difference"] = frame.number("difference", "%+.3f")
    for name in table.columns:
        if name not in ("query_id", "query", "difference") and not str(name).startswith("score: "):
            shown[str(name)] = table[name].to_numpy()
    height = 36 * 15 if len(shown) > 14 else "auto"
    return frame.table(shown, key, select=True, column_config=columns, height=height, alt="Questions, worst first")


def window(table: pd.DataFrame, first: int) -> pd.DataFrame:
    """The page of the table that begins at row `first`."""
    return table.iloc[first : first + PAGE]


def first_row(table: pd.DataFrame) -> int:
    """Where the shown page begins, from the URL; the first page where that is not possible."""
    text = session.get("from")
    if not text:
        return 0
    if text.isascii() and text.isdigit() and int(text) < max(1, len(table)):
        return int(text) // PAGE * PAGE
    st.warning(picks.said("from", text, "0", f"a row from 0 to {max(0, len(table) - 1)}"), icon=":material/link_off:")
    return 0


def turn(table: pd.DataFrame, first: int) -> None:
    """Leaf through a long table, 50 rows at a time."""
    if len(table) <= PAGE:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        back = {"from": str(first - PAGE) if first > PAGE else None}
        st.button("Previous 50", icon=":material/chevron_left:", key="page_back", disabled=first == 0,
                  on_click=session.put, kwargs=back)  # fmt: skip
        last = min(first + PAGE, len(table))
        st.markdown(f"{first + 1:,} to {last:,} of {len(table):,}", width="content")
        st.button("Next 50", icon=":material/chevron_right:", key="page_next", disabled=last == len(table),
                  icon_position="right", on_click=session.put, kwargs={"from": str(first + PAGE)})  # fmt: skip


def open_named(shown: pd.DataFrame) -> None:
    """The same without a mouse: a cell of the table cannot be picked with keys."""
    texts = dict(zip(shown["query_id"], shown["query"]))
    picked = st.selectbox(
        "Open a question",
        list(texts),
        index=None,
        key="open_named",
        placeholder="Open a question",
        format_func=lambda one: escape.shortened(escape.one_line(str(texts.get(one, one))), 60),
        label_visibility="collapsed",
        width=320,
    )
    if picked:
        nav.go("pages/query.py", session.params(query=picked))


def open_picked(event: Any, shown: pd.DataFrame, **changes: Any) -> None:
    """Go to the query whose row was picked."""
    selected = event["selection"] if event else {}
    rows = [*selected.get("rows", []), *(row for row, _ in selected.get("cells", []))]
    if rows and rows[0] < len(shown):
        nav.go("pages/query.py", session.params(query=shown["query_id"].iloc[rows[0]], **changes))
