"""Does the command line keep its contract: values, settings, exit status, and one message a fault?"""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from ragdash.__main__ import main
from tests.chunked import CUTS, qrels_file, queries_file, run_file

ROOT = Path(__file__).resolve().parent.parent
QRELS = "q1 0 d1 2\nq1 0 d2 1\nq2 0 d3 1\nq3 0 d4 0\n"
BASE = "q1 Q0 x 1 3.0 t\nq1 Q0 d1 2 2.0 t\nq2 Q0 y 1 1.0 t\nq3 Q0 z 1 1.0 t\n"
NEW = "q1 Q0 d1 1 3.0 t\nq1 Q0 d2 2 2.0 t\nq2 Q0 d3 1 1.0 t\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in (("qrels.txt", QRELS), ("base.trec", BASE), ("new.trec", NEW)):
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *args: str, status: int = 0) -> str:
    assert main(args) == status
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    try:
        assert main(args) == 2
    except SystemExit as stop:  # argparse's own refusal
        assert stop.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return err


PAIR = ("qrels.txt", "--run", "base.trec", "--run", "new.trec")


def test_evaluate_as_json(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = json.loads(said(capsys, "evaluate", *PAIR, "-m", "RR@10", "recall_2", "--per-query", "--format", "json"))
    assert result["settings"]["ties"] == "score desc, doc_id desc"
    assert result["settings"]["threshold"] == 1
    assert result["dataset"]["n_queries"] == 3
    assert result["dataset"]["n_relevant"] == 3
    assert [run["name"] for run in result["runs"]] == ["base", "new"]
    assert result["runs"][0]["depth"] == {"min": 1, "median": 1, "max": 2}
    assert result["metrics"] == ["RR@10", "Recall@2"]
    assert result["scores"]["base"]["mean"]["RR@10"] == pytest.approx(0.5 / 3)
    assert result["scores"]["new"]["per_query"]["q1"] == {"RR@10": 1.0, "Recall@2": 1.0}
    assert result["scores"]["new"]["per_query"]["q3"] == {"RR@10": 0.0, "Recall@2": 0.0}
    codes = {finding["code"]: finding for finding in result["findings"]}
    assert codes["query-missing-from-run"]["run"] == "new"
    assert codes["no-relevant-document"]["examples"] == ["q3"]


def test_per_query_values_only_on_request(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = json.loads(said(capsys, "evaluate", *PAIR, "-m", "RR", "--format", "json"))
    assert "per_query" not in result["scores"]["base"]


def test_compare_as_json(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = json.loads(said(capsys, "compare", *PAIR, "--baseline", "base", "-m", "RR@10", "--format", "json"))
    (row,) = result["comparisons"]
    assert (row["baseline"], row["run"], row["n"]) == ("base", "new", 3)
    assert row["difference"] == pytest.approx((0.5 + 1.0 + 0.0) / 3)
    assert (row["wins"], row["ties"], row["losses"]) == (2, 1, 0)
    assert row["verdict"] == "undecided"
    assert set(row["tests"]) == {"t", "randomization", "wilcoxon", "sign"}
    assert result["settings"]["baseline"] == "base"
    assert result["settings"]["correction"] == "holm"


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "latex"])
@pytest.mark.parametrize("command", [("evaluate",), ("compare", "--baseline", "base"), ("check",)])
def test_every_text_format_names_runs_and_settings(
    files: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...], form: str
) -> None:
    out = said(capsys, command[0], *PAIR, *command[1:], "-m", "RR@10", "--format", form)
    assert "base" in out and "new" in out
    assert "threshold" in out and "linear" in out


def test_csv_is_one_table_at_full_precision(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(said(capsys, "evaluate", *PAIR, "-m", "RR@10", "--format", "csv"))))
    assert float(rows[0]["RR@10"]) == 0.5 / 3
    assert rows[0]["missing"] == "zero"


