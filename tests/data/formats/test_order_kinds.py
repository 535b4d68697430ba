"""What ranks, scores and distances say of the order, in the ways that people write them."""

import json

import pytest

from tests.data.formats.reading import codes, only_run, ranking

HEADER = "query_id,doc_id,rank\n"


@pytest.mark.parametrize(
    ("rows", "order", "said"),
    [
        ("q,a,1\nq,b,5\nq,c,9\n", "abc", "ordered by rank"),
        ("q,b,10\nq,a,2\nq,c,11\n", "abc", "ordered by rank"),
        ("q,b,2nd\nq,a,1st\nq,c,3rd\n", "abc", "ordered by rank"),
        ("q,a,0\nq,b,1\nq,c,2\n", "abc", "ordered by rank"),
        ("q,b,\nq,a,1\nq,c,2\n", "acb", "1 without a rank stand last"),
        ("q,a,1\nq,b,1\nq,c,2\n", "abc", "1 share a rank with another result of their query"),
        ("q,c,first\nq,a,second\nq,b,third\n", "cab", "ranks that are no numbers"),
        ("q,c,0\nq,a,0\nq,b,0\n", "cab", "its ranks are all 0; the order of its rows was taken"),
    ],
)
def test_ranks_alone(rows, order, said):
    run = only_run(HEADER + rows)
    assert ranking(run) == {"q": list(order)}
    assert any(said in one.message for one in run.findings)


@pytest.mark.parametrize("name", ["distance", "_distance", "l2_dist", "vector_distance", "cosine_distance"])
def test_a_distance_by_its_name(name):
    run = only_run(f"query_id,doc_id,{name}\nq,a,0.1\nq,b,1.2\n")
    assert (run.scores.tolist(), codes(run)) == ([-0.1, -1.2], ["scores-look-like-distances"])


@pytest.mark.parametrize(
    "record",
    [
        {"query_id": "q", "ids": [["a", "b"]], "distances": [[0.1, 0.2]]},
        {"query_id": "q", "ids": ["a", "b"], "distances": [0.1, 0.2]},
        {"query_id": "q", "results": [{"id": "a", "_distance": 0.1}, {"id": "b", "_distance": 0.2}]},
    ],
)
def test_what_a_vector_store_answers(record):
    run = only_run(json.dumps([record]))
    assert (ranking(run), run.scores.tolist()) == ({"q": ["a", "b"]}, [-0.1, -0.2])


def test_a_distance_that_falls_along_its_list_is_doubted():
    results = [{"id": one, "distance": 0.9 - i / 10} for i, one in enumerate("abcd")]
    run = only_run(json.dumps([{"query_id": "q", "results": results}]))
    assert [one.remedy for one in run.findings] == [None, "flip-scores"]
    assert "'distance' falls along the list, as similarities do" in run.findings[1].message


def test_negative_distances_are_scores():
    run = only_run("query_id,doc_id,score\n" + "".join(f"q{q},d{i},{-i / 10}\n" for q in (1, 2) for i in range(1, 6)))
    assert codes(run) == []


def test_a_score_by_its_ending():
    assert only_run("query_id,doc_id,vector_score\nq,a,0.5\n").scores.tolist() == [0.5]
