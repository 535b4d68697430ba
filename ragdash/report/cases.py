"""What is shown of one question on paper? Its scores, what happened, its relevant documents and both lists."""

from __future__ import annotations

from dataclasses import dataclass

from ragdash import wording
from ragdash.analysis.drilldown import Missing, Placed, QueryView, query_view, what_happened
from ragdash.analysis.evaluate import orientation
from ragdash.analysis.seen import seen
from ragdash.report.contents import Contents, Remark
from ragdash.report.passages import Piece, flat, marked, passage, query_words
from ragdash.report.reading import query_told
from ragdash.report.study import Study

MOST_RELEVANT, FULL = 12, 4000


@dataclass(frozen=True)
class Shown:
    """A document as it is printed: `grade` is what is printed, `kind` its look, `rank` empty where not returned."""

    rank: str
    grade: str
    kind: str
    doc_id: str
    title: str
    snippet: tuple[Piece, ...]
    whole: tuple[Piece, ...]
    more: int
    ranks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Case:
    """One question. `lists` are the baseline's and the contender's, cut at K; `relevant` are in the order of grades."""

    query_id: str
    text: str
    metadata: tuple[tuple[str, str], ...]
    before: str
    after: str
    difference: str
    happened: str
    relevant: tuple[Shown, ...]
    n_relevant: int
    lists: tuple[tuple[str, str, tuple[Shown, ...]], ...]
    notes: tuple[Remark, ...]
    evidence: tuple[Told, ...] = ()
    by_evidence: bool = False


@dataclass(frozen=True)
class Told:
    """One span of evidence as it is printed: where it stands, its words, and the share of it in each list's top K."""

    where: str
    quote: str
    shares: tuple[str, ...]


def case(study: Study, contents: Contents, query_id: str, depth: int, *, texts: bool) -> Case:
    """A question with the first `depth` of each list; `texts` brings the documents' texts. Raises OptionError."""
    view = query_view(study.focus, query_id)
    words = query_words(view.text)
    at = study.focus.experiment.query_index[query_id]
    names = (study.baseline, study.contender)
    one, other = (float(study.focus.values[study.focus.experiment.index_of(name), 0, at]) for name in names)
    counted = [one for one in view.relevant if any(one.of(name) for name in names)]
    relevant = [_relevant(found, names, words, study, texts=texts) for found in counted[:MOST_RELEVANT]]
    lists = tuple((name, _why_empty(view, name), _placed(view, name, depth, words, study, texts)) for name in names)
    return Case(
        query_id,
        view.text,
        tuple((str(key), str(value)) for key, value in list(view.metadata.items())[:8]),
        wording.number(one),
        wording.number(other),
        wording.direction(orientation(study.metric) * (other - one)),
        study.trimmed(_happened(study, view, names)),
        tuple(relevant),
        len(counted),
        lists,
        tuple(note for note in contents.notes if note.query_id == query_id),
        _evidence(study, query_id, names),
        study.metric.block.needs_spans,
    )


def _happened(study: Study, view: QueryView, names: tuple[str, str]) -> str:
    if study.metric.block.needs_spans:
        return query_told(study.focus, view.query_id, *names, study.k)
    return what_happened(view, *names, study.k, study.focus.options.threshold)


def _evidence(study: Study, query_id: str, names: tuple[str, str]) -> tuple[Told, ...]:
    """The spans of evidence, where the metric looks at them."""
    found = seen(study.focus, query_id, study.k, list(names)) if study.metric.block.needs_spans else None
    if found is None:
        return ()
    return tuple(
        Told(
            f"{one.doc_id or '?'}" + (f":{one.begin:,}-{one.end:,}" if one.begin >= 0 else ""),
            flat(one.quote),
            tuple(wording.share(one.covered[name]) for name in names),
        )
        for one in found.proofs[:MOST_RELEVANT]
    )


def _why_empty(view: QueryView, run: str) -> str:
    if view.lists[run]:
        return ""
    return "returned an empty list" if view.answered[run] else "did not answer this question"


def _placed(view: QueryView, run: str, depth: int, words: list[str], study: Study, texts: bool) -> tuple[Shown, ...]:
    return tuple(_shown(one, f"{one.rank:,}", words, study, texts=texts) for one in view.lists[run][:depth])


def _relevant(one: Missing, names: tuple[str, str], words: list[str], study: Study, *, texts: bool) -> Shown:
    ranks = tuple(
        "" if not one.of(name) else "–" if one.ranks[name] is None else f"{one.ranks[name]:,}" for name in names
    )
    return _shown(one, "", words, study, texts=texts, ranks=ranks)


def _shown(
    one: Placed | Missing, rank: str, words: list[str], study: Study, *, texts: bool, ranks: tuple[str, ...] = ()
) -> Shown:
    text = (one.text or "") if texts else ""
    grade = "?" if one.grade is None else f"{one.grade:g}"
    return Shown(
        rank,
        grade,
        _kind(one.grade, study.focus.options.threshold),
        one.doc_id,
        one.title or "",
        tuple(passage(text, words)) if text else (),
        tuple(marked(text[:FULL], words)) if text else (),
        max(0, len(text) - FULL),
        ranks,
    )


def _kind(grade: float | None, threshold: float) -> str:
    """The look of a grade: unjudged an outline, not relevant grey, relevant in one hue from light to dark."""
    if grade is None:
        return "unjudged"
    if grade < threshold:
        return "zero"
    return "g1" if grade < 2 else "g2" if grade < 3 else "g3"
