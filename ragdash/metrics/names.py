"""How is a metric called? One parser: our names, those of trec_eval and ir_measures, and what people say."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping

from ragdash.metrics import counts, coverage, gains, models, positions  # noqa: F401  (they enter the catalogue)
from ragdash.metrics.catalogue import CATALOGUE, Block, Metric, Parameter, Value


class UnknownMetric(ValueError):
    """A name that no metric has, or a cutoff or parameter that it does not take; the message says what would do."""


_SHAPE = re.compile(r"(?P<name>[^@()]+?)\s*(?:\((?P<params>[^()]*)\))?\s*(?:@\s*(?P<k>[^@()]*))?")
_BUDGET = re.compile(r"(?P<chars>\d+) ?(c|chars|characters)", re.IGNORECASE)
_TREC_CUTOFF = re.compile(r"(?P<name>.+?)(?:_at_|[_.])(?P<k>\d[\d.]*)")


def parse(text: str | Metric) -> Metric:
    """The metric that `text` names, in any case: `nDCG@10`, `ndcg_cut_10`, `MRR`, `hit@5`, `RBP(p=0.9)`.

    >>> str(parse("ndcg_cut_10"))
    'nDCG@10'
    """
    if isinstance(text, Metric):
        return text
    found = _SHAPE.fullmatch(text.strip())
    if found is None:
        raise UnknownMetric(f"{text!r} is no metric name; expected something like nDCG@10 or RBP(p=0.8).")
    name, k = found["name"], found["k"]
    given = _pairs(text, found["params"] or "")
    spoken = _NAMES.get(_folded(name))
    if spoken is None and k is None:
        trec = _TREC_CUTOFF.fullmatch(name)
        if trec is not None:
            spoken, k = _NAMES.get(_folded(trec["name"])), trec["k"]
    if spoken is None:
        raise UnknownMetric(_unknown(text, name))
    key, implied = spoken
    budget = None if k is None else _BUDGET.fullmatch(k.strip())
    if budget is not None and key == "CharRecall":  # as people say it: CharRecall@3000c
        key, given, k = "BudgetRecall", {**given, "chars": budget["chars"]}, None
    return _metric(text, CATALOGUE[key], {**implied, **given}, k)


def _metric(text: str, block: Block, given: dict[str, str], k: str | None) -> Metric:
    """The metric of `block` with the parameters and the cutoff as they were written."""
    at = next((one for one in block.parameters if one.name == "recall"), None)
    if at is not None and k is not None:  # as trec_eval and ir_measures say it: iprec_at_recall_0.10, IPrec@0.1
        given, k = {**given, "recall": k}, None
    known = {one.name: one for one in block.parameters}
    for name in given:
        if name not in known:
            takes = "takes no parameters" if not known else "takes " + ", ".join(known)
            raise UnknownMetric(f"{text!r}: {block.name} {takes}; {name!r} was given.")
    params: list[tuple[str, Value]] = []
    for one in block.parameters:
        if one.name in given:
            params.append((one.name, _value(text, one, given[one.name])))
        elif one.default is not None:
            params.append((one.name, one.default))
    cutoff = _cutoff(text, block, k)
    if block.name == "F" and ("beta", 1.0) in params:
        return Metric("F1", cutoff, tuple(pair for pair in params if pair[0] != "beta"))
    return Metric(block.name, cutoff, tuple(params))


def _cutoff(text: str, block: Block, k: str | None) -> int | None:
    if k is None:
        if block.needs_cutoff:
            raise UnknownMetric(f"{text!r} needs a cutoff, for example {block.name}@10.")
        return None
    if not block.takes_cutoff:
        raise UnknownMetric(f"{text!r}: {block.name} looks at the whole list and takes no cutoff.")
    if not (k.isascii() and k.isdigit() and 0 < int(k) < 2**31):
        raise UnknownMetric(f"{text!r}: the cutoff is a whole number of at least 1, for example {block.name}@10.")
    return int(k)


#: Parameters as other tools spell them.
_PARAMETERS = {"dcg": "gain", "threshold": "rel", "max_rel": "max", "t": "T"}


def _pairs(text: str, params: str) -> dict[str, str]:
    """`p=0.8, rel=2` as a dict; values may stand in quotes, as ir_measures writes them."""
    out: dict[str, str] = {}
    for part in filter(None, (one.strip() for one in params.split(","))):
        name, sign, value = part.partition("=")
        if not sign:
            raise UnknownMetric(f"{text!r}: parameters are written name=value, for example RBP(p=0.8).")
        name = name.strip()
        out[_PARAMETERS.get(name.lower(), name.lower())] = value.strip().strip("'\"")
    return out


def _value(text: str, one: Parameter, written: str) -> Value:
    if one.choices:
        word = one.spellings.get(written.lower(), written.lower())
        if word not in one.choices:
            raise UnknownMetric(f"{text!r}: {one.name} is one of {', '.join(one.choices)}.")
        return word
    try:
        number = float(written)
    except ValueError:
        number = math.nan
    inside = one.low < number < one.high if one.open else one.low <= number <= one.high
    if not math.isfinite(number) or not inside:
        low, high = ("above", "below") if one.open else ("of at least", "at most")
        bounds = "" if math.isinf(one.low) else f" {low} {one.low:g}"
        bounds += "" if math.isinf(one.high) else f" and {high} {one.high:g}"
        raise UnknownMetric(f"{text!r}: {one.name} is a number{bounds}.")
    return number


def _folded(name: str) -> str:
    """Case, blanks, hyphens and underscores do not matter."""
    return re.sub(r"[\s_\-]+", "", name).lower()


def _spoken() -> Mapping[str, tuple[str, dict[str, str]]]:
    """Every name and alias, folded; an alias may imply parameters: `ndcg_exp` is `nDCG(gain=exponential)`."""
    out: dict[str, tuple[str, dict[str, str]]] = {}
    for key, one in CATALOGUE.items():
        for alias in (key, *one.aliases):
            name, _, inside = alias.partition("(")
            target = alias if not inside else name
            out[_folded(target)] = (key, _pairs(alias, inside.rstrip(")")) if inside else {})
    return out


def _unknown(text: str, name: str) -> str:
    close = difflib.get_close_matches(_folded(name), _NAMES, n=6, cutoff=0.6)
    keys = list(dict.fromkeys(_NAMES[one][0] for one in close))[:3] or ["nDCG", "Recall", "Precision", "RR"]
    k = re.search(r"[@_.](\d+)$", text.strip())
    names = [key + f"@{k[1] if k else 10}" if CATALOGUE[key].takes_cutoff else key for key in keys]
    return f"{text!r} is no metric that ragdash knows; the nearest are {', '.join(names)}."


_NAMES = _spoken()
