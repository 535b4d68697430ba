import numpy as np
import pyarrow as pa
import pytest

from ragdash.data.mending import apply_remedies
from ragdash.data.nouns import Dataset, Qrels, Queries, Run
from ragdash.data.remedies import REMEDIES, parse_remedy
from ragdash.errors import OptionError
from tests.data.formats.reading import judged, ranking


def changed(key: str, *ids: str) -> list[str]:
    return parse_remedy(key).change(pa.array(ids)).to_pylist()


@pytest.mark.parametrize(
    ("key", "before", "after"),
    [
        ("trim-blanks", [" a\t", "b\r", "c"], ["a", "b", "c"]),
        ("unicode-form", ["mu\u0308sli"], ["müsli"]),
        ("ignore-case", ["Doc-A", "ÄB"], ["doc-a", "äb"]),
        ("ignore-leading-zeros", ["0007", "0", "00", "a07"], ["7", "0", "0", "a07"]),
        ("drop-trailing-.0", ["7.0", "7.05", "v1.0", "-3.00"], ["7", "7.05", "v1.0", "-3"]),
        ("numbers-as-text", ["1.00E+05", "1E5", "100000.0", "100000", "0.5", "abc", "12345678901234567891"],
         ["100000", "100000", "100000", "100000", "0.5", "abc", "12345678901234567891"]),
        ("file-ending", ["docs/guide.md", "guide", "a/b/c.html"], ["guide", "guide", "c"]),
        ("chunk-to-document", ["guide-04_chunk_2", "a#4_163", "doc_7::3", "state:26994-27427", "1234"],
         ["guide-04", "a", "doc_7", "state", "1234"]),
        ("chunk-to-document:@.*$", ["a@3", "b"], ["a", "b"]),
    ],
)  # fmt: skip
def test_what_a_remedy_makes_of_ids(key, before, after):
    assert changed(key, *before) == after


def test_an_unknown_remedy_names_the_known_ones():
    with pytest.raises(OptionError, match="Remedies: trim-blanks"):
        parse_remedy("polish")
    with pytest.raises(OptionError, match="no regular expression"):
        parse_remedy("chunk-to-document:(")
    with pytest.raises(OptionError, match="takes no argument"):
        parse_remedy("ignore-case:x")
    assert all(parse_remedy(key).key == key for key in REMEDIES)


QRELS = Qrels.of(["t1", "t2", "t2"], ["faq-1", "faq-2", "faq-3"], [1, 1, 1])
DATASET = Dataset("qrels", QRELS, Queries.of(["t1"], ["text"]))


def applied(run: Run, *keys: str, dataset: Dataset = DATASET):
    dataset, (out,), said = apply_remedies(dataset, [run], [parse_remedy(key) for key in keys])
    return dataset, out, said


def test_blanks_are_trimmed_where_ids_match_then_and_it_is_told():
    run = Run.of(
        "blanks",
        ["t1", "t1", "t2 ", "t2 "],
        ["faq-1 ", " faq-9", "faq-2\t", "faq-3 "],
        [4, 3, 2, 1],
        lines=[2, 3, 4, 5],
    )
    _, out, said = applied(run)
    assert ranking(out) == {"t1": ["faq-1", "faq-9"], "t2": ["faq-2", "faq-3"]}
    assert [(f.code, f.severity, f.count, f.lines) for f in said] == [("ids-differ-by", "warning", 4, (2, 3, 4, 5))]
    assert said[0].message.startswith("blanks around ids in blanks (line 2, 3, 4, 5)")


def test_blanks_that_both_sides_have_are_left_alone():
    dataset = Dataset("d", Qrels.of(["t1"], [" a"], [1]))
    _, out, said = applied(Run.of("r", ["t1"], [" a"], [1.0]), dataset=dataset)
    assert (ranking(out), said) == ({"t1": [" a"]}, [])


def test_the_side_of_the_dataset_is_mended_as_well():
    dataset = Dataset("d", Qrels.of(["t1 ", "t1"], ["a ", "b"], [1, 2]))
    mended, _, said = applied(Run.of("r", ["t1"], ["a"], [1.0]), dataset=dataset)
    assert judged(mended.qrels) == {"t1": {"a": 1, "b": 2}}
    assert [f.code for f in said] == ["ids-differ-by"]


def test_chunks_become_documents_and_the_first_of_each_is_kept():
    run = Run.of("r", ["c1"] * 4, ["g-4_chunk_2", "g-4_chunk_0", "g-7_chunk_1", "g-9_chunk_5"], [9, 8.5, 8, 7.5])
    _, out, said = applied(run, "chunk-to-document")
    assert ranking(out) == {"c1": ["g-4", "g-7", "g-9"]}
    assert out.scores.tolist() == [9, 8, 7.5]
    assert [(f.code, f.remedy) for f in said] == [("remedy-applied", "chunk-to-document")]


def test_scores_are_flipped_for_one_run_or_all():
    run = Run.of("r", ["q"], ["a"], [0.5], measurements={"ms": np.array([3.0])})
    assert applied(run, "flip-scores")[1].scores.tolist() == [-0.5]
    assert applied(run, "flip-scores:other")[1].scores.tolist() == [0.5]
    assert applied(run, "flip-scores:r")[1].measurements["ms"].tolist() == [3.0]


def test_columns_are_swapped_and_duplicates_dropped():
    assert ranking(applied(Run.of("r", ["a", "b"], ["q", "q"], [2, 1]), "swap-columns")[1]) == {"q": ["a", "b"]}
    run = Run.of("r", ["q"] * 3, ["a", "b", "a"], [1, 2, 3], lines=[1, 2, 3])
    _, out, _ = applied(run, "drop-duplicates")
    assert (ranking(out), out.scores.tolist()) == ({"q": ["b", "a"]}, [2, 3])


def test_queries_that_become_one_are_joined():
    run = Run.of("r", ["Q1", "q1"], ["a", "b"], [2, 1], measurements={"ms": np.array([3.0, 4.0])})
    _, out, _ = applied(run, "ignore-case")
    assert ranking(out) == {"q1": ["a", "b"]}
    assert out.measurements["ms"].tolist() == [3.0]