def test_options_change_what_counts(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = json.loads(said(capsys, "evaluate", *PAIR, "-m", "RR", "--missing", "common", "--format", "json"))
    assert common["scores"]["base"]["n"]["RR"] == 2
    strict = json.loads(said(capsys, "evaluate", *PAIR, "-m", "Recall@2", "--threshold", "2", "--format", "json"))
    assert strict["scores"]["new"]["mean"]["Recall@2"] == pytest.approx(1 / 3)
    without = json.loads(said(capsys, "evaluate", *PAIR, "-m", "RR", "--no-relevant", "exclude", "--format", "json"))
    assert without["scores"]["new"]["mean"]["RR"] == 1.0


def test_a_run_is_named_and_an_existing_file_is_a_file(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "a=b.trec").write_text(NEW)
    out = said(
        capsys, "evaluate", "qrels.txt", "--run", "old=base.trec", "--run", "a=b.trec", "-m", "RR", "--format", "json"
    )
    assert [run["name"] for run in json.loads(out)["runs"]] == ["old", "a=b"]


def test_two_files_of_one_name(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "v2").mkdir()
    (files / "v2" / "base.trec").write_text(NEW)
    out = said(
        capsys, "evaluate", "qrels.txt", "--run", "base.trec", "--run", "v2/base.trec", "-m", "RR", "--format", "json"
    )
    result = json.loads(out)
    assert list(result["scores"]) == ["base", "base (2)"]
    assert "name-changed" in {finding["code"] for finding in result["findings"]}


def test_every_fault_is_told_at_once(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "empty.trec").write_text("")
    (files / "cut.trec").write_text("q1 Q0 d1 1 3.0 t\nq1 Q0 d2\n")
    err = refused(capsys, "evaluate", "qrels.txt", "--run", "empty.trec", "--run", "cut.trec", "--run", "gone.trec")
    assert "empty.trec" in err and "empty" in err
    assert "cut.trec, line 2" in err
    assert "gone.trec" in err


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("-m", "nDGC@10"), "nDCG"),
        (("-m", "Recall@-1"), "Recall@-1"),
        (("--apply", "magic"), "magic"),
    ],
)
def test_options_that_do_not_exist(
    files: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], told: str
) -> None:
    assert told in refused(capsys, "evaluate", *PAIR, *args)


