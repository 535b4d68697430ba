"""Is a difference said with its evidence, and are the cases without an answer said in words?"""

import json

import numpy as np
import pytest

from ragdash.analysis.compare import Testing, compare
from ragdash.analysis.evaluate import Options, evaluate_experiment
from ragdash.errors import OptionError
from tests.small import experiment


def ranks(places: list[int], depth: int = 10) -> dict[str, list[str]]:
    """A run that has the one relevant document of query `qi` at place `places[i]` (0: nowhere)."""
    out = {}
    for i, place in enumerate(places):
        names = [f"x{j}" for j in range(depth)]
        if place:
            names[place - 1] = f"d{i}"
        out[f"q{i}"] = names
    return out


def compared(one: list[int], other: list[int], metric: str = "RR@10", **testing: object):  # type: ignore[no-untyped-def]
    grades = {f"q{i}": {f"d{i}": 1.0} for i in range(len(one))}
    scores = evaluate_experiment(experiment(grades, base=ranks(one), new=ranks(other)), [metric])
    return compare(scores, "base", Testing(**testing)).rows[0]  # type: ignore[arg-type]


def test_a_difference_carries_its_evidence() -> None:
    row = compared([2] * 6 + [1] * 4, [1] * 6 + [2] * 4)
    assert row.n == 10
    # six queries gain 1/2, four lose 1/2
    assert row.difference == pytest.approx((6 * 0.5 - 4 * 0.5) / 10)
    assert (row.counts.wins, row.counts.ties, row.counts.losses) == (6, 0, 4)
    d = np.array([0.5] * 6 + [-0.5] * 4)
    t = d.mean() / (d.std(ddof=1) / np.sqrt(10))
    assert row.tests["t"].statistic == pytest.approx(t)
    assert row.tests["t"].df == 9
    # two-sided exact sign flip: |sum| >= 1 for all outcomes but 5:5, so 1 - C(10,5)/2^10
    assert row.tests["randomization"].p == pytest.approx(1 - 252 / 1024)
    assert row.tests["sign"].p == pytest.approx(1 - 252 / 1024)


def test_swapping_baseline_and_contender_flips_the_sign_and_keeps_p() -> None:
    one, other = [1, 2, 3, 0, 5, 1, 2, 9, 1, 4, 0, 2], [2, 1, 1, 4, 5, 2, 1, 3, 1, 0, 7, 1]
    there, back = compared(one, other), compared(other, one)
    assert back.difference == pytest.approx(-there.difference)
    for key in there.tests:
        assert there.tests[key].p == pytest.approx(back.tests[key].p)


def test_identical_runs_have_words() -> None:
    row = compared([1, 2, 3] * 4, [1, 2, 3] * 4)
    assert row.difference == 0
    assert row.tests["t"].p is None
    assert row.tests["randomization"].p == 1.0
    assert row.verdict == "equivalent"
    assert row.caveats
    assert "same score on every question" in row.why


def test_one_query_is_untestable() -> None:
    row = compared([2], [1])
    assert row.verdict == "untestable"
    assert row.ci is None
    assert "One query: no significance test." in row.caveats


def test_a_constant_difference_has_no_t_test_and_an_exact_p() -> None:
    row = compared([2] * 8, [1] * 8)
    assert row.tests["t"].p is None
    assert row.tests["randomization"].p == pytest.approx(2 / 256)
    assert any("all differences" in caveat for caveat in row.caveats)
    assert row.verdict == "undecided"
    assert "Too few to say: 8 of the 10 questions" in row.why
    # with twelve of them the exact test alone can decide: 2 / 2^12
    row = compared([2] * 12, [1] * 12)
    assert row.verdict == "better"
    assert "The randomization test decides instead: p < 0.001." in row.caveats


def test_a_baseline_of_zero_has_no_relative_change() -> None:
    row = compared([0] * 5, [2, 1, 0, 4, 0])
    assert row.relative is None
    assert any("relative change is not defined" in caveat for caveat in row.caveats)


def test_better_worse_and_equivalent() -> None:
    rng = np.random.default_rng(1)
    low = rng.integers(3, 9, 60).tolist()
    high = [max(1, place - 2) for place in low]
    assert compared(low, high).verdict == "better"
    assert compared(high, low).verdict == "worse"
    same = [1] * 400
    nearly = [1] * 399 + [2]
    row = compared(same, nearly)
    assert row.verdict == "equivalent"
    assert "No worthwhile difference" in row.sentence


def test_the_correction_counts_exactly_the_tests_that_are_shown() -> None:
    grades = {f"q{i}": {f"d{i}": 1.0} for i in range(12)}
    rng = np.random.default_rng(2)
    runs = {name: ranks(rng.integers(0, 8, 12).tolist()) for name in "abcd"}
    scores = evaluate_experiment(experiment(grades, **runs), ["RR@10", "Recall@5"])
    pairs = compare(scores, "all", correction="bonferroni")
    assert len(pairs.rows) == 6 * 2
    tested = [row for row in pairs.rows if row.chosen.p is not None]
    assert {row.n_tests for row in pairs.rows} == {len(tested)}
    for row in tested:
        assert row.p_corrected == pytest.approx(min(1.0, row.chosen.p * len(tested)))
    assert len(compare(scores, "a").rows) == 3 * 2


def test_json_is_whole_and_has_no_nan() -> None:
    row = compared([2] * 8, [1] * 8)
    text = json.dumps(row.json(), allow_nan=False)
    assert '"verdict": "undecided"' in text
    assert row.json()["tests"]["wilcoxon"]["n_used"] == 8


