"""The command line: the dashboard's engine without a screen.

Exit status: 0 done; 1 `check` found an error; 2 an input or an option cannot be used, with one message a fault on
standard error and nothing on standard output.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import ragdash
from ragdash import stats
from ragdash.analysis.compare import Testing, compare
from ragdash.analysis.evaluate import (
    DEFAULT_METRICS,
    Options,
    Scores,
    evaluate_experiment,
    metric_of,
    refuse_misread,
)
from ragdash.analysis.health import health
from ragdash.data.experiment import Experiment, build
from ragdash.data.findings import Finding
from ragdash.data.nouns import Dataset, Run
from ragdash.data.remedies import REMEDIES
from ragdash.errors import RagdashError
from ragdash.metrics import CATALOGUE
from ragdash.report import tables

FORMATS = ("table", "json", "csv", "markdown", "latex")


class Refused(Exception):
    """Inputs that cannot be used; holds one message a fault."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    args = parser().parse_args(argv)
    try:
        status, text = args.command(args)
    except (Refused, RagdashError) as error:
        print(error, file=sys.stderr)
        return 2
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader (head, less) has seen enough
        sys.stderr.close()
    return int(status)


def load(args: argparse.Namespace) -> tuple[Dataset, list[Run]]:
    """Read every file; all faults are collected, so that one call tells them all."""
    faults: list[str] = []
    dataset: Dataset | None = None
    runs: list[Run] = []
    try:
        dataset = ragdash.read_dataset(*args.dataset)
    except RagdashError as error:
        faults.append(str(error))
    for argument in args.run:
        name, path = named_file(argument)
        try:
            found = ragdash.read_runs(path)
            runs += [found[0].named(name)] if name and len(found) == 1 else found
        except RagdashError as error:
            faults.append(str(error))
    if faults or dataset is None:
        raise Refused(faults)
    return dataset, runs


def named_file(argument: str) -> tuple[str | None, str]:
    """`NAME=FILE`, unless the whole argument is a file that exists."""
    name, sign, path = argument.partition("=")
    if not sign or Path(argument).exists():
        return None, argument
    return name, path


def options_of(args: argparse.Namespace) -> Options:
    return Options(
        threshold=args.threshold,
        gain=args.gain,
        missing=args.missing,
        no_relevant=args.no_relevant,
        ties=args.ties,
        drop_self=args.drop_self,
    )


def scored(args: argparse.Namespace) -> Scores:
    """Read, pair, refuse what was misread, rank and score."""
    metrics = [metric_of(name) for name in args.metric or DEFAULT_METRICS]
    dataset, runs = load(args)
    experiment = build(dataset, runs, args.apply)
    refuse_misread(experiment)
    return evaluate_experiment(experiment, metrics, options_of(args))


def check(args: argparse.Namespace) -> tuple[int, str]:
    """`check`: did it read my files correctly?"""
    dataset, runs = load(args)
    experiment = build(dataset, runs, args.apply)
    scores = evaluate_experiment(experiment, [metric_of(name) for name in args.metric or DEFAULT_METRICS])
    findings = health(scores)
    status = 1 if any(finding.severity == "error" for finding in findings) else 0
    settings = {**options_of(args).json(), "remedies": list(args.apply)}
    if args.format == "json":
        return status, as_json({"settings": settings, **described(experiment), "findings": findings_json(findings)})
    notes = tables.notes(findings) or ["✓ Nothing odd was found."]
    return status, tables.render(tables.runs_table(experiment), args.format, settings, notes)


def evaluate(args: argparse.Namespace) -> tuple[int, str]:
    """`evaluate`: how good is each run?"""
    scores = scored(args)
    findings = health(scores)
    settings = {**scores.options.json(), "remedies": list(args.apply)}
    if args.format == "json":
        body = {
            "settings": settings,
            **described(scores.experiment),
            "metrics": [str(metric) for metric in scores.metrics],
            "scores": scores_json(scores, per_query=args.per_query),
            "findings": findings_json(findings),
        }
        return 0, as_json(body)
    table = tables.per_query_table(scores) if args.per_query else tables.means_table(scores)
    return 0, tables.render(table, args.format, {"n": scores.n, **settings}, tables.notes(findings))


def compare_runs(args: argparse.Namespace) -> tuple[int, str]:
    """`compare`: is the difference real?"""
    testing = Testing(test=args.test, correction=args.correction, alpha=args.alpha, band=args.band, seed=args.seed)
    scores = scored(args)
    comparisons = compare(scores, args.baseline, testing)
    settings = {**scores.options.json(), "remedies": list(args.apply), "baseline": args.baseline, **testing.json()}
    findings = health(scores)
    if args.format == "json":
        body = {
            "settings": settings,
            **described(scores.experiment),
            "comparisons": comparisons.json(),
            "findings": findings_json(findings),
        }
        return 0, as_json(body)
    notes = [row.sentence for row in comparisons.rows] + tables.notes(findings)
    return 0, tables.render(tables.comparison_table(comparisons), args.format, settings, notes)


