"""The command line: the dashboard's engine without a screen.

Exit status: 0 done; 1 `gate` says no, or `check` found an error; 2 an input or an option cannot be used, with one
message a fault on standard error and nothing on standard output.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import ragdash
from ragdash import stats, wording
from ragdash.analysis.compare import Comparisons, Testing, compare
from ragdash.analysis.evaluate import (
    Options,
    Scores,
    evaluate_experiment,
    metric_of,
    refuse_misread,
)
from ragdash.analysis.health import health
from ragdash.analysis.judged import with_judgments
from ragdash.data.experiment import Experiment, build
from ragdash.data.findings import Finding
from ragdash.data.limits import check_limits
from ragdash.data.nouns import Dataset, Run
from ragdash.data.remedies import REMEDIES
from ragdash.errors import RagdashError
from ragdash.metrics import CATALOGUE
from ragdash.report import evidence, html, tables
from ragdash.report import gate as gates
from ragdash.report.blocks import BLOCKS
from ragdash.report.contents import Contents, read_notes
from ragdash.report.judgments import read as read_judgments
from ragdash.report.study import study
from ragdash.report.workbook import workbook

FORMATS = ("table", "json", "csv", "markdown", "latex")


class Refused(Exception):
    """Inputs that cannot be used; holds one message a fault."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    args = parser().parse_args(argv)
    try:
        check_limits()
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
    given = [named_labels(one) for one in args.labels]
    paths = list(dict.fromkeys(path for _, path in given))
    try:
        dataset = ragdash.read_dataset(*args.dataset, labels=paths)
    except RagdashError as error:
        faults.append(str(error))
    for argument in args.run:
        name, path = named_file(argument)
        try:
            found = ragdash.read_runs(path)
            if name:
                found = [run.named(name if len(found) == 1 else f"{name}: {run.name}") for run in found]
            runs += found
        except RagdashError as error:
            faults.append(str(error))
    if faults or dataset is None:
        raise Refused(faults)
    sets = dataset.labels[len(dataset.labels) - len(paths) :]
    names = dict(zip(paths, (one.name for one in sets)))
    args.apply = [*args.apply, *(f"labels:{run}={names[path]}" for run, path in given if run)]
    return dataset, runs


def named_labels(argument: str) -> tuple[str, str]:
    """`RUN=FILE`, or a file alone, which then is bound to the runs of which it judges the results."""
    run, path = named_file(argument)
    return run or "", path


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
    metrics = [metric_of(name) for name in args.metric or ()]
    dataset, runs = load(args)
    experiment = paired(args, dataset, runs)
    refuse_misread(experiment)
    return evaluate_experiment(experiment, metrics or None, options_of(args))


def paired(args: argparse.Namespace, dataset: Dataset, runs: list[Run]) -> Experiment:
    """Dataset and runs on one axis, with the judgments of `--judgments` beside those of the dataset."""
    experiment = build(dataset, runs, args.apply)
    return with_judgments(experiment, read_judgments(args.judgments)) if args.judgments else experiment


def check(args: argparse.Namespace) -> tuple[int, str]:
    """`check`: did it read my files correctly?"""
    experiment = paired(args, *load(args))
    metrics = [metric_of(name) for name in args.metric or ()]
    scores = evaluate_experiment(experiment, metrics or None, options_of(args))
    findings = health(scores)
    status = 1 if any(finding.severity == "error" for finding in findings) else 0
    settings = evidence.settings_of(scores)
    if args.format == "json":
        body = {
            "settings": settings,
            **evidence.described(experiment, args.threshold),
            "findings": evidence.findings_json(findings),
        }
        return status, evidence.as_json(body)
    notes = tables.notes(findings) or ["✓ Nothing odd was found."]
    return status, tables.render(tables.runs_table(experiment), args.format, settings, notes)


