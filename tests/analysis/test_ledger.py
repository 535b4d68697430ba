"""Which documents were lost, and does the ledger say why?"""

import pytest

from ragdash.analysis.evaluate import evaluate_experiment
from ragdash.analysis.ledger import Ledger, ledger
from tests.small import Grades, Lists, experiment


def rows(grades: Grades, base: Lists, new: Lists, k: int = 2) -> dict[tuple[str, str], dict[str, object]]:
    return {(row["query_id"], row["doc_id"]): row for row in made(grades, base, new, k).table.to_dict("records")}


def made(grades: Grades, base: Lists, new: Lists, k: int = 2) -> Ledger:
    scores = evaluate_experiment(experiment(grades, base=base, new=new), ["Recall@2"])
    return ledger(scores, "base", "new", k)


def test_a_document_that_is_never_retrieved() -> None:
    row = rows({"q": {"d": 2, "x": 0}}, {"q": ["d", "x"]}, {"q": ["x", "u", "v"]})["q", "d"]
    assert (row["change"], row["cause"], row["grade"]) == ("lost", "not-retrieved", 2.0)
    assert (row["rank: base"], row["rank: new"]) == (1, 0)


@pytest.mark.parametrize(
    ("new", "cause"),
    [
        (["u", "v", "d"], "unjudged"),
        (["x", "y", "d"], "not-relevant"),
        (["r", "s", "d"], "relevant"),
    ],
)
def test_what_pushed_it_down(new: list[str], cause: str) -> None:
    grades = {"q": {"d": 1, "x": 0, "y": 0, "r": 1, "s": 1}}
    row = rows(grades, {"q": ["d", "w"]}, {"q": new})["q", "d"]
    assert (row["change"], row["cause"], row["rank: new"]) == ("lost", cause, 3)


def test_the_order_of_equal_scores() -> None:
    row = rows({"q": {"a": 1}}, {"q": {"a": 3.0}}, {"q": {"a": 1.0, "b": 1.0, "c": 1.0}})["q", "a"]
    assert row["cause"] == "ties"


def test_the_same_id_written_differently() -> None:
    row = rows({"q": {"0007": 1, "p": 1}}, {"q": ["0007", "p"]}, {"q": ["7", "p"]})["q", "0007"]
    assert row["cause"] == "ids"


def test_a_query_without_an_answer() -> None:
    found = rows({"q": {"d": 1}, "p": {"e": 1}}, {"q": ["d"], "p": ["e"]}, {"p": ["e"]})
    assert list(found) == [("q", "d")]
    assert found["q", "d"]["cause"] == "unanswered"


def test_a_gained_document_tells_why_the_baseline_lacks_it() -> None:
    row = rows({"q": {"d": 1}}, {"q": ["u", "v", "d"]}, {"q": ["d", "u"]})["q", "d"]
    assert (row["change"], row["cause"]) == ("gained", "unjudged")


def test_what_stays_and_what_is_not_relevant_is_no_entry() -> None:
    assert rows({"q": {"d": 1, "x": 0}}, {"q": ["d", "x"]}, {"q": ["v", "d"]}) == {}


def test_losses_stand_first_and_are_summed_up() -> None:
    grades = {f"q{i}": {"d": 1} for i in range(4)}
    base = {f"q{i}": ["d"] for i in range(3)} | {"q3": ["u", "v", "d"]}
    new = {"q0": ["u", "v", "w"], "q1": ["u", "v", "w"], "q2": ["u", "v", "d"], "q3": ["d"]}
    found = made(grades, base, new)
    assert found.table["change"].tolist() == ["lost", "lost", "lost", "gained"]
    assert found.counts("lost") == {"not-retrieved": 2, "unjudged": 1}
    assert found.sentence == (
        "3 relevant documents left the top 2: 2 never retrieved and 1 pushed below by unjudged documents. "
        "Most never reach the list: look at first-stage retrieval or chunking, not the reranker."
    )
    assert found.of(["q2"]).sentence == (
        "1 relevant document left the top 2: 1 pushed below by unjudged documents. "
        "It is still retrieved, further down: look at the ranking or the reranker."
    )
    assert found.of(["q3"]).sentence == "No relevant document left the top 2; 1 came into it."
    assert found.of([]).sentence == "No relevant document entered or left the top 2."


def test_why_queries_got_worse_is_summed_up_by_query() -> None:
    grades = {q: {"d": 1, "e": 1} for q in "abcd"}
    base = {q: ["d", "e"] for q in "abcd"}
    new = {"a": ["x", "y", "z"], "b": ["x", "y", "d", "e"], "c": ["e", "d"], "d": ["d", "z", "y"]}
    found = made(grades, base, new)
    assert found.reasons("abcd") == {"not-retrieved": 2, "pushed": 1, "order": 1}
    assert found.causes("abcd") == (
        "2 of 4 losses: new misses at least one relevant document; 1: new has a relevant document below its top 2; "
        "1: the same relevant documents in the top 2, in another order."
    )
    assert found.causes("b") == "1 of 1 loss: new has a relevant document below its top 2."
    assert found.causes("") == ""


def test_why_queries_got_better_is_said_of_the_baseline() -> None:
    found = made({"a": {"d": 1}}, {"a": ["x", "y", "d"]}, {"a": ["d"]})
    assert found.causes(["a"], "gained") == "1 of 1 gain: base has a relevant document below its top 2."


def test_where_a_list_ends_at_the_cutoff_nothing_is_said_of_what_stands_below() -> None:
    found = made({"a": {"d": 1}, "b": {"d": 1}}, {"a": ["d"], "b": ["d"]}, {"a": ["x", "y"], "b": ["x", "y"]})
    assert found.counts("lost") == {"list-ends": 2}
    assert found.sentence == (
        "2 relevant documents left the top 2: 2 not in its 2 results, where the list ends. "
        "Longer lists would tell whether they stand further down."
    )
    assert found.causes("ab") == (
        "2 of 2 losses: new misses at least one relevant document in its 2 results, where the list ends."
    )
