"""What did each run see? The evidence underlined in its document, and beside it the chunks of each run as bands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import streamlit as st

from ragdash import escape, wording
from ragdash.analysis.drilldown import QueryView
from ragdash.analysis.seen import Chunk, Page, Seen, seen
from ragdash.charts import theme
from ragdash.report.passages import flat
from ragdash.ui import frame, names
from ragdash.ui.lists import INERT
from ragdash.ui.picks import Picks

MARKS = ("●", "◆")  # of the baseline's and the contender's column
MOST_PAGES, LONGEST, QUOTED = 4, 6000, 240
#: What ends a sentence, and may be followed by a blank: a chunk that ends elsewhere cuts one.
STOPS = ".!?:;…\n。！？"


def evidence(view: QueryView, chosen: Picks) -> None:
    """The evidence of the question in its documents, which chunk covers what, and the words that a run has missed."""
    runs = [chosen.baseline, chosen.contender]
    found = seen(chosen.scores, view.query_id, chosen.k, runs)
    if found is None:
        return
    with st.container(key="seen"):
        st.markdown(f"**Evidence, and what the first {wording.count(chosen.k, 'chunk')} hold of it**")
        for run in runs:
            missed(found, run, {chosen.baseline: ":blue[●]", chosen.contender: ":orange[◆]"}[run])
        before, after = (names.said(run) for run in runs)
        st.caption(
            f":blue[●] {before} · :orange[◆] {after}: a band beside the text is a chunk, the number its rank; evidence "
            "is underlined."
        )
        st.html("".join(page(one, runs) for one in found.pages[:MOST_PAGES]))
        if len(found.pages) > MOST_PAGES:
            st.caption(f"{len(found.pages) - MOST_PAGES} more documents hold evidence; the data below names them.")
        shown = st.expander("Show the data", key="seen_data", on_change="rerun", type="compact")
        if shown.open:
            with shown:
                table = found.frame()
                frame.table(table, key="seen_table")
                frame.download(table, "ragdash-evidence.csv")


def missed(found: Seen, run: str, mark: str) -> None:
    """How much of the evidence a run has, and the words that it has not."""
    n = len(found.proofs)
    lost = [one for one in found.proofs if one.missed(run)]
    told = f"{mark} {names.said(run)} found {n - len(lost):,} of {wording.count(n, 'span')} of evidence"
    if not lost:
        st.markdown(f"{told}.")
        return
    quotes = [f"“{escape.markdown(escape.shortened(flat(one.quote), QUOTED))}”" for one in lost[:3] if one.quote]
    more = len(lost) - len(quotes)
    rest = f" and {more:,} more" if more and quotes else ""
    st.markdown(f"{told}{'; missed: ' if quotes else '.'}{', '.join(quotes)}{rest}")


def page(one: Page, runs: Sequence[str]) -> str:
    """One document as rows: a band for each run, then words. A row ends where a chunk begins or ends."""
    title = escape.html_text(escape.shortened(escape.one_line(one.title or one.doc_id), 90))
    if not one.text:
        return f'<p class="rd-note"><b>{title}</b>: its text is not known; the evidence is quoted above.</p>'
    cells = [
        f'<div class="rd-head" style="color: {color}" title="{_name(run, 200)}">{mark}</div>'
        for run, mark, color in zip(runs, MARKS, (theme.BASELINE, theme.CONTENDER))
    ]
    cells.append(f'<div class="rd-words"><b dir="auto">{title}</b></div>')
    last, length = 0, 0
    for begin, end in one.windows():
        end = min(end, begin + LONGEST - length)
        if end <= begin:
            break
        if begin > last:
            cells.append(_gap(begin - last, len(runs)))
        cells += _rows(one, begin, end, runs)
        last, length = end, length + end - begin
    if last < len(one.text):
        cells.append(_gap(len(one.text) - last, len(runs)))
    columns = " ".join(["2.6rem"] * len(runs))
    return f'<div class="rd-seen" style="grid-template-columns: {columns} minmax(0, 1fr)">{"".join(cells)}</div>'


def _rows(one: Page, begin: int, end: int, runs: Sequence[str]) -> Iterator[str]:
    cuts = {begin, end}
    for chunks in one.chunks.values():
        cuts |= {at for chunk in chunks for at in (chunk.begin, chunk.end) if begin < at < end}
    ordered = sorted(cuts)
    for low, high in pairwise(ordered):
        for run, color in zip(runs, (theme.BASELINE, theme.CONTENDER)):
            yield _band(
                [chunk for chunk in one.chunks[run] if chunk.begin < high and chunk.end > low], low, high, color
            )
        yield f'<div class="rd-words" dir="auto">{_words(one, low, high)}</div>'


def _band(chunks: Sequence[Chunk], low: int, high: int, color: str) -> str:
    """Where a run has these characters in its top K: its colour, and the ranks where a chunk begins."""
    if not chunks:
        return '<div class="rd-band"></div>'
    first = any(chunk.begin == low for chunk in chunks)
    last = any(chunk.end == high for chunk in chunks)
    ranks = ", ".join(str(chunk.rank) for chunk in chunks)
    kinds = "rd-band" + " rd-first" * first + " rd-last" * last + " rd-twice" * (len(chunks) > 1)
    said = f"rank {ranks}"
    return f'<div class="{kinds}" title="{said}" style="background-color: {color}55">{ranks}</div>'


def _words(one: Page, low: int, high: int) -> str:
    """The text between two cuts, evidence underlined; scissors where a chunk ends or begins within a sentence."""
    text = one.text or ""
    cuts = sorted({low, high, *(at for proof in one.proofs for at in (proof.begin, proof.end) if low < at < high)})
    parts = []
    for begin, end in pairwise(cuts):
        words = escape.html_text(text[begin:end].translate(INERT))
        inside = any(proof.begin <= begin and proof.end >= end for proof in one.proofs)
        parts.append(f"<u>{words}</u>" if inside else words)
    ends = {at for chunks in one.chunks.values() for chunk in chunks for at in (chunk.begin, chunk.end)}
    if high in ends and _within_sentence(text, high):
        parts.append(' <span class="rd-note" title="a chunk is cut here, within a sentence">✂</span>')
    return "".join(parts)


def _within_sentence(text: str, at: int) -> bool:
    before, after = text[:at].rstrip(" "), text[at:]
    return bool(before) and bool(after.strip()) and before[-1] not in STOPS and not after.startswith("\n")


def _gap(n: int, runs: int) -> str:
    blank = "<div></div>" * runs
    return f'{blank}<div class="rd-out">⋮ {wording.count(n, "character")}</div>'


def _name(run: str, width: int) -> str:
    return escape.html_text(escape.shortened(escape.one_line(run), width))
