"""The rows shown in the app's help are those of the table among the benchmarks."""

import re
from pathlib import Path

import pytest

from ragdash.stats import evidence

TABLES = "\n".join(p.read_text(encoding="utf-8") for p in (Path(__file__).parents[1] / "benchmarks").glob("*.md"))


@pytest.mark.parametrize("row", evidence.EVIDENCE, ids=lambda row: row.question[:30])
def test_each_row_is_in_the_table(row):
    cells = [rf"{share:.1f}( \(\d+\.\d\))?" for share in row.percent]
    assert re.search(r"\| " + re.escape(row.way) + r" \| " + r" \| ".join(cells) + r" \|", TABLES)


def test_every_row_has_a_number_for_every_size():
    assert all(len(row.percent) == len(evidence.SIZES) for row in evidence.EVIDENCE)
