"""How is a workspace one file? A zip of its facts (`ragdash.json`) and its tables, the same files as on disk.

What comes in is somebody else's word: names, counts, sizes and digests are checked before anything is read, and every
column before it becomes a table. The digests of content are computed anew: a file that claims another run's digest
would give its numbers to that run. Nothing is unpacked to disk.
"""

from __future__ import annotations

import hashlib
import json
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import IO, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ragdash.data.evidence import Evidence
from ragdash.data.intake import Part
from ragdash.data.limits import in_bytes, limit, setting
from ragdash.data.nouns import Documents, Run
from ragdash.store.access import Access
from ragdash.store.columnfiles import KINDS, MANIFEST, packed, size, table_of
from ragdash.store.errors import ArchiveError
from ragdash.store.pieces import Facts, Table, about_part, about_run, part_of, part_table, run_of, run_table
from ragdash.store.remarks import Judgment, Note
from ragdash.store.store import Store, check_choice, check_grade, check_note
from ragdash.store.workspace import Workspace

FACTS = "ragdash.json"
VERSION = 1
MAX_FACTS = 256 << 20  # bytes of ragdash.json
MAX_MANIFEST = 16 << 20
MAX_CHOICES = 1_000
MAX_ROWS = 1_000_000  # notes, and judgments, of one workspace
_MEMBER = re.compile(
    rf"{FACTS}|tables/[0-9a-f]{{64}}/({MANIFEST}|[a-z_]+(\.[a-z_]+|\.[0-9]{{1,5}}){{0,4}}\.npy)", re.ASCII
)
_WHEN = (1980, 1, 1, 0, 0, 0)  # one date for all members: the same workspace gives the same bytes
#: What arrays and facts that do not belong together raise when a noun is made of them.
_MISFITS = (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError, RecursionError, pa.ArrowInvalid)
_SEVERITIES = ("error", "warning", "info")


def export(store: Store, access: Access, to: IO[bytes]) -> None:
    """Write a workspace into `to` as a zip: files, runs, choices, notes and judgments with their history, no token."""
    workspace = store.load(access)
    tables: dict[str, Table] = {}
    facts = {
        "ragdash": VERSION,
        "title": workspace.title,
        "faults": list(workspace.faults),
        "parts": [_out(part, tables) for part in workspace.parts],
        "runs": [_out(run, tables) for run in workspace.runs],
        "choices": store.choices(access),
        "notes": [{**vars(note), "at": note.at.isoformat()} for note in store.note_history(access)],
        "judgments": [{**vars(one), "at": one.at.isoformat()} for one in store.judgment_history(access)],
    }
    with zipfile.ZipFile(to, "w") as archive:
        archive.writestr(_member(FACTS), json.dumps(facts, indent=1, sort_keys=True))
        for digest in sorted(tables):
            ready = packed(tables[digest])
            archive.writestr(_member(f"tables/{digest}/{MANIFEST}"), ready.manifest)
            for name, head, body in ready.files:
                member = _member(f"tables/{digest}/{name}")
                if not _shrinks(body):
                    member.compress_type = zipfile.ZIP_STORED
                with archive.open(member, "w", force_zip64=True) as file:
                    file.write(head)
                    file.write(body.data)


def _member(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _WHEN)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    # A ZipInfo that is passed in does not take the level of its archive: without this it is 6, ten times as slow.
    info._compresslevel = 1  # type: ignore[attr-defined]
    return info


def _shrinks(body: NDArray[Any]) -> bool:
    """Whether packing is worth its time: scores with all their digits take long and stay as large as they are."""
    sample = body[: 65536 // body.itemsize].tobytes()
    return len(zlib.compress(sample, 1)) < 0.9 * len(sample)


def _out(noun: Part | Run, tables: dict[str, Table]) -> Facts:
    """What is said about a part or a run, with the digest of its table, which is put into `tables`."""
    table = run_table(noun) if isinstance(noun, Run) else part_table(noun)
    digest: str = vars(noun).get("_digest") or packed(table).digest
    tables[digest] = table
    if isinstance(noun, Run):
        return {"table": digest, "about": about_run(noun)}
    return {"table": digest, "about": about_part(noun), "runs": [_out(run, tables) for run in noun.reading.runs]}


def import_(store: Store, stream: IO[bytes], *, private: bool = False) -> Access:
    """Keep the workspace of a zip as a new one. Raises ArchiveError where it is none, or not a safe one."""
    try:
        with zipfile.ZipFile(stream) as archive:
            _check_members(archive)
            facts = _Facts(_json(_bytes(archive, FACTS, MAX_FACTS)), FACTS)
            if facts.get("ragdash", int) > VERSION:
                raise ArchiveError("This workspace was written by a newer ragdash. Update ragdash to open it.")
            workspace = _Reader(archive).workspace(facts)
            choices = facts.get("choices", dict)
            if len(choices) > MAX_CHOICES:
                raise _refused(f"it has {len(choices):,} choices")
            for key, value in choices.items():
                check_choice(key, value)
            notes, judgments = _notes(facts), _judgments(facts)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, zlib.error, UnicodeDecodeError, RuntimeError) as error:
        raise ArchiveError(
            f"This file cannot be opened as a workspace: the zip is damaged or of an unknown kind ({str(error)[:80]}). "
            "Download it again."
        ) from None
    return store.restore(workspace, choices, notes, judgments, private=private)


