"""From files' places to metrics over evidence: two chunkings, one set of labels."""

from dataclasses import replace

import numpy as np
import pytest

from ragdash.analysis.compare import compare
from ragdash.analysis.drilldown import query_view
from ragdash.analysis.evaluate import Options, default_metrics, evaluate, evaluate_experiment
from ragdash.analysis.facts import fact_table
from ragdash.analysis.health import health
from ragdash.analysis.order import rows_in_order
from ragdash.analysis.over_read import difference_over_read, lost_chunks, mean_read, over_read, why_less
from ragdash.analysis.rank import order_of
from ragdash.analysis.spans import judged_by_spans, missing, spans_of
from ragdash.analysis.trust import checks
from ragdash.data.evidence import Evidence
from ragdash.data.experiment import build
from ragdash.data.nouns import Documents, Run
from ragdash.errors import OptionError
from tests.small import dataset, run

# q1 is answered by characters 400 to 600 of guide, q2 by 0 to 100 of manual and 50 to 100 of guide
SPANS = [("q1", "guide", 400, 600), ("q2", "manual", 0, 100), ("q2", "guide", 50, 100)]
FIXED = {"q1": ["guide:0-500", "guide:500-1000"], "q2": ["manual:0-500", "guide:500-1000"]}
PARAGRAPH = {"q1": ["guide:380-700"], "q2": ["guide:0-380", "manual:50-300"]}


def evidence(spans=SPANS):
    return Evidence.of(*([one[i] for one in spans] for i in range(4)))


def experiment(spans=SPANS, grades=None, **runs):
    """A dataset with evidence, and judgments only where `grades` gives some."""
    data = replace(dataset(grades or {"q1": {}, "q2": {}}), evidence=evidence(spans))
    return build(data, [run(name, lists) for name, lists in (runs or {"fixed": FIXED, "paragraph": PARAGRAPH}).items()])


def scored(names, *args, **more):
    return evaluate_experiment(experiment(*args, **more), names)


def test_two_chunkings_are_scored_by_the_same_evidence():
    scores = scored(["CharRecall@1", "CharRecall@2", "CharPrecision@2", "CharsRead@2", "BudgetRecall(chars=600)"])
    fixed, paragraph = scores.values
    assert fixed.tolist() == [
        [100 / 200, 100 / 150],
        [200 / 200, 100 / 150],
        [200 / 1000, 100 / 1000],
        [1000, 1000],
        [200 / 200, 100 / 150],  # 600 characters of q1 end at 600, with the evidence
    ]
    assert paragraph.tolist() == [
        [200 / 200, 50 / 150],
        [200 / 200, 100 / 150],
        [200 / 320, 100 / 630],
        [320, 630],
        [200 / 200, 100 / 150],
    ]


def test_tests_intervals_and_tables_are_those_of_any_metric():
    row = compare(scored(["CharsRead@2"]), "fixed").rows[0]
    assert row.difference == (1000 - 320 + 1000 - 630) / 2  # fewer is better, so plus
    assert row.counts.wins == 2
    assert "Less CharsRead@2 is better" in " ".join(row.caveats)


def test_evidence_decides_where_judgments_of_ids_cannot():
    whole = experiment()
    assert judged_by_spans(whole)
    assert default_metrics(whole)[0] == "BudgetRecall"
    assert str(evaluate_experiment(whole).metrics[0]) == "BudgetRecall(chars=3000)"
    judged = experiment(grades={"q1": {"guide:0-500": 1.0}, "q2": {"manual:0-500": 1.0}}, fixed=FIXED, other=FIXED)
    assert not judged_by_spans(judged)
    assert default_metrics(judged)[0] == "nDCG@10"
    differ = experiment(grades={"q1": {"guide:0-500": 1.0}, "q2": {"manual:0-500": 1.0}})
    assert judged_by_spans(differ)


def test_without_evidence_the_error_says_what_is_needed():
    data = dataset({"q1": {"guide:0-500": 1.0}})
    with pytest.raises(OptionError, match=r"CharRecall@5 cannot be computed: small holds no evidence .*start"):
        evaluate(data, run("fixed", {"q1": ["guide:0-500"]}), "CharRecall@5")


