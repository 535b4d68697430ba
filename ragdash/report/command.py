"""Which command makes this report again? Spelled out, with every option that is not the default."""

from __future__ import annotations

import shlex
from dataclasses import fields
from typing import Any

from ragdash.analysis.compare import Testing
from ragdash.analysis.evaluate import Options
from ragdash.analysis.judged import Judged
from ragdash.data.chunkmap import MAPPING
from ragdash.data.formats.gathering import stem
from ragdash.report.contents import Contents
from ragdash.report.judgments import FILE as JUDGMENTS
from ragdash.report.study import Study

NOTES = "notes.json"
_FLAGS = {"drop_self": "--drop-self", "no_relevant": "--no-relevant"}


def command(study: Study, contents: Contents) -> str:
    """The command line, to be run where the files are. Notes, and judgments made in the app, are named files."""
    experiment = study.scores.experiment
    words = ["python", "-m", "ragdash", "report"]
    words += [source.file for source in experiment.dataset.sources if source.format != MAPPING]
    runs = [*experiment.runs, *experiment.set_aside]
    files = [(run.source.file, run.source.sha256) for run in runs]  # two files may have one name
    for place, (run, file) in enumerate(zip(runs, files)):
        if file in files[:place]:
            continue
        own = files.count(file) == 1
        named = own and run.name != stem(run.source.file)
        words += ["--run", f"{run.name}={run.source.file}" if named else run.source.file]
    for remedy in experiment.remedies:
        words += ["--apply", remedy]
    if isinstance(experiment, Judged):
        words += ["--judgments", JUDGMENTS]
    words += ["--baseline", study.baseline, "--contender", study.contender, "-m", str(study.metric)]
    words += _changed(study.scores.options, Options()) + _changed(study.testing, Testing())
    words += _wanted(contents)
    return shlex.join([*words, "-o", "report.html"])


def _changed(given: Any, usual: Any) -> list[str]:
    """Options that differ from their defaults."""
    out = []
    for one in fields(usual):
        value = getattr(given, one.name)
        if value != getattr(usual, one.name):
            flag = _FLAGS.get(one.name, "--" + one.name.replace("_", "-"))
            out += [flag] if value is True else [flag, str(value).removesuffix(".0")]
    return out


def _wanted(contents: Contents) -> list[str]:
    out: list[str] = []
    for flag, value in (("--title", contents.title), ("--remarks", contents.remarks), ("--date", contents.date)):
        out += [flag, value] if value else []
    for block in contents.blocks or ():
        out += ["--block", block]
    for query in contents.queries:
        out += ["--query", query]
    if contents.notes:
        out += ["--notes", NOTES]
    return out if contents.interactive else [*out, "--static"]
