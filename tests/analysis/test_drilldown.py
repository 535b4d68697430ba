"""What fell out, and what pushed it down?"""

import json

import pytest

from ragdash.analysis.drilldown import query_table, query_view, what_happened
from ragdash.analysis.evaluate import evaluate, evaluate_experiment
from ragdash.data.formats.base import Blob
from ragdash.data.intake import read_dataset, read_runs
from ragdash.errors import OptionError
from tests.small import experiment

GRADES = {"q": {"good": 2, "fair": 1, "bad": 0}, "other": {"d": 1}}
SCORES = evaluate_experiment(
    experiment(
        GRADES,
        base={"q": {"good": 9.0, "u": 8.0, "fair": 7.0}, "other": {"d": 1.0}},
        new={"q": {"u": 9.0, "bad": 8.0, "good": 7.0}},
    ),
    ["nDCG@2", "Recall@2"],
)


def test_both_lists_with_grades_and_scores() -> None:
    view = query_view(SCORES, "q")
    assert [(one.rank, one.doc_id, one.grade) for one in view.lists["base"]] == [
        (1, "good", 2.0),
        (2, "u", None),
        (3, "fair", 1.0),
    ]
    assert view.lists["new"][2].score == 7.0


def test_relevant_documents_with_their_rank_in_each_run() -> None:
    view = query_view(SCORES, "q")
    assert [(one.doc_id, one.ranks) for one in view.relevant] == [
        ("good", {"base": 1, "new": 3}),
        ("fair", {"base": 3, "new": None}),
    ]
    assert [one.doc_id for one in view.missing("new", 2)] == ["good", "fair"]


def test_the_sentence_names_the_lost_document_and_what_took_its_place() -> None:
    said = what_happened(query_view(SCORES, "q"), "base", "new", 2, 1.0)
    assert said == (
        "new lost “good” from the top 2: it went from rank 1 to 3. "
        "Above it now: 0 relevant, 1 not relevant, 1 unjudged."
    )
    back = what_happened(query_view(SCORES, "q"), "new", "base", 2, 1.0)
    assert back.startswith("base brought “good” into the top 2, at rank 1; new lost it, where it stood at rank 3.")


def test_a_query_that_a_run_did_not_answer() -> None:
    view = query_view(SCORES, "other")
    assert view.lists["new"] == []
    assert what_happened(view, "base", "new", 2, 1.0) == "new did not answer this query."


def test_the_table_has_the_worst_first() -> None:
    table = query_table(SCORES, "Recall@2", "base", "new")
    assert table["query_id"].tolist() == ["other", "q"]
    assert table["difference"].tolist() == [-1.0, -0.5]


def test_an_unknown_query_is_said() -> None:
    with pytest.raises(OptionError, match="no judged query 'q99'"):
        query_view(SCORES, "q99")


@pytest.mark.parametrize(
    ("new", "told"),
    [
        (["u", "fair", "bad", "good"], "only their order differs: “good” rank 1 → 4 and “fair” rank 3 → 2."),
        (["good", "bad", "fair"], "in the top 4, at the same ranks."),
    ],
)
def test_where_only_the_order_changed_it_says_how(new: list[str], told: str) -> None:
    paired = experiment(GRADES, base={"q": ["good", "u", "fair"]}, new={"q": new})
    view = query_view(evaluate_experiment(paired, ["nDCG@4"]), "q")
    assert what_happened(view, "base", "new", 4, 1.0).endswith(told)


def test_each_list_shows_the_text_that_its_own_file_brings_for_this_query() -> None:
    judged = Blob("gold.json", json.dumps([{"id": q, "relevant": ["sso"]} for q in "ab"]).encode())
    corpus = Blob("corpus.jsonl", b'{"_id": "sso", "title": "Single sign-on", "text": "The whole article."}\n')
    said = {"one": {"a": "First passage.", "b": "Second passage."}, "two": {"a": "Third.", "b": "Fourth."}}
    records = [{"id": q, "retrieved": [{"doc_id": "sso", "score": 1, "text": said["one"][q]}]} for q in "ab"]
    table = "query_id,doc_id,score,text\n" + "".join(f"{q},sso,1,{said['two'][q]}\n" for q in "ab")
    blobs = [Blob("one.json", json.dumps(records).encode()), Blob("two.csv", table.encode())]
    blobs.append(Blob("three.trec", b"a Q0 sso 1 1 three\nb Q0 sso 1 1 three\n"))
    runs = [run for blob in blobs for run in read_runs(blob)]
    scores = evaluate(read_dataset(judged, corpus), runs, ["Recall@2"])
    for query in "ab":
        shown = {run: placed[0] for run, placed in query_view(scores, query).lists.items()}
        assert {run: one.text for run, one in shown.items()} == {
            "one": said["one"][query],
            "two": said["two"][query],
            "three": "The whole article.",
        }
        assert {one.title for one in shown.values()} == {"Single sign-on"}


def test_of_a_list_that_ends_at_the_cutoff_it_is_not_said_that_a_document_is_never_returned() -> None:
    for new, told in (
        (["u", "bad"], "it is not in its 2 results, where the list ends."),
        ([*"uvw"], "not returned at"),
    ):
        paired = experiment(GRADES, base={"q": ["good", "u"]}, new={"q": new})
        view = query_view(evaluate_experiment(paired, ["nDCG@2"]), "q")
        assert told in what_happened(view, "base", "new", 2, 1.0)
