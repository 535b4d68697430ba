"""Downloads that a spreadsheet opens without running anything."""

import pandas as pd

from ragdash.ui import frame, names


def test_csv_defuses_formulas_and_leaves_numbers() -> None:
    table = pd.DataFrame({"=cmd": ["=1+1", "@x", "-plain", "ok"], "n": [-0.5, 1.0, 0.1 + 0.2, 0.0]})
    lines = frame.csv(table).decode("utf-8-sig").splitlines()
    assert lines[0] == "'=cmd,n"
    assert lines[1] == "'=1+1,-0.5"
    assert lines[2].startswith("'@x,")
    assert lines[3] == "'-plain,0.30000000000000004"


def test_csv_says_its_encoding_to_excel() -> None:
    assert frame.csv(pd.DataFrame({"a": ["é"]})).startswith(b"\xef\xbb\xbf")


def test_long_names_are_shortened_inside_sentences() -> None:
    long = "n" * 30 + "*" * 30
    assert names.trimmed(f"{long} is better", [long]) == names.said(long) + " is better"
    assert len(names.trimmed(f"{long} is better", [long]).replace("\\", "")) < 50