def test_a_baseline_that_does_not_exist(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "The runs are: base, new." in refused(capsys, "compare", *PAIR, "--baseline", "old", "-m", "RR")


def test_a_misread_run_is_refused_and_not_scored_zero(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "other.trec").write_text(NEW.replace("q", "topic-"))
    err = refused(capsys, "evaluate", "qrels.txt", "--run", "base.trec", "--run", "other.trec", "-m", "RR")
    assert "other" in err and "topic-1" in err


def test_check_fails_on_an_error_and_says_so(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "other.trec").write_text(NEW.replace("q", "topic-"))
    out = said(capsys, "check", "qrels.txt", "--run", "base.trec", "--run", "other.trec", status=1)
    assert "set aside" in out
    assert "✕" in out
    assert said(capsys, "check", "qrels.txt", "--run", "base.trec").count("✕") == 0


def test_the_module_runs_as_a_command(files: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ragdash", "evaluate", *PAIR, "-m", "RR"],
        capture_output=True, text=True, cwd=files, env={"PYTHONPATH": str(ROOT), "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "0.1667" in done.stdout


def lists(rank: int, n: int = 12) -> str:
    """A run of `n` queries that has the relevant document at `rank`; the first query differs a little."""
    lines = []
    for i in range(n):
        place = rank + (1 if i == 0 else 0)
        docs = [*(f"x{j}" for j in range(place - 1)), "d"]
        lines += [f"q{i} Q0 {doc} {j} {10 - j} t" for j, doc in enumerate(docs, start=1)]
    return "\n".join(lines) + "\n"


@pytest.fixture
def twelve(files: Path) -> tuple[str, ...]:
    (files / "many.txt").write_text("".join(f"q{i} 0 d 1\n" for i in range(12)))
    for name, rank in (("main", 1), ("pr", 3)):
        (files / f"{name}.trec").write_text(lists(rank))
    return "many.txt", "--run", "main.trec", "--run", "pr.trec"


def test_gate_says_no_with_status_1(twelve: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "gate", *twelve, "--baseline", "main", "-m", "RR", "--junit", "gate.xml", status=1)
    assert out.startswith("### ✕ Retrieval gate failed: pr is worse than the baseline")
    assert '<testsuites tests="1" failures="1">' in Path("gate.xml").read_text(encoding="utf-8")
    assert said(capsys, "gate", *twelve, "--baseline", "pr", "-m", "RR").startswith("### ✓ Retrieval gate passed")


def test_gate_in_every_format_names_the_margin(twelve: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    for form in ("table", "csv", "markdown", "latex", "json"):
        out = said(capsys, "gate", *twelve, "--baseline", "main", "-m", "RR", "--margin", "0.9", "--format", form)
        assert "margin" in out and "0.9" in out
    result = json.loads(out)
    assert (result["passed"], result["gate"][0]["outcome"]) == (True, "not worse")


def test_gate_wants_a_metric_and_a_margin_that_makes_sense(
    twelve: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "-m" in refused(capsys, "gate", *twelve, "--baseline", "main")
    assert "margin" in refused(capsys, "gate", *twelve, "--baseline", "main", "-m", "RR", "--margin", "2")
    assert "gone" in refused(capsys, "gate", *twelve, "--baseline", "main", "-m", "RR", "--junit", "gone/gate.xml")


def test_report_writes_a_page_and_prints_the_comparison(
    twelve: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    out = said(capsys, "report", *twelve, "-m", "RR", "-o", "report.html", "--title", "Shall we?", "--static")
    assert "Written: report.html" in out and "pr" in out
    page = Path("report.html").read_text(encoding="utf-8")
    assert "<title>Shall we?</title>" in page and "<script" not in page
    again = said(capsys, "report", *twelve, "-m", "RR", "-o", "again.html", "--title", "Shall we?", "--static")
    assert "again.html" in again
    assert Path("again.html").read_bytes() == Path("report.html").read_bytes()


def test_report_as_a_workbook(twelve: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "report", *twelve, "-m", "RR", "-o", "report.xlsx")
    assert Path("report.xlsx").read_bytes().startswith(b"PK")


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("-o", "report.pdf"), "report.pdf"),
        (("-o", "gone/report.html"), "gone/report.html: it cannot be written"),
        (("-o", "r.html", "-m", "RR", "P@1"), "one metric"),
        (("-o", "r.html", "--query", "q99"), "q99"),
        (("-o", "r.html", "--block", "charts"), "charts"),
        (("-o", "r.html", "--contender", "main"), "both baseline and contender"),
        (("-o", "r.html", "--notes", "none.json"), "none.json"),
    ],
)
def test_report_refuses_in_one_message(
    twelve: tuple[str, ...], capsys: pytest.CaptureFixture[str], args: tuple[str, ...], told: str
) -> None:
    assert told in refused(capsys, "report", *twelve, *args)
    assert not Path("r.html").exists()


def test_check_uses_the_options_that_it_names(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = json.loads(said(capsys, "check", *PAIR, "--threshold", "3", "--format", "json"))
    assert result["dataset"]["n_relevant"] == 0
    finding = next(one for one in result["findings"] if one["code"] == "no-relevant-document")
    assert finding["count"] == 3


def test_a_level_that_no_test_has_is_refused(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "below 0.5" in refused(capsys, "compare", *PAIR, "--baseline", "base", "-m", "RR", "--alpha", "0.6")


def test_several_runs_of_one_file_are_named_after_it(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "two.json").write_text('{"r1": {"q1": {"d1": 1.0}}, "r2": {"q1": {"d2": 1.0}}}')
    out = said(capsys, "evaluate", "qrels.txt", "--run", "new=two.json", "-m", "RR", "--format", "json")
    assert list(json.loads(out)["scores"]) == ["new: r1", "new: r2"]


def test_latex_has_a_minus_that_latex_knows(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "compare", *PAIR, "--baseline", "new", "-m", "RR", "--format", "latex")
    assert "$-$" in out.split("%")[0]
    assert "−" not in out.split("%")[0]


def test_what_ties_hide(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "tied.trec").write_text("q1 Q0 d1 1 1.0 t\nq1 Q0 x 2 1.0 t\nq2 Q0 d3 1 1.0 t\n")
    args = ("evaluate", "qrels.txt", "--run", "tied.trec", "-m", "RR", "--tie-bounds")
    result = json.loads(said(capsys, *args, "--per-query", "--format", "json"))
    found = result["ties"]["tied"]["RR"]
    # d1 stands first or second: 1/2, 3/4 on average, 1; q2 is 1 and q3 is 0 in any order
    assert found["per_query"]["q1"] == {"worst": 0.5, "expected": 0.75, "best": 1.0}
    assert (found["worst"], found["best"]) == (pytest.approx(1.5 / 3), pytest.approx(2 / 3))
    assert "tied, RR: 0.5000 to 0.6667 over the orders of tied documents, 0.5833 on average." in said(capsys, *args)


def test_documents_with_their_querys_id(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "own.trec").write_text("q1 Q0 q1 1 2.0 t\nq1 Q0 d1 2 1.0 t\n")
    args = ("evaluate", "qrels.txt", "--run", "own.trec", "-m", "RR", "--format", "json", "--per-query")
    kept, dropped = json.loads(said(capsys, *args)), json.loads(said(capsys, *args, "--drop-self"))
    assert kept["scores"]["own"]["per_query"]["q1"]["RR"] == 0.5
    assert dropped["scores"]["own"]["per_query"]["q1"]["RR"] == 1.0
    assert [one["count"] for one in dropped["findings"] if one["code"] == "self-retrieved"] == [1]


def test_labels_of_each_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    qrels, runs = {}, []
    for cut in CUTS:
        (tmp_path / cut).mkdir()
        for blob in (qrels_file(cut), run_file(cut)):
            (tmp_path / cut / blob.name).write_bytes(blob.bytes)
        qrels[cut] = f"{tmp_path}/{cut}/qrels.tsv"
        runs.append(f"--run={cut}={tmp_path}/{cut}/bm25.jsonl")
    (tmp_path / "queries.jsonl").write_bytes(queries_file().bytes)
    rest = (f"{tmp_path}/queries.jsonl", *runs, "-m", "Recall@9", "--format", "json")
    labels = [f"--labels={cut}={path}" for cut, path in qrels.items()]
    body = json.loads(said(capsys, "evaluate", *rest, *labels))
    assert [one["labels"]["name"] for one in body["runs"]] == ["fixed/qrels", "sentence/qrels"]
    assert [body["scores"][cut]["mean"]["Recall@9"] for cut in CUTS] == [1.0, 1.0]
    assert body["settings"]["remedies"] == ["labels:fixed=fixed/qrels", "labels:sentence=sentence/qrels"]
    body = json.loads(said(capsys, "evaluate", *rest, *(f"--labels={path}" for path in qrels.values())))
    assert [body["scores"][cut]["mean"]["Recall@9"] for cut in CUTS] == [1.0, 1.0]
    assert "labels-differ" in [one["code"] for one in body["findings"]]
    swapped = [f"--labels=fixed={qrels['sentence']}", f"--labels=sentence={qrels['fixed']}"]
    body = json.loads(said(capsys, "evaluate", *rest, *swapped))
    (found,) = [one for one in body["findings"] if one["code"] == "two-chunkings"]
    assert "The labels of fixed and sentence are those of other chunks: no result is judged." in found["message"]


def test_judgments_made_in_the_app_count_and_are_named(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "here.json").write_text(
        json.dumps(
            [
                {"query_id": "q1", "doc_id": "x", "grade": 2, "author": "Ada", "counts": True},
                {"query_id": "q2", "doc_id": "d3", "grade": 1},  # as the file says
                {"query_id": "q3", "doc_id": "z", "grade": 0, "counts": False},
                {"query_id": "q9", "doc_id": "z", "grade": 1},
            ]
        )
    )
    (files / "all.txt").write_text("q1 0 d1 2\nq1 0 d2 1\nq1 0 x 2\nq2 0 d3 1\nq3 0 d4 0\n")
    rest = (*PAIR[1:], "--format", "json", "-m", "nDCG@10", "Judged@1", "--per-query")
    body = json.loads(said(capsys, "evaluate", "qrels.txt", "--judgments", "here.json", *rest))
    assert body["settings"]["judgments_added"] == "1 counted"
    assert "judgments-added" in [one["code"] for one in body["findings"]]
    assert body["scores"] == json.loads(said(capsys, "evaluate", "all.txt", *rest))["scores"]
    assert "judgments_added" not in json.loads(said(capsys, "evaluate", "qrels.txt", *rest))["settings"]


def test_judgments_that_cannot_be_read_are_refused(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "here.json").write_text("q1 0 x 2")
    assert "here.json: this is no JSON" in refused(
        capsys, "compare", *PAIR, "--baseline", "base", "--judgments", "here.json"
    )
    assert "cannot be opened" in refused(capsys, "check", *PAIR, "--judgments", "none.json")