def test_the_same_seed_gives_the_same_p() -> None:
    rng = np.random.default_rng(3)
    one, other = rng.integers(0, 10, 80).tolist(), rng.integers(0, 10, 80).tolist()
    first = compared(one, other, n_resamples=2000, seed=5).tests["randomization"]
    assert first.p == compared(one, other, n_resamples=2000, seed=5).tests["randomization"].p
    assert first.exact is False
    assert first.n_resamples == 2000


def test_options_that_do_not_exist_are_said() -> None:
    grades = {"q": {"d": 1.0}}
    scores = evaluate_experiment(experiment(grades, a={"q": ["d"]}, b={"q": ["d"]}), ["RR"])
    with pytest.raises(OptionError, match="no run named 'c'"):
        compare(scores, "c")
    with pytest.raises(OptionError, match="no test named 'z'"):
        compare(scores, "a", test="z")
    for wrong in ({"seed": -1}, {"n_resamples": 0}, {"alpha": 0.0}, {"alpha": 0.6}, {"band": 1.0}):
        with pytest.raises(OptionError):
            compare(scores, "a", **wrong)
    with pytest.raises(OptionError, match="correction"):
        compare(scores, "a", correction="sidak")
    alone = evaluate_experiment(experiment(grades, a={"q": ["d"]}), ["RR"])
    with pytest.raises(OptionError, match="a comparison needs two"):
        compare(alone, "a")


def test_what_is_enough_alone_and_not_among_several_is_said() -> None:
    grades = {f"q{i}": {f"d{i}": 1.0} for i in range(16)}
    runs = {
        "base": ranks([2] * 16),
        "new": ranks([1] * 6 + [3] + [2] * 9),
        **{f"other{j}": ranks([2, 1, 4, 2] * 3 + [1, 2, 2 + j, 2]) for j in range(6)},
    }
    scores = evaluate_experiment(experiment(grades, **runs), ["RR@10"])
    row = compare(scores, "base").of("new", "RR@10")
    assert row.chosen.p is not None and row.p_corrected is not None
    assert row.chosen.p < 0.05 <= row.p_corrected
    assert row.verdict == "undecided"
    assert row.why.startswith("Alone it would be enough, but not among several comparisons; ")


def test_few_differing_queries_allow_no_verdict() -> None:
    # four wins and no loss among forty: t finds p = 0.044, but no exact test of four can go below 2 / 2^4
    row = compared([2] * 40, [1] * 4 + [2] * 36)
    assert row.chosen.p is not None and row.chosen.p < 0.05
    assert row.verdict == "undecided"
    assert row.why == "Too few to say: only 4 questions differ, and no exact test of so few can go below 0.125."


def test_runs_that_answered_different_queries_are_not_comparable() -> None:
    grades = {f"q{i}": {f"d{i}": 1.0} for i in range(24)}
    both = ranks([1] * 24)
    one = {key: value for key, value in both.items() if int(key[1:]) < 12}
    other = {key: value for key, value in both.items() if int(key[1:]) >= 12}
    row = compare(evaluate_experiment(experiment(grades, one=one, other=other), ["RR@10"]), "one").rows[0]
    assert row.verdict == "untestable"
    assert row.why == "They answered different questions: none was answered by both."


def test_a_difference_too_small_to_chase_is_not_given_a_number() -> None:
    # 29 pairs of +0.5 and -0.5, one of -0.5 and 0: mean -0.5 / 60 at a spread of 0.5 needs tens of thousands
    row = compared([1, 2] * 30, [2, 1] * 29 + [2, 2])
    assert row.verdict == "undecided"
    assert row.why == "No practical number of further questions would settle it."


def test_where_less_is_better_plus_is_still_better() -> None:
    # the relevant document moves from place 4 to place 2 on every other query, and from 3 to 1 on the others
    one, other = [4, 3] * 10, [2, 1] * 9 + [2, 2]
    row = compared(one, other, "FirstRank@10")
    assert row.difference == pytest.approx((19 * 2 + 1) / 20)
    assert (row.mean_baseline, row.mean) == (3.5, 1.55)
    assert (row.counts.wins, row.counts.losses) == (20, 0)
    assert row.ci is not None and row.ci[0] > 0
    assert row.verdict == "better"
    assert any("plus is better" in caveat for caveat in row.caveats)


def test_the_correction_counts_the_tests_that_stand_in() -> None:
    # every pair differs by a constant: no t-test, and six randomization tests of 2 / 2^12
    grades = {f"q{i}": {f"d{i}": 1.0} for i in range(12)}
    runs = {name: ranks([place] * 12) for name, place in zip("abcd", (1, 2, 3, 4))}
    pairs = compare(evaluate_experiment(experiment(grades, **runs), ["RR@10"]), "all", correction="bonferroni")
    for row in pairs.rows:
        assert row.n_tests == 6
        assert row.chosen.p is None
        assert row.p_corrected == pytest.approx(6 * 2 / 2**12)
    bare = compare(pairs.scores, "all", correction="none").rows[0]
    assert bare.p_corrected == pytest.approx(2 / 2**12)


def test_numbers_too_large_to_compare_are_said() -> None:
    grades = {f"q{i}": {"d": 900.0} for i in range(12)}
    both = experiment(grades, a={q: ["d"] for q in grades}, b={q: ["x"] for q in grades})
    scores = evaluate_experiment(both, ["DCG@5"], Options(gain="exponential"))
    with pytest.raises(OptionError, match="cannot be compared"):
        compare(scores, "a")
