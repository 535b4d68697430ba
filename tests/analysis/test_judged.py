"""Do judgments made in the app give the scores that the same judgments in a file give?"""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.analysis.evaluate import Options, evaluate_experiment, metric_of, rankings_of, score_rankings
from ragdash.analysis.health import health
from ragdash.analysis.judged import Judged, added_to, extended_all, grades_in, not_counted, said, with_judgments
from ragdash.analysis.places import Places
from ragdash.data.experiment import build
from ragdash.data.nouns import Labels
from tests.small import dataset, experiment, run

GRADES = {"q1": {"a": 2, "x": 0}, "q2": {}, "q3": {"b": 1}}
LISTS = {"q1": ["u", "a", "x"], "q2": ["v", "w"], "q3": ["b", "c"]}


def test_an_added_judgment_scores_as_one_of_the_file() -> None:
    paired = with_judgments(experiment(GRADES, one=LISTS), {("q1", "u"): 1.0, ("q2", "w"): 2.0})
    in_file = experiment({"q1": {"a": 2, "x": 0, "u": 1}, "q3": {"b": 1}, "q2": {"w": 2}}, one=LISTS)
    metrics = ["nDCG@2", "AP", "RR", "Judged@2"]
    found, wanted = (evaluate_experiment(one, metrics).values for one in (paired, in_file))
    np.testing.assert_array_equal(found, wanted)
    assert paired.query_ids == ["q1", "q3", "q2"]  # as it was: a query without judgments keeps its place


def test_a_judged_pair_gets_the_new_grade_in_its_place() -> None:
    paired = with_judgments(experiment(GRADES, one=LISTS), {("q1", "x"): 3.0})
    assert paired.qrels.doc_ids.to_pylist() == ["a", "x", "b"]
    assert paired.qrels.grades.tolist() == [2, 3, 1]


def test_what_names_no_query_is_left_out() -> None:
    before = experiment(GRADES, one=LISTS)
    assert with_judgments(before, {("q9", "u"): 1.0}) is before
    assert with_judgments(before, {}) is before


def test_what_the_files_say_as_well_is_not_counted() -> None:
    on = with_judgments(experiment(GRADES, one=LISTS), {("q1", "x"): 0.0, ("q1", "u"): 0.0})
    assert said(on) == "1 counted"
    assert grades_in(on, [("q1", "x"), ("q1", "u"), ("q1", "z"), ("q9", "x")]) == {("q1", "x"): 0.0, ("q1", "u"): 0.0}


def test_who_asks_for_one_query_gets_its_documents() -> None:
    on = with_judgments(experiment(GRADES, one=LISTS), {("q1", "u"): 1.0, ("q2", "v"): 1.0})
    assert added_to(on, "q1") == {"u"}
    assert added_to(experiment(GRADES, one=LISTS), "q1") == set()


def test_the_judgments_are_named_as_a_finding_and_a_setting() -> None:
    before = experiment(GRADES, one=LISTS)
    on = with_judgments(before, {("q1", "u"): 1.0, ("q3", "c"): 0.0})
    assert said(on) == "2 counted"
    scores = evaluate_experiment(on, ["nDCG@2"])
    assert "2 judgments made in ragdash count beside those of the files." in [one.message for one in health(scores)]
    off = not_counted(before, 1)
    assert said(off) == "1 not counted"
    assert "1 judgment made in ragdash does not count" in off.findings[-1].message
    assert said(before) == ""
    assert not_counted(before, 0) is before


def test_what_scores_depend_on_is_in_the_digest() -> None:
    before = experiment(GRADES, one=LISTS)
    one, other = (with_judgments(before, {("q1", "u"): grade}) for grade in (0.0, 1.0))
    assert len({before.sha256, one.sha256, other.sha256}) == 3
    assert one.sha256 == with_judgments(before, {("q1", "u"): 0.0}).sha256


