"""How are scores shown as tables? Means of all runs, and the dense table of queries."""

from __future__ import annotations

from typing import Any, NoReturn

import pandas as pd
import streamlit as st

from ragdash import escape
from ragdash.analysis.evaluate import Scores
from ragdash.analysis.facts import EVIDENCE, FIRST, FOUND, READ, SPREAD, UNJUDGED, heads
from ragdash.analysis.measured import medians
from ragdash.ui import bars, frame, nav, picks, session
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
            escape.shortened(shown, 28),
            "%.4g",
            help="A measurement, no score: its median over questions.",
        )
    roles = {chosen.baseline: "● baseline", chosen.contender: "◆ contender"}
    table.insert(0, "run", table.index)
    table.insert(1, "role", [roles.get(name, "") for name in table.index])
    st.markdown("**Mean scores**")
    upwards = not scores.metrics[0].block.higher_is_better
    ordered = table.sort_values(first, ascending=upwards, kind="stable")
    columns["run"] = st.column_config.TextColumn("run", width="medium")
    columns["role"] = st.column_config.TextColumn("", width=104)
    frame.table(ordered, "means", column_config=columns)
    frame.download(table, "ragdash-means.csv")


def queries(table: pd.DataFrame, chosen: Picks, key: str) -> Any:
    """The dense table: text, scores, the difference with a bar around zero, counts, metadata. A row is picked."""
    shown = pd.DataFrame({"query": [escape.shortened(escape.one_line(text), 120) for text in table["query"]]})
    here = session.get("query")
    shown.insert(0, "id", table["query_id"].to_numpy())
    columns: dict[str, Any] = {
        "id": st.column_config.TextColumn("id", width="small"),
        "query": st.column_config.TextColumn("question", width="medium"),
    }
    if (table["query"] == table["query_id"]).all():  # no file gave the questions' texts
        del shown["query"]
    if here in set(table["query_id"]):
        shown.insert(0, "here", ["▶" if one == here else "" for one in table["query_id"]])
        columns["here"] = st.column_config.TextColumn("", width=28, help="The question that was open last")
    for i, name in enumerate((chosen.baseline, chosen.contender)):
        shown[f"s{i}"] = table[f"score: {name}"].to_numpy()
        columns[f"s{i}"] = _score(name, ("● ", "◆ ")[i])
    shown["difference"] = table["difference"].to_numpy()
    columns["difference"] = frame.number("difference", "%+.3f")
    shown["bar"] = bars.images(table["difference"].to_numpy(), float(max(1.0, table["difference"].abs().max())))
    columns["bar"] = st.column_config.ImageColumn("◀ worse  better ▶", width=110, help="The difference, around zero")
    for head in heads(chosen.metric, chosen.k):
        for mark, name in (("●", chosen.baseline), ("◆", chosen.contender)):
            column = f"{head}: {name}"
            shown[column] = table[column].to_numpy()
            columns[column] = frame.number(f"{mark} {head}", "%.3f" if head.startswith(EVIDENCE) else "%d")
    for name in _metadata(table):
        shown[name] = table[name].to_numpy()
    for i, name in enumerate(chosen.experiment.run_names):
        if name not in (chosen.baseline, chosen.contender):
            shown[f"o{i}"] = table[f"score: {name}"].to_numpy()
            columns[f"o{i}"] = _score(name)
    if len(chosen.experiment.runs) > 2:
        shown[SPREAD] = table[SPREAD].to_numpy()
    height = 36 * 15 if len(shown) > 14 else "auto"
    return frame.table(shown, key, select=True, column_config=columns, height=height, alt="Questions", placeholder="–")


def _score(name: str, mark: str = "") -> Any:
    """The head of a run's scores."""
    return frame.number(mark + escape.shortened(escape.one_line(name), 22), help=escape.markdown(name))


def _metadata(table: pd.DataFrame) -> list[str]:
    """The columns that come from the dataset."""
    own = ("query_id", "query", "difference", SPREAD)
    kinds = ("score: ", f"{FIRST}: ", f"{FOUND} ", f"{UNJUDGED} ", f"{EVIDENCE} ", f"{READ} ")
    return [str(name) for name in table if name not in own and not str(name).startswith(kinds)]


def window(table: pd.DataFrame, first: int) -> pd.DataFrame:
    """The page of the table that begins at row `first`."""
    return table.iloc[first : first + PAGE]


def first_row(table: pd.DataFrame) -> int:
    """Where the shown page begins: as the URL says, or where the query is that was open last; else the first page."""
    text = session.get("from")
    if not text:
        at = (table["query_id"] == session.get("query")).to_numpy().argmax() if len(table) else 0
        return int(at) // PAGE * PAGE
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


def open_named(shown: pd.DataFrame, **changes: Any) -> None:
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
        open_query(picked, **changes)


def open_query(query_id: str, **changes: Any) -> NoReturn:
    """Go to a query. The page that is left remembers it, so that Back comes back to its row."""
    session.put(query=query_id)
    nav.go("pages/query.py", session.params(query=query_id, **{"from": None, **changes}))


def open_picked(event: Any, shown: pd.DataFrame, **changes: Any) -> None:
    """Go to the query whose row was picked."""
    selected = event["selection"] if event else {}
    rows = [*selected.get("rows", []), *(row for row, _ in selected.get("cells", []))]
    if rows and rows[0] < len(shown):
        open_query(str(shown["query_id"].iloc[rows[0]]), **changes)


def picked_marks(event: Any) -> list[int]:
    """What the picked marks of a chart carry; a flat scalar may come wrapped in a list."""
    points = event["selection"]["points"] if event else []
    found = [point.get("customdata") for point in points]
    flat = [one[0] if isinstance(one, list | tuple) else one for one in found]
    return [int(one) for one in flat if one is not None]