def _check_members(archive: zipfile.ZipFile) -> None:
    """Only the names that an export writes, once each, as plain files, and no more than the limits."""
    members = archive.infolist()
    names = {one.filename for one in members}
    if FACTS not in names:
        raise ArchiveError(
            f"This zip is no workspace: it has no {FACTS}. To load data files, add them on the Data page instead."
        )
    if len(members) > 40 * limit("members"):
        raise ArchiveError(
            f"This zip has {len(members):,} files; at most {40 * limit('members'):,} are opened ({setting('members')})."
        )
    if len(names) < len(members):
        raise _refused("it has the same name twice")
    for one in members:
        kind = stat.S_IFMT(one.external_attr >> 16)
        if not _MEMBER.fullmatch(one.filename) or kind not in (0, stat.S_IFREG):
            raise _refused(f"{one.filename[:80]!r} does not belong into a workspace")
        if one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise _refused("it is packed in a way that ragdash does not use")
        if one.flag_bits & 1:
            raise ArchiveError("This zip has a password. Take it off, then open it again.")
    if sum(one.file_size for one in members) > in_bytes("unpacked_mb"):
        raise ArchiveError(
            f"This zip unpacks to more than {limit('unpacked_mb'):,} MB; raise {setting('unpacked_mb')} to open it."
        )


