"""Ids that people have on one side, and what became of them on the other: mended, offered a remedy, or named."""
# ruff: noqa: E501 - a case a line

import json

import pyarrow as pa
import pytest

from ragdash.analysis.evaluate import evaluate, refuse_misread
from ragdash.data.experiment import build
from ragdash.data.formats.base import Blob
from ragdash.data.intake import read_dataset, read_runs
from ragdash.data.remedies import parse_remedy
from ragdash.errors import ExperimentError


def paired(judged: list[str], returned: list[str], apply: tuple[str, ...] = ()):
    """One query for each judged document, and a run that returns each under another spelling."""
    qrels = [{"query_id": f"t{i}", "relevant_docs": [doc]} for i, doc in enumerate(judged)]
    run = [{"query_id": f"t{i}", "retrieved": [doc]} for i, doc in enumerate(returned)]
    blobs = (Blob(name, json.dumps(data).encode()) for name, data in (("d.json", qrels), ("r.json", run)))
    return build(read_dataset(next(blobs)), read_runs(next(blobs)), apply)


@pytest.mark.parametrize(
    ("judged", "returned", "remedy"),
    [
        (["10", "11"], ["doc_10", "doc_11"], "drop-word-before-number"),
        (["10", "11"], ["10.0", "11.0"], "drop-trailing-.0"),
        (["0010", "0011"], ["10", "11"], "ignore-leading-zeros"),
        (["1234", "5678"], ["1,234", "5,678"], "numbers-as-text"),
        (["12", "13"], ["+12", "+13"], "numbers-as-text"),
        (["0012", "0013"], ['="0012"', "'0013"], "trim-quotes"),
        (["A-1", "B-1"], ["a-1", "b-1"], "ignore-case"),
        (["faq-1", "faq-2"], ["faq\u20111", "faq\u20132"], "ignore-typography"),
        (["A1", "B2"], ["\uff21\uff11", "\uff22\uff12"], "ignore-typography"),
        (["a b/c", "ü"], ["a%20b%2Fc", "%C3%BC"], "decode-escapes"),
        (["a&b", "c<d"], ["a&amp;b", "c&lt;d"], "decode-escapes"),
        (["https://x.org/a", "https://x.org/b"], ["http://www.x.org/a/", "http://www.x.org/b/"], "ignore-address"),
        (["docs/a.md", "docs/b.md"], ["docs\\a.md", "docs\\b.md"], "ignore-address"),
        (["docs/a.md", "docs/b.md"], ["/home/me/docs/a.md", "/home/me/docs/b.md"], "file-ending"),
        (["guide-04", "faq"], ["guide-04_chunk_2", "faq_chunk_0"], "chunk-to-document"),
        (["guide.pdf", "faq.pdf"], ["guide.pdf:page:3", "faq.pdf:page:12"], "chunk-to-document"),
        (["a", "b"], ["a#c0ffee12-aaaa-4bbb-8ccc-ddddeeeeffff", "b#c0ffee12aaaa4bbb8cccddddeeeeffff"], "chunk-to-document"),
        (["guide-04_chunk_1", "faq_chunk_3"], ["guide-04", "faq"], "chunk-to-document"),
        (["guide", "faq"], ["guide#intro", "faq#opening-hours"], r"chunk-to-document:(::|[#@?]).*$"),
        (["guide", "faq"], ["chunk_3_guide", "chunk_4_faq"], r"chunk-to-document:^(chunk|passage|part|c|p)[-_.:#]?\d+[-_.:#/|]"),
    ],
)  # fmt: skip
def test_a_remedy_is_offered_and_mends_it(judged, returned, remedy):
    found = paired(judged, returned)
    assert [(f.severity, f.remedy) for f in found.findings if f.remedy] == [("error", remedy)]
    with pytest.raises(ExperimentError, match="no document id of the dataset occurs in the run"):
        refuse_misread(found)
    mended = paired(judged, returned, (remedy,))
    scores = evaluate(mended.dataset, mended.runs, ["Recall@1"])
    assert scores.of(mended.runs[0].name, "Recall@1").tolist() == [1.0, 1.0]
    assert [f for f in mended.findings if f.severity == "error"] == []


