"""What was odd about the data: a code, a count, examples and a remedy. Nothing is dropped or repaired without one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

Severity = Literal["error", "warning", "info"]
_ORDER: dict[str, int] = {"error": 0, "warning": 1, "info": 2}
MAX_EXAMPLES = 5
CODES: dict[str, str] = {
    "ambiguous-column": "Several columns may play one role; one was taken.",
    "blank-document": "Results or judgments without a document id; left out.",
    "blank-grade": "Rows without a grade; taken as not judged.",
    "comment-like-row": "Lines behind a # that look like rows; left out as comments.",
    "chunk-not-located": "Chunks of which no file, id or text says where in a document they are.",
    "constant-difference": "Two runs differ by the same amount on every query.",
    "contradicting-judgment": "A pair is judged twice with different grades; the highest is kept.",
    "decimal-comma": "Scores have a decimal comma, read as a point.",
    "depth-below-k": "A run returns fewer results than K.",
    "document-texts-differ": "One document id has several texts.",
    "duplicate-document": "A document occurs twice for a query; its first place counts.",
    "empty-result": "A run answers a query with an empty list.",
    "encoding-repaired": "A file is not plain UTF-8; what it was read as.",
    "excel-workbook": "Which sheets of a workbook were read.",
    "failed-result": "A tool's output has rows without an answer.",
    "few-queries": "Too few queries to say much.",
    "file-left-out": "A file of an archive or folder is nothing that belongs there.",
    "fractional-grade": "Grades between whole numbers.",
    "grade-in-words": "Grades are labels; what each was read as.",
    "guessed-field": "A field was taken for the relevant documents, by its content.",
    "identical-runs": "Two runs hold the same results.",
    "identical-scores": "Two runs score the same on every query.",
    "ids-differ-by": "Ids differ by blanks, case, zeros, Unicode form, a trailing .0, a chunk suffix or a spreadsheet.",
    "judgments-added": "Judgments made in the app; whether they count beside those of the files.",
    "judgments-left-out": "A file names a document for each query without a grade, and another file has judgments.",
    "labels-differ": "Runs are scored against different judgments, each those of its own chunks.",
    "labels-unused": "One of several sets of judgments fits no run; left out.",
    "large-grade": "Grades above 10; perhaps the column holds something else.",
    "lines-above-table": "A title or other words above the header of a table; left out.",
    "lines-below-table": "A line of totals or other words below the rows of a table; left out.",
    "long-number": "Numbers longer than a spreadsheet keeps; their last digits may be lost.",
    "matched-by-text": "A run names queries by their text.",
    "name-changed": "Two runs share a name.",
    "negative-grade": "Grades below 0 count as not relevant.",
    "nested-json": "The list of queries was found inside a larger JSON object.",
    "no-common-document": "No document of a run is judged.",
    "no-common-evidence": "No chunk of a run is cut from a document in which evidence lies.",
    "no-common-query": "No query of a run is judged.",
    "no-grade": "Pairs of query and document without a grade; each counts as relevant.",
    "no-header": "A table without a header; how its columns were read.",
    "no-q0-column": "Lines of a TREC run without the Q0 column.",
    "no-relevant-document": "A query without a relevant document.",
    "no-score-ordered-by-rank": "A table without scores, ordered by its ranks.",
    "number-signs": "Scores have thousands separators, percent signs or a typographic minus; read as what they mean.",
    "one-query": "One query: nothing can be tested.",
    "order-of-the-file": "Neither scores nor ranks; the order of the rows was taken.",
    "query-missing-from-run": "A judged query that a run does not answer; it scores 0.",
    "query-not-judged": "A query of a run without judgments; left out.",
    "query-texts-differ": "One query id has two texts.",
    "query-without-evidence": "A query without evidence, where metrics look at evidence.",
    "query-without-judgment": "A query with a text and no judgment; left out.",
    "quote-not-found": "A quoted text is in none of the documents; the nearest place is named.",
    "rank-column-ignored": "The rank column says nothing; scores give the order.",
    "rank-disagrees-with-score": "Rank column and scores give different orders; scores were used.",
    "ranks-start-at-0": "Ranks count from 0.",
    "rare-grade": "The highest grade is used once only.",
    "recall-ceiling": "More relevant documents than K: recall cannot reach 1.",
    "relevant-never-retrieved": "A relevant document that no run returns.",
    "remedy-applied": "A remedy is in force.",
    "repeated-header": "The header of a table stands between its rows again; left out.",
    "repeated-judgment": "A pair is judged twice with the same grade; counted once.",
    "repeated-key": "A JSON object has a key twice; the first value was used.",
    "repeated-query": "A query has several records; their results were joined.",
    "scores-look-like-distances": "Smaller seems to be better.",
    "scores-look-like-grades": "Few whole numbers, mostly tied: perhaps judgments.",
    "self-retrieved": "Documents with their query's id, left out as asked.",
    "separator": "What separates the columns of a table.",
    "split-cells": "Cells of a table hold several ids; how they were taken apart.",
    "span-moved": "A span does not hold the words that it quotes; the place of the words was taken.",
    "split-chosen": "Of several splits of a dataset one was read.",
    "splits-joined": "Files called like splits of one dataset were loaded together; their judgments are joined.",
    "spreadsheet-dates": "Cells are dates; an id may have become one.",
    "tie-order-decides": "Another order of tied documents could change which run is ahead.",
    "tied-scores": "Tied scores; the rule that breaks them.",
    "two-chunkings": "Runs return different chunks of the same documents, so one set of chunk ids cannot judge them.",
    "uneven-depth": "Runs return lists of different length.",
    "unjudged-in-top-k": "Retrieved documents that nobody judged.",
    "unmapped-chunk": "A mapping of chunks to documents does not name these ids; they stay as they are.",
    "unusable-score": "Scores that are no finite number; these results were left out.",
}


@dataclass(frozen=True)
class Finding:
    """One oddity.

    `code` is stable and named in the README; `count` says how many rows, queries or documents are concerned;
    `lines` are 1-based lines of `file`; `examples` are ids as they stand in the file; `remedy` is the key of a
    remedy (`ragdash.data.remedies`) that mends it, where there is one; `queries` are the query ids concerned, for the
    screen's filter, and are left out of JSON.
    """

    code: str
    severity: Severity
    message: str
    file: str | None = None
    run: str | None = None
    count: int = 0
    lines: tuple[int, ...] = ()
    examples: tuple[str, ...] = ()
    remedy: str | None = None
    queries: tuple[str, ...] = ()

    def json(self) -> dict[str, Any]:
        """The finding as CONTRACT's JSON: plain values, lists for tuples."""
        return {
            "code": self.code,
            "severity": self.severity,
            "file": self.file,
            "run": self.run,
            "count": self.count,
            "lines": list(self.lines),
            "examples": list(self.examples),
            "message": self.message,
            "remedy": self.remedy,
        }

    def of_run(self, name: str) -> Finding:
        """The same finding, said of the run `name`."""
        return replace(self, run=name)


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Errors first, then warnings, then the rest; each once, otherwise in the order given."""
    distinct = dict.fromkeys(findings)
    return tuple(sorted(distinct, key=lambda finding: _ORDER[finding.severity]))


def some(ids: Iterable[str], most: int = MAX_EXAMPLES) -> tuple[str, ...]:
    """The first few of `ids`, as text."""
    out: list[str] = []
    for one in ids:
        if len(out) == most:
            break
        out.append(str(one))
    return tuple(out)
