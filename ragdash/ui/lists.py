"""How do ranked lists stand side by side? HTML with everything from the data escaped, legible on light and dark."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence, Set

from ragdash import escape, wording
from ragdash.analysis.drilldown import Missing, Placed, QueryView
from ragdash.report import passages
from ragdash.report.passages import best_passage, query_words

SNIPPET, FULL = 130, 4000
MOST_BEYOND = 8


def ranked(
    view: QueryView, run: str, other: str, k: int, threshold: float, here: Set[str] = frozenset(),
    evidence: Set[int] = frozenset(),
) -> str:  # fmt: skip
    """One run's list: the top `k`, the line, and the relevant documents that stand below it.

    `here` are documents whose grade was given in the app, `evidence` ranks of chunks that hold some. Where the other
    run cuts documents differently nothing is said of it: its ids cannot be these.
    """
    if (run, other) in view.apart:
        other = ""
    placed = view.lists[run]
    ranks = {one.doc_id: one.rank for one in view.lists[other]} if other not in ("", run) else {}
    words = query_words(view.text)
    items = [
        _item(one, ranks.get(one.doc_id), other, words, threshold, here, evidence=one.rank in evidence)
        for one in placed[:k]
    ]
    if not placed:
        said = "returns an empty list" if view.answered[run] else "did not answer this question"
        items.append(f'<li class="rd-gap">{_text(run)} {said}</li>')
    items.append(f'<li class="rd-k">K = {k}</li>')
    items += _beyond(view, run, other, k, ranks, words, threshold, here)
    return f'<ol class="rd-list">{"".join(items)}</ol>'


def _beyond(
    view: QueryView, run: str, other: str, k: int, ranks: dict[str, int], words: Sequence[str], threshold: float,
    here: Set[str],
) -> list[str]:  # fmt: skip
    out, last = [], k
    below = [one for one in view.lists[run][k:] if one.grade is not None and one.grade >= threshold]
    for one in below[:MOST_BEYOND]:
        if one.rank > last + 1:
            out.append(f'<li class="rd-gap">⋮ {wording.count(one.rank - last - 1, "more document")}</li>')
        out.append(_item(one, ranks.get(one.doc_id), other, words, threshold, here))
        last = one.rank
    if len(below) > MOST_BEYOND:
        out.append(f'<li class="rd-gap">⋮ {len(below) - MOST_BEYOND} more relevant below</li>')
    absent = [one for one in view.relevant_to(run) if one.ranks[run] is None]
    for missing in absent[:MOST_BEYOND]:
        out.append(_absent(missing, words, threshold, here))
    if len(absent) > MOST_BEYOND:
        out.append(f'<li class="rd-gap">{len(absent) - MOST_BEYOND} more relevant documents are not returned</li>')
    return out


def _item(
    one: Placed, elsewhere: int | None, other: str, words: Sequence[str], threshold: float, here: Set[str],
    *, evidence: bool = False,
) -> str:  # fmt: skip
    note = f"{_name(other)}: " + ("not returned" if elsewhere is None else f"rank {elsewhere:,}") if other else ""
    note = f" <span class='rd-note rd-there'>{note}</span>" if note else ""
    tag = ' <span class="rd-tag" title="holds evidence of the question">evidence</span>' if evidence else ""
    score = "" if one.score is None else f"{one.score:.4g}"
    relevant = " data-relevant" if one.grade is not None and one.grade >= threshold else ""
    return (
        f'<li data-doc="{_mark(one.doc_id)}"{relevant}><div class="rd-row"><span class="rd-rank">{one.rank:,}</span>'
        f"{grade_mark(one.grade, threshold, one.doc_id in here)}"
        f"<span>{_headed(one.title, one.doc_id)}{tag}{note}</span>"
        f'<span class="rd-score" title="document score">{score}</span></div>{_body(one.text, words)}</li>'
    )


def _mark(doc_id: str) -> str:
    """A short name of a document that is safe in an attribute: by it `joins` finds it in the other list."""
    return hashlib.blake2b(doc_id.encode(), digest_size=8).hexdigest()


def _absent(one: Missing, words: Sequence[str], threshold: float, here: Set[str]) -> str:
    return (
        f'<li><div class="rd-row"><span class="rd-rank" title="not returned">–</span>'
        f"{grade_mark(one.grade, threshold, one.doc_id in here)}"
        f"<span>{_headed(one.title, one.doc_id)}<br><span class='rd-note'>relevant, not returned</span></span>"
        f"<span></span></div>{_body(one.text, words)}</li>"
    )


def grade_mark(grade: float | None, threshold: float, here: bool = False) -> str:
    """The grade, printed; relevance in one hue from light to dark; unjudged an outline with "?".

    A grade that was given in the app (`here`) has a pencil beside it.
    """
    if grade is None:
        return '<span class="rd-grade rd-unjudged" title="not judged">?</span>'
    pencil, where = ("✎", " in ragdash") if here else ("", "")
    if grade < threshold:
        return f'<span class="rd-grade rd-zero" title="judged{where}, not relevant">{grade:g}{pencil}</span>'
    step = 1 if grade < 2 else 2 if grade < 3 else 3
    said = f"judged{where}, relevant" if here else "relevant"
    return f'<span class="rd-grade rd-g{step}" title="{said}">{grade:g}{pencil}</span>'


def _headed(title: str | None, doc_id: str) -> str:
    """Title and id, or the id alone; long ones shortened in the middle, whole on hover."""
    if not title:
        return f'<span class="rd-title" dir="auto" title="{_text(doc_id, 2000)}">{_text(doc_id, 60)}</span>'
    return (
        f'<span class="rd-title" dir="auto" title="{_text(title, 2000)}">{_text(title, 90)}</span> '
        f'<span class="rd-note" title="{_text(doc_id, 2000)}">{_text(doc_id, 40)}</span>'
    )


def _body(text: str | None, words: Sequence[str]) -> str:
    """The passage that holds most of the query's words; the whole text on demand."""
    if not text:
        return ""
    flat = passages.flat(text)
    at = best_passage(flat, words, SNIPPET)
    cut = flat[at : at + SNIPPET]
    lead, tail = "… " if at else "", " …" if at + SNIPPET < len(flat) else ""
    snippet = f'<span dir="auto">{lead}{marked(cut, words)}{tail}</span>'
    if not lead and not tail:
        return f'<details open><summary class="rd-note">text</summary>{snippet}</details>'
    more = f"\n… {len(text) - FULL:,} more characters" if len(text) > FULL else ""
    whole = marked(text[:FULL].translate(INERT), words) + more
    return f'<details><summary>{snippet}</summary><div class="rd-text" dir="auto">{whole}</div></details>'


