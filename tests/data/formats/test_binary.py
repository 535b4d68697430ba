"""Parquet, Arrow and Excel: numbers become the text that shows them."""

import datetime
import io

import pyarrow as pa
import pytest
from openpyxl import Workbook
from pyarrow import feather, parquet

from ragdash.errors import EmptyFileError, MalformedError, UnknownFormatError
from tests.data.formats.reading import codes, judged, only_run, ranking, read

TABLE = pa.table({"query_id": [101, 101, 102], "doc_id": [2**60 + 1, 7, 8], "score": [0.1, 0.30000000000000004, 1.0]})


def as_parquet(table: pa.Table) -> bytes:
    out = io.BytesIO()
    parquet.write_table(table, out)
    return out.getvalue()


def workbook(**sheets) -> bytes:
    book, out = Workbook(), io.BytesIO()
    book.remove(book.active)
    for name, rows in sheets.items():
        page = book.create_sheet(name)
        for row in rows:
            page.append(row)
    book.save(out)
    return out.getvalue()


def test_parquet_keeps_every_digit():
    run = only_run(as_parquet(TABLE))
    assert ranking(run) == {"101": ["1152921504606846977", "7"], "102": ["8"]}
    assert run.scores.tolist() == [0.1, 0.30000000000000004, 1.0]


def test_arrow_dictionaries_and_floats_as_ids():
    out = io.BytesIO()
    feather.write_feather(
        pa.table({"qid": pa.array(["q", "q"]).dictionary_encode(), "docid": [7.0, 1.5], "rank": [1, 2]}), out
    )
    assert ranking(only_run(out.getvalue())) == {"q": ["7.0", "1.5"]}


def test_parquet_with_lists_and_structs():
    rows = pa.table(
        {
            "query": ["q"],
            "relevant_docs": [["a", "b"]],
            "retrieved": [[{"id": 5, "score": 0.5}, {"id": 6, "score": 0.25}]],
        }
    )
    assert judged(read(as_parquet(rows), "dataset").qrels) == {"q": {"a": 1, "b": 1}}
    assert ranking(only_run(as_parquet(rows))) == {"q": ["5", "6"]}


def test_a_cut_parquet_file_is_refused():
    with pytest.raises(MalformedError, match="begins as a Parquet or Arrow file"):
        read(as_parquet(TABLE)[:-20])


def test_a_workbook_whatever_its_name():
    data = workbook(Sheet=[["query_id", "doc_id", "score"], [7, "a", 0.5], ["0007", 12.0, 0.25]])
    run = only_run(data, "run.csv")
    assert ranking(run) == {"7": ["a"], "0007": ["12"]}
    assert codes(read(data))[0] == "excel-workbook"


def test_sheets_are_runs_or_parts_of_a_dataset():
    rows = [["query_id", "doc_id", "score"], ["q", "a", 0.5]]
    assert [run.name for run in read(workbook(bm25=rows, dense=rows), name="all.xlsx").runs] == [
        "all: bm25",
        "all: dense",
    ]
    both = workbook(
        qrels=[["query_id", "doc_id", "relevance"], ["q", "a", 1]], queries=[["query_id", "query"], ["q", "who"]]
    )
    reading = read(both, "dataset")
    assert judged(reading.qrels) == {"q": {"a": 1}}
    assert reading.queries.texts.to_pylist() == ["who"]


def test_dates_are_told_and_empty_books_refused():
    data = workbook(s=[["query_id", "doc_id", "score"], ["q", datetime.date(2024, 3, 12), 0.5], ["q", "b", 0.25]])
    assert "spreadsheet-dates" in codes(read(data))
    with pytest.raises(EmptyFileError, match="without a filled cell"):
        read(workbook(s=[]))
    with pytest.raises(UnknownFormatError, match="this is an Excel workbook"):
        read(workbook(s=[["foo", "bar", "baz"], ["x y", "y", "z"]]))


def test_ids_are_read_as_their_number_format_shows_them():
    book = Workbook()
    sheet = book.active
    for row in [["query_id", "doc_id", "relevance"], [7, 12, 1.0], [8, 3, 2], [9, 4, 1]]:
        sheet.append(row)
    sheet["A2"].number_format, sheet["B2"].number_format, sheet["B3"].number_format = "0000", '"DOC-"00000', "0.00"
    file = io.BytesIO()
    book.save(file)
    assert judged(read(file.getvalue(), "dataset").qrels) == {"0007": {"DOC-00012": 1}, "8": {"3": 2}, "9": {"4": 1}}


def test_numbers_longer_than_a_spreadsheet_keeps_are_told():
    reading = read(workbook(s=[["query_id", "doc_id", "score"], ["q", 1234567890123456, 0.5]]))
    assert ranking(reading.runs[0]) == {"q": ["1234567890123456"]}
    assert "long-number" in codes(reading)


def test_a_title_above_the_table_and_an_empty_first_sheet():
    rows = [["Results of March", None, None], [None, None, None], ["query_id", "doc_id", "score"], ["q", "a", 0.5]]
    reading = read(workbook(cover=[], s=rows))
    assert ranking(reading.runs[0]) == {"q": ["a"]}
    assert reading.runs[0].lines.tolist() == [4]
    assert "lines-above-table" in codes(reading)


def test_judgments_on_two_sheets_are_joined():
    rows = [["query_id", "doc_id", "relevance"], ["q", "a", 1]]
    reading = read(workbook(one=rows, two=[rows[0], ["q", "b", 2], ["q", "a", 3]]), "dataset")
    assert judged(reading.qrels) == {"q": {"a": 3, "b": 2}}
    assert "contradicting-judgment" in codes(reading)