def test_a_run_without_a_single_place_is_named():
    whole = experiment(fixed=FIXED, loose={"q1": ["a", "b"], "q2": ["c"]})
    assert missing(whole).startswith("No result of loose is at a known place")
    with pytest.raises(OptionError, match="doc_id, start and end"):
        evaluate_experiment(whole, ["EvidenceFound@5"])
    assert evaluate_experiment(whole, ["nDCG@5"]).n == 2


def test_a_chunk_at_no_known_place_costs_its_text_or_a_mean_chunk_and_is_told():
    lists = {
        "q1": ["guide:400-500", "guide:500-600", "told", "silent"],
        "q2": [f"manual:{i}-{i + 100}" for i in range(30)],
    }
    one = replace(run("loose", lists), documents=Documents.of(["told"], ["x" * 70]))
    data = replace(dataset({"q1": {}, "q2": {}}), evidence=evidence())
    scores = evaluate_experiment(build(data, [one, run("fixed", FIXED)]), ["CharsRead@2", "CharsRead@3", "CharsRead@4"])
    assert scores.values[0][:, 0].tolist() == [200, 270, 370]  # 70 characters of text; then the mean of the others, 100
    assert lost_chunks(scores, "loose", 2).tolist() == [False, False]
    assert lost_chunks(scores, "loose", 3).tolist() == [True, False]
    row = compare(scores, "fixed").of("loose", "CharsRead@4")
    found = {one.key: one for one in checks(scores, row, compare(scores, "fixed").testing)}
    assert found["located"].state == "failed"
    assert found["located"].text.startswith("Chunks at no known place in the top 4: loose on 1 question;")
    assert found["located"].queries == ("q1",)
    assert any(one.code == "chunk-not-located" for one in health(scores))


def test_words_that_were_not_found_count_as_evidence():
    lost = Evidence.of(
        ["q1", "q1"],
        ["guide", "guide"],
        [400, -1],
        [600, -1],
        [None, "fifty characters that stand in no document at all."],
    )
    data = replace(dataset({"q1": {}}), evidence=lost)
    scores = evaluate_experiment(build(data, [run("fixed", {"q1": FIXED["q1"]})]), ["CharRecall@2", "EvidenceFound@2"])
    assert scores.values[0][:, 0].tolist() == [200 / 250, 1 / 2]


def test_queries_without_evidence_score_nothing_are_told_and_can_be_left_out():
    spans = SPANS[:1]
    scores = scored(["CharRecall@2"], spans)
    assert scores.of("fixed", "CharRecall@2").tolist() == [1, 0]
    told = next(one for one in health(scores) if one.code == "query-without-evidence")
    assert told.message == (
        "1 query of 2 without evidence (first q2): they score 0 on metrics over evidence and count in every mean."
    )
    assert told.queries == ("q2",)
    left = evaluate_experiment(experiment(spans), ["CharRecall@2"], Options(no_relevant="exclude"))
    assert left.query_ids == ["q1"]
    codes = {one.code for one in health(scores)}
    assert not codes & {"unjudged-in-top-k", "no-relevant-document", "relevant-never-retrieved"}


def test_a_query_that_a_run_does_not_answer_has_read_nothing():
    scores = scored(["CharRecall@2", "CharsRead@2"], fixed=FIXED, half={"q2": FIXED["q2"]})
    assert scores.values[1].tolist() == [[0, 100 / 150], [0, 1000]]


def test_recall_over_characters_read():
    scores = scored(["CharRecall@2"])
    curves = over_read(scores)
    assert [point.chars for point in curves["fixed"]] == [250, 500, 1000]
    assert [point.mean for point in curves["fixed"]] == pytest.approx(
        [(0 + 100 / 150) / 2, (100 / 200 + 100 / 150) / 2, (1 + 100 / 150) / 2]
    )
    # 250 characters of paragraph are 380 to 630 of guide for q1, 0 to 250 of guide for q2
    assert curves["paragraph"][0].mean == pytest.approx((1 + 50 / 150) / 2)
    assert mean_read(scores, "paragraph", 1) == (320 + 380) / 2
    differences = difference_over_read(scores, "fixed", "paragraph")
    assert [one.k for one in differences] == [250, 500, 1000]
    assert differences[0].difference == pytest.approx((1 - 100 / 150 + 50 / 150) / 2)


