"""Numbers as people write them."""

import pyarrow as pa
import pytest

from ragdash.data.formats.numbers import numbers


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (["0,9", "0.8"], [0.9, 0.8]),
        (["1.234,5", "999,5", "1.234"], [1234.5, 999.5, 1234]),
        (["1,234.5", "999.5", "1,234"], [1234.5, 999.5, 1234]),
        (["1'234.5", "1 234,5", "1\u00a0234"], [1234.5, 1234.5, 1234]),
        (["95%", "8 %", "12,5%"], [0.95, 0.08, 0.125]),
        (["\u22120.9", "+0.5", "-1e3"], [-0.9, 0.5, -1000]),
        (["1,234", "0,95"], [1.234, 0.95]),
    ],
)
def test_what_a_number_means(written, meant):
    found = numbers(pa.array([*written, "x"]))
    assert found.values[:-1].tolist() == pytest.approx(meant)
    assert found.bad.tolist() == [False] * len(meant) + [True]


@pytest.mark.parametrize("text", ["", "-", "9/10", "nan", "inf", "1e999", "high", "1,2,3", "0x1"])
def test_what_is_no_number(text):
    assert numbers(pa.array([text])).bad.tolist() == [True]
