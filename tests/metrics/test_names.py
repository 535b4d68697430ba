"""What people call a metric, and what they are told when nobody calls one that."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.metrics import CATALOGUE, UnknownMetric, parse

SAID = {
    "P_10": "Precision@10", "recall_10": "Recall@10", "ndcg_cut_10": "nDCG@10", "ndcg_cut.10": "nDCG@10", "map": "AP",
    "recip_rank": "RR", "Rprec": "RPrec", "success_5": "Success@5", "P@10": "Precision@10", "R@10": "Recall@10",
    "AP": "AP", "RR@10": "RR@10", "Success@5": "Success@5", "MRR": "RR", "mrr@10": "RR@10", "MAP": "AP",
    "HitRate@5": "Success@5", "hit@5": "Success@5", "hit_rate@5": "Success@5", "NDCG@10": "nDCG@10",
    " nDCG @ 10 ": "nDCG@10", "nDCG(dcg='exp-log2')@10": "nDCG(gain=exponential)@10", 
    "P(rel=2)@5": "Precision(rel=2)@5",
    "ndcg_exp@5": "nDCG(gain=exponential)@5", "RBP": "RBP(p=0.8)", "rbp(p=0.95)@20": "RBP(p=0.95)@20",
    "Fbeta(beta=2)@5": "F(beta=2)@5", "F(beta=1)@5": "F1@5", "IPrec@0.1": "IPrec(recall=0.1)", "set_F": "F1",
    "iprec_at_recall_0.10": "IPrec(recall=0.1)", "11pt_avg": "IPrec11", "Judged@10": "Judged@10", "BPREF": "bpref",
    "context_recall@5": "Recall@5", "context_precision@5": "ContextPrecision@5", "R_cap@10": "RCap@10",
}  # fmt: skip


@pytest.mark.parametrize("said", SAID)
def test_spoken_names(said):
    assert parse(said).name == SAID[said]


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("nDGC@20", "nearest are nDCG@20"),
        ("relevance", "'relevance' is no metric"),
        ("nDCG@0", "whole number of at least 1"),
        ("nDCG@2.5", "whole number of at least 1"),
        ("nDCG@-3", "whole number of at least 1"),
        ("nDCG@K", "whole number of at least 1"),
        ("nDCG@99999999999", "whole number of at least 1"),
        ("bpref@10", "takes no cutoff"),
        ("FirstRank", "needs a cutoff, for example FirstRank@10"),
        ("RBP(p=2)", "a number above 0 and below 1"),
        ("RBP(p=nan)", "a number above 0 and below 1"),
        ("RBP(q=1)", "takes p, rel; 'q' was given"),
        ("RBP(0.5)", "written name=value"),
        ("nDCG(gain=cubic)", "linear, exponential"),
        ("", "no metric name"),
        ("P@10@3", "no metric name"),
    ],
)
def test_what_is_not_a_metric_is_answered_in_a_sentence(said, answer):
    with pytest.raises(UnknownMetric) as error:
        parse(said)
    assert answer in str(error.value)
    assert str(error.value).endswith(".")


@given(st.text(max_size=30))
def test_any_text_is_a_metric_or_a_sentence(text):
    try:
        metric = parse(text)
    except UnknownMetric as error:
        assert str(error).endswith(".")
    else:
        assert parse(metric.name) == metric


@pytest.mark.parametrize("key", CATALOGUE)
def test_every_block_is_complete_and_every_name_comes_back(key):
    block = CATALOGUE[key]
    for k in (1, 10) if block.takes_cutoff else (None,):
        name = f"{key}(beta=2)" if key == "F" else key  # F(beta=1) is F1
        metric = parse(f"{name}@{k}" if k else name)
        assert parse(str(metric)) == parse(metric.name.upper()) == metric
        assert metric.block is block
        assert metric.with_k(7).k == (7 if block.takes_cutoff else None)
    for text in (block.sentence, block.use_when, block.misleads, block.on_no_relevant, block.on_short_list):
        assert text[0].isupper()
        assert text.endswith(".")
    assert block.formula
    assert block.reference
    assert all(parse(f"{alias.partition('(')[0]}{'@3' if block.takes_cutoff else ''}") for alias in block.aliases)


def test_no_two_blocks_share_a_name():
    owners = [(alias.lower(), key) for key, block in CATALOGUE.items() for alias in (key, *block.aliases)]
    assert len(dict(owners)) == len(set(owners))


def test_what_people_are_shown():
    assert parse("RR@10").label == "MRR@10"
    assert parse("AP").label == "MAP"
    assert parse("nDCG@10").label == "nDCG@10"
