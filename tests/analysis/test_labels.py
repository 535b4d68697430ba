"""Where runs are judged by labels of their own: what is counted for each, and where it is said."""

import numpy as np
import pytest

from ragdash.analysis.compare import compare
from ragdash.analysis.drilldown import query_view, what_happened
from ragdash.analysis.evaluate import counted_queries, evaluate, relevant_counts
from ragdash.analysis.health import health
from ragdash.analysis.judged import with_judgments
from ragdash.analysis.ledger import ledger
from ragdash.analysis.presets import Asked, masks
from ragdash.data.experiment import build
from ragdash.data.intake import read_dataset, read_runs
from ragdash.report.evidence import evaluated
from tests.chunked import CUTS, qrels_file, run_file

METRICS = ["Recall@2", "nDCG@10", "Judged@2"]


@pytest.fixture
def scores():
    runs = [one for cut in CUTS for one in read_runs(run_file(cut))]
    return evaluate(read_dataset(*(qrels_file(cut) for cut in CUTS)), runs, METRICS)


def test_every_query_counts_the_chunks_of_its_own_side(scores) -> None:
    assert [len(scores.experiment.qrels_of(run)) for run in (0, 1)] == [6, 3]
    assert relevant_counts(scores.experiment, 1).tolist() == [1, 1, 1]  # the fewer of 2 and 1
    assert counted_queries(scores.experiment, scores.rankings, scores.options).all()
    # q1 by 20 characters: the other document's chunk, then guide:0-20 (relevant), guide:20-40 (relevant)
    assert scores.of("bm25", "Recall@2").tolist() == [0.5, 0.0, 0.5]
    assert scores.of("bm25", "Judged@2").tolist() == [0.5, 0.0, 0.5]
    np.testing.assert_array_equal(scores.rankings[1].judgments.starts, [0, 1, 2, 3])


def test_the_finding_has_both_counts_and_judged_at_k(scores) -> None:
    (found,) = [one for one in health(scores) if one.code == "labels-differ"]
    assert "6 relevant of 6 judged" in found.message and "3 relevant of 3 judged" in found.message
    assert "Judged@10: bm25 0." in found.message and "bm25 (2) 0." in found.message


def test_a_comparison_carries_the_caveat(scores) -> None:
    row = compare(scores, "bm25").of("bm25 (2)", scores.metrics[0])
    assert row.caveats[0] == "The labels differ: bm25 is scored against qrels, bm25 (2) against qrels (2)."


def test_json_names_each_runs_labels(scores) -> None:
    told = evaluated(scores)["runs"]
    assert [one["labels"] for one in told] == [
        {"name": "qrels", "n_judgments": 6, "n_relevant": 6},
        {"name": "qrels (2)", "n_judgments": 3, "n_relevant": 3},
    ]


def test_drilldown_and_ledger_say_that_chunks_cannot_be_told_apart_by_id(scores) -> None:
    view = query_view(scores, "q1")
    assert [one.doc_id for one in view.missing("bm25", 1)] == ["guide:0-20", "guide:20-40"]
    assert [one.doc_id for one in view.missing("bm25 (2)", 1)] == ["guide:18-40"]
    assert [one.doc_id for one in view.relevant_to("bm25 (2)")] == ["guide:18-40"]
    assert {one.doc_id: view.labels_of(one) for one in view.relevant}["guide:18-40"] == ["qrels (2)"]
    said = what_happened(view, "bm25", "bm25 (2)", 2, 1)
    assert said.startswith("bm25 has 1 of its 2 relevant chunks in its top 2, bm25 (2) has 0 of its 1 relevant chunk")
    book = ledger(scores, "bm25", "bm25 (2)", 3)
    assert book.sentence.startswith("The labels of bm25 and bm25 (2) differ")
    assert book.of(["q1"]).labels_differ


def test_ranks_in_the_ledger_are_those_of_the_judged_chunk(scores) -> None:
    table = ledger(scores, "bm25", "bm25 (2)", 3).table
    assert set(table["cause"]) == {"labels"}
    assert ledger(scores, "bm25", "bm25 (2)", 3).causes(["q1"]) == ""
    lost = table[(table["query_id"] == "q1") & (table["change"] == "lost")]
    assert dict(zip(lost["doc_id"], lost["rank: bm25"])) == {"guide:0-20": 2, "guide:20-40": 3}
    gained = table[(table["query_id"] == "q1") & (table["change"] == "gained")]
    assert dict(zip(gained["doc_id"], gained["rank: bm25 (2)"])) == {"guide:18-40": 3}


def test_a_judgment_made_in_the_app_goes_to_the_runs_that_return_its_chunk(scores) -> None:
    more = with_judgments(scores.experiment, {("q1", "faq:0-20"): 1.0})
    assert [len(more.qrels_of(run)) for run in (0, 1)] == [7, 3]
    for run in (0, 1):
        rows = more.judgment_rows(run).tolist()
        assert more.qrels.doc_ids.take(rows).to_pylist() == more.qrels_of(run).doc_ids.to_pylist()


def test_labels_change_the_digest() -> None:
    runs = [one for cut in CUTS for one in read_runs(run_file(cut))]
    judged = read_dataset(*(qrels_file(cut) for cut in CUTS))
    digests = {build(judged, runs, apply).sha256 for apply in ([], ["join-labels"], ["labels:bm25=qrels (2)"])}
    assert len(digests) == 3


def test_a_run_misses_what_its_own_labels_name(scores) -> None:
    asked = {name: Asked(scores, scores.metrics[0], name, name, 2) for name in ("bm25", "bm25 (2)")}
    for run, one in asked.items():
        mine = [query_view(scores, query).relevant_to(run) for query in scores.query_ids]
        missed = [any(found.ranks[run] is None for found in relevant) for relevant in mine]
        assert masks(one)["lost"].tolist() == missed
