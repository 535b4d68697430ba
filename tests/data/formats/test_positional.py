"""Which column is which where a table has no header? By what stands in the columns."""

import openpyxl
import pytest

from ragdash.data.formats.base import Blob
from ragdash.data.formats.positional import positional_names
from ragdash.data.intake import read_run
from ragdash.data.preview import preview
from ragdash.errors import WrongRoleError
from tests.data.formats.reading import judged, only_run, read


def named(names: str) -> tuple[str, ...]:
    return tuple(name.replace("_", " ") if name.startswith("column") else name for name in names.split())


def split(text: str) -> list[list[str]]:
    return [line.split(",") for line in text.split()]


@pytest.mark.parametrize(
    ("rows", "names", "sure"),
    [
        ("q1,d1,1,0.9 q1,d2,2,0.8 q2,d3,1,0.7", "query_id doc_id rank score", True),
        ("q1,d1,0.9,1 q1,d2,0.8,2 q2,d3,0.7,1", "query_id doc_id score rank", True),
        ("q1,d1,12,1 q1,d2,11,2 q2,d3,9,1", "query_id doc_id score rank", True),
        ("q1,d1,1 q1,d2,2 q2,d3,1 q2,d4,2", "query_id doc_id rank", True),
        ("q1,d1,0 q1,d2,1", "query_id doc_id rank", True),
        ("q1,1,d1 q1,2,d2 q2,1,d3", "query_id rank doc_id", True),
        ("1,1,77 1,2,88 2,1,55 2,2,99", "query_id rank doc_id", False),
        ("1,1,0.9 1,2,0.8 2,1,0.7", "query_id doc_id score", True),
        ("q1,d1,1,0.9,bm25 q1,d2,2,0.8,bm25 q2,d3,1,0.7,bm25", "query_id doc_id rank score run", True),
        ("q1,d1,0.9,bm25 q1,d2,0.8,bm25", "query_id doc_id score run", True),
        ("q1,Q0,d1,1,0.9,x q1,Q0,d2,2,0.8,x", "query_id column_2 doc_id rank score run", True),
        ("q1,Q0,d1,0.9 q1,Q0,d2,0.8", "query_id column_2 doc_id score", True),
        ("0,q1,d1,0.9 1,q1,d2,0.8 2,q2,d3,0.7", "column_1 query_id doc_id score", False),
        ("a,b,c,d,e,f,g h,i,j,k,l,m,n", "column_1 column_2 column_3 column_4 column_5 column_6 column_7", False),
    ],
)
def test_a_run(rows: str, names: str, sure: bool) -> None:
    assert positional_names(split(rows), "run") == (named(names), sure)


@pytest.mark.parametrize(
    ("rows", "names", "sure"),
    [
        ("1,0,7,1 1,0,8,0 2,0,9,2", "query_id column_2 doc_id relevance", True),
        ("q1,d1,2 q1,d2,0", "query_id doc_id relevance", True),
        ("q1,d1,1 q1,d2,2 q1,d3,3", "query_id doc_id rank", True),
        ("q1,d1,5,2 q1,d2,7,0", "query_id doc_id column_3 relevance", False),
        ("q1,what,d1,2 q1,what,d2,0", "query_id column_2 doc_id relevance", True),
    ],
)
def test_judgments(rows: str, names: str, sure: bool) -> None:
    assert positional_names(split(rows), "dataset") == (named(names), sure)


def test_judgments_between_commas_keep_their_documents() -> None:
    assert judged(read("1,0,7,1\n1,0,8,0\n2,0,9,2\n", "dataset").qrels) == {"1": {"7": 1, "8": 0}, "2": {"9": 2}}


def test_a_ranking_in_the_slot_of_the_dataset_is_none() -> None:
    with pytest.raises(WrongRoleError, match="a ranking, no judgments"):
        read("q1,d1,1\nq1,d2,2\nq1,d3,3\n", "dataset")


def test_a_workbook_without_a_header_has_its_scores(tmp_path) -> None:
    book = openpyxl.Workbook()
    for row in (["q1", "d1", 1, 0.9], ["q1", "d2", 2, 0.8], ["q2", "d3", 1, 0.7]):
        book.active.append(row)
    path = tmp_path / "run.xlsx"
    book.save(path)
    run = read_run(path)
    assert run.scores.tolist() == [0.9, 0.8, 0.7]
    assert [one.code for one in run.findings] == ["excel-workbook", "no-header"]
    assert preview(Blob("run.xlsx", path=path), "run").mapping["score"] == "score"


def test_a_header_behind_a_hash_is_the_header() -> None:
    run = only_run("#doc_id,query_id,score\nd1,q1,0.5\nd2,q1,0.4\n")
    assert run.query_ids.to_pylist() == ["q1"]
    assert run.doc_ids.to_pylist() == ["d1", "d2"]
