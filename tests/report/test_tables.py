"""Do tables reach other hands whole: values to the last digit, text defused and given back, settings named?"""

import io
import json
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest

import ragdash
from ragdash.analysis.compare import Comparisons
from ragdash.analysis.judged import with_judgments
from ragdash.errors import OptionError
from ragdash.report import evidence, files, marks, tables
from ragdash.report.workbook import workbook
from tests.small import dataset, experiment, run

FORMULA = "=1+1"
QUERIES = [f"q{i:02}" for i in range(12)]


@pytest.fixture(scope="module")
def comparisons() -> Comparisons:
    """A baseline with the document at rank 3, a contender that has it first, one that has it not; ids are formulas."""
    data = dataset({one: {FORMULA: 1} for one in [FORMULA, *QUERIES[1:]]}, {FORMULA: "@text"})
    lists = {"-base": ["x", "y", FORMULA], "+new": [FORMULA], "gone": ["x"]}
    queries = [FORMULA, *QUERIES[1:]]
    noise = {queries[0]: ["z", FORMULA]}  # one question differs, so that differences have a spread
    runs = [run(name, {**dict.fromkeys(queries, found), **noise}) for name, found in lists.items()]
    return ragdash.compare(ragdash.evaluate(data, runs, ["RR", "Recall@1"]), baseline="-base")


def sheet(book: Any, name: str) -> list[tuple[Any, ...]]:
    return [tuple(cell.value for cell in row) for row in book[name].iter_rows()]


def test_csv_has_a_mark_for_excel_and_no_formula(comparisons: Comparisons) -> None:
    table = tables.per_query_table(comparisons.scores)
    data = files.csv_file(table, evidence.settings_of(comparisons.scores))
    assert data.startswith(b"\xef\xbb\xbf")
    cells = [cell for line in data.decode("utf-8-sig").splitlines() for cell in line.split(",")]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


def test_csv_read_again_is_what_it_was(comparisons: Comparisons) -> None:
    scores = comparisons.scores
    rows = files.read_csv(files.csv_file(tables.per_query_table(scores), evidence.settings_of(scores)))
    assert [row["run"] for row in rows[::12]] == ["-base", "+new", "gone"]
    assert rows[0]["query_id"] == FORMULA
    assert [float(row["RR"]) for row in rows[:12]] == scores.of("-base", "RR").tolist()
    assert rows[0]["missing"] == "zero" and rows[0]["threshold"] == "1"


def test_negative_numbers_stay_numbers(comparisons: Comparisons) -> None:
    (worse,) = [row for row in files.read_csv(files.csv_file(tables.comparison_table(comparisons), {}))
                if row["run"] == "gone" and row["metric"] == "RR"]  # fmt: skip
    assert float(worse["difference"]) == comparisons.of("gone", "RR").difference < 0


@pytest.mark.parametrize("text", ["=x", "'=x", "''=x", "'x", "-", "'", "", "a=b", "\tx"])
def test_a_defused_text_comes_back(text: str) -> None:
    import pandas as pd

    (row,) = files.read_csv(files.csv_file(pd.DataFrame({"a": [text], "b": ["kept"]}), {}))
    assert row["a"] == text


def test_the_workbook_has_values_and_no_formulas(comparisons: Comparisons) -> None:
    data = workbook(comparisons, ())
    book = openpyxl.load_workbook(io.BytesIO(data))
    assert book.sheetnames == ["Summary", "Comparisons", "Per query", "Findings", "Settings"]
    assert not [cell for one in book for row in one.iter_rows() for cell in row if cell.data_type == "f"]
    assert not any(one._hyperlinks for one in book)
    summary = sheet(book, "Summary")
    # -base: 1/2 on one question and 1/3 on eleven
    assert summary[1] == ("-base", pytest.approx((1 / 2 + 11 / 3) / 12), 0, 12)
    per_query = sheet(book, "Per query")
    assert per_query[0] == (
        "query_id", "query", "RR: -base", "RR: +new", "RR: gone", "Recall@1: -base", "Recall@1: +new", "Recall@1: gone",
    )  # fmt: skip
    assert per_query[1][:2] == (FORMULA, "@text")
    assert [row[2] for row in per_query[1:]] == comparisons.scores.of("-base", "RR").tolist()
    settings = dict(sheet(book, "Settings"))
    assert settings["baseline"] == "-base" and settings["alpha"] == 0.05 and settings["correction"] == "holm"


def test_the_same_comparison_gives_the_same_workbook(comparisons: Comparisons) -> None:
    assert workbook(comparisons, ()) == workbook(comparisons, ())


def test_json_agrees_with_the_library(comparisons: Comparisons) -> None:
    body = json.loads(evidence.as_json(evidence.compared(comparisons)))
    assert body["comparisons"][0]["difference"] == comparisons.rows[0].difference
    assert body["settings"]["baseline"] == "-base"


def test_latex_marks_what_is_better_and_worse(comparisons: Comparisons) -> None:
    text = marks.latex(comparisons)
    # +new: RR 1/2 on one question and 1 on eleven: 11.5 / 12 = 0.958
    assert r"+new & \textbf{0.958}$^{\dagger}$ & \textbf{0.917}$^{\dagger}$ \\" in text
    assert r"gone & 0.042$^{\ddagger}$ & 0.000 \\" in text
    assert r"\caption{Means over 12 queries. † better" in text and r"no\_relevant zero" in text


def test_markdown_marks_the_same(comparisons: Comparisons) -> None:
    assert "| +new | **0.958**† | **0.917**† |" in marks.markdown(comparisons)


def test_qrels_with_added_judgments() -> None:
    paired = experiment({"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}, one={"q1": ["a"]})
    text = files.qrels_file(with_judgments(paired, {("q1", "b"): 2.0, ("q2", "d"): 0.0}).dataset).decode()
    assert text == "q1 0 a 1\nq1 0 b 2\nq2 0 c 2\nq2 0 d 0\n"
    assert np.array_equal(paired.qrels.grades, [1, 0, 2])


def test_qrels_of_ids_with_blanks_are_refused() -> None:
    with pytest.raises(OptionError, match="blank"):
        files.qrels_file(dataset({"q 1": {"a": 1}}))


@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_a_small_p_is_never_zero(form) -> None:
    table = pd.DataFrame({"p": [1e-9, 0.0512, None, 0.00005], "mean": [0.0, 0.1, 0.2, 0.3]})
    text = tables.render(table, form, {})
    assert text.count("0.0001") == 2  # "< 0.0001", and the 0.00005 that rounds to it
    assert "0.0512" in text
    assert text.count("0.0000") == 1  # the mean
