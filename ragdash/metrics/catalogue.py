"""What is a metric? A value: its block in the catalogue, a cutoff and parameters. Its text form is its name.

A metric is declared in one place, as a decorated function of a `View`:

    @block("Precision", aliases=("P",), sentence="...", formula="...", ...)
    def precision(view: View, k: int | None) -> Floats: ...

and appears by itself wherever `CATALOGUE` is read: pickers, glossary, README, report, `--help`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from ragdash.metrics.rankings import Floats, Judgments, Rankings
from ragdash.metrics.view import Settings, View

Cut = Literal["required", "optional", "none"]
Value = float | str


Function = Callable[..., Floats]  # (view, k, **parameters) -> float64 [n_queries]


@dataclass(frozen=True)
class Parameter:
    """A number or a word that is part of the metric's name, such as the `p` of `RBP(p=0.8)`.

    `default` None means: taken from the settings, and named only where it was given. `choices` are the words allowed;
    without them the value is a number between `low` and `high`, both allowed unless `open`.
    """

    name: str
    sentence: str
    default: Value | None = None
    low: float = -np.inf
    high: float = np.inf
    open: bool = False
    choices: tuple[str, ...] = ()
    spellings: Mapping[str, str] = field(default_factory=dict)


REL = Parameter("rel", "smallest grade that counts as relevant, instead of the threshold in force")
GAIN = Parameter(
    "gain",
    "what a grade is worth, instead of the gain in force",
    choices=("linear", "exponential"),
    spellings={"log2": "linear", "exp-log2": "exponential", "exp": "exponential"},
)


@dataclass(frozen=True)
class Block:
    """One entry of the catalogue: all that is known about a metric before it has a cutoff.

    `sentence` is for a product manager, `formula` is LaTeX, `example` a call in words; `on_no_relevant` and
    `on_short_list` say what happens to queries without a relevant document and to lists shorter than the cutoff;
    `shown` is what people call it, `spoken` the same with its parameters in braces where the name is long;
    `expected` computes the mean over all orders of tied documents where `View.sum` alone does not (see `ties`);
    `needs_spans`: it looks at places in documents (`View.spans`) and not at judgments of documents.
    """

    name: str
    function: Function
    sentence: str
    formula: str
    use_when: str
    misleads: str
    reference: str
    aliases: tuple[str, ...] = ()
    shown: str = ""
    spoken: str = ""
    range: tuple[float, float] = (0.0, 1.0)
    parameters: tuple[Parameter, ...] = ()
    cut: Cut = "optional"
    on_no_relevant: str = "Scores 0."
    on_short_list: str = "The ranks that are not there count as not relevant."
    higher_is_better: bool = True
    coarse: bool = False
    has_ceiling: bool = True
    rag: bool = False
    needs_spans: bool = False
    expected: Function | None = None

    @property
    def takes_cutoff(self) -> bool:
        """Whether `@K` may follow the name."""
        return self.cut != "none"

    @property
    def needs_cutoff(self) -> bool:
        """Whether `@K` must follow the name."""
        return self.cut == "required"

    @property
    def label(self) -> str:
        """What people are shown: MRR for RR, MAP for AP, otherwise the name."""
        return self.shown or self.name


CATALOGUE: dict[str, Block] = {}


def block(name: str, **declared: Any) -> Callable[[Function], Function]:
    """Enter the decorated function into the catalogue under `name`; `declared` are the other fields of `Block`."""

    def enter(function: Function) -> Function:
        CATALOGUE[name] = Block(name, function, **declared)
        return function

    return enter


def expected(name: str) -> Callable[[Function], Function]:
    """The decorated function is the mean of metric `name` over all orders of tied documents."""

    def enter(function: Function) -> Function:
        CATALOGUE[name] = replace(CATALOGUE[name], expected=function)
        return function

    return enter


@dataclass(frozen=True)
class Metric:
    """A metric as a value: `str(metric)` is its canonical name, and `parse(str(metric)) == metric`.

    `params` are the parameters that are part of the name, by name, as a tuple of pairs. Calling it gives one score per
    query, float64 `[n_queries]`, complete and finite whatever the run left out.
    """

    key: str
    k: int | None = None
    params: tuple[tuple[str, Value], ...] = ()

    @property
    def block(self) -> Block:
        """What the catalogue says about it."""
        return CATALOGUE[self.key]

    @property
    def name(self) -> str:
        """The canonical name, such as `nDCG@10`."""
        return self.key + self._suffix

    @property
    def label(self) -> str:
        """What people are shown: MRR@10 for RR@10, MAP for AP, CharRecall@3000c; otherwise the name."""
        if self.block.spoken:
            return self.block.spoken.format(**dict(self.params)) + ("" if self.k is None else f"@{self.k}")
        return self.block.label + self._suffix

    @property
    def _suffix(self) -> str:
        inside = ", ".join(f"{name}={_text(value)}" for name, value in self.params)
        return (f"({inside})" if inside else "") + ("" if self.k is None else f"@{self.k}")

    def with_k(self, k: int | None) -> Metric:
        """The same metric at another cutoff; itself where it takes none."""
        return replace(self, k=k) if self.block.takes_cutoff else self

    def settings(self, settings: Settings) -> Settings:
        """The settings in force once the metric's own threshold and gain are heard."""
        for name, value in self.params:
            if name == "rel":
                settings = replace(settings, threshold=float(value))
            elif name == "gain":
                settings = replace(settings, gain="exponential" if value == "exponential" else "linear")
        return settings

    @property
    def arguments(self) -> dict[str, Value]:
        """The parameters that the formula itself takes."""
        return {name: value for name, value in self.params if name not in ("rel", "gain")}

    def __str__(self) -> str:
        return self.name

    def __call__(self, rankings: Rankings, settings: Settings | None = None) -> Floats:
        scores: Floats = score(rankings, [self], settings)[0]
        return scores