def _bytes(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """A member, never more of it than `most`, whatever its header says."""
    try:
        with archive.open(name) as file:
            data = file.read(most + 1)
    except KeyError:
        raise _refused(f"{name} is missing") from None
    if len(data) > most:
        raise _refused(f"{name} is longer than it may be")
    return data


def _json(data: bytes) -> Any:
    try:
        value = json.loads(data)
        if not _is_text(value):
            raise ValueError
        return value
    except (ValueError, RecursionError):
        raise _refused("its facts are no JSON") from None


def _is_text(value: Any) -> bool:
    """Whether all text in a JSON value can be written: half a surrogate pair cannot."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


def _refused(why: str) -> ArchiveError:
    return ArchiveError(f"This file is not opened as a workspace: {why}. Export it again from ragdash.")


class _Facts:
    """A JSON object from outside; every value is asked for with the kind it has to be."""

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise _refused(f"{where} is no object")
        self.value, self.where = value, where

    def get(self, key: str, *kinds: type) -> Any:
        """The value of `key`; `kinds` are the types it may have (True is no number)."""
        found = self.value.get(key)
        if not isinstance(found, kinds) or (isinstance(found, bool) and bool not in kinds):
            raise _refused(f"{key} of {self.where} is missing or of the wrong kind")
        return found

    def each(self, key: str, most: int = MAX_ROWS) -> Iterator[_Facts]:
        """The objects of a list."""
        found = self.get(key, list)
        if len(found) > most:
            raise _refused(f"{self.where} has {len(found):,} {key}, at most {most:,} are read")
        for i, value in enumerate(found):
            yield _Facts(value, f"{key}[{i}]")

    def texts(self, key: str, kind: type = str) -> list[Any]:
        """A list of text (or of another `kind`)."""
        found: list[Any] = self.get(key, list)
        if not all(isinstance(one, kind) and not (kind is int and isinstance(one, bool)) for one in found):
            raise _refused(f"{key} of {self.where} holds something of the wrong kind")
        return found


def _notes(facts: _Facts) -> list[Note]:
    notes: list[Note] = []
    for one in facts.each("notes"):
        text, tags, author = one.get("text", str), tuple(one.texts("tags")), one.get("author", str)
        removed, replaces = one.get("removed", bool), one.get("replaces", int, type(None))
        if not removed:
            check_note(text, tags, author)
        number, query_id = one.get("number", int), one.get("query_id", str)
        notes.append(Note(number, query_id, text, tags, author, _moment(one), replaces, removed))
    _check_numbers("notes", [note.number for note in notes])
    known = {note.number for note in notes}
    if any(note.replaces is not None and note.replaces not in known for note in notes):
        raise _refused("a note replaces one that is not there")
    return notes


def _judgments(facts: _Facts) -> list[Judgment]:
    out: list[Judgment] = []
    for one in facts.each("judgments"):
        grade = one.get("grade", int, float, type(None))
        check_grade(grade)
        check_note("-", (), one.get("author", str))
        grade = None if grade is None else float(grade)
        number, query_id, doc_id = one.get("number", int), one.get("query_id", str), one.get("doc_id", str)
        withdrawn = one.get("withdrawn", bool)
        out.append(Judgment(number, query_id, doc_id, grade, one.get("author", str), _moment(one), withdrawn))
    _check_numbers("judgments", [one.number for one in out])
    return out


def _check_numbers(what: str, numbers: list[int]) -> None:
    if len(set(numbers)) < len(numbers) or not all(0 < number < 2**53 for number in numbers):
        raise _refused(f"its {what} are not numbered as ragdash does it")


def _moment(one: _Facts) -> datetime:
    try:
        at = datetime.fromisoformat(one.get("at", str))
        at.timestamp()
    except (ValueError, OverflowError):
        raise _refused(f"{one.where} has no date") from None
    if at.tzinfo is None:
        raise _refused(f"{one.where} has no time zone")
    return at


class _Reader:
    """Tables of a zip as nouns; each is read and checked once."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        self.tables: dict[str, Table] = {}

    def workspace(self, facts: _Facts) -> Workspace:
        parts = tuple(self._part(one) for one in facts.each("parts", limit("members")))
        runs = tuple(self._run(one) for one in facts.each("runs", limit("members")))
        return Workspace(parts, runs, tuple(facts.texts("faults")), facts.get("title", str))

    def _run(self, one: _Facts) -> Run:
        about = _Facts(one.get("about", dict), f"about of {one.where}")
        about.get("name", str)
        _check_about(about)
        return run_of(self._table(one.get("table", str), "run"), about.value)

    def _part(self, one: _Facts) -> Part:
        about = _Facts(one.get("about", dict), f"about of {one.where}")
        about.get("format", str), about.texts("unsure")
        _check_about(about)
        runs = tuple(self._run(inner) for inner in one.each("runs", limit("members")))
        return part_of(self._table(one.get("table", str), "part"), about.value, runs)

    def _table(self, digest: str, kind: str) -> Table:
        if digest not in self.tables:
            if not re.fullmatch(r"[0-9a-f]{64}", digest, re.ASCII):
                raise _refused("a table has no proper name")
            self.tables[digest] = self._read(digest)
        table = self.tables[digest]
        if table.kind != kind:
            raise _refused(f"a {table.kind} stands where a {kind} belongs")
        return table

    def _read(self, digest: str) -> Table:
        manifest = _bytes(self.archive, f"tables/{digest}/{MANIFEST}", MAX_MANIFEST)
        if hashlib.sha256(manifest).hexdigest() != digest:
            raise _refused("the digest of a table is wrong")
        told = _Facts(_json(manifest), "a manifest")
        if told.get("ragdash", int) != 1 or told.get("kind", str) not in ("run", "part"):
            raise _refused("a table is of an unknown kind")
        files = _Facts(told.get("files", dict), "a manifest's list of files")
        entries = {name: _Facts(entry, name).value for name, entry in files.value.items()}
        arrays = {name: self._array(digest, name, entry) for name, entry in entries.items()}
        try:
            table = table_of(told.value, lambda name, entry: arrays[name])
            sound = check_table(table)
        except _MISFITS as error:
            raise _refused(f"a table's columns do not fit together ({str(error)[:80]})") from None
        if packed(sound).digest != digest:
            raise _refused("the digest of a table's content is wrong")
        return sound

    def _array(self, digest: str, name: str, entry: Mapping[str, Any]) -> NDArray[Any]:
        told = _Facts(entry, name)
        n, offset, kind = told.get("n", int), told.get("offset", int), told.get("kind", str)
        if kind not in KINDS or not (0 <= n < 2**40 and 0 < offset < 2**16):
            raise _refused(f"{name[:80]!r} is of an unknown kind")
        path = f"tables/{digest}/{name}"
        if path not in self.archive.NameToInfo:
            raise _refused(f"{name[:80]!r} is missing")
        if self.archive.getinfo(path).file_size != size(entry):
            raise _refused(f"{name[:80]!r} has another size than its table says")
        data = _bytes(self.archive, path, size(entry))
        if hashlib.sha256(data).hexdigest() != told.get("sha256", str):
            raise _refused(f"the digest of {name[:80]!r} is wrong")
        return np.frombuffer(data, dtype=kind, count=n, offset=offset)


def _check_about(about: _Facts) -> None:
    """A source and findings of the right kinds, and nothing beside them."""
    source = _Facts(about.get("source", dict), "a source")
    kinds: dict[str, tuple[type, ...]] = {"file": (str,), "format": (str,), "sha256": (str,), "n_bytes": (int,)}
    for key, kind in kinds.items():
        source.get(key, *kind)
    _only(source, set(kinds))
    for one in about.each("findings", 100_000):
        for key in ("code", "message"):
            one.get(key, str)
        for key in ("file", "run", "remedy"):
            one.get(key, str, type(None))
        if one.get("severity", str) not in _SEVERITIES:
            raise _refused("a finding is of an unknown kind")
        one.get("count", int)
        one.texts("lines", int), one.texts("examples"), one.texts("queries")
        _only(one, {"code", "message", "file", "run", "remedy", "severity", "count", "lines", "examples", "queries"})


def _only(facts: _Facts, keys: set[str]) -> None:
    if set(facts.value) - keys:
        raise _refused(f"{facts.where} says something unknown")


def check_table(table: Table) -> Table:
    """Check a table from outside, and give it back as this ragdash would make it: with facts computed, not believed.

    Raises ValueError, TypeError or KeyError where columns do not fit together.
    """
    for name, column in table.columns.items():
        if isinstance(column, pa.Array):
            column.validate(full=True)  # offsets in order and inside the text, text in UTF-8
        elif column.dtype.kind == "f" and name.rpartition(".")[2] in ("scores", "grades"):
            _must(bool(np.isfinite(column).all()), "a score is no number")
    if table.kind == "run":
        run = run_of(table, {"name": "", "source": {"file": ""}, "findings": []})
        _check_rows(run.query_ids, run.starts, run.doc_ids, run.scores, run.lines)
        _must(run.query_texts is None or len(run.query_texts) == run.n_queries, "query_texts")
        _must(run.texts is None or _text(run.texts, len(run)), "texts")
        _must(all(_is(one, run.n_queries, "f") for one in run.measurements.values()), "measurements")
        _check_documents(run.documents)
        vars(run).pop("sha256")
        return run_table(run)
    part = part_of(table, {"format": "", "unsure": [], "source": {"file": ""}, "findings": []})
    reading = part.reading
    if reading.qrels is not None:
        qrels = reading.qrels
        _check_rows(qrels.query_ids, qrels.starts, qrels.doc_ids, qrels.grades, qrels.lines)
        _must(qrels.grades is not None, "grades")
    if reading.queries is not None:
        _ids(reading.queries.ids)
        n = len(reading.queries)
        _must(_text(reading.queries.texts, n) and len(reading.queries.metadata) == n, "queries")
    if reading.documents is not None:
        _check_documents(reading.documents)
    if reading.evidence is not None:
        _check_evidence(reading.evidence)
    return part_table(part)


def _check_rows(queries: Any, starts: Any, docs: Any, numbers: Any, lines: Any) -> None:
    _ids(queries)
    _must(_is(starts, len(queries) + 1, "i") and starts.dtype == np.int64, "starts")
    _must(_text(docs, int(starts[-1])) and not docs.null_count, "doc_ids")
    _must(starts[0] == 0 and not bool((np.diff(starts) < 0).any()), "starts")
    _must(numbers is None or (_is(numbers, len(docs), "f") and numbers.dtype == np.float64), "scores")
    if isinstance(lines, range):
        _must(len(lines) == len(docs), "lines")
    else:
        _must(lines is None or _is(lines, len(docs), "i"), "lines")


def _check_documents(documents: Documents) -> None:
    if len(documents):
        _ids(documents.ids)
        n = len(documents)
        _must(all(_text(one, n) for one in (documents.titles, documents.texts, documents.parents)), "documents")
        _must(all(_is(one, n, "i") for one in (documents.begins, documents.ends)), "documents")


def _check_evidence(evidence: Evidence) -> None:
    _ids(evidence.query_ids)
    n, starts = len(evidence), evidence.starts
    _must(_text(evidence.doc_ids, n) and _text(evidence.quotes, n), "evidence")
    _must(_is(evidence.begins, n, "i") and _is(evidence.ends, n, "i"), "evidence")
    _must(_is(starts, evidence.n_queries + 1, "i") and starts[0] == 0 and starts[-1] == n, "evidence")
    _must(not bool((np.diff(starts) < 0).any()), "evidence")


def _ids(column: Any) -> None:
    _must(_text(column, len(column)) and not column.null_count and len(column.unique()) == len(column), "ids")


def _text(column: Any, n: int) -> bool:
    return isinstance(column, pa.Array) and len(column) == n


def _is(column: Any, n: int, kind: str) -> bool:
    return isinstance(column, np.ndarray) and column.shape == (n,) and column.dtype.kind == kind


def _must(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(what)
