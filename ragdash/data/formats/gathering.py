"""What has a file said so far? Judgments, results, texts and extras, record by record, until they are a Reading."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ragdash.data.columns import take, text_column
from ragdash.data.evidence import Evidence
from ragdash.data.findings import Finding, Severity, some
from ragdash.data.formats.base import Reading
from ragdash.data.formats.grades import grades_of
from ragdash.data.formats.jsontext import Number
from ragdash.data.formats.order import Order
from ragdash.data.formats.ranking import Rows, as_run
from ragdash.data.formats.results import Results, joined_results, tells_apart
from ragdash.data.judgments import settle
from ragdash.data.nouns import Documents, Qrels, Queries, Run

if TYPE_CHECKING:
    import pandas as pd

#: The document that a chunk is cut from, the characters where it begins and ends.
Place = tuple[str | None, int | None, int | None]
#: Query, document, begin, end, quote.
Span = tuple[str, str | None, int | None, int | None, str | None]
_ENDINGS = frozenset(("parquet", "feather", "json5"))
_DENSE = 0.8  # share of the numbers from the first to the last that must be ids, for these to be places in a list
_PACKED = (".gz", ".bz2", ".zst", ".zip", ".xz")


def stem(file: str) -> str:
    """The name of a run or dataset: the file's name without folders, compression and ending.

    What stands after the last dot is an ending if it reads like one: `input.humR03dc` keeps its name.
    """
    name = PurePosixPath(file.replace("\\", "/")).name
    for packed in _PACKED:
        name = name.removesuffix(packed)
    path = PurePosixPath(name)
    ending = path.suffix[1:]
    is_ending = ending.lower() in _ENDINGS or (ending.isalpha() and len(ending) <= 6)
    return (path.stem if is_ending else name) or file


@dataclass
class Pile:
    """Everything that one file says, in the order in which it says it."""

    file: str
    order: Order = "list"
    texts: dict[str, str | None] = field(default_factory=dict)
    metadata: dict[str, dict[str, Any]] = field(default_factory=dict)
    judged_queries: list[str] = field(default_factory=list)
    judged_docs: list[str] = field(default_factory=list)
    grades: list[str | None] = field(default_factory=list)
    judged_lines: list[int] = field(default_factory=list)
    nothing_relevant: list[str] = field(default_factory=list)
    doc_titles: dict[str, str | None] = field(default_factory=dict)
    doc_texts: dict[str, str | None] = field(default_factory=dict)
    runs: dict[str, Results] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    other_texts: dict[str, str] = field(default_factory=dict)
    guessed: dict[str, int] = field(default_factory=dict)
    blank: list[int] = field(default_factory=list)
    judged_at: dict[str, int] = field(default_factory=dict)
    judged_again: dict[str, int] = field(default_factory=dict)
    rivals: dict[str, tuple[str, int]] = field(default_factory=dict)
    other_doc_texts: dict[str, str] = field(default_factory=dict)
    by_records: bool = False  # whether records name their run
    spans: list[Span] = field(default_factory=list)
    doc_places: dict[str, Place] = field(default_factory=dict)
    chunk_texts: dict[str, str] = field(default_factory=dict)

    def query(self, query_id: str, text: str | None, metadata: dict[str, Any] | None = None) -> None:
        """A query exists, with its text and extras; a second text for the same id is reported."""
        known = self.texts.get(query_id)
        if known is None:
            self.texts[query_id] = text
        elif text is not None and text != known:
            self.other_texts.setdefault(query_id, text)
        for key, value in (metadata or {}).items():
            self.metadata.setdefault(key, {}).setdefault(query_id, value)

    def judges(self, query_id: str, line: int) -> None:
        """A record that lists the relevant documents of this query begins."""
        if query_id in self.judged_at:
            self.judged_again.setdefault(query_id, line)
        else:
            self.judged_at[query_id] = line

    def judge(self, query_id: str, doc_id: str, grade: str | None, line: int) -> None:
        self.judged_queries.append(query_id)
        self.judged_docs.append(doc_id)
        self.grades.append(grade)
        self.judged_lines.append(line)

    def results(self, run: str) -> Results:
        return self.runs.setdefault(run, Results())

    def hit(
        self,
        run: Results,
        query_id: str,
        doc_id: str,
        score: str | None,
        rank: str | None,
        line: int,
        place: Place = (None, None, None),
        text: str | None = None,
    ) -> None:
        """One row of a run; `text` is kept with it where it is not the first that the document has."""
        run.texts.append(None if text == self.doc_texts.get(doc_id) else text)
        run.parents.append(place[0])
        run.begins.append(place[1])
        run.ends.append(place[2])
        run.query_ids.append(query_id)
        run.doc_ids.append(doc_id)
        run.scores.append(score)
        run.ranks.append(rank)
        run.lines.append(line)

    def document(self, doc_id: str, title: str | None, text: str | None, place: Place = (None, None, None)) -> None:
        if place != (None, None, None):
            self.doc_places.setdefault(doc_id, place)
            if place[0] is None and text is not None:
                self.chunk_texts.setdefault(f"{doc_id}:{place[1]}-{place[2]}", text)
        if (title is not None or text is not None) and doc_id not in self.doc_texts:
            self.doc_titles[doc_id], self.doc_texts[doc_id] = title, text
        elif text is not None and self.doc_texts[doc_id] not in (None, text):
            self.other_doc_texts.setdefault(doc_id, text)

    def documents(self) -> Documents:
        ids = list(dict.fromkeys([*self.doc_texts, *self.doc_places]))
        places = [self.doc_places.get(one, (None, None, None)) for one in ids]
        begins, ends = ([-1 if one[i] is None else one[i] for one in places] for i in (1, 2))
        return Documents.of(
            ids,
            [self.doc_texts.get(one) for one in ids],
            [self.doc_titles.get(one) for one in ids],
            [one[0] for one in places],
            begins,
            ends,
        )

    def evidence(self) -> Evidence | None:
        """The spans and quotes so far, None where there are none."""
        if not self.spans:
            return None
        queries, docs, begins, ends, quotes = zip(*self.spans)
        first, last = ([-1 if one is None else one for one in column] for column in (begins, ends))
        return Evidence.of(queries, docs, first, last, quotes)

    def repeated_key(self, keys: Sequence[str], line: int, what: str = "query") -> None:
        """A JSON object has a key twice: the first value was used."""
        self.findings.append(
            Finding(
                "repeated-key",
                "warning",
                f"{what} {keys[0]} appears twice in {self.file} (line {line:,}); the first one was used."
                if len(keys) == 1
                else f"{len(keys):,} keys appear twice in {self.file}, first {keys[0]} (line {line:,}); the first "
                f"value of each was used.",
                file=self.file,
                count=len(keys),
                lines=(line,),
                examples=some(keys),
            )
        )

    def reading(self, title: str) -> Reading:
        """The whole file as nouns."""
        findings = list(self.findings)
        findings += [guessed_field(self.file, key, line) for key, line in self.guessed.items()]
        findings += [_rival_list(self.file, key, *taken) for key, taken in self.rivals.items()]
        if self.other_doc_texts:
            findings.append(different_documents(self.file, list(self.other_doc_texts)))
        if self.blank:
            findings.append(blank_documents(self.file, self.blank))
        if self.judged_again:
            findings.append(_judged_again(self.file, self.judged_at, self.judged_again))
        qrels = self._qrels(findings)
        if self.other_texts:
            findings.append(different_texts(self.file, list(self.other_texts)))
        documents = self.documents()
        if self.by_records and not tells_apart(self.runs.values()):
            self.runs = {stem(self.file): joined_results(list(self.runs.values()))}
        runs = tuple(self._run(name, rows, documents) for name, rows in self.runs.items())
        queries = None
        if self.metadata or any(text is not None for text in self.texts.values()):
            ids = list(self.texts)
            columns = {key: [column.get(one) for one in ids] for key, column in self.metadata.items()}
            queries = Queries.of(ids, list(self.texts.values()), metadata_frame(columns, len(ids)))
        found = documents if len(documents) else None
        return Reading(title, qrels, queries, found, runs, tuple(findings), evidence=self.evidence())

    def _qrels(self, findings: list[Finding]) -> Qrels | None:
        if not self.judged_docs and not self.nothing_relevant:
            return None
        lines = np.asarray(self.judged_lines, dtype=np.int32)
        grades, kept, said = grades_of(self.grades, lines, self.file)
        queries, docs = text_column(self.judged_queries), text_column(self.judged_docs)
        if kept is not None:
            queries, docs, lines = take(queries, kept), take(docs, kept), lines[kept]
        qrels, settled = settle(queries, docs, grades, lines, self.file)
        findings += [*said, *settled]
        return with_empty(qrels, self.nothing_relevant)

    def _run(self, name: str, rows: Results, documents: Documents) -> Run:
        if rows.again:
            first = next(iter(rows.again))
            rows.said.append(
                Finding(
                    "repeated-query",
                    "warning",
                    f"{len(rows.again):,} {'query has' if len(rows.again) == 1 else 'queries have'} several records in "
                    f"{self.file}, first {first} (line {rows.again[first]:,}); their results were joined.",
                    file=self.file,
                    run=name,
                    count=len(rows.again),
                    lines=tuple(list(rows.again.values())[:5]),
                    examples=some(rows.again),
                )
            )
        table = rows.table()
        scored = table["scores"].null_count < len(table)
        ranked = table["ranks"].null_count < len(table)
        run = as_run(
            Rows(
                query_ids=text_column(table["query_ids"]),
                doc_ids=text_column(table["doc_ids"]),
                scores=text_column(table["scores"]) if scored else None,
                ranks=text_column(table["ranks"]) if ranked else None,
                score_name=rows.score_name,
                order=self.order,
                lines=table["lines"].to_numpy() if table["lines"].null_count == 0 else None,
                empty=rows.empty,
                query_texts={one: text for one, text in self.texts.items() if text is not None and text != one},
                measurements={key: (list(column), list(column.values())) for key, column in rows.measurements.items()},
                documents=documents,
                chunk_texts=Documents.of(list(self.chunk_texts), list(self.chunk_texts.values())),
                parents=text_column(table["parents"]) if table["parents"].null_count < len(table) else None,
                begins=_numbers(table["begins"]),
                ends=_numbers(table["ends"]),
                texts=text_column(table["texts"]) if table["texts"].null_count < len(table) else None,
            ),
            name,
            self.file,
        )
        return replace(run, findings=(*rows.said, *run.findings))


def _numbers(column: pa.ChunkedArray) -> Any:
    """Places as numbers, -1 where there is none; None where no row has one."""
    if column.null_count == len(column):
        return None
    return pc.fill_null(column, -1).to_numpy()


def with_empty(qrels: Qrels, empty: Sequence[str]) -> Qrels:
    """The same judgments and further queries without any."""
    if not empty:
        return qrels
    rows = take(qrels.query_ids, qrels.query_codes())
    return Qrels.of(rows, qrels.doc_ids, qrels.grades, lines=qrels.lines, empty=empty)


def guessed_field(file: str, key: str, line: int) -> Finding:
    """Judgments were found under a name that may mean something else."""
    message = f"{file}: {key!r} was taken for the relevant documents, as its values look like ids. Check that they are."
    return Finding(
        "guessed-field", "warning", message, file=file, count=1, lines=(line,) if line else (), examples=(key,)
    )


def blank_documents(file: str, lines: Sequence[int]) -> Finding:
    """Documents without an id, by the lines on which they stand (0 where there are none)."""
    n = len(lines)
    known = tuple(dict.fromkeys(line for line in lines if line))[:5]
    where = f" (line {', '.join(f'{line:,}' for line in known)})" if known else ""
    message = f"{file}: {n:,} {'document has' if n == 1 else 'documents have'} no id{where}; left out."
    return Finding("blank-document", "warning", message, file=file, count=n, lines=known)


def _judged_again(file: str, first: dict[str, int], again: dict[str, int]) -> Finding:
    """Several records of a dataset are of one query."""
    query, n = next(iter(again)), len(again)
    where = f" (lines {first[query]:,} and {again[query]:,})" if again[query] and again[query] != first[query] else ""
    message = (
        f"{file}: {n:,} {'query has' if n == 1 else 'queries have'} several records, first {query[:60]!r}{where}; "
        "their judgments were joined. If they are different questions, give each an id of its own."
    )
    lines = tuple(line for line in again.values() if line)[:5]
    return Finding("repeated-query", "warning", message, file=file, count=n, lines=lines, examples=some(again))


def different_texts(file: str, query_ids: Sequence[str]) -> Finding:
    """One query id with two texts."""
    n = len(query_ids)
    return Finding(
        "query-texts-differ",
        "warning",
        f"{n:,} query {'id has' if n == 1 else 'ids have'} more than one text in {file}, first {query_ids[0]}; "
        f"the first text is shown. Two questions may share an id.",
        file=file,
        count=n,
        examples=some(query_ids),
    )


def different_documents(file: str, doc_ids: Sequence[str]) -> Finding:
    """One document id with two texts: a note, or a warning where the ids look like numbers in a list."""
    n, anew = len(doc_ids), _numbered_anew(doc_ids)
    message = (
        f"{n:,} document {'id has' if n == 1 else 'ids have'} more than one text in {file}, first {doc_ids[0]}; the "
        "first is shown where no row of a run brings its own. "
    )
    message += (
        "If the ids are numbers that begin anew with each query, they do not say which document is meant."
        if anew
        else "That is fine where a document comes with its best passage for the query."
    )
    severity: Severity = "warning" if anew else "info"
    return Finding("document-texts-differ", severity, message, file=file, count=n, examples=some(doc_ids))


def _numbered_anew(doc_ids: Sequence[str]) -> bool:
    """Whether ids are numbers from 0 or 1 on with (nearly) no gap, `doc_0`, `doc_1`, as places in a list are."""
    parts = [re.fullmatch(r"(\D*)(\d{1,4})", one) for one in doc_ids]
    if not all(parts) or len({part[1] for part in parts if part}) > 1:
        return False
    numbers = {int(part[2]) for part in parts if part}
    return min(numbers) <= 1 and len(numbers) >= _DENSE * (max(numbers) - min(numbers) + 1)


def _rival_list(file: str, key: str, taken: str, line: int) -> Finding:
    """A second list of documents beside the relevant ones."""
    message = f"{file}: {key!r} lists documents as well; only those of {taken!r} were read as judgments."
    lines = (line,) if line else ()
    return Finding("ambiguous-column", "warning", message, file=file, count=1, lines=lines, examples=(key,))


def metadata_frame(columns: dict[str, list[Any]], n: int) -> pd.DataFrame:
    """Extras of queries as columns: numbers where every value is one, text otherwise."""
    import pandas as pd

    frame: dict[str, Any] = {}
    for key, values in columns.items():
        filled = [value for value in values if value is not None]
        if not filled:
            continue
        if all(isinstance(value, Number) for value in filled):
            frame[key] = pd.Series([np.nan if value is None else float(value) for value in values], dtype="float64")
        else:
            texts = [None if value is None else str(value) for value in values]
            frame[key] = pd.Series(pa.array(texts, type=pa.string()).to_pandas(), dtype="object")
    return pd.DataFrame(frame, index=range(n))