def described(experiment: Experiment) -> dict[str, Any]:
    """What was read, as CONTRACT's `dataset` and `runs`."""
    qrels = experiment.qrels
    dataset = {
        "n_queries": qrels.n_queries,
        "n_judgments": len(qrels),
        "n_relevant": int((qrels.grades >= 1).sum()),
        "sha256": experiment.dataset.sha256,
    }
    return {"dataset": dataset, "runs": [run_json(run) for run in experiment.runs]}


def run_json(run: Run) -> dict[str, Any]:
    low, median, high = tables.depths(run)
    return {
        "name": run.name,
        "file": run.source.file,
        "n_queries": run.n_queries,
        "depth": {"min": low, "median": median, "max": high},
        "sha256": run.sha256,
    }


def scores_json(scores: Scores, *, per_query: bool) -> dict[str, Any]:
    """CONTRACT's `scores`: means, n and, on request, every query's value, at full precision."""
    out: dict[str, Any] = {}
    names, ids = [str(metric) for metric in scores.metrics], scores.query_ids
    for i, run in enumerate(scores.experiment.run_names):
        values = scores.values[i][:, scores.counted]
        means = [float(row.mean()) if scores.n else None for row in values]
        out[run] = {"mean": dict(zip(names, means)), "n": dict.fromkeys(names, scores.n)}
        if per_query:
            table = values.T.tolist()
            out[run]["per_query"] = {one: dict(zip(names, row)) for one, row in zip(ids, table)}
    return out


def findings_json(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    return [finding.json() for finding in findings]


def as_json(body: dict[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def parser() -> argparse.ArgumentParser:
    """All commands and options; `--help` of each shows an example."""
    root = argparse.ArgumentParser(prog="python -m ragdash", description=(ragdash.__doc__ or "").splitlines()[0])
    root.add_argument("--version", action="version", version=ragdash.__version__)
    commands = root.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _command(
        commands, "check", check, "Read the files and tell what is odd about them.", "check qrels.txt --run a.trec"
    )
    one = _command(
        commands, "evaluate", evaluate, "Score each run.", "evaluate qrels.txt --run a.trec -m nDCG@10 Recall@5"
    )
    one.add_argument("--per-query", action="store_true", help="every query's score instead of the mean")
    two = _command(
        commands,
        "compare",
        compare_runs,
        "Compare runs and test the differences.",
        "compare qrels.txt --run a.trec --run b.trec --baseline a -m nDCG@10",
    )
    two.add_argument("--baseline", required=True, metavar="NAME|all", help="run compared against, or every pair: all")
    two.add_argument("--test", choices=list(stats.TESTS), default=stats.DEFAULT_TEST, help="default: %(default)s")
    two.add_argument(
        "--correction",
        choices=("holm", "bonferroni", "bh", "none"),
        default=stats.DEFAULT_CORRECTION,
        help="for several tests; default: %(default)s",
    )
    two.add_argument("--alpha", type=float, default=0.05, help="level of the tests; default: %(default)s")
    two.add_argument("--band", type=float, default=0.01, help="a difference not worth a change; default: %(default)s")
    two.add_argument("--seed", type=int, default=0, help="of the randomization test; default: %(default)s")
    return root


def _command(
    commands: Any, name: str, function: Callable[[argparse.Namespace], tuple[int, str]], text: str, example: str
) -> argparse.ArgumentParser:
    """One command with the options that all of them have."""
    metrics = "metrics: " + ", ".join(block.name for block in CATALOGUE.values()) + " (with a cutoff: nDCG@10)"
    remedies = "remedies: " + ", ".join(REMEDIES)
    one: argparse.ArgumentParser = commands.add_parser(
        name,
        help=text,
        description=text,
        epilog=f"example: python -m ragdash {example}\n\n{metrics}\n\n{remedies}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    one.set_defaults(command=function)
    one.add_argument(
        "dataset", nargs="+", metavar="DATASET", help="judgments, queries, documents: files, a BEIR folder, or a zip"
    )
    one.add_argument("--run", action="append", required=True, metavar="[NAME=]FILE", help="a run; repeat for more")
    one.add_argument("-m", "--metric", nargs="+", action="extend", metavar="METRIC", help="e.g. nDCG@10 Recall@5 MRR")
    one.add_argument("--format", choices=FORMATS, default="table", help="default: %(default)s")
    one.add_argument(
        "--threshold", type=float, default=1.0, metavar="N", help="smallest grade that counts as relevant; default 1"
    )
    one.add_argument(
        "--gain", choices=("linear", "exponential"), default="linear", help="of nDCG; default: %(default)s"
    )
    one.add_argument(
        "--missing",
        choices=("zero", "common"),
        default="zero",
        help="queries a run did not answer: score zero, or keep only those that all runs answered",
    )
    one.add_argument(
        "--no-relevant",
        choices=("zero", "exclude"),
        default="zero",
        help="queries without any relevant document: score zero, or leave them out",
    )
    one.add_argument(
        "--ties",
        choices=("double", "float32"),
        default="double",
        help="compare document scores as doubles, or as 32-bit floats as trec_eval 9 does",
    )
    one.add_argument("--drop-self", action="store_true", help="leave out documents whose id is the query's id")
    one.add_argument(
        "--apply", action="append", default=[], metavar="REMEDY", help="apply a remedy that a finding offered"
    )
    return one


if __name__ == "__main__":
    sys.exit(main())
