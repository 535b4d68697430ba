"""Which parts can a report have? Each block: its key, the question it answers, and what its template is given.

To add a block: one function from a study and the wanted contents to the values of `templates/blocks/KEY.html` (None
where there is nothing to say) and one line in `BLOCKS`. Picker, command line and report take it from there.
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np

import ragdash
from ragdash import stats, wording
from ragdash.analysis import judged
from ragdash.analysis.compare import Comparison
from ragdash.analysis.over_read import cut_of
from ragdash.analysis.slices import LENGTH, RELEVANT, columns, slices
from ragdash.charts import differences, distributions, significance, theme
from ragdash.charts.reading import over_read
from ragdash.charts.theme import Chart
from ragdash.data.nouns import Source
from ragdash.errors import OptionError
from ragdash.report import reading, tables
from ragdash.report.cases import Case, case
from ragdash.report.command import command
from ragdash.report.contents import Contents
from ragdash.report.study import Study

Values = dict[str, Any] | None
#: Questions shown of each kind, and how deep their lists go.
EXTREMES, SHALLOW = 3, 5
MOST_SLICES, MOST_DEPTH = 12, 20
SIGNS = {"passed": "✓", "note": "·", "failed": "!", "unknown": "?"}
SAID = {"passed": "in order", "note": "worth knowing", "failed": "take care", "unknown": "cannot be said"}


@dataclass(frozen=True)
class Block:
    """One part of the report. `title` is its heading, `sentence` says in the picker what it brings."""

    key: str
    title: str
    sentence: str
    make: Callable[[Study, Contents], Values]


def _verdict(study: Study, contents: Contents) -> Values:
    row = study.row
    counts = row.counts
    told = [wording.helped(row.n, counts.wins, counts.losses, counts.ties, row.run)]
    found = next((gap for gap in study.gaps if gap.metric.key == "Success"), None)
    if found is not None:
        what = f"A relevant document is in the top {found.metric.k}"
        told.append(wording.per_hundred(found.difference, found.ci, what, n=row.n, before=found.mean_baseline))
    told += [reading.evidence_told(row), reading.read_told(study.focus, row, study.k)]
    at = reading.equal_reading(row.metric)
    return {
        "headline": study.trimmed(wording.headline(row.verdict, row.run, row.baseline, row.why, at)),
        "told": study.trimmed(" ".join(filter(None, told))),
        "outcomes": [
            ("better ▲", counts.wins, "contender"),
            ("the same =", counts.ties, "same"),
            ("worse ▼", counts.losses, "baseline"),
        ],
        "remarks": [part for part in contents.remarks.replace("\r\n", "\n").split("\n\n") if part.strip()],
    }


def _numbers(study: Study, contents: Contents) -> Values:
    counts, testing = study.row.counts, study.testing
    title = differences.title(counts.wins, counts.losses, study.row.n, study.baseline, study.contender)
    lines = [differences.Whisker(gap.metric.label, gap.difference, gap.ci) for gap in study.gaps]
    rows = [
        (
            gap.metric.label,
            wording.number(gap.mean_baseline),
            wording.number(gap.mean),
            wording.direction(gap.difference),
            gap.counts,
        )
        for gap in study.gaps
    ]
    chart = differences.whiskers(lines, study.baseline, study.contender, testing.band, title)
    return {"chart": chart, "rows": rows, "decides": study.metric.label, "band": testing.band}


def _trust(study: Study, contents: Contents) -> Values:
    return {"checks": [(one.state, SIGNS[one.state], SAID[one.state], study.trimmed(one.text)) for one in study.checks]}


def _spread(study: Study, contents: Contents) -> Values:
    one, other = (study.focus.of(name, study.metric) for name in (study.baseline, study.contender))
    kept = np.flatnonzero(study.focus.counted).tolist()
    texts = [study.focus.experiment.query_texts[i] for i in kept]
    values = study.focus.differences(study.baseline, study.contender, study.metric)
    names = (study.baseline, study.contender)
    return {
        "sorted": distributions.sorted_differences(values, texts, *names),
        "scatter": distributions.scatter(one, other, *names, study.metric.label),
    }


def _kinds(study: Study, contents: Contents) -> Values:
    charts: list[Chart] = []
    for by in columns(study.focus):
        found = slices(study.focus, study.metric, study.baseline, study.contender, by, study.testing.alpha)
        if by in (LENGTH, RELEVANT) or not 1 < len(found.rows) <= MOST_SLICES:
            continue
        lines = [differences.Whisker(f"{row.value} ({row.n:,})", row.difference, _ci(row)) for row in found.rows]
        against = [row.value for row in found.contradicting]
        title = f"By {by}: no group says the opposite beyond chance"
        if against:
            title = f"By {by}: {wording.listed(against)} {'says' if len(against) == 1 else 'say'} the opposite"
        charts.append(differences.whiskers(lines, study.baseline, study.contender, study.testing.band, title))
    return {"charts": charts, "metric": study.metric.label} if charts else None


def _ci(row: Any) -> tuple[float, float] | None:
    return None if row.low is None or row.high is None else (row.low, row.high)


def _real(study: Study, contents: Contents) -> Values:
    row, charts = study.row, []
    if np.any(row.differences):
        shuffled = stats.randomization_distribution(row.differences, seed=study.testing.seed)
        charts.append(significance.chance(np.asarray(shuffled), row.difference))
    if len(study.curve) > 1:
        names = (study.metric.block.label, study.baseline, study.contender)
        cut = cut_of(study.metric)
        charts.append(significance.over_k(study.curve, *names, cut.at or study.k, cut))
    if study.reading:
        inks = theme.inks(study.focus.experiment.run_names, study.baseline, study.contender)
        charts.append(over_read(study.reading, inks, int(study.metric.arguments.get("chars", 0))))
    return {"sentence": study.trimmed(row.sentence), "charts": charts}


def _runs(study: Study, contents: Contents) -> Values:
    rows = sorted(study.comparisons.rows, key=lambda row: -row.difference)
    if len(rows) < 2:
        return None
    inks = theme.inks(study.focus.experiment.run_names, study.baseline, study.contender)
    lines = [differences.Whisker(row.run, row.difference, row.ci, inks[row.run].color) for row in rows]
    ahead, name = sum(row.verdict == "better" for row in rows), theme.short(study.baseline)
    title = f"{ahead} of {wording.count(len(rows), 'run')} beat {name} on {study.metric.label} beyond chance"
    if not ahead:
        title = f"No run beats {name} on {study.metric.label} beyond chance"
    chart = differences.whiskers(lines, name, "the run", study.testing.band, title)
    means = [(run, [wording.number(float(value)) for value in row]) for run, row in study.wide.means().iterrows()]
    return {"chart": chart, "means": means, "metrics": [metric.label for metric in study.wide.metrics]}


def _extremes(study: Study, contents: Contents) -> Values:
    table = study.queries
    losses = table[table["difference"] < -stats.EPS].head(EXTREMES)
    gains = table[table["difference"] > stats.EPS].tail(EXTREMES).iloc[::-1]
    if losses.empty and gains.empty:
        return None
    shown = [[case(study, contents, one, SHALLOW, texts=False) for one in part["query_id"]] for part in (gains, losses)]
    return {"gains": shown[0], "losses": shown[1]}


def _questions(study: Study, contents: Contents) -> Values:
    depth = min(study.k, MOST_DEPTH)
    shown: list[Case] = [case(study, contents, one, depth, texts=True) for one in contents.queries]
    return {"cases": shown} if shown else None


def _notes(study: Study, contents: Contents) -> Values:
    experiment = study.focus.experiment
    if not contents.notes:
        return None
    rows = [
        (experiment.query_texts[experiment.query_index[note.query_id]] if note.query_id in experiment.query_index
         else note.query_id, note)
        for note in contents.notes
    ]  # fmt: skip
    tags: dict[str, int] = {}
    for note in contents.notes:
        for tag in note.tags:
            tags[tag] = tags.get(tag, 0) + 1
    return {"rows": rows, "tags": sorted(tags.items(), key=lambda pair: (-pair[1], pair[0]))}


def _engineers(study: Study, contents: Contents) -> Values:
    row, experiment = study.row, study.scores.experiment
    settings = {**study.scores.options.json(), **study.testing.json()}
    settings |= {"remedies": ", ".join(experiment.remedies) or "none", "baseline": study.baseline}
    added = judged.said(experiment)
    settings |= {"judgments_added": added} if added else {}
    settings |= {"labels": experiment.labels_said} if experiment.bound else {}
    settings = {key: "yes" if value is True else "no" if value is False else value for key, value in settings.items()}
    settings |= {"contender": study.contender, "metric": str(study.metric)}
    tests = [
        (key == row.test, stats.TESTS[key].name, _some(result.statistic), _some(result.df, "g"),
         wording.p_value(result.p), result.method, result.reason or "")
        for key, result in row.tests.items()
    ]  # fmt: skip
    return {
        "lines": [
            f"Corrected for {wording.count(row.n_tests, 'test')} ({stats.CORRECTIONS[study.testing.correction].name}), "
            f"the p of the test that decides is {wording.p_value(row.p_corrected)}.",
            f"95 % interval of the mean difference: {row.ci_method}. Intervals are not corrected.",
            *row.caveats,
        ],
        "tests": tests,
        "pairs": [_pair(one) for one in study.comparisons.rows],
        "settings": sorted(settings.items()),
        "findings": tables.notes(study.findings),
        "files": _files(study),
        "digests": [("dataset", experiment.dataset.sha256), *((run.name, run.sha256) for run in experiment.runs)],
        "versions": _versions(),
        "command": command(study, contents),
    }


def _some(value: float | None, form: str = ".4g") -> str:
    return "–" if value is None else f"{value:{form}}".replace("-", "−")


def _pair(row: Comparison) -> tuple[Any, ...]:
    interval = "–" if row.ci is None else f"{wording.signed(row.ci[0], 4)} … {wording.signed(row.ci[1], 4)}"
    p = (wording.p_value(row.chosen.p), wording.p_value(row.p_corrected))
    return (
        row.run,
        wording.number(row.mean, 4),
        wording.signed(row.difference, 4),
        interval,
        row.counts,
        *p,
        row.verdict,
    )


def _files(study: Study) -> list[tuple[str, Source]]:
    experiment = study.scores.experiment
    sources = [("dataset", source) for source in experiment.dataset.sources]
    sources += [(run.name, run.source) for run in experiment.runs]
    return sources + [(f"{run.name} (set aside)", run.source) for run in experiment.set_aside]


def _versions() -> str:
    parts = [f"ragdash {ragdash.__version__}", f"Python {platform.python_version()}"]
    return ", ".join([*parts, *(f"{name} {version(name)}" for name in ("numpy", "scipy", "pyarrow", "plotly"))])


BLOCKS: tuple[Block, ...] = (
    Block("verdict", "Should we switch?", "The sentence, the counts, your remarks.", _verdict),
    Block("numbers", "By how much?", "The difference on the usual metrics, with intervals and means.", _numbers),
    Block("trust", "Can this be trusted?", "What was checked, line by line.", _trust),
    Block("extremes", "Where does it help, where does it hurt?", "The biggest gains and losses, with documents.",
          _extremes),
    Block("questions", "Questions in full", "The questions you chose, with both lists and their texts.", _questions),
    Block("notes", "What people noted", "Notes and tags.", _notes),
    Block("spread", "Does the mean hide something?", "Every question's difference, and run against run.", _spread),
    Block("kinds", "Does it hold for every kind of question?", "The difference within each group of questions.",
          _kinds),
    Block("real", "Is it real?", "Chance at work, and the difference at every cutoff.", _real),
    Block("runs", "And the other runs?", "Every run against the baseline; means of all.", _runs),
    Block("engineers", "For engineers", "Settings, tests, findings, digests, the command that makes this again.",
          _engineers),
)  # fmt: skip


def chosen(keys: tuple[str, ...] | None) -> list[Block]:
    """The blocks with these keys in the order of the report. Raises OptionError for a key that does not exist."""
    known = {block.key: block for block in BLOCKS}
    for key in keys or ():
        if key not in known:
            raise OptionError(f"There is no block {key!r}. The blocks are: {', '.join(known)}.")
    return [block for block in BLOCKS if keys is None or block.key in keys]
