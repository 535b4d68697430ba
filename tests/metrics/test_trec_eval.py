"""Every metric that trec_eval has, against trec_eval itself, on experiments made to be awkward.

Files to scores, through the readers: ties everywhere, ids of any script, negative and graded judgments, short and empty
lists, cutoffs beyond depth, queries missing on either side. Scores fit in 32 bits, which is how pytrec_eval compares.
"""

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.analysis.rank import rank_run
from ragdash.data.columns import positions
from ragdash.data.formats.base import Blob
from ragdash.data.formats.trec import QRELS, RUN
from ragdash.metrics import CATALOGUE, Settings, parse, score

CUTOFFS = (1, 2, 3, 5, 10, 100)
SAME = {
    **{f"P_{k}": f"Precision@{k}" for k in CUTOFFS},
    **{f"recall_{k}": f"Recall@{k}" for k in CUTOFFS},
    **{f"ndcg_cut_{k}": f"nDCG@{k}" for k in CUTOFFS},
    **{f"map_cut_{k}": f"AP@{k}" for k in CUTOFFS},
    **{f"success_{k}": f"Success@{k}" for k in CUTOFFS},
    **{f"relative_P_{k}": f"RCap@{k}" for k in CUTOFFS},
    **{f"iprec_at_recall_{j / 10:.2f}": f"IPrec(recall={j / 10})" for j in range(11)},
    "ndcg": "nDCG", "map": "AP", "recip_rank": "RR", "Rprec": "RPrec", "bpref": "bpref", "infAP": "infAP",
    "11pt_avg": "IPrec11", "set_P": "Precision", "set_recall": "Recall", "set_F": "F1", "set_map": "SetAP",
    "set_relative_P": "RCap", "num_rel": "NumRel", "num_ret": "NumRet", "num_rel_ret": "NumRelRet",
}  # fmt: skip
MEASURES = {
    *(f"{name}.{','.join(map(str, CUTOFFS))}" for name in ("P", "recall", "ndcg_cut", "map_cut", "success")),
    "relative_P." + ",".join(map(str, CUTOFFS)), "iprec_at_recall", "ndcg", "map", "recip_rank", "Rprec", "bpref",
    "infAP", "11pt_avg", "set_P", "set_recall", "set_F", "set_map", "set_relative_P", "num_rel", "num_ret",
    "num_rel_ret",
}  # fmt: skip

WORD = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=10)
DOC = st.one_of(st.integers(0, 30).map(lambda n: f"d{n}"), st.sampled_from(["é", "e", "日本", "本", "A", "a"]), WORD)
QUERY = st.sampled_from(["q1", "q2", "q10", "ñ", "5"])
SCORE = st.one_of(st.integers(-3, 3).map(float), st.floats(-1e6, 1e6, width=32))
GRADE = st.sampled_from([-2, -1, 0, 0, 0, 1, 1, 2, 3])
RUNS = st.dictionaries(QUERY, st.dictionaries(DOC, SCORE, min_size=1, max_size=25), min_size=1, max_size=4)
JUDGED = st.dictionaries(QUERY, st.dictionaries(DOC, GRADE, min_size=1, max_size=25), min_size=1, max_size=4)


def files(run, judged, rng):
    """The experiment as TREC files, the run's rows in any order."""
    rows = [f"{query} Q0 {doc} 0 {value!r} tag\n" for query, docs in run.items() for doc, value in docs.items()]
    lines = [f"{query} 0 {doc} {grade}\n" for query, docs in judged.items() for doc, grade in docs.items()]
    rng.shuffle(rows)
    return Blob("run.trec", "".join(rows).encode()), Blob("qrels.txt", "".join(lines).encode())


def ranked(run, judged, rng):
    run_file, qrels_file = files(run, judged, rng)
    qrels, one = QRELS.read(qrels_file, "dataset").qrels, RUN.read(run_file, "run").runs[0]
    return qrels, rank_run(qrels, one, positions(qrels.query_ids, one.query_ids))


def oracle(run, judged, threshold=1):
    """trec_eval's values; a query it leaves out is 0. Queries with nothing but negative grades crash it."""
    judged = {query: docs for query, docs in judged.items() if max(docs.values()) >= 0}
    return pytrec_eval.RelevanceEvaluator(judged, MEASURES, relevance_level=threshold).evaluate(run) if judged else {}


@settings(max_examples=1000, deadline=None)
@given(RUNS, JUDGED, st.sampled_from([1, 1, 2]), st.randoms(use_true_random=False))
def test_a_thousand_experiments_agree(run, judged, threshold, rng):
    qrels, mine = ranked(run, judged, rng)
    scores = score(mine, [parse(name) for name in SAME.values()], Settings(threshold=threshold))
    assert np.isfinite(scores).all()
    theirs = oracle(run, judged, threshold)
    for i, query in enumerate(qrels.query_ids.to_pylist()):
        for (name, ours), value in zip(SAME.items(), scores[:, i]):
            if query not in theirs:  # not answered, or nothing but negative grades
                assert value == 0 or ours in ("NumRel", "NumRet")
            else:
                assert value == pytest.approx(theirs[query][name], abs=1e-9), (query, name)


@settings(max_examples=200, deadline=None)
@given(RUNS, JUDGED, st.randoms(use_true_random=False))
def test_nothing_in_the_catalogue_is_ever_undefined(run, judged, rng):
    _, mine = ranked(run, judged, rng)
    metrics = [parse(name if not block.needs_cutoff else f"{name}@3") for name, block in CATALOGUE.items()]
    scores = score(mine, metrics)
    assert np.isfinite(scores).all()
    for metric, values in zip(metrics, scores):
        low, high = metric.block.range
        assert (values >= low).all(), metric
        assert (values <= high + 1e-12).all(), metric


def test_every_name_of_trec_eval_is_understood():
    for name, ours in SAME.items():
        assert parse(name) == parse(ours)
