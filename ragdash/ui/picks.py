"""What is picked, checked against the data? An invalid value in the URL is said and replaced, never swallowed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, get_args, get_type_hints

from ragdash import escape, stats
from ragdash.analysis.compare import Testing
from ragdash.analysis.evaluate import Options, Scores, metric_of
from ragdash.analysis.presets import PRESETS
from ragdash.analysis.spans import has_spans, judged_by_spans, missing
from ragdash.data.chunkmap import opened
from ragdash.data.experiment import Experiment
from ragdash.errors import OptionError
from ragdash.metrics import CATALOGUE, Metric
from ragdash.report.study import USUAL, USUAL_SPANS, beside
from ragdash.ui import cached, session

CUTOFFS = (1, 3, 5, 10, 20, 50, 100)
DEFAULT_K = 10
#: In the picker first, and on the Verdict page side by side.
MAIN = tuple(f"{name}@K" for name in USUAL)
COMMON = ("RR", "AP", "AP@K")
DEFAULT_METRIC = MAIN[0]
#: The same where evidence is known; recall after other numbers of characters read.
MAIN_SPANS = tuple(f"{name}@K" if CATALOGUE[name].takes_cutoff else name for name in USUAL_SPANS)
BUDGETS = tuple(f"BudgetRecall(chars={chars})" for chars in (1000, 2000, 5000, 10_000))
DEFAULT_SPAN_METRIC = MAIN_SPANS[0]

#: What a link may call a set of queries, and what people read.
SHOWS = {name: preset.label for name, preset in PRESETS.items()}


@dataclass(frozen=True)
class Picks:
    """Everything that was chosen, valid for the experiment."""

    experiment: Experiment
    baseline: str
    contender: str
    metric: Metric
    k: int
    options: Options
    testing: Testing
    show: str
    search: str

    @property
    def scores(self) -> Scores:
        """Per-query scores of every run on the chosen metric."""
        return cached.scores(self.experiment, [self.metric], self.options)


def picks(experiment: Experiment) -> Picks:
    """Read all picks from the URL; what is missing gets a default, what is invalid a default and a notice."""
    options, testing = _options(), _testing()
    k = _k(experiment)
    metric = _metric(experiment, k)
    names = experiment.run_names
    baseline = _one_of("baseline", names, names[0], "run")
    rest = [name for name in names if name != baseline] or names
    contender = _one_of("contender", rest, "", "run to compare")
    if not contender:
        means = cached.scores(experiment, [metric], options).means().iloc[:, 0]
        sign = 1 if metric.block.higher_is_better else -1
        contender = max(rest, key=lambda name: sign * means.fillna(0.0)[name])
    narrowed = any(session.get(one) for one in session.FILTERS if one != "show")
    show = _one_of("show", list(SHOWS), "all" if narrowed else "losses", "set of queries")
    query = session.get("query")
    if query and query not in experiment.query_index:
        said("query", query, "the first one shown", f"the id of one of the {experiment.n_queries:,} judged questions")
    session.put(baseline=baseline, contender=contender, metric=spelled(metric, k), k=k)
    return Picks(experiment, baseline, contender, metric, k, options, testing, show, session.get("search"))


def remedies() -> list[str]:
    """The remedies of the URL that exist; others are said and left out."""
    kept = []
    for text in session.get_all("apply"):
        try:
            kept.append(opened(session.parts(), text).key)
        except OptionError as error:
            said("apply", text, "nothing", str(error), instead=kept)
    return kept


def metric_names(experiment: Experiment) -> list[str]:
    """The metrics of the picker, "@K" where they stop at the chosen cutoff: the usual ones first.

    Metrics over evidence only where there is some; before the others where judgments of ids cannot serve.
    """
    at_cutoff, whole = [], []
    for key, block in CATALOGUE.items():
        if block.needs_spans:
            continue
        if any(one.default is None and not one.choices and one.name != "rel" for one in block.parameters):
            continue
        if block.takes_cutoff:
            at_cutoff.append(f"{key}@K")
        if not block.needs_cutoff:
            whole.append(key)
    names = [*MAIN, *COMMON, *at_cutoff, *whole]
    if has_spans(experiment):
        more = [f"{key}@K" for key, block in CATALOGUE.items() if block.needs_spans and block.takes_cutoff]
        spans = [spelled(at_k(name, DEFAULT_K), DEFAULT_K) for name in (*MAIN_SPANS, *more, *BUDGETS)]
        names = [*spans, *names] if judged_by_spans(experiment) else [*names, *spans]
    return list(dict.fromkeys(names))


def at_k(name: str, k: int) -> Metric:
    """The metric that the picker's `name` means at the cutoff `k`. Raises OptionError."""
    return metric_of(name.removesuffix("@K") + f"@{k}" if name.endswith("@K") else name)


