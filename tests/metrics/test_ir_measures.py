"""What trec_eval has not, against ir_measures and its gdeval; scores differ, since these break ties their own way."""

import shutil

import ir_measures
import numpy as np
import pytest

from ragdash.analysis.rank import rank_run
from ragdash.data.columns import positions
from ragdash.data.nouns import Qrels, Run
from ragdash.metrics import parse

SAME = {
    **{f"Judged@{k}": f"Judged@{k}" for k in (1, 5, 10, 50)},
    "Judged": "Judged",
    **{f"nDCG(dcg='exp-log2')@{k}": f"nDCG(gain=exponential)@{k}" for k in (5, 10)},
    **{f"ERR@{k}": f"ERR(max=4)@{k}" for k in (5, 10)},
    **{f"SDCG(max_rel=4)@{k}": f"SDCG(max_rel=4)@{k}" for k in (1, 10)},
    **{f"INSQ(max_rel=4, T={t})": f"INSQ(T={t}, max=4)" for t in ("1.0", "2.5")},
    **{f"Compat(p={p})": f"Compat(p={p})" for p in (0.8, 0.95)},
    "Compat(normalize=False)": "Compat(normalize=False)",
    "Accuracy": "Accuracy",
}
PRINTED = 6e-6  # gdeval prints five digits


@pytest.mark.parametrize("seed", range(5))
def test_judged_err_and_exponential_ndcg(seed):
    rng = np.random.default_rng(seed)
    run, judged = [], []
    for query in range(8):
        docs = rng.choice(60, rng.integers(3, 30), replace=False)
        scores = rng.permutation(len(docs)).astype(float)
        run += [(f"{query + 1}", f"d{doc}", score) for doc, score in zip(docs.tolist(), scores.tolist())]
        known = rng.choice(60, 25, replace=False).tolist()
        judged += [(f"{query + 1}", f"d{doc}", int(rng.integers(0, 5))) for doc in known]
    qrels = Qrels.of(*zip(*judged))
    ours = Run.of("run", *zip(*run))
    ranked = rank_run(qrels, ours, positions(qrels.query_ids, ours.query_ids))
    place = {query: i for i, query in enumerate(qrels.query_ids.to_pylist())}
    names = {ir_measures.parse_measure(name): name for name in SAME if shutil.which("perl") or name[0] == "J"}
    theirs = ir_measures.iter_calc(
        list(names), [ir_measures.Qrel(*row) for row in judged], [ir_measures.ScoredDoc(*row) for row in run]
    )
    scores = {measure: parse(SAME[name])(ranked) for measure, name in names.items()}
    seen = 0
    for one in theirs:
        assert scores[one.measure][place[one.query_id]] == pytest.approx(one.value, abs=PRINTED), one
        seen += 1
    assert seen == len(names) * len(place)
