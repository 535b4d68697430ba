"""Does the gate stop a loss and nothing else? Noise passes, a loss beyond the margin fails, strict asks for proof."""

from collections.abc import Sequence
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy import stats as distributions

import ragdash
from ragdash import stats
from ragdash.analysis.compare import Comparisons
from ragdash.errors import OptionError
from ragdash.report import gate as gates
from ragdash.report.gate import Gate
from tests.small import dataset, run


def compared(*contenders: Sequence[int], baseline: Sequence[int], metrics: Sequence[str] = ("RR",)) -> Comparisons:
    """Runs by the rank of the one relevant document of each question: RR is 1/rank."""
    queries = [f"q{i:03}" for i in range(len(baseline))]
    data = dataset({one: {"d": 1} for one in queries}, {one: f"text of {one}" for one in queries})

    def ranked(name: str, ranks: Sequence[int]):  # type: ignore[no-untyped-def]
        return run(name, {one: [*(f"x{i}" for i in range(rank - 1)), "d"] for one, rank in zip(queries, ranks)})

    runs = [ranked("main", baseline), *(ranked(f"pr{i}", ranks) for i, ranks in enumerate(contenders))]
    return ragdash.compare(ragdash.evaluate(data, runs, list(metrics)), baseline="main")


#: 1 on every question; the contender has 1/2 on 12 of 20: a mean difference of -0.3.
GOOD, BAD = [1] * 20, [2] * 12 + [1] * 8
NOISE = [1, 2] * 10


def test_a_loss_beyond_chance_fails() -> None:
    answer = gates.judge(compared(BAD, baseline=GOOD), Gate())
    (line,) = answer.lines
    assert (line.outcome, line.passed, answer.passed) == ("worse", False, False)
    # sd = 0.5 sqrt(0.6 * 0.4 * 20 / 19), so t = -0.3 / (0.5 sqrt(0.24 / 19)) = -5.338 with 19 degrees of freedom
    assert line.p_worse == pytest.approx(distributions.t.cdf(-0.3 / (0.5 * (0.24 / 19) ** 0.5), 19))
    assert line.row.difference == pytest.approx(-0.3)


def test_the_p_is_that_of_the_interval() -> None:
    comparisons = compared(BAD, baseline=GOOD)
    (line,) = gates.judge(comparisons, Gate()).lines
    interval = stats.t_interval(comparisons.rows[0].differences, 0.9)
    assert line.interval == (interval.low, interval.high)
    edge = Gate(margin=-float(interval.high or 0))  # the upper end at the margin exactly: p is alpha
    assert gates.judge(comparisons, edge).lines[0].p_worse == pytest.approx(0.05)


def test_a_margin_lets_a_small_loss_pass() -> None:
    assert gates.judge(compared(BAD, baseline=GOOD), Gate(margin=0.25)).passed
    assert not gates.judge(compared(BAD, baseline=GOOD), Gate(margin=0.1)).passed


def test_noise_passes_and_strict_asks_for_proof() -> None:
    comparisons = compared(NOISE, baseline=NOISE[::-1])
    (line,) = gates.judge(comparisons, Gate()).lines
    assert (line.outcome, line.passed) == ("undecided", True)
    (line,) = gates.judge(comparisons, Gate(strict=True)).lines
    assert (line.outcome, line.passed) == ("undecided", False)
    assert gates.judge(comparisons, Gate(margin=0.4, strict=True)).passed


def test_strict_is_non_inferiority() -> None:
    comparisons = compared(BAD, baseline=GOOD)
    for margin in (0.2, 0.35, 0.38, 0.4, 0.5):
        found = stats.non_inferiority(comparisons.rows[0].differences, margin=margin)
        assert gates.judge(comparisons, Gate(margin, strict=True)).passed == found.non_inferior


def test_identical_runs_pass_even_a_strict_gate() -> None:
    answer = gates.judge(compared(GOOD, baseline=GOOD), Gate(strict=True))
    assert answer.passed and answer.lines[0].outcome == "not worse"


def test_the_same_loss_on_every_question_fails_though_the_t_test_has_no_answer() -> None:
    answer = gates.judge(compared([2] * 20, baseline=GOOD), Gate())
    assert answer.lines[0].outcome == "worse"
    assert answer.lines[0].p_worse == pytest.approx(0.5**20)


def test_too_few_questions_say_nothing() -> None:
    (line,) = gates.judge(compared([9] * 5, baseline=[1] * 5), Gate()).lines
    assert (line.outcome, line.passed) == ("undecided", True)
    assert "too few" in line.reason
    assert not gates.judge(compared([9] * 5, baseline=[1] * 5), Gate(strict=True)).passed


def test_many_metrics_are_corrected_for() -> None:
    rng = np.random.default_rng(3)
    base = rng.integers(1, 5, 30)
    close = [min(9, int(rank) + (1 if i in (0, 3, 6, 9, 11, 13) else 0)) for i, rank in enumerate(base)]
    alone = gates.judge(compared(close, baseline=base.tolist()), Gate())
    assert not alone.passed
    among = gates.judge(
        compared(close, *[base.tolist()[::-1]] * 12, baseline=base.tolist()), Gate()
    )  # thirteen contenders, one of them as before
    assert among.lines[0].p_worse == alone.lines[0].p_worse
    assert among.lines[0].p_corrected == pytest.approx(min(1.0, 13 * (alone.lines[0].p_worse or 0)))


def test_the_summary_names_what_lost() -> None:
    text = gates.markdown(gates.judge(compared(BAD, baseline=GOOD), Gate(margin=0.1)), ["! a note"])
    assert text.startswith("### ✕ Retrieval gate failed: pr0 is worse than the baseline by more than 0.1")
    assert "| ✕ | pr0 | MRR | 1.0000 | 0.7000 | −0.3000 |" in text
    assert "| 0 / 8 / 12 |" in text
    assert "- q000 (−0.500): text of q000" in text
    assert "margin 0.1" in text and "- \\! a note" in text


def test_the_summary_of_a_pass() -> None:
    text = gates.markdown(gates.judge(compared(GOOD, baseline=GOOD), Gate()))
    assert text.startswith("### ✓ Retrieval gate passed")
    assert "loses most" not in text


def test_junit_has_a_case_for_each_contender_and_metric() -> None:
    answer = gates.judge(compared(BAD, GOOD, baseline=GOOD, metrics=("RR", "Recall@1")), Gate())
    root = ElementTree.fromstring(gates.junit(answer, {"margin": 0.0, "note": "a\x00b"}).encode())
    assert root.get("failures") == "2" and root.get("tests") == "4"
    cases = {(one.get("classname"), one.get("name")): one for one in root.iter("testcase")}
    assert cases["ragdash.pr0", "RR"].find("failure") is not None
    assert cases["ragdash.pr1", "RR"].find("failure") is None
    assert "q000" in (cases["ragdash.pr0", "RR"].findtext("failure") or "")
    assert "worse than main" in (cases["ragdash.pr0", "RR"].find("failure").get("message") or "")  # type: ignore[union-attr]


@pytest.mark.parametrize("margin", [-0.1, 1.0, float("nan")])
def test_a_margin_is_a_share(margin: float) -> None:
    with pytest.raises(OptionError, match="largest acceptable loss"):
        Gate(margin)
