"""Files, archives and folders become one dataset and several runs."""

import bz2
import gzip
import io
import tarfile
import zipfile

import pytest
import zstandard

from ragdash.data import intake
from ragdash.data.formats import FORMATS
from ragdash.data.formats.base import Blob
from ragdash.data.intake import open_blobs
from ragdash.data.unpack import ignored
from ragdash.errors import EmptyFileError, FileError, LimitError, MalformedError, UnknownFormatError
from tests.data.formats.reading import judged, ranking

RUN = b"query_id,doc_id,score\nq1,a,2.5\nq1,b,1.5\n"
QRELS = b"query-id\tcorpus-id\tscore\nq1\ta\t1\n"
QUERIES = b'{"_id": "q1", "text": "who"}\n{"_id": "q2", "text": "what"}\n'
CORPUS = b'{"_id": "a", "text": "words of a"}\n{"_id": "b", "text": "words of b"}\n'


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


@pytest.mark.parametrize(
    ("ending", "pack"),
    [(".gz", gzip.compress), (".bz2", bz2.compress), (".zst", zstandard.compress), ("", gzip.compress)],
)
def test_compressed_files_are_unpacked_by_content(ending, pack):
    (run,) = intake.read_runs(Blob(f"bm25.csv{ending}", pack(RUN)))
    assert run.name == "bm25"
    assert ranking(run) == {"q1": ["a", "b"]}


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_an_archive_holds_several_runs_and_its_side_files_are_ignored(pack):
    files = {
        "x/bm25.csv": RUN,
        "x/dense.json": b'{"q1": {"b": 2.5}}',
        "__MACOSX/x/._bm25.csv": b"\0\5",
        "README.md": b"hi",
    }
    assert [run.name for run in intake.read_runs(Blob("all.zip", pack(files)))] == ["bm25", "dense"]


def test_many_small_texts_in_an_archive_are_documents():
    files = {f"CACM-{i}.html": f"<html><title>T{i}</title><pre>words {i}</pre></html>".encode() for i in range(20)}
    (blob,) = intake.open_blobs("docs.tar.gz", tarred(files))
    documents = intake.read(blob, "dataset").documents
    assert documents.look_up(["CACM-7"])["CACM-7"][0] == "T7"


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, zstandard.compress, lambda d: zipped({"r.csv": d})])
@pytest.mark.parametrize("keep", [0.4, 0.9])
def test_a_cut_archive_is_refused_as_a_whole(pack, keep):
    data = pack(RUN * 50)
    with pytest.raises(MalformedError, match=r"is cut off|is damaged"):
        intake.open_blobs("r.csv.gz", data[: int(len(data) * keep)])


def test_limits_are_settings(monkeypatch):
    monkeypatch.setenv("RAGDASH_MAX_UNPACKED_MB", "1")
    for data in (gzip.compress(b"x" * (3 << 20)), zipped({"a.csv": b"x" * (3 << 20)})):
        with pytest.raises(LimitError, match="raise RAGDASH_MAX_UNPACKED_MB"):
            intake.open_blobs("bomb.gz", data)
    monkeypatch.setenv("RAGDASH_MAX_MEMBERS", "2")
    with pytest.raises(LimitError, match="3 files"):
        intake.open_blobs("many.zip", zipped({f"{i}.csv": RUN for i in range(3)}))
    monkeypatch.setenv("RAGDASH_MAX_FILE_MB", "1")
    with pytest.raises(LimitError, match="raise RAGDASH_MAX_FILE_MB"):
        intake.open_blobs("big.csv", b"x" * (3 << 20))


