"""Which filters does the URL ask for, and how are they set and taken back? Chips with a close mark, one menu to add."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ragdash import escape
from ragdash.analysis.filters import Filters, Range, parsed_slice
from ragdash.analysis.slices import columns, labels
from ragdash.ui import cached, inspected, names, picks, session
from ragdash.ui.picks import Picks

MOST_OPTIONS = 300


@dataclass(frozen=True)
class Chip:
    """One filter in force: what it says, and the URL without it."""

    label: str
    without: dict[str, Any]


@dataclass(frozen=True)
class Line:
    """A line of the trust list or a finding, by the name that a link uses, with the queries behind it."""

    name: str
    text: str
    queries: tuple[str, ...]


def lines(chosen: Picks) -> list[Line]:
    """Everything that was said about some of the queries."""
    scores, testing = chosen.scores, chosen.testing
    row = cached.comparison(scores, chosen.baseline, chosen.contender, chosen.metric, testing)
    found = [Line(f"trust:{one.key}", one.text, one.queries) for one in cached.checks(scores, row, testing)]
    said = cached.findings(scores)
    found += [Line(f"finding:{one.code}:{one.run or ''}", names.finding(one), one.queries) for one in said]
    return [one for one in found if one.queries]


def read(chosen: Picks) -> tuple[Filters, list[Chip]]:
    """The filters of the URL; what is not possible is said and taken out."""
    asked, chips = inspected.asked(chosen), []
    if chosen.search:
        chips.append(Chip(f"“{_name(chosen.search, 30)}”", {"search": None}))
    slices = _many("slice", lambda text: parsed_slice(asked, text), "a group of queries, as in category:billing")
    for text, (column, value) in slices:
        chips.append(Chip(f"{_name(column, 24)}: {_name(value, 30)}", {"slice": _others("slice", text)}))
    difference = _range("diff", session.get("diff"))
    if difference is not None:
        chips.append(Chip(f"difference {_span(difference)}", {"diff": None}))
    expected = f"a run and a range, as in {chosen.baseline}:0..0.5"
    scored = _many("score", lambda text: _run_and_range(text, chosen.experiment.run_names), expected)
    for text, (run, span) in scored:
        chips.append(Chip(f"{_name(run, 24)} scores {_span(span)}", {"score": _others("score", text)}))
    line = _line(chosen)
    if line is not None:
        chips.append(Chip(_name(line.text, 70), {"line": None}))
    pairs = tuple(pair for _, pair in slices)
    spans = tuple(pair for _, pair in scored)
    return Filters(chosen.search, pairs, difference, spans, None if line is None else line.queries), chips


def refuse(key: str, text: str, expected: str, used: str = "no filter", instead: Sequence[str] | None = None) -> None:
    """Say that the link asks for something that is not possible here; it is taken out of the URL."""
    st.warning(picks.said(key, text, used, expected, instead=instead), icon=":material/link_off:")


def _name(text: str, width: int) -> str:
    return escape.markdown(escape.shortened(escape.one_line(text), width))


def _span(span: Range) -> str:
    """ "0.2 to 0.5", "1", "at least 0.2"."""
    if span.low is not None and span.low == span.high:
        return escape.markdown(f"{span.low:g}")
    if span.low is None:
        return escape.markdown(f"at most {span.high:g}")
    return escape.markdown(f"at least {span.low:g}" if span.high is None else f"{span.low:g} to {span.high:g}")


def _others(key: str, text: str) -> list[str]:
    return [one for one in session.get_all(key) if one != text]


def _many(key: str, parse: Callable[[str], Any], expected: str) -> list[tuple[str, Any]]:
    """Each valid value of a repeated key with what it means."""
    out = []
    for text in dict.fromkeys(session.get_all(key)):
        found = parse(text)
        if found is None:
            refuse(key, text, expected, instead=_others(key, text))
        else:
            out.append((text, found))
    return out


def _range(key: str, text: str) -> Range | None:
    if not text:
        return None
    found = Range.parse(text)
    if found is None:
        refuse(key, text, "a range, as in -0.5..-0.1")
    return found


def _run_and_range(text: str, runs: Sequence[str]) -> tuple[str, Range] | None:
    run, _, span = text.rpartition(":")
    found = Range.parse(span)
    return (run, found) if run in runs and found is not None else None


def _line(chosen: Picks) -> Line | None:
    wanted = session.get("line")
    if not wanted:
        return None
    every = lines(chosen)
    found = next((one for one in every if wanted in (one.name, one.name.removesuffix(":"))), None)
    if found is None:
        expected = f"one of {', '.join(one.name for one in every[:4])}" if every else "no line speaks of some queries"
        refuse("line", wanted, expected)
    return found


def show(chips: Sequence[Chip]) -> None:
    """The filters in force, each with its own close mark; one to remove them all."""
    for i, chip in enumerate(chips):
        st.button(
            chip.label, icon=":material/close:", icon_position="right", key=f"chip_{i}", help="Remove this filter",
            on_click=session.put, kwargs={**chip.without, "from": None},
        )  # fmt: skip
    if len(chips) > 1:
        every = dict.fromkeys(one for one in session.FILTERS if one != "show")
        st.button("Remove all", key="chips_none", type="tertiary", on_click=session.put, kwargs={**every, "from": None})


def menu(chosen: Picks) -> None:
    """One button that opens everything a filter can be set on."""
    box = st.popover("Filter", icon=":material/filter_alt:", key="filter_menu", on_change="rerun")
    if not box.open:
        return
    with box:
        _groups(chosen)
        _differences(chosen)
        _scores(chosen)
        _lines(chosen)


def _groups(chosen: Picks) -> None:
    asked = inspected.asked(chosen)
    options = [
        f"{column}:{value}" for column in columns(asked.scores) for value in sorted(set(labels(asked.scores, column)))
    ]
    picked = [one for one in session.get_all("slice") if one in options]
    st.multiselect(
        "Only questions with",
        options[:MOST_OPTIONS],
        key=session.show("pick_slice", picked),
        format_func=lambda one: escape.shortened(escape.one_line(one.replace(":", ": ", 1)), 60),
        on_change=session.picked("pick_slice", "slice", also={"from": None}),
        placeholder="a category, a language, a length …",
    )


def _differences(chosen: Picks) -> None:
    d = inspected.asked(chosen).difference
    ends = (min(-1.0, float(d.min(initial=0))), max(1.0, float(d.max(initial=0))))
    _slider("Difference from … to …", "diff", "diff", ends, _range("diff", session.get("diff")), lambda text: text)


def _scores(chosen: Picks) -> None:
    for role, run in (("baseline", chosen.baseline), ("contender", chosen.contender)):
        values = chosen.scores.of(run, chosen.metric)
        ends = (min(0.0, float(values.min(initial=0))), max(1.0, float(values.max(initial=0))))
        mine = [one for one in session.get_all("score") if one.rpartition(":")[0] == run]
        others = [one for one in session.get_all("score") if one not in mine]
        span = Range.parse(mine[0].rpartition(":")[2]) if mine else None

        def with_run(text: str | None, run: str = run, others: list[str] = others) -> list[str]:
            return [*others, f"{run}:{text}"] if text else others

        _slider(f"Score of {names.said(run, 24)}", f"score_{role}", "score", ends, span, with_run)


def _slider(
    label: str, widget: str, key: str, ends: tuple[float, float], span: Range | None, write: Callable[[Any], Any]
) -> None:
    low = ends[0] if span is None or span.low is None else min(max(span.low, ends[0]), ends[1])
    high = ends[1] if span is None or span.high is None else min(max(span.high, ends[0]), ends[1])
    name = session.show(f"pick_{widget}", (low, high))

    def read(value: tuple[float, float]) -> Any:
        low, high = (None if at == end else round(at, 3) for at, end in zip(value, ends))
        return write(None if low is None and high is None else str(Range(low, high)))

    st.slider(
        label, *ends, step=0.01, format="%.2f", key=name, on_change=session.picked(name, key, read, also={"from": None})
    )


def _lines(chosen: Picks) -> None:
    every = {one.name: one for one in lines(chosen)}
    if not every:
        return
    st.selectbox(
        "Behind a line of the trust list or a finding",
        list(every),
        index=None,
        key=session.show("pick_line", session.get("line") if session.get("line") in every else None),
        format_func=lambda name: escape.shortened(escape.one_line(every[name].text), 80),
        on_change=session.picked("pick_line", "line", also={"from": None}),
        placeholder="any",
    )
