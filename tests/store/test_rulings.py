"""Where grades differ: what counts, and is anybody asked?"""

from datetime import UTC, datetime

import pytest

from ragdash.store import Decision, Judgment, added, choice, decisions_of, rulings

PAIR = ("q1", "d1")


def said(number: int, grade: float | None, author: str, pair: tuple[str, str] = PAIR) -> Judgment:
    return Judgment(number, *pair, grade, author, datetime(2026, 12, 1, tzinfo=UTC))


def test_one_grade_is_no_dispute() -> None:
    found = rulings([said(1, 2.0, "Ada"), said(2, 2.0, "Ben")], {}, {})[PAIR]
    assert (found.grade, found.disputed, found.is_open) == (2.0, False, False)


def test_among_people_the_newest_counts_until_somebody_decides() -> None:
    rows = [said(3, 0.0, "Ben"), said(1, 2.0, "Ada")]
    found = rulings(rows, {}, {})[PAIR]
    assert (found.grade, found.disputed, found.is_open) == (0.0, True, True)
    assert [one.author for one in found.said] == ["Ada", "Ben"]
    decided = rulings(rows, {}, {PAIR: Decision(2.0, 3)})[PAIR]
    assert (decided.grade, decided.disputed, decided.is_open) == (2.0, True, False)


def test_the_file_counts_until_somebody_decides() -> None:
    found = rulings([said(1, 0.0, "Ada")], {PAIR: 2.0}, {})
    assert (found[PAIR].grade, found[PAIR].is_open) == (2.0, True)
    assert added(found) == {}
    decided = rulings([said(1, 0.0, "Ada")], {PAIR: 2.0}, {PAIR: Decision(0.0, 1)})
    assert added(decided) == {PAIR: 0.0}


def test_what_the_file_says_as_well_adds_nothing() -> None:
    assert added(rulings([said(1, 2.0, "Ada")], {PAIR: 2.0}, {})) == {}


@pytest.mark.parametrize(("grade", "is_open"), [(1.0, True), (2.0, False)])
def test_a_decision_holds_until_something_else_is_said(grade: float, is_open: bool) -> None:
    rows = [said(1, 2.0, "Ada"), said(2, 0.0, "Ben"), said(5, grade, "Cy")]
    found = rulings(rows, {}, {PAIR: Decision(2.0, 3)})[PAIR]
    assert (found.grade, found.is_open) == (grade, is_open)


def test_a_decision_for_a_grade_that_nobody_holds_any_more_is_none() -> None:
    assert rulings([said(4, 1.0, "Ada"), said(5, 0.0, "Ben")], {}, {PAIR: Decision(2.0, 5)})[PAIR].is_open


def test_who_cannot_tell_says_no_grade() -> None:
    assert rulings([said(1, None, "Ada")], {}, {}) == {}


def test_decisions_are_kept_as_choices() -> None:
    key, value = choice(PAIR, Decision(2.0, 7))
    assert decisions_of({key: value, "report": {"title": "x"}}) == {PAIR: Decision(2.0, 7)}
    assert choice(("q1", "d2"), Decision(2.0, 7))[0] != key


@pytest.mark.parametrize("value", [None, [], {"query_id": 1}, {"query_id": "q", "doc_id": "d", "grade": "x", "upto": 1},
                                   {"query_id": "q", "doc_id": "d", "grade": float("nan"), "upto": 1}])  # fmt: skip
def test_what_is_no_decision_is_passed_over(value: object) -> None:
    assert decisions_of({"judged:x": value}) == {}
