"""What did each run see of the evidence of one query? Places in the documents, and which chunk covers what."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ragdash.analysis.evaluate import Scores
from ragdash.metrics.spans import Spans

#: Characters shown before and after evidence; windows that are closer than this to each other become one.
AROUND = 240
HALF = 0.5


@dataclass(frozen=True)
class Chunk:
    """One chunk of a run's top K, cut from characters `begin` to `end` of a document."""

    rank: int
    begin: int
    end: int


@dataclass(frozen=True)
class Proof:
    """One span of evidence. `begin` is -1 where its words were not found.

    `covered[run]` is the share of it in the run's top K, `ranks[run]` the ranks of the chunks that hold some of it.
    """

    doc_id: str | None
    begin: int
    end: int
    quote: str
    covered: dict[str, float]
    ranks: dict[str, tuple[int, ...]]

    def missed(self, run: str) -> bool:
        """Whether less than half of it is in the run's top K."""
        return self.covered[run] < HALF


@dataclass(frozen=True)
class Page:
    """One document that holds evidence: its text (None where it is not known) and the chunks of each run's top K."""

    doc_id: str
    title: str | None
    text: str | None
    proofs: tuple[Proof, ...]
    chunks: dict[str, tuple[Chunk, ...]]

    def windows(self) -> list[tuple[int, int]]:
        """The parts around evidence, as characters of the text, ascending and apart from each other."""
        out: list[tuple[int, int]] = []
        text = self.text or ""
        for one in sorted(self.proofs, key=lambda proof: proof.begin):
            begin, end = max(0, one.begin - AROUND), min(len(text), one.end + AROUND)
            begin = begin and max(begin, text.find(" ", begin - 1, one.begin) + 1)  # no word is cut in two
            last = text.rfind(" ", one.end, end)
            end = last if last >= 0 and end < len(text) else end
            if out and begin <= out[-1][1] + AROUND:
                out[-1] = (out[-1][0], max(out[-1][1], end))
            else:
                out.append((begin, end))
        return out


@dataclass(frozen=True)
class Seen:
    """The evidence of one query: all spans, and the documents in which they lie."""

    proofs: tuple[Proof, ...]
    pages: tuple[Page, ...]

    def frame(self) -> pd.DataFrame:
        """One row a span: document, place, words, and for each run the share in its top K and the ranks."""
        rows = []
        for one in self.proofs:
            placed = one.begin >= 0
            row: dict[str, object] = {"document": one.doc_id or "", "begin": one.begin if placed else None}
            row |= {"end": one.end if placed else None, "evidence": one.quote}
            for run, share in one.covered.items():
                row[f"share: {run}"] = share
                row[f"ranks: {run}"] = ", ".join(map(str, one.ranks[run]))
            rows.append(row)
        return pd.DataFrame(rows)


def seen(scores: Scores, query_id: str, k: int, runs: list[str]) -> Seen | None:
    """The evidence of one query and what the top `k` of `runs` hold of it; None where it has none."""
    experiment = scores.experiment
    axis = experiment.query_index[query_id]
    evidence = experiment.evidence
    if not len(evidence) or evidence.starts[axis] == evidence.starts[axis + 1]:
        return None
    rows = np.arange(evidence.starts[axis], evidence.starts[axis + 1])
    names = [evidence.doc_ids[int(row)].as_py() for row in rows]
    codes = dict(zip(rows.tolist(), experiment.evidence_codes[rows].tolist()))
    texts = experiment.documents.look_up([name for name in dict.fromkeys(names) if name is not None])
    tops = {run: _top(scores.ranking(run).spans, axis, k) for run in runs}
    proofs = []
    for row, name in zip(rows.tolist(), names):
        begin, end = int(evidence.begins[row]), int(evidence.ends[row])
        text = texts.get(name, (None, None))[1] if name is not None else None
        quote = evidence.quotes[row].as_py() or (text[begin:end] if text and begin >= 0 else "")
        held = {run: _of(top, codes[row]) if begin >= 0 else () for run, top in tops.items()}
        covered = {run: _covered(begin, end, chunks) for run, chunks in held.items()}
        ranks = {
            run: tuple(one.rank for one in chunks if one.begin < end and one.end > begin)
            for run, chunks in held.items()
        }
        proofs.append(Proof(name, begin, end, quote, covered, ranks))
    pages = []
    for name in dict.fromkeys(one.doc_id for one in proofs if one.begin >= 0):
        assert name is not None  # a place is a place in a document
        here = tuple(one for one in proofs if one.doc_id == name and one.begin >= 0)
        code = codes[rows.tolist()[names.index(name)]]
        title, text = texts.get(name, (None, None))
        pages.append(Page(name, title, text, here, {run: _of(top, code) for run, top in tops.items()}))
    return Seen(tuple(proofs), tuple(pages))


def _top(spans: Spans | None, axis: int, k: int) -> list[tuple[int, Chunk]]:
    """The first `k` chunks at known places, each with the code of its document."""
    if spans is None:
        return []
    first = int(spans.starts[axis])
    last = min(int(spans.starts[axis + 1]), first + k)
    return [
        (int(spans.docs[row]), Chunk(row - first + 1, int(spans.begins[row]), int(spans.ends[row])))
        for row in range(first, last)
        if spans.docs[row] >= 0
    ]


def _of(top: list[tuple[int, Chunk]], code: int) -> tuple[Chunk, ...]:
    return tuple(chunk for document, chunk in top if document == code)


def _covered(begin: int, end: int, chunks: tuple[Chunk, ...]) -> float:
    """The share of characters `begin` to `end` that some chunk holds."""
    if begin < 0 or end <= begin:
        return 0.0
    held = np.zeros(end - begin, dtype=bool)
    for one in chunks:
        held[max(0, one.begin - begin) : max(0, one.end - begin)] = True
    return float(held.mean())