def evaluate(args: argparse.Namespace) -> tuple[int, str]:
    """`evaluate`: how good is each run?"""
    scores = scored(args)
    findings = health(scores)
    if args.format == "json":
        body = evidence.evaluated(scores, per_query=args.per_query, ties=args.tie_bounds, findings=findings)
        return 0, evidence.as_json(body)
    table = tables.per_query_table(scores) if args.per_query else tables.means_table(scores)
    settings = {"n": scores.n, **evidence.settings_of(scores)}
    notes = [*(evidence.ties_notes(scores) if args.tie_bounds else []), *tables.notes(findings)]
    return 0, tables.render(table, args.format, settings, notes)


def testing_of(args: argparse.Namespace) -> Testing:
    return Testing(
        test=args.test,
        correction=args.correction,
        alpha=args.alpha,
        band=args.band,
        n_resamples=args.n_resamples,
        seed=args.seed,
    )


def compare_runs(args: argparse.Namespace) -> tuple[int, str]:
    """`compare`: is the difference real?"""
    testing = testing_of(args)
    comparisons = compare(scored(args), args.baseline, testing)
    return 0, told(comparisons, health(comparisons.scores), args.format)


def told(comparisons: Comparisons, findings: Sequence[Finding], form: str, notes: Sequence[str] = ()) -> str:
    """Comparisons in the format that was asked for."""
    if form == "json":
        return evidence.as_json(evidence.compared(comparisons, findings))
    settings = evidence.settings_of(comparisons.scores, comparisons)
    sentences = [wording.as_queries(row.sentence, (row.run, row.baseline)) for row in comparisons.rows]
    said = [*notes, *sentences, *tables.notes(findings)]
    return tables.render(tables.comparison_table(comparisons), form, settings, said)  # type: ignore[arg-type]


def report(args: argparse.Namespace) -> tuple[int, str]:
    """`report`: what do I send? Writes the file, prints the comparison."""
    path = Path(args.output)
    if path.suffix.lower() not in (".html", ".htm", ".xlsx"):
        raise Refused([f"{path.name}: a report is an .html page or an .xlsx workbook. Give it one of these endings."])
    if len(args.metric or ()) > 1:
        raise Refused(["-m: a report decides on one metric; the usual ones stand beside it. Name one."])
    testing = testing_of(args)
    found = study(scored(args), baseline=args.baseline, contender=args.contender, testing=testing)
    if path.suffix.lower() == ".xlsx":
        data = workbook(found.comparisons, found.findings, found.wide)
    else:
        data = html.report(found, contents_of(args)).encode()
    try:
        path.write_bytes(data)
    except OSError as error:
        raise Refused([f"{path}: it cannot be written ({error.strerror}). Choose another place with -o."]) from error
    return 0, told(found.comparisons, found.findings, args.format, [f"Written: {path} ({len(data) / 1e6:.1f} MB)."])


def contents_of(args: argparse.Namespace) -> Contents:
    return Contents(
        title=args.title,
        remarks=args.remarks,
        blocks=tuple(args.block) or None,
        queries=tuple(args.query),
        notes=read_notes(args.notes) if args.notes else (),
        date=args.date,
        interactive=not args.static,
    )


