"""Which queries remain when filters hold together, and what do presets and counts say of each?"""

import numpy as np
import pandas as pd
import pytest

from ragdash.analysis.evaluate import Scores, evaluate_experiment
from ragdash.analysis.facts import FIRST, FOUND, SPREAD, UNJUDGED, fact_table
from ragdash.analysis.filters import Filters, Range, folded, keep, parsed_slice
from ragdash.analysis.presets import PRESETS, Asked, masks
from ragdash.data.experiment import build
from ragdash.data.nouns import Dataset, Qrels, Queries
from tests.small import run

#: At K = 2 of `new`: a is kept, b falls to rank 3, c is not returned, d is found by nobody, e is gained.
GRADES = [("a", "d1", 1), ("b", "d1", 1), ("b", "x", 0), ("c", "d1", 1), ("d", "d1", 1), ("e", "d1", 1)]
BASE = {"a": ["d1", "x"], "b": ["d1", "x"], "c": ["d1"], "d": ["y"], "e": ["y", "z"]}
NEW = {"a": ["d1", "x"], "b": ["x", "y", "d1"], "c": ["y"], "d": ["z"], "e": ["d1"]}


def scored() -> Scores:
    ids, docs, grades = zip(*GRADES)
    kinds = pd.DataFrame({"kind": ["k:1", "k:1", "k:2", "k:2", "k:2"], "lang": ["en", "de", "en", "de", "en"]})
    queries = Queries.of(list("abcde"), ["Café", "zwei Wörter", "three", "four", "five"], kinds)
    dataset = Dataset("small", Qrels.of(ids, docs, grades), queries)
    return evaluate_experiment(build(dataset, [run("base", BASE), run("new", NEW)]), ["Recall@2"])


ASKED = Asked(SCORES := scored(), SCORES.metrics[0], "base", "new", 2)


def kept(**filters: object) -> str:
    mask = keep(ASKED, Filters(**filters))  # type: ignore[arg-type]
    return "".join(one for one, keeps in zip(SCORES.query_ids, mask) if keeps)


def test_no_filter_keeps_all() -> None:
    assert kept() == "abcde"
    assert not Filters()


def test_each_filter_alone() -> None:
    assert kept(search="CAFE") == "a"
    assert kept(slices=(("kind", "k:2"),)) == "cde"
    assert kept(difference=Range(high=-0.5)) == "bc"
    assert kept(scores=(("new", Range(1, 1)),)) == "ae"
    assert kept(lines=("d", "b", "nobody")) == "bd"


def test_values_of_one_column_are_alternatives_and_columns_hold_together() -> None:
    assert kept(slices=(("kind", "k:1"), ("kind", "k:2"))) == "abcde"
    assert kept(slices=(("kind", "k:2"), ("lang", "en"))) == "ce"
    assert kept(slices=(("lang", "en"),), difference=Range(high=-0.5), lines=("c", "b")) == "c"


def test_both_only_one_neither_are_four_ranges() -> None:
    cells = {(i, j): kept(scores=(("base", Range(i, i)), ("new", Range(j, j)))) for i in (0, 1) for j in (0, 1)}
    assert cells == {(1, 1): "a", (1, 0): "bc", (0, 1): "e", (0, 0): "d"}


@pytest.mark.parametrize("text", ["0.2..0.5", "..0.5", "-0.5..-0.1", "1..1", "0.25.."])
def test_a_range_is_its_text(text: str) -> None:
    assert str(Range.parse(text)) == text


@pytest.mark.parametrize("text", ["", "..", "0.5", "1..0", "a..b", "nan..1", "0..1..2", "1e9999..2"])
def test_what_is_no_range(text: str) -> None:
    assert Range.parse(text) is None


def test_the_ends_of_a_range_count() -> None:
    assert Range(0.1, 0.3).holds(np.array([0.1, 0.1 + 0.2, 0.31])).tolist() == [True, True, False]


def test_a_slice_whose_value_has_a_colon() -> None:
    assert parsed_slice(ASKED, "kind:k:1") == ("kind", "k:1")
    assert parsed_slice(ASKED, "kind:k") is None
    assert parsed_slice(ASKED, "colour:red") is None


def test_case_and_accents_do_not_matter() -> None:
    assert folded("ÉCOLE Straße") == folded("ecole strasse")


def test_presets() -> None:
    found = {name: "".join(np.array(SCORES.query_ids)[mask]) for name, mask in masks(ASKED).items()}
    assert found == {
        "losses": "bc",
        "gains": "e",
        "same": "ad",
        "failing": "d",
        "nothing": "cd",
        "lost": "cd",
        "below": "b",  # rank 3 of K = 2
        "unjudged": "abcde",  # a: x; b: base has x judged, new has y; c: y; d: y, z; e: y, z
        "disagree": "bce",
        "all": "abcde",
    }


def test_the_most_unjudged_have_the_most_in_both_runs() -> None:
    assert PRESETS["unjudged"].size(ASKED).tolist() == [2, 1, 1, 2, 2]


def test_what_is_counted_about_each_query() -> None:
    table = fact_table(SCORES, SCORES.metrics[0], "base", "new", 2).set_index("query_id").loc[list("abcde")]
    assert table[f"{FIRST}: new"].fillna(0).tolist() == [1, 3, 0, 0, 1]
    assert table[f"{FOUND} 2: new"].tolist() == [1, 0, 0, 0, 1]
    assert table[f"{UNJUDGED} 2: base"].tolist() == [1, 0, 0, 1, 2]
    assert table[SPREAD].tolist() == [0, 1, 1, 0, 1]
    assert list(table.columns)[-2:] == ["kind", "lang"]


def test_metadata_never_hides_a_column_of_ours() -> None:
    ids, docs, grades = zip(*GRADES)
    kinds = pd.DataFrame({"difference": ["x"] * 5, SPREAD: ["y"] * 5})
    dataset = Dataset("small", Qrels.of(ids, docs, grades), Queries.of(list("abcde"), list("abcde"), kinds))
    scores = evaluate_experiment(build(dataset, [run("base", BASE), run("new", NEW)]), ["Recall@2"])
    table = fact_table(scores, scores.metrics[0], "base", "new", 2)
    assert table["difference"].tolist() == [-1, -1, 0, 0, 1]
    assert table["difference (dataset)"].tolist() == ["x"] * 5
    assert table[f"{SPREAD} (dataset)"].tolist() == ["y"] * 5