def document(title: str | None, doc_id: str, text: str | None, words: Sequence[str], most: int = FULL) -> str:
    """One document by itself, up to `most` characters of its text, the query's words marked."""
    if not text:
        return f"<div>{_headed(title, doc_id)}</div>"
    more = f"\n… {len(text) - most:,} more characters" if len(text) > most else ""
    whole = marked(text[:most].translate(INERT), words) + more
    return f'<div>{_headed(title, doc_id)}</div><div class="rd-text rd-alone" dir="auto">{whole}</div>'


INERT = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F])


def marked(text: str, words: Sequence[str]) -> str:
    """Escaped text with the query's words marked."""
    return "".join(
        f"<mark>{escape.html_text(part)}</mark>" if hit else escape.html_text(part)
        for part, hit in passages.marked(text, words)
    )


def relevant_table(view: QueryView, runs: Sequence[str], k: int, threshold: float, here: Set[str] = frozenset()) -> str:
    """Every relevant document with its rank in each run: bold inside the top `k`, a dash where it is not returned.

    Where runs have labels of their own, a column names those of the row, and cells of other runs are blank.
    """
    labels = "<th>labels</th>" if view.labels_differ else ""
    head = "".join(f'<th title="{_text(run, 2000)}">{_name(run)}</th>' for run in runs)
    rows = "".join(
        f"<tr><td>{grade_mark(one.grade, threshold, one.doc_id in here)}</td><td>{_headed(one.title, one.doc_id)}</td>"
        + (f"<td>{_text(', '.join(view.labels_of(one)), 40)}</td>" if view.labels_differ else "")
        + "".join(_rank(one.ranks[run], k) if one.of(run) else ELSEWHERE for run in runs)
        + "</tr>"
        for one in view.relevant[:50]
    )
    more = len(view.relevant) - 50
    tail = f"<caption>The 50 best of {len(view.relevant):,} relevant documents.</caption>" if more > 0 else ""
    return (
        f'<div class="rd-scroll"><table class="rd-table">{tail}'
        f"<thead><tr><th>grade</th><th>relevant document</th>{labels}{head}"
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )


#: The cell of a run that is scored against other labels than those that name the document.
ELSEWHERE = '<td class="rd-num" title="judged by other labels"></td>'


def _rank(rank: int | None, k: int) -> str:
    if rank is None:
        return '<td class="rd-num" title="not returned">–</td>'
    return f'<td class="rd-num">{f"<b>{rank:,}</b>" if rank <= k else f"{rank:,}"}</td>'


def _name(run: str) -> str:
    return _text(run, 22)


def _text(text: str, width: int = 60) -> str:
    return escape.html_text(escape.shortened(escape.one_line(text), width))


def chosen_runs(baseline: str, contender: str, also: Iterable[str]) -> list[str]:
    """Columns from left to right, at most four."""
    return list(dict.fromkeys([baseline, contender, *also]))[:4]
