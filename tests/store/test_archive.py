"""Does a workspace survive as a file, and is a file that lies or attacks refused in a sentence?"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragdash.data import samples
from ragdash.store import ArchiveError, Settings, Store, StoreError, Workspace, columnfiles, export, import_
from ragdash.store.pieces import Table, run_table
from tests.store.things import bm25, dense, plain, workspace

Members = dict[str, bytes]


@pytest.fixture
def private(tmp_path: Path) -> Store:
    return Store(Settings(tmp_path / "private", private=True))


def filled(store: Store) -> Any:
    access = store.create(workspace())
    note = store.add_note(access, "q1", "first", tags=("a",), author="Anna")
    store.add_note(access, "q1", "second", author="Ben", replaces=note.number)
    store.judge(access, "q1", "d1", 2, author="Anna")
    store.judge(access, "q1", "d1", None, author="Ben")
    store.choose(access, {"apply": ["lower-case"], "k": 10})
    return access


def zipped(store: Store, access: Any) -> io.BytesIO:
    stream = io.BytesIO()
    export(store, access, stream)
    stream.seek(0)
    return stream


def test_a_workspace_opens_anywhere_with_the_same_numbers(store: Store, private: Store) -> None:
    access = filled(store)
    stream = zipped(store, store.find(access.view_token))  # who may look may take it along
    there = import_(private, stream)
    assert plain(private.load(there)) == plain(store.load(access))
    assert [run.sha256 for run in private.load(there).runs] == [run.sha256 for run in workspace().runs]
    assert private.note_history(there) == store.note_history(access)
    assert private.judgment_history(there) == store.judgment_history(access)
    assert private.choices(there) == store.choices(access)
    assert zipped(private, there).getvalue() == stream.getvalue()
    back = import_(store, zipped(private, there))
    assert back.token != access.token
    assert plain(store.load(back)) == plain(store.load(access))
    # What is said next has a number of its own.
    assert store.add_note(back, "q", "new").number > max(note.number for note in store.note_history(access))


def test_the_sample_as_a_file(private: Store, tmp_path: Path) -> None:
    sample = Workspace(samples.dataset_parts(), samples.runs(), title="Sample")
    stream = zipped(private, private.create(sample))
    assert len(stream.getvalue()) < 300_000
    other = Store(Settings(tmp_path / "store"))
    loaded = other.load(import_(other, stream))
    assert loaded.sha256 == sample.sha256
    assert plain(loaded) == plain(sample)


def test_a_file_holds_no_token(private: Store) -> None:
    access = filled(private)
    data = b"".join(members_of(zipped(private, access)).values())
    assert access.token.encode() not in data
    assert access.view_token.encode() not in data
    assert access.workspace_id.encode() not in data


def members_of(stream: io.BytesIO) -> Members:
    with zipfile.ZipFile(stream) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(members: Members, change: Callable[[zipfile.ZipInfo], None] = lambda info: None) -> io.BytesIO:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            change(info)
            archive.writestr(info, data)
    stream.seek(0)
    return stream


@pytest.fixture
def members(private: Store) -> Members:
    return members_of(zipped(private, filled(private)))


def refused(store: Store, stream: io.BytesIO, said: str) -> None:
    with pytest.raises(StoreError, match=said) as raised:
        import_(store, stream)
    assert str(raised.value).endswith(".")
    assert len(str(raised.value)) < 400


def test_what_the_tests_change_is_opened_unchanged(private: Store, members: Members) -> None:
    assert plain(private.load(import_(private, pack(members)))) == plain(workspace())


@pytest.mark.parametrize(
    "name",
    [
        "../evil.npy",
        "/etc/passwd",
        "tables/../../evil.npy",
        "tables\\evil.npy",
        f"tables/{'0' * 64}/../x.npy",
        f"tables/{'0' * 64}/manifest.json/x",
        f"tables/{'A' * 64}/manifest.json",
        "C:/evil.npy",
        "ragdash.json\n",
        "folder/",
    ],
)
def test_names_that_lead_elsewhere(private: Store, members: Members, name: str) -> None:
    refused(private, pack({**members, name: b"x"}), "does not belong into a workspace")


def test_a_link(private: Store, members: Members) -> None:
    def linked(info: zipfile.ZipInfo) -> None:
        if info.filename.endswith("scores.npy"):
            info.external_attr = 0o120777 << 16

    refused(private, pack(members, linked), "does not belong into a workspace")


def test_a_name_twice(private: Store, members: Members) -> None:
    stream = pack(members)
    with zipfile.ZipFile(stream, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("ragdash.json", b"{}")
    stream.seek(0)
    refused(private, stream, "the same name twice")


def test_a_bomb(private: Store, members: Members, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGDASH_MAX_UNPACKED_MB", "20")
    name = next(name for name in members if name.endswith("scores.npy"))
    refused(private, pack({**members, name: bytes(30 << 20)}), "unpacks to more than 20 MB; raise RAGDASH_MAX_UNPACKED")


def test_a_bomb_that_hides_its_size(private: Store, members: Members) -> None:
    """The directory of the zip says 10 bytes, the member has 30 MB."""
    name = next(name for name in members if name.endswith("scores.npy"))
    data = bytearray(pack({**members, name: bytes(30 << 20)}).getvalue())
    place = data.rindex(b"PK\x01\x02", 0, data.rindex(name.encode()))
    data[place + 24 : place + 28] = (10).to_bytes(4, "little")
    refused(private, io.BytesIO(data), "another size than its table says|damaged")


def test_too_many_members(private: Store, members: Members, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGDASH_MAX_MEMBERS", "1")
    extra = {f"tables/{'0' * 64}/x.{i}.npy": b"" for i in range(50)}
    refused(private, pack({**members, **extra}), r"files; at most 40 are opened \(RAGDASH_MAX_MEMBERS\)")


def test_a_way_of_packing_that_eats_memory(private: Store, members: Members) -> None:
    def packed(info: zipfile.ZipInfo) -> None:
        info.compress_type = zipfile.ZIP_LZMA

    refused(private, pack(members, packed), "packed in a way that ragdash does not use")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "damaged or of an unknown kind"),
        (b"PK\x05\x06" + bytes(18), "no workspace: it has no ragdash.json. To load data files"),
        (b"query_id,doc_id\n", "damaged or of an unknown kind"),
    ],
)
def test_files_that_are_something_else(private: Store, data: bytes, said: str) -> None:
    refused(private, io.BytesIO(data), said)


def test_a_file_that_was_cut(private: Store, members: Members) -> None:
    whole = pack(members).getvalue()
    for cut in range(0, len(whole), 997):
        refused(private, io.BytesIO(whole[:cut]), "damaged|unknown kind")


def test_any_byte_changed_is_refused_or_harmless(private: Store, members: Members) -> None:
    whole = pack(members).getvalue()
    chance = np.random.default_rng(5)
    for place in chance.integers(0, len(whole), 300).tolist():
        data = bytearray(whole)
        data[place] ^= 1 << int(chance.integers(8))
        try:
            access = import_(private, io.BytesIO(data))
        except StoreError:
            continue
        assert plain(private.load(access)) == plain(workspace())


def test_a_wrong_digest(private: Store, members: Members) -> None:
    name = next(name for name in members if name.endswith("/scores.npy"))
    changed = members[name][:-1] + b"\x01"
    refused(private, pack({**members, name: changed}), "the digest of 'scores.npy' is wrong")
    manifest = f"{name.rpartition('/')[0]}/manifest.json"
    said = members[manifest].replace(b'"facts":{"measurements":["latency', b'"facts":{"measurements":["Latency')
    assert said != members[manifest]
    refused(private, pack({**members, manifest: said}), "the digest of a table is wrong")


def test_a_missing_file(private: Store, members: Members) -> None:
    for end, said in (("/scores.npy", "'scores.npy' is missing"), ("/manifest.json", "manifest.json is missing")):
        name = next(name for name in members if name.endswith(end))
        refused(private, pack({key: data for key, data in members.items() if key != name}), said)


def forged(table: Table) -> Members:
    """A zip with one run whose table is not what ragdash writes, its digests right in themselves."""
    ready = columnfiles.packed(table)
    files = {f"tables/{ready.digest}/{name}": head + body.tobytes() for name, head, body in ready.files}
    about = {"name": "forged", "source": {"file": "", "format": "", "sha256": "", "n_bytes": 0}, "findings": []}
    facts = {
        "ragdash": 1, "title": "", "faults": [], "parts": [], "choices": {}, "notes": [], "judgments": [],
        "runs": [{"table": ready.digest, "about": about}],
    }  # fmt: skip
    return {"ragdash.json": json.dumps(facts).encode(), f"tables/{ready.digest}/manifest.json": ready.manifest, **files}


def test_a_run_that_claims_the_digest_of_another(private: Store) -> None:
    mine = run_table(bm25())
    table = Table("run", mine.columns, {**mine.facts, "sha256": dense().sha256})
    refused(private, pack(forged(table)), "the digest of a table's content is wrong")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("starts", np.array([0, 2, 10**12])),
        ("starts", np.array([0, 5, 3])),
        ("starts", np.array([-1, 2, 3])),
        ("starts", np.array([0, 3])),
        ("starts", np.array([0.0, 2.0, 3.0])),
        ("scores", np.array([1.0, np.nan, 2.0])),
        ("scores", np.array([1.0])),
        ("scores", np.array([1, 2, 3])),
        ("lines", np.array([1, 2], dtype=np.int32)),
        ("texts", np.array([1.0, 2.0, 3.0])),
        ("query_texts.offsets", np.array([0, 5], dtype=np.int32)),
        ("doc_ids", np.array([1.0, 2.0, 3.0])),
        ("strange", np.array([1.0, 2.0, 3.0])),
    ],
)
def test_columns_that_do_not_fit(private: Store, column: str, value: Any) -> None:
    mine = run_table(bm25())
    table = Table("run", {**mine.columns, column: value}, mine.facts)
    refused(private, pack(forged(table)), "do not fit together|digest of a table's content")


@pytest.mark.parametrize("offsets", [[0, 2, 4, 9999], [0, 4, 2, 6], [-5, 2, 4, 6], [0, 2, 4]])
def test_text_that_reaches_beyond_its_bytes(private: Store, offsets: list[int]) -> None:
    """Such offsets would make Arrow read memory that is none of its business."""
    mine = run_table(bm25())
    columns = {name: column for name, column in mine.columns.items() if name != "doc_ids"}
    columns["doc_ids.offsets"] = np.array(offsets, dtype=np.int32)
    columns["doc_ids.bytes"] = np.frombuffer(b"d1d2d9", dtype=np.uint8)
    refused(private, pack(forged(Table("run", columns, mine.facts))), "do not fit together")


def test_text_that_is_no_text(private: Store) -> None:
    mine = run_table(bm25())
    columns = {name: column for name, column in mine.columns.items() if name != "doc_ids"}
    columns["doc_ids.offsets"] = np.array([0, 2, 4, 6], dtype=np.int32)
    columns["doc_ids.bytes"] = np.frombuffer(b"\xff\xfe\xfd\xfc\xfb\xfa", dtype=np.uint8)
    refused(private, pack(forged(Table("run", columns, mine.facts))), "do not fit together")


@pytest.mark.parametrize(
    "facts",
    [
        {"lines": [0, 10**30, 1], "measurements": []},
        {"lines": [0, 3, 0], "measurements": []},
        {"lines": "abc", "measurements": []},
        {"measurements": ["latency"]},
        {"measurements": 5},
        {"measurements": [[]]},
        {},
        [],
    ],
)
def test_facts_that_do_not_fit(private: Store, facts: Any) -> None:
    mine = run_table(bm25())
    if isinstance(facts, dict):
        facts = {"sha256": mine.facts["sha256"], **facts}
    refused(private, pack(forged(Table("run", mine.columns, facts))), "do not fit together|content is wrong")


def mended(members: Members, change: Callable[[dict[str, Any]], object]) -> io.BytesIO:
    facts = json.loads(members["ragdash.json"])
    change(facts)
    return pack({**members, "ragdash.json": json.dumps(facts).encode()})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda f: f.pop("runs"), "runs of ragdash.json is missing"),
        (lambda f: f.update(ragdash=99), "written by a newer ragdash. Update"),
        (lambda f: f.update(ragdash=True), "ragdash of ragdash.json is missing or of the wrong kind"),
        (lambda f: f.update(title=5), "title of ragdash.json"),
        (lambda f: f.update(title="x" * 10_000), "This title has 10,000 characters; at most 500 are kept"),
        (lambda f: f.update(title="\ud800"), "its facts are no JSON"),
        (lambda f: f.update(faults=[5]), "faults of ragdash.json"),
        (lambda f: f["runs"].append(5), r"runs\[2\] is no object"),
        (lambda f: f["runs"][0].update(table="../../x"), "a table has no proper name"),
        (lambda f: f["runs"][0].update(table="0" * 64), "manifest.json is missing"),
        (lambda f: f["runs"][0].update(table=f["parts"][0]["table"]), "a part stands where a run belongs"),
        (lambda f: f["runs"][0]["about"].update(name=None), "name of about of runs"),
        (lambda f: f["runs"][0]["about"]["source"].update(n_bytes="many"), "n_bytes of a source"),
        (lambda f: f["runs"][0]["about"]["source"].update(evil=1), "a source says something unknown"),
        (lambda f: f["runs"][0]["about"]["findings"][0].update(severity="fatal"), "a finding is of an unknown kind"),
        (lambda f: f["runs"][0]["about"]["findings"][0].update(lines=["x"]), "lines of findings"),
        (lambda f: f["parts"][0]["about"].pop("unsure"), "unsure of about of parts"),
        (lambda f: f["choices"].update(big="x" * 300_000), "This choice has"),
        (lambda f: f["choices"].update({str(i): 1 for i in range(2000)}), "it has 2,002 choices"),
        (lambda f: f["notes"][0].update(text="x" * 30_000), "This note has 30,000 characters"),
        (lambda f: f["notes"][0].update(at="yesterday"), r"notes\[0\] has no date"),
        (lambda f: f["notes"][0].update(at="2026-01-01T00:00:00"), r"notes\[0\] has no time zone"),
        (lambda f: f["notes"][1].update(replaces=77), "a note replaces one that is not there"),
        (lambda f: f["notes"][1].update(number=f["notes"][0]["number"]), "its notes are not numbered"),
        (lambda f: f["notes"][1].update(number=10**30), "its notes are not numbered"),
        (lambda f: f["judgments"][0].update(grade="2"), r"grade of judgments\[0\]"),
        (lambda f: f["judgments"][0].update(grade=float("inf")), "A grade is a number"),
        (lambda f: f["judgments"][0].update(number=0), "its judgments are not numbered"),
    ],
)
def test_facts_that_lie(
    private: Store, members: Members, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    refused(private, mended(members, change), said)


def test_too_many_notes(private: Store, members: Members, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragdash.store.archive.MAX_ROWS", 1)
    monkeypatch.setattr("ragdash.store.archive._Facts.each.__defaults__", (1,))
    refused(private, pack(members), "ragdash.json has 2 notes, at most 1 are read")


def test_json_that_is_too_deep(private: Store, members: Members) -> None:
    refused(private, pack({**members, "ragdash.json": b"[" * 200_000}), "its facts are no JSON")


def test_what_was_refused_leaves_nothing_behind(tmp_path: Path, members: Members) -> None:
    store = Store(Settings(tmp_path / "store"))
    name = next(name for name in members if name.endswith("/scores.npy"))
    with pytest.raises(ArchiveError):
        import_(store, pack({**members, name: b"x"}))
    assert list((tmp_path / "store").rglob("*.npy")) == []
