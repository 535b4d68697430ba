"""A file that is cut, mixed up or damaged is read, or refused in a sentence: never anything else, and never for long.

`RAGDASH_MUTATIONS=20000` runs more of them than the suite does.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import os
import zipfile

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from ragdash.data import intake
from ragdash.data.formats import FORMATS
from ragdash.data.formats.base import Blob
from ragdash.errors import FileError

EXAMPLES = int(os.environ.get("RAGDASH_MUTATIONS", "150"))
CSV_RUN = 'query_id,doc_id,rank,score\nq1,doc_7,1,0.93\nq1,doc_2,2,0.87\n"q\n2",doc_7,1,0.9\n'
NODES = [{"query": {"qid": 1, "text": "a"}, "candidates": [{"docid": "d", "score": 1.5, "doc": {"segment": "t"}}]}]
TOKENS = [b"\x00", b"\xff", b"\xef\xbb\xbf", b'"', b"\n", b"\r\n", b"\t", b",", b";", b"{", b"}", b"[", b"]", b"NaN",
          b"1e999", b"-", b"null", b"\\u0000", b"\xed\xa0\x80", b"#", b":", b" ", b"<top>", b"9" * 400]  # fmt: skip


def _zip(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(name.replace("_", "."), data)
    return out.getvalue()


def _parquet() -> bytes:
    out = io.BytesIO()
    pa.parquet.write_table(pa.table({"query_id": [1, 1, 2], "doc_id": ["a", "b", "a"], "score": [0.5, 0.25, 1.0]}), out)
    return out.getvalue()


def _workbook() -> bytes:
    book, out = Workbook(), io.BytesIO()
    for row in (["query_id", "doc_id", "relevance"], [1, "a", 1], [2, "b", 0]):
        book.active.append(row)
    book.save(out)
    return out.getvalue()


SEEDS: dict[str, bytes] = {
    **{one.key: one.sample.encode() for one in FORMATS if one.key not in ("parquet", "excel", "text")},
    "parquet": _parquet(),
    "excel": _workbook(),
    "csv-run": CSV_RUN.encode(),
    "semicolons": b"sep=;\nquery_id;doc_id;score\n1;a;0,5\n1;b;0,25\n",
    "rank-llm": json.dumps(NODES).encode(),
    "lists": b'query,retrieved_ids,relevant_ids\nwho,"[""a"", ""b""]","[""a""]"\n',
    "utf-16": "query\tdoc_id\trelevance\nä\td\t1\n".encode("utf-16"),
    "windows-1252": "query_id,query,doc_id,relevance\n1,Müsli – groß,m,1\n".encode("cp1252"),
    "gzip": gzip.compress(CSV_RUN.encode(), mtime=0),
    "bzip2": bz2.compress(CSV_RUN.encode()),
    "zip": _zip(a_csv=CSV_RUN.encode(), b_json=b'{"q1": {"a": 1.0}}'),
}


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A seed after a few cuts, copies and foreign bytes."""
    data = draw(st.sampled_from(sorted(SEEDS)).map(SEEDS.__getitem__))
    for _ in range(draw(st.integers(1, 4))):
        a = draw(st.integers(0, len(data)))
        b = draw(st.integers(a, min(len(data), a + 40)))
        change = draw(st.sampled_from(["cut", "drop", "copy", "put", "flip"]))
        if change == "cut":
            data = data[:a]
        elif change == "drop":
            data = data[:a] + data[b:]
        elif change == "copy":
            data = data[:b] + data[a:b] * draw(st.integers(1, 20)) + data[b:]
        elif change == "put":
            data = data[:a] + draw(st.sampled_from(TOKENS)) + data[a:]
        elif a < len(data):
            data = data[:a] + bytes([data[a] ^ (1 << draw(st.integers(0, 7)))]) + data[a + 1 :]
    return data


@settings(max_examples=EXAMPLES, deadline=5000, suppress_health_check=[HealthCheck.too_slow])
@given(damaged(), st.sampled_from(["dataset", "run"]))
def test_a_damaged_file_is_read_or_refused_in_a_sentence(data, role):
    try:
        for blob in intake.open_blobs("file.dat", data):
            reading = intake.read(blob, role)
            assert reading.runs or role == "dataset"
            for run in reading.runs:
                assert len(run.doc_ids) == run.starts[-1] == (len(run) if run.scores is None else len(run.scores))
    except FileError as error:
        assert str(error).startswith("file.dat")


@pytest.mark.parametrize("key", sorted(SEEDS))
def test_every_seed_is_read_in_one_of_the_roles(key):
    refusals = []
    for role in ("dataset", "run"):
        try:
            assert all(intake.read(blob, role) for blob in intake.open_blobs("file.dat", SEEDS[key]))
        except FileError as error:
            refusals.append(str(error))
    assert len(refusals) < 2, refusals


def test_brackets_nested_without_end_are_refused():
    for data in (b"[" * 200_000, b'{"a":' * 200_000, b'[{"query": "q", "retrieved": ' + b"[" * 100_000):
        with pytest.raises(FileError):
            intake.read(Blob("deep.json", data), "run")