def test_an_experiment_can_be_changed_further() -> None:
    on = with_judgments(experiment(GRADES, one=LISTS), {("q1", "u"): 1.0})
    assert isinstance(replace(on, findings=()), Judged)
    with pytest.raises(TypeError, match="base"):
        Judged(on.dataset, on.runs, on.rows)


def test_where_labels_differ_a_judgment_goes_to_the_labels_of_its_chunk() -> None:
    lists = {"fixed": {"q": ["f1", "f2"]}, "semantic": {"q": ["s1", "s2"]}}
    one, other = dataset({"q": {"f1": 1, "f9": 0}}), dataset({"q": {"s1": 1, "s9": 0}})
    both = dataset({"q": {"f1": 1, "f9": 0, "s1": 1, "s9": 0}})
    labels = (Labels("fixed.json", one.qrels), Labels("semantic.json", other.qrels))
    before = build(replace(both, labels=labels), [run(name, lists) for name, lists in lists.items()])
    assert before.bound == ("fixed.json", "semantic.json")
    after = with_judgments(before, {("q", "f2"): 1.0})
    assert isinstance(after, Judged)
    assert after.qrels_of(0).doc_ids.to_pylist() == ["f1", "f9", "f2"]
    assert after.qrels_of(1).doc_ids.to_pylist() == ["s1", "s9"]
    rankings = [rankings_of(before, i, Options()) for i in range(2)]
    places = [Places(one, rows, Options()) for one, rows in zip(before.runs, before.rows)]
    found = score_rankings(after, extended_all(after, rankings, places), [metric_of("Recall@1")], Options())
    assert found.values[:, 0, 0].tolist() == [0.5, 1.0]  # two relevant chunks of one cutting, one of the other
    np.testing.assert_array_equal(found.values, evaluate_experiment(after, ["Recall@1"]).values)


SCORES = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([0.0, 1.0, 2.0]), min_size=1, max_size=8)
JUDGED = st.dictionaries(st.sampled_from("abcdefghz"), st.sampled_from([-1.0, 0.0, 1.0, 3.0]), max_size=6)


@settings(max_examples=150, deadline=None)
@given(
    lists=st.lists(SCORES, min_size=2, max_size=4),
    judged=st.lists(JUDGED, min_size=4, max_size=4),
    added=st.dictionaries(
        st.tuples(st.sampled_from(["q0", "q1", "q2", "q3"]), st.sampled_from("abcdefghz")),
        st.sampled_from([0.0, 1.0, 2.0]),
        min_size=1,
        max_size=8,
    ),
    options=st.sampled_from([Options(), Options(ties="float32"), Options(drop_self=True)]),
    copies=st.booleans(),
)
def test_extended_rankings_are_those_made_anew(lists, judged, added, options, copies) -> None:  # type: ignore[no-untyped-def]
    grades = {f"q{i}": one for i, one in enumerate(judged)}
    named = {f"q{i}": one for i, one in enumerate(lists)}
    plain = {query: [*docs, *(list(docs)[:1] if copies else [])] for query, docs in named.items()}
    before = build(dataset(grades), [run("scored", named), run("listed", plain)])
    if len(before.runs) < 2:
        return
    rankings = [rankings_of(before, i, options) for i in range(2)]
    places = [Places(one, rows, options) for one, rows in zip(before.runs, before.rows)]
    steps = [dict(list(added.items())[:1]), added]  # one judgment, then more: what is known is not looked up again
    for step in steps:
        after = with_judgments(before, step)
        if not isinstance(after, Judged):  # the files say the same
            continue
        for i, found in enumerate(extended_all(after, rankings, places)):
            wanted = rankings_of(after, i, options)
            for one in fields(wanted):
                mine, theirs = getattr(found, one.name), getattr(wanted, one.name)
                if one.name == "judgments":
                    np.testing.assert_array_equal(mine.starts, theirs.starts)
                    mine, theirs = mine.grades, theirs.grades
                np.testing.assert_array_equal(mine, theirs, one.name)