def test_over_what_is_read_the_trust_list_says_who_is_ahead():
    queries = [f"q{i}" for i in range(12)]
    spans = [(one, "guide", 0, 100 + 5 * i) for i, one in enumerate(queries)]
    early = {one: ["guide:0-300", "guide:300-600"] for one in queries}
    late = {one: ["guide:300-600", "guide:0-300"] for one in queries}
    scores = scored(["BudgetRecall(chars=250)"], spans, {one: {} for one in queries}, early=early, late=late)
    comparisons = compare(scores, "late")
    found = {one.key: one for one in checks(scores, comparisons.rows[0], comparisons.testing)}
    assert found["cutoffs"].text == (
        "Over what is read: early is ahead up to 250 characters, the two cannot be told apart from 500 characters on."
    )
    assert found["located"].text == "Every chunk is at a known place of its document."
    assert found["ties"].state == "unknown"


def test_equal_scores_around_the_cutoff_are_counted():
    lists = {"q1": {"guide:0-500": 2.0, "guide:500-1000": 1.0}, "q2": {"manual:0-500": 1.0, "guide:500-1000": 1.0}}
    scores = scored(["CharRecall@1"], fixed=FIXED, tied=lists)
    comparisons = compare(scores, "fixed")
    found = {one.key: one for one in checks(scores, comparisons.rows[0], comparisons.testing)}
    assert found["ties"].queries == ("q2",)
    # ids descending: manual before guide
    assert scores.of("tied", "CharRecall@1").tolist() == [1 / 2, 100 / 150]


def test_every_row_in_rank_order():
    rng = np.random.default_rng(3)
    queries = np.repeat([f"q{i}" for i in range(40)], 12).tolist()
    docs = [f"d{i}" for i in rng.integers(0, 15, len(queries))]
    for scores in (None, rng.integers(0, 4, len(queries)).astype(float), -np.arange(len(queries), dtype=float)):
        one = Run.of("r", queries, docs, scores)
        rows, starts = rows_in_order(one)
        for i in range(one.n_queries):
            assert rows[starts[i] : starts[i + 1]].tolist() == order_of(one, i).tolist()


def test_spans_are_on_the_axis_of_the_experiment():
    one = run("fixed", {"q2": FIXED["q2"], "other": ["guide:0-10"], "q1": FIXED["q1"]})
    whole = build(replace(dataset({"q1": {}, "q2": {}}), evidence=evidence()), [one])
    spans = spans_of(whole, 0, Options())
    assert spans is not None
    assert spans.starts.tolist() == [0, 2, 4]
    assert spans.begins.tolist() == [0, 500, 0, 500]
    assert spans_of(build(replace(whole.dataset, evidence=Evidence()), [one]), 0, Options()) is None


def test_why_less_evidence_was_read():
    lists = {"q1": ["guide:0-450", "guide:450-1000"], "q2": ["guide:500-1000"]}
    scores = scored(["CharRecall@1"], fixed=FIXED, other=lists)
    told = why_less(scores, scores.metrics[0], "other", ["q1", "q2"], "loss")
    assert told == (
        "2 losses: other returns none of the evidence at any rank in 1 question and returns all of it, but later in "
        "1 question."
    )
    costs = scored(["CharsRead@1"], fixed=FIXED, other=lists)
    assert why_less(costs, costs.metrics[0], "other", ["q1"], "loss") == ""


def test_a_chunk_without_a_text_shows_that_of_its_place():
    text = "x" * 400 + "The answer stands here." + "y" * 600
    data = replace(
        dataset({"q1": {}}), evidence=evidence(SPANS[:1]), documents=Documents.of(["guide"], [text], ["A guide"])
    )
    one = replace(
        run("a", {"q1": ["guide:400-423", "guide:0-20"]}), documents=Documents.of(["guide:0-20"], ["its own text"])
    )
    view = query_view(evaluate_experiment(build(data, [one]), ["CharRecall@1"]), "q1")
    assert [(one.title, one.text) for one in view.lists["a"]] == [
        ("A guide", "The answer stands here."), (None, "its own text"),
    ]  # fmt: skip


def test_what_is_counted_of_each_query():
    scores = scored(["BudgetRecall(chars=600)"])
    table = fact_table(scores, scores.metrics[0], "fixed", "paragraph", 1).sort_values("query_id")
    assert table["evidence in top 1: fixed"].tolist() == [100 / 200, 100 / 150]
    assert table["characters in top 1: paragraph"].tolist() == [320, 380]
    assert not [name for name in table if name.startswith(("first relevant", "unjudged"))]