@pytest.fixture
def beir(tmp_path):
    folder = tmp_path / "scifact"
    (folder / "qrels").mkdir(parents=True)
    files = {
        "corpus.jsonl": CORPUS,
        "queries.jsonl": QUERIES,
        "qrels/test.tsv": QRELS,
        "qrels/train.tsv": QRELS,
        ".x": b"",
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def test_a_folder_in_the_layout_of_beir(beir):
    dataset = intake.read_dataset(beir)
    assert (dataset.name, judged(dataset.qrels)) == ("test", {"q1": {"a": 1}})
    assert dataset.queries.texts.to_pylist() == ["who", "what"]
    assert dataset.documents.ids.to_pylist() == ["a", "b"]  # id and text as the queries have: their ids tell
    assert [(f.code, f.examples) for f in dataset.findings] == [("split-chosen", ("train",))]


def test_the_same_as_a_zip_and_as_parts(beir):
    files = {path.relative_to(beir.parent).as_posix(): path.read_bytes() for path in beir.rglob("*") if path.is_file()}
    assert intake.read_dataset(Blob("scifact.zip", zipped(files))).sha256 == intake.read_dataset(beir).sha256
    assert intake.assemble(intake.read_parts("scifact", path=beir)).sha256 == intake.read_dataset(beir).sha256


def test_judgments_of_two_files_are_joined_and_settled():
    more = Blob("more.tsv", b"query-id\tcorpus-id\tscore\nq1\ta\t2\nq2\tb\t1\n")
    dataset = intake.read_dataset(Blob("qrels.tsv", QRELS), more)
    assert judged(dataset.qrels) == {"q1": {"a": 2}, "q2": {"b": 1}}
    assert [f.code for f in dataset.findings] == ["contradicting-judgment"]


def test_a_document_named_without_a_grade_counts_only_alone():
    questions = Blob("questions.jsonl", b'{"query_id": "q1", "question": "who", "doc_id": "z"}\n')
    assert judged(intake.read_dataset(questions).qrels) == {"q1": {"z": 1}}
    dataset = intake.read_dataset(questions, Blob("qrels.tsv", QRELS))
    assert judged(dataset.qrels) == {"q1": {"a": 1}}
    assert dataset.queries.texts.to_pylist() == ["who"]


def test_without_judgments_a_dataset_is_refused():
    with pytest.raises(FileError, match=r"queries.jsonl: no judgments: queries.jsonl has 2 queries.*Add the judgments"):
        intake.read_dataset(Blob("queries.jsonl", QUERIES))


def test_names_are_made_distinct():
    runs = intake.unique_names([intake.read_run(Blob("run.csv", RUN)) for _ in range(3)])
    assert [run.name for run in runs] == ["run", "run (2)", "run (3)"]
    assert [f.code for f in runs[2].findings] == ["name-changed"]
    assert "file run.csv" in runs[1].findings[0].message


def test_a_run_has_the_name_that_it_is_given_and_its_findings_too():
    run = intake.read_run(Blob("x.json", b'{"q": {"a": NaN, "b": 1.0}}'), name="bm25")
    assert (run.name, run.findings[0].run, run.source.file) == ("bm25", "bm25", "x.json")
    with pytest.raises(FileError, match="2 runs"):
        intake.read_run(Blob("all.zip", zipped({"a.csv": RUN, "b.csv": RUN})))


@pytest.mark.parametrize(
    ("data", "error", "said"),
    [
        (b"", EmptyFileError, r"the file is empty \(0 bytes\)"),
        (b"\n\n  \n", EmptyFileError, "no rows, only blanks"),
        (b"<!DOCTYPE html><html><body>Sign in</body></html>", UnknownFormatError, "this is a web page"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, UnknownFormatError, "a picture"),
        (b"%PDF-1.7 ...", UnknownFormatError, "a PDF document"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1", UnknownFormatError, "Git LFS pointer"),
        (b"abc\0\1\2\3def" * 20, MalformedError, "binary data"),
        (zipped({"word/document.xml": b"x"}), UnknownFormatError, "Office document"),
        (zipped({"README.md": b"x"}), EmptyFileError, "an archive without a file"),
        (b"Once upon a time there was nothing.\nThe end.\n", UnknownFormatError, "first line: 'Once upon a time"),
        (b'{"meta": {}, "rows": [{"foo": 1}]}', UnknownFormatError, "found: meta, rows; first item of rows: keys foo"),
    ],
)  # fmt: skip
def test_what_is_no_data_has_its_own_sentence(data, error, said):
    with pytest.raises(error, match=said):
        intake.read_runs(Blob("file.csv", data))


def test_a_missing_file_is_said():
    with pytest.raises(FileError, match=r"nowhere.csv: there is no such file"):
        intake.read_run("/tmp/nowhere.csv")


@pytest.mark.parametrize(
    "one", [one for one in FORMATS if one.key not in ("parquet", "excel")], ids=lambda one: one.key
)
def test_the_sample_of_every_format_is_read_as_that_format(one):
    blob = Blob("sample.md" if one.key == "text" else "sample.txt", one.sample.encode())
    role = (
        "dataset" if "dataset" in one.roles and "retrieved" not in one.sample and "score" not in one.sample else "run"
    )
    assert intake.recognise(blob, role).key == one.key
    reading = intake.read(blob, role)
    assert reading.qrels or reading.queries or reading.runs or reading.documents


def test_what_does_not_belong_into_an_archive_is_left_out_and_named():
    run = b"query_id,doc_id,score\nq1,a,0.9\n"
    data = zipped({"a.csv": run, "notes.docx": b"x", "picture.png": b"\x89PNG\r\n\x1a\n\0", "qrels.txt": b"q1 0 a 1\n"})
    (found,) = intake.read_runs(Blob("all.zip", data))
    assert [one.file for one in found.findings if one.code == "file-left-out"] == [
        "all.zip/notes.docx",
        "all.zip/picture.png",
        "all.zip/qrels.txt",
    ]
    with pytest.raises(MalformedError, match=r"bad\.csv, line 3"):
        intake.read_runs(Blob("all.zip", zipped({"a.csv": run, "bad.csv": run + b"q1,b\n"})))
    with pytest.raises(UnknownFormatError, match="notes"):
        intake.read_runs(Blob("all.zip", zipped({"notes.docx": b"x", "more.docx": b"x"})))


def test_half_a_frame_of_zstandard_is_no_file() -> None:
    whole = b"".join(b"q%d Q0 d%d 1 %d.5 x\n" % (i, i * 7919 % 9973, i) for i in range(20_000))
    packed = zstandard.ZstdCompressor().compress(whole)
    assert len(open_blobs("a.trec.zst", packed)[0].bytes) == len(whole)
    assert open_blobs("a.trec.zst", packed + packed)[0].bytes == whole + whole
    for cut in (len(packed) - 1, len(packed) // 2, 12):
        with pytest.raises(MalformedError, match="the zstd archive is cut off"):
            open_blobs("a.trec.zst", packed[:cut])


def test_only_what_holds_no_data_is_left_out_of_an_archive() -> None:
    out = ("README", "readme.md", "LICENSE.txt", "__MACOSX/._a.csv", "a/.git/x.csv", "README_first.txt", "desktop.ini")
    kept = ("../../up.csv", "/abs/a.csv", "./a.csv", "readmes.jsonl", "licenses.csv", "readme_corpus.jsonl")
    assert all(map(ignored, out))
    assert not any(map(ignored, kept))


@pytest.mark.parametrize(
    "text",
    ["404: Not Found", "Not Found", "HTTP/1.1 403 Forbidden", "Access denied.", '{"detail": "Not Found"}',
     '{"message": "Bad credentials", "documentation_url": "https://x.org", "status": "401"}',
     '{"error": {"code": 401, "message": "unauthorized"}}'],
)  # fmt: skip
@pytest.mark.parametrize("role", ["dataset", "run"])
def test_the_answer_of_a_server_is_no_file(text: str, role) -> None:
    with pytest.raises(UnknownFormatError, match="the answer of a server"):
        intake.read(Blob("file.json", text.encode()), role)


def test_xml_is_no_table() -> None:
    with pytest.raises(UnknownFormatError, match="this is an XML file"):
        intake.read(Blob("file.xml", b"<?xml version='1.0'?><results><r q='1'/></results>"), "run")
    topics = b"<?xml version='1.0'?><topics><top><num> 301 </num><title> crime </title></top></topics>"
    assert intake.read(Blob("topics.xml", topics), "dataset").queries.ids.to_pylist() == ["301"]


def test_splits_that_are_loaded_together_are_joined_and_told(tmp_path) -> None:
    for name in ("test", "dev"):
        (tmp_path / f"{name}.tsv").write_text(f"query-id\tcorpus-id\tscore\nq-{name}\ta\t1\n")
    dataset = intake.read_dataset(tmp_path / "test.tsv", tmp_path / "dev.tsv")
    assert dataset.qrels.query_ids.to_pylist() == ["q-test", "q-dev"]
    assert [one.examples for one in dataset.findings if one.code == "splits-joined"] == [("test.tsv", "dev.tsv")]
    alone = intake.read_dataset(tmp_path / "test.tsv")
    assert all(one.code != "splits-joined" for one in alone.findings)
