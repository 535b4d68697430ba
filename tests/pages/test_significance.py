"""Does the Significance page say everything, and does it stand where there is nothing to test?"""

import json
import re

import pytest

from tests.pages.reading import checked, param, words
from tests.pages.test_loading import load


def placed(*ranks: int) -> bytes:
    """The one relevant document of each query at this rank."""
    rows = [{"query": f"q{i}", "retrieved": [f"x{j}" for j in range(r - 1)] + [f"d{i}"]} for i, r in enumerate(ranks)]
    return json.dumps(rows).encode()


def dataset(n: int) -> list[dict[str, object]]:
    return [{"id": f"q{i}", "query": f"thing {i}?", "relevant_docs": [f"d{i}"]} for i in range(n)]


def opened(visit, page: str, one: bytes, two: bytes, n: int, **params: str):
    at = load(visit("data"), ("one.json", one), ("two.json", two), dataset=dataset(n))
    return checked(visit(page, source=str(param(at, "source")), **params))


def test_the_page_says_all_that_an_engineer_asks(visit) -> None:
    at = checked(visit("significance", source="sample", metric="nDCG@K", k="10"))
    said = words(at)
    for part in (
        "All 4 tests find a difference",
        "that differ, half lie between",
        "Monte Carlo error of p",
        "seed 0",
        "all of it beyond ±0.01",
        "is at most 0.01 worse",
        "is noticed in 8 of 10 tries",
        "of 10 pairs of runs can be told apart",
        "level 0.0125 for one of 4 tests",
        "Why these defaults?",
    ):
        assert part in said, part


@pytest.mark.parametrize(
    ("one", "two", "said"),
    [
        ([2] * 12, [2] * 12, "No question differs: all 12 score the same"),
        ([2] * 12, [1] * 12, "all differences"),
        ([2], [1], "There is one question: a test needs two at least"),
        ([2] * 4, [1, 2, 3, 1], "Too few to say: 4 of the 10 questions"),
        ([2] * 40, [1] * 4 + [2] * 36, "only 4 questions differ"),
    ],
)  # fmt: skip
def test_where_there_is_nothing_to_test_there_are_words(visit, one: list[int], two: list[int], said: str) -> None:
    at = opened(visit, "significance", placed(*one), placed(*two), len(one), metric="RR@K")
    assert said in words(at)
    assert not re.search(r"\b(nan|inf)\b", words(at))
