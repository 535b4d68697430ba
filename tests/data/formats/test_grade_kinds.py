"""Grades as people write them: read and told, or refused with what was found."""

import numpy as np
import pytest

from ragdash.errors import MalformedError
from tests.data.formats.reading import codes, read


def graded(*grades: str):
    rows = "".join(f'q{i},d,"{one}"\n' for i, one in enumerate(grades))
    return read("query_id,doc_id,relevance\n" + rows, "dataset")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (["yes", "no"], [1, 0]),
        (["Ja", "nein"], [1, 0]),
        (["oui", "non"], [1, 0]),
        (["TRUE", "FALSE"], [1, 0]),
        (["R", "N"], [1, 0]),
        (["rel", "nonrel"], [1, 0]),
        (["✓", "✗"], [1, 0]),
        (["relevant", "not relevant", "Irrelevant"], [1, 0, 0]),
        (["irrelevant", "partial", "relevant"], [0, 1, 2]),
        (["Highly Relevant", "Not Relevant", "Somewhat relevant", "Relevant"], [3, 0, 1, 2]),
        (["correct", "partially correct", "incorrect"], [2, 1, 0]),
        (["3 - highly relevant", "0 - not relevant", "1"], [3, 0, 1]),
        (["2/5", "5/5", "0/5"], [2, 5, 0]),
        (["relevant", "2", "0"], [1, 2, 0]),
    ],
)
def test_grades_in_words_are_read_and_told(written, meant):
    reading = graded(*written)
    assert reading.qrels.grades.tolist() == meant
    assert codes(reading) == ["grade-in-words"]


@pytest.mark.parametrize(
    ("written", "meant", "code"),
    [
        (["1,0", "0,5"], [1, 0.5], "decimal-comma"),
        (["100%", "50%"], [1, 0.5], "number-signs"),
        (["1", "0.25"], [1, 0.25], "fractional-grade"),
        (["1", "-2"], [1, -2], "negative-grade"),
        (["1000", "1"], [1000, 1], "large-grade"),
        (["1", ""], [1], "blank-grade"),
        (["+1", "1e0"], [1, 1], None),
    ],
)
def test_grades_in_odd_numbers(written, meant, code):
    reading = graded(*written)
    assert np.allclose(reading.qrels.grades, meant)
    assert code in codes(reading) if code else codes(reading) == []


@pytest.mark.parametrize("odd", ["A", "maybe", "high", "NaN", "inf", "2/5 stars", "1;2", "3-"])
def test_what_nobody_can_weigh_is_refused_with_its_line(odd):
    with pytest.raises(MalformedError, match="line 3: this grade is no number"):
        graded("1", odd)