def gate(args: argparse.Namespace) -> tuple[int, str]:
    """`gate`: may this change be merged?"""
    testing, rules = testing_of(args), gates.Gate(args.margin, args.strict)
    comparisons = compare(scored(args), args.baseline, testing)
    answer = gates.judge(comparisons, rules)
    findings = health(comparisons.scores)
    settings = {**evidence.settings_of(comparisons.scores, comparisons), "margin": args.margin, "strict": args.strict}
    if args.junit:
        try:
            Path(args.junit).write_text(gates.junit(answer, settings), encoding="utf-8")
        except OSError as error:
            raise Refused([f"{args.junit}: it cannot be written ({error.strerror}). Choose another place."]) from error
    status = 0 if answer.passed else 1
    if args.format == "markdown":
        return status, gates.markdown(answer, tables.notes(findings))
    if args.format == "json":
        body = {**evidence.compared(comparisons, findings), "settings": settings}
        return status, evidence.as_json({**body, "passed": answer.passed, "gate": [one.json() for one in answer.lines]})
    table = tables.comparison_table(comparisons).assign(outcome=[one.outcome for one in answer.lines])
    lines = [wording.as_queries(one.sentence, (one.row.run, one.row.baseline)) for one in answer.lines]
    said = [f"Gate {answer.headline}.", *lines, *tables.notes(findings)]
    return status, tables.render(table, args.format, settings, said)


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
    one.add_argument(
        "--tie-bounds",
        action="store_true",
        help="also each metric under the worst, the expected and the best order of tied documents",
    )
    two = _command(
        commands,
        "compare",
        compare_runs,
        "Compare runs and test the differences.",
        "compare qrels.txt --run a.trec --run b.trec --baseline a -m nDCG@10",
    )
    two.add_argument("--baseline", required=True, metavar="NAME|all", help="run compared against, or every pair: all")
    _testing(two)
    three = _command(
        commands,
        "report",
        report,
        "Write a report for people who were not there: one HTML file, or an Excel workbook.",
        'report qrels.txt --run a.trec --run b.trec -o report.html --title "Shall we switch?" --query q7',
    )
    three.add_argument("-o", "--output", required=True, metavar="FILE", help="report.html, or a workbook: report.xlsx")
    three.add_argument("--baseline", metavar="NAME", help="run in use; default: the first")
    three.add_argument("--contender", metavar="NAME", help="the candidate; default: the best other run")
    three.add_argument("--title", default="", help="heading of the report")
    three.add_argument("--remarks", default="", help="your words under the verdict; a blank line begins a paragraph")
    three.add_argument("--query", action="append", default=[], metavar="ID", help="a question to show in full; repeat")
    three.add_argument("--notes", metavar="FILE", help="notes as JSON: query_id, text, tags, author")
    three.add_argument(
        "--block",
        action="append",
        default=[],
        choices=[block.key for block in BLOCKS],
        help="parts to include; repeat; default: all",
    )
    three.add_argument("--date", default="", help="a date to print; nothing is printed by itself")
    three.add_argument("--static", action="store_true", help="pictures only, without the 2 MB of plotly.js")
    _testing(three)
    four = _command(
        commands,
        "gate",
        gate,
        "Fail a build where a run is worse than the baseline: exit status 1.",
        "gate qrels.txt --run main.trec --run pr.trec --baseline main -m nDCG@10 --margin 0.01 --junit gate.xml",
    )
    four.set_defaults(format="markdown")
    four.add_argument("--baseline", required=True, metavar="NAME", help="run compared against")
    next(one for one in four._actions if one.dest == "metric").required = True
    four.add_argument(
        "--margin", type=float, default=0.0, metavar="X", help="largest loss that is acceptable; default: 0"
    )
    four.add_argument(
        "--strict",
        action="store_true",
        help="pass only what is shown not to be worse by more than the margin (non-inferiority)",
    )
    four.add_argument("--junit", metavar="FILE", help="also write JUnit XML")
    _testing(four)
    return root


def _testing(one: argparse.ArgumentParser) -> None:
    """The options of every command that tests."""
    one.add_argument("--test", choices=list(stats.TESTS), default=stats.DEFAULT_TEST, help="default: %(default)s")
    one.add_argument(
        "--correction",
        choices=list(stats.CORRECTIONS),
        default=stats.DEFAULT_CORRECTION,
        help="for several tests; default: %(default)s",
    )
    one.add_argument("--alpha", type=float, default=0.05, help="level of the tests; default: %(default)s")
    one.add_argument("--band", type=float, default=0.01, help="a difference not worth a change; default: %(default)s")
    one.add_argument(
        "--n-resamples",
        type=int,
        default=stats.DEFAULT_RESAMPLES,
        metavar="N",
        help="of the randomization test; default: %(default)s, fewer with more than 700 queries",
    )
    one.add_argument("--seed", type=int, default=0, help="of the randomization test; default: %(default)s")


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
    one.add_argument("--judgments", metavar="FILE", help="judgments made in the app, as its page Share writes them")
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
    one.add_argument(
        "--labels",
        action="append",
        default=[],
        metavar="RUN=FILE",
        help="judgments of the chunks of that run; without RUN=, of every run whose results they judge",
    )
    return one


if __name__ == "__main__":
    sys.exit(main())