def _text(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:g}" if float(f"{value:g}") == value else repr(value)


def score(rankings: Rankings, metrics: Any, settings: Settings | None = None) -> Floats:
    """All `metrics` over one run. Shape `[n_metrics, n_queries]`, finite."""
    views: dict[Settings, View] = {}
    out = np.zeros((len(metrics), rankings.n_queries))
    for row, metric in enumerate(metrics):
        wanted = metric.settings(settings or Settings())
        if wanted not in views:
            views[wanted] = View(rankings, wanted)
        out[row] = metric.block.function(views[wanted], metric.k, **metric.arguments)
    return out


def ideal(judgments: Judgments, floor: float) -> Rankings:
    """The run that returns exactly the documents judged `floor` or better, highest grade first."""
    kept = judgments.grades >= floor
    query = np.repeat(np.arange(judgments.n_queries), np.diff(judgments.starts))
    rank = np.arange(1, len(query) + 1) - judgments.starts[:-1][query]
    ones = np.ones(int(kept.sum()), dtype=np.int64)
    depth = np.bincount(query[kept], minlength=judgments.n_queries)
    answered = np.ones(judgments.n_queries, dtype=bool)
    return Rankings(judgments, query[kept], rank[kept], judgments.grades[kept], depth, answered, rank[kept], ones)


def ceiling(metric: Metric, judgments: Judgments, settings: Settings | None = None) -> Floats | None:
    """The best value that any run could have, `[n_queries]`: with 12 relevant documents Recall@5 ends at 5/12.

    None where there is no such thing (a count of what was retrieved).
    """
    if not metric.block.has_ceiling:
        return None
    threshold = metric.settings(settings or Settings()).threshold
    relevant = metric(ideal(judgments, threshold), settings)
    judged = metric(ideal(judgments, -np.inf), settings)
    best: Floats = (np.maximum if metric.block.higher_is_better else np.minimum)(relevant, judged)
    return best
