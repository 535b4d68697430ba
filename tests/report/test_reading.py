"""A report on two chunkings: what is held equal, what is read, and the evidence of each question."""

from dataclasses import replace

from ragdash.analysis.evaluate import evaluate_experiment
from ragdash.analysis.over_k import Cut
from ragdash.charts.significance import over_k_title
from ragdash.data.evidence import Evidence
from ragdash.data.experiment import build
from ragdash.data.nouns import Documents
from ragdash.report import html
from ragdash.report.contents import Contents
from ragdash.report.study import study
from tests.small import dataset, run

N = 14
TEXT = "The answer to it all is <b>here</b>. " * 60


def found():
    queries = [f"q{i}" for i in range(N)]
    spans = Evidence.of(queries, ["guide"] * N, [40 * i for i in range(N)], [40 * i + 100 for i in range(N)])
    data = replace(dataset({one: {} for one in queries}), evidence=spans, documents=Documents.of(["guide"], [TEXT]))
    small = run("small", {one: ["guide:1000-1100", "guide:0-60"] for one in queries})
    large = run("large", {one: ["guide:0-500", "guide:500-1000"] for one in queries})
    scores = evaluate_experiment(build(data, [small, large]), ["BudgetRecall(chars=500)"])
    return study(scores, baseline="small")


def test_the_report_speaks_of_evidence():
    page = html.report(found(), Contents(queries=("q1",), interactive=False))
    assert "at equal reading, 500 characters" in page
    assert "Read on average: the first 10 chunks have 1,000 characters with large, 160 with small." in page
    assert "large has read the most evidence, however much is read" in page
    assert "guide:40-140" in page
    assert "here&lt;/b&gt;" in page
    assert "In the first 10 chunks, large has 100 % of the evidence and small 20 %." in page
    assert "judged relevant" not in page


def test_differences_over_what_is_read():
    curve = found().curve
    assert [one.k for one in curve] == [250, 500, 1000]
    assert over_k_title(curve, "small", "large", Cut(by_characters=True)) == (
        "large leads at every cutoff from 250 to 1,000 characters"
    )
