import pytest

from ragdash.data.idcheck import check_ids, shares
from ragdash.data.nouns import Dataset, Qrels, Run, Source


def checked(judged: dict[str, list[str]], results: dict[str, list[str]]):
    pairs = [(query, doc) for query, docs in judged.items() for doc in docs]
    dataset = Dataset("d", Qrels.of(*zip(*pairs), [1] * len(pairs)))
    rows = [(query, doc) for query, docs in results.items() for doc in docs]
    run = Run.of("run", *zip(*rows), source=Source("run.csv"), lines=range(2, len(rows) + 2))
    return dataset, run


@pytest.mark.parametrize(
    ("judged", "results", "remedy", "pair"),
    [
        ({"0007": ["x"], "0042": ["y"]}, {"7": ["x"], "42": ["y"]}, "ignore-leading-zeros", ("7", "0007")),
        ({"Q1": ["x"]}, {"q1": ["x"]}, "ignore-case", ("q1", "Q1")),
        ({"7": ["x"]}, {"7.0": ["x"]}, "drop-trailing-.0", ("7.0", "7")),
        ({"100000": ["x"]}, {"1E+05": ["x"]}, "numbers-as-text", ("1E+05", "100000")),
        ({"q": ["x"]}, {"x": ["q"]}, "swap-columns", ("x", "q")),
        ({"one": ["x"]}, {"two": ["x"]}, None, ("two", "one")),
    ],
)
def test_no_common_query_names_the_reason_and_one_id_of_each_side(judged, results, remedy, pair):
    found = check_ids(*checked(judged, results))
    assert (found[0].code, found[0].severity, found[0].remedy, found[0].examples) == (
        "no-common-query",
        "error",
        remedy,
        pair,
    )
    assert f"0 of {len(judged)} queries match" in found[0].message


def test_no_common_document_because_of_chunks():
    judged = {"c1": ["guide-04", "guide-09"], "c2": ["guide-11"]}
    results = {"c1": ["guide-04_chunk_2", "guide-07_chunk_1", "guide-09_chunk_5"], "c2": ["guide-11_chunk_1"]}
    (found,) = check_ids(*checked(judged, results))
    assert (found.code, found.severity, found.remedy) == ("no-common-document", "error", "chunk-to-document")
    assert found.examples == ("guide-04_chunk_2", "guide-04")
    assert "no document id of the dataset occurs in the run" in found.message
    assert "3 of 3 judged documents would be found" in found.message


def test_no_common_document_without_a_reason_is_a_warning():
    (found,) = check_ids(*checked({"q": ["a"]}, {"q": ["z"]}))
    assert (found.code, found.severity, found.remedy) == ("no-common-document", "warning", None)


def test_ids_that_match_in_part_are_told_only_where_a_remedy_would_help():
    judged = {f"q{i}": ["d"] for i in range(10)}
    half = {(f"q{i}" if i < 3 else f"Q{i}"): ["d"] for i in range(10)}
    (found,) = check_ids(*checked(judged, half))
    assert (found.code, found.remedy, found.count) == ("ids-differ-by", "ignore-case", 7)
    assert "only 3 of 10 queries match" in found.message
    assert "10 would match" in found.message
    assert check_ids(*checked(judged, {f"q{i}": ["d"] for i in range(3)})) == []


def test_ids_that_a_spreadsheet_mangled_are_named_with_their_lines():
    found = check_ids(*checked({"e1": ["1E5", "4711"]}, {"e1": ["1.00E+05", "22000", "4711"]}))
    assert [(f.code, f.lines, f.examples) for f in found] == [("ids-differ-by", (2,), ("1.00E+05",))]


def test_shares_count_both_sides():
    found = shares(*checked({"q1": ["a", "b"], "q2": ["c"]}, {"q1": ["a", "z"]}))
    assert (found.queries, found.run_documents, found.judged_documents) == (1 / 2, 1 / 2, 1 / 3)