def spelled(metric: Metric, k: int) -> str:
    """A metric as the URL and the picker spell it: "nDCG@K" where its cutoff is the chosen one."""
    return f"{metric.with_k(None)}@K" if metric.k == k else str(metric)


def main_metrics(chosen: Metric, k: int) -> list[Metric]:
    """The chosen metric, then the usual ones."""
    return beside(chosen, k)


def cutoffs(experiment: Experiment, k: int) -> list[int]:
    """The cutoffs offered: the usual ones up to what the deepest run returns, and the one in force."""
    depth = max((int(run.depths.max(initial=0)) for run in experiment.runs), default=DEFAULT_K)
    return sorted({one for one in CUTOFFS if one <= max(depth, 5)} | {k})


def _k(experiment: Experiment) -> int:
    text = session.get("k")
    if not text and "@" in session.get("metric"):
        text = session.get("metric").rpartition("@")[2].replace("K", "")
        text = "" if text.lower().endswith("c") else text  # CharRecall@3000c: a budget, no cutoff
    depths = [int(run.depths.max(initial=0)) for run in experiment.runs]
    default = DEFAULT_K if max(depths, default=DEFAULT_K) >= DEFAULT_K else 5
    if not text:
        return default
    if text.isascii() and text.isdigit() and 0 < int(text) <= 10_000:
        return int(text)
    said("k", text, str(default), "a whole number from 1")
    return default


def _metric(experiment: Experiment, k: int) -> Metric:
    default = DEFAULT_SPAN_METRIC if judged_by_spans(experiment) else DEFAULT_METRIC
    text = session.get("metric") or default
    try:
        found = at_k(text, k)
        lacking = missing(experiment) if found.block.needs_spans else ""
        if not lacking:
            return found
        said("metric", text, f"nDCG@{k}", lacking)
        return at_k(DEFAULT_METRIC, k)
    except OptionError as error:
        if "@" not in text:  # nDCG alone needs a cutoff: the chosen one is meant
            try:
                return at_k(f"{text}@K", k)
            except OptionError:
                pass
        said("metric", text, str(at_k(default, k)), str(error))
        return at_k(default, k)


def _one_of(key: str, allowed: Sequence[str], default: str, what: str) -> str:
    """The URL's value of `key` where it is allowed, else the default, with a notice."""
    text = session.get(key)
    if not text or text in allowed:
        return text or default
    said(key, text, default or "the best one", f"a {what}: {', '.join(allowed[:8])}")
    return default


def _options() -> Options:
    checked = _checked(Options, ("threshold", "gain", "missing", "no_relevant", "ties"), {})
    text = session.get("drop_self")
    if text not in ("", "yes"):
        said("drop_self", text, "no", "“yes”, or nothing")
    return Options(**checked, drop_self=text == "yes")


def _testing() -> Testing:
    words = {"test": tuple(stats.TESTS), "correction": tuple(stats.CORRECTIONS)}
    return Testing(**_checked(Testing, ("band", "test", "correction"), words))


def _checked(cls: Any, keys: Sequence[str], words: dict[str, tuple[str, ...]]) -> dict[str, Any]:
    """The fields `keys` of the dataclass `cls` from the URL: numbers as numbers, words from the words there are."""
    hints = get_type_hints(cls)
    defaults = {one.name: one.default for one in fields(cls)}
    out: dict[str, Any] = {}
    for key in keys:
        text = session.get(key)
        if not text:
            continue
        if hints[key] is float:
            value = _number(text)
            if value is None or (key == "band" and not 0 <= value < 1):
                said(key, text, f"{defaults[key]:g}", "a number" if key != "band" else "a number from 0 to below 1")
                continue
            out[key] = value
            continue
        allowed = words.get(key) or get_args(hints[key])
        if text in allowed:
            out[key] = text
        else:
            said(key, text, str(defaults[key]), ", ".join(allowed))
    return out


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def said(key: str, text: str, used: str, expected: str, instead: Sequence[str] | None = None) -> str:
    """Name what the link asked for, what was expected and what is used instead; the URL is put right."""
    shown = escape.markdown(escape.shortened(text, 60))
    notice = (
        f"The link asks for **{key.replace('_', ' ')} = {shown}**, which is not possible here "
        f"(expected: {escape.markdown(escape.shortened(expected, 200))}). Used instead: **{escape.markdown(used)}**."
    )
    session.put(**{key: instead})
    session.notice(notice)
    return notice