@pytest.mark.parametrize(
    ("judged", "returned", "said"),
    [
        (["123456789012345", "7"], ["1.23457E+14", "8"], r"ids like 1\.23457E\+14 look like spreadsheet numbers"),
        (["123456789012345", "7"], ["1,23457E+14", "8"], r"ids like 1,23457E\+14 look like spreadsheet numbers"),
        (["3-12", "4-1"], ["12-Mar", "01-Apr"], "ids like 12-Mar look like dates that a spreadsheet made of them"),
        (["1234567890123456789", "1234567890123456711"], ["1234567890123456800", "1234567890123456700"],
         "ids like 1234567890123456800 have lost their last digits in a number column "
         "\\(the dataset has 1234567890123456789\\)"),
    ],
)  # fmt: skip
def test_what_was_spoiled_for_good_is_named_and_not_scored(judged, returned, said):
    with pytest.raises(ExperimentError, match=said):
        refuse_misread(paired(judged, returned))


@pytest.mark.parametrize("sign", [" ", "\t", "\u00a0", "\u2009", "\u200b", "\ufeff", "\u200e", "\u00ad"])
def test_what_nobody_sees_is_trimmed_and_told(sign):
    found = paired(["a1", "b1"], ["a1" + sign, sign + "b1"])
    assert [(f.code, f.severity, f.remedy, f.count) for f in found.findings] == [
        ("ids-differ-by", "warning", "trim-blanks", 2)
    ]
    assert found.runs[0].doc_ids.to_pylist() == ["a1", "b1"]


def test_ids_that_differ_in_part_only_are_told_as_well():
    found = paired(["0012", "1200", "0013", "1300"], ["12", "1200", "13", "1300"])
    assert [(f.code, f.remedy) for f in found.findings] == [("ids-differ-by", "ignore-leading-zeros")]
    assert "only 2 of 4 judged documents match" in found.findings[0].message


def test_a_run_of_documents_stays_beside_a_run_of_chunks():
    dataset = paired(["guide-04", "faq"], ["guide-04", "faq"]).dataset
    runs = [paired(["x", "y"], docs).runs[0] for docs in (["guide-04", "faq"], ["guide-04_chunk_2", "faq_chunk_1"])]
    mended = build(dataset, runs, ["chunk-to-document"])
    assert [run.doc_ids.to_pylist() for run in mended.runs] == [["guide-04", "faq"]] * 2
    assert any("ids match better as they are" in one.message for one in mended.findings)


@pytest.mark.parametrize("key", ["file-ending", "ignore-address", "trim-quotes", "drop-word-before-number"])
def test_no_remedy_leaves_an_id_empty(key):
    change = parse_remedy(key).change
    assert change(pa.array(["docs/", ".md", "a"])).to_pylist()[2] == "a"
    assert "" not in change(pa.array(["docs/", ".md", "a"])).to_pylist()


TEXTS = [
    {"query_id": "1", "query": "Who is it?", "relevant_docs": ["a"]},
    {"query_id": "2", "query": "What?", "relevant_docs": ["b"]},
]


def by_text(*asked: str, dataset=TEXTS):
    run = [{"query": text, "retrieved": ["a"]} for text in asked]
    return build(
        read_dataset(Blob("d.json", json.dumps(dataset).encode())),
        read_runs(Blob("r.json", json.dumps(run).encode())),
    )


def test_queries_are_found_by_their_text_but_for_case_and_blanks():
    found = by_text("who  is it? ", "What?")
    assert found.runs[0].query_ids.to_pylist() == ["1", "2"]
    assert [(f.code, f.severity) for f in found.findings] == [("matched-by-text", "warning")]
    assert "1 of them differ in case or blanks" in found.findings[0].message


def test_a_text_that_stands_for_two_queries_is_told():
    found = by_text(
        "What?", "Who is it?", dataset=[*TEXTS, {"query_id": "3", "query": "What?", "relevant_docs": ["c"]}]
    )
    assert found.findings[0].code == "matched-by-text"
    assert "A text stands for several queries (2, 3)" in found.findings[0].message


def test_two_questions_without_an_id_and_with_one_text_are_told():
    found = read_dataset(Blob("d.json", b'[{"query": "x", "relevant": ["a"]}, {"query": "x", "relevant": ["b"]}]'))
    assert [(f.code, f.count) for f in found.findings] == [("repeated-query", 1)]
