"""How is a number said? Numbers and verdicts as sentences a product manager reads. Nothing here computes.

No sentence says "proves" or "significant"; where a count says it, no p-value is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

Verdict = Literal["better", "worse", "equivalent", "undecided", "untestable"]
#: With fewer questions "in 100" would say more than was seen.
FEWEST_IN_A_HUNDRED = 10
#: Beyond so many further questions, and so many times those there are, no number is named.
IMPRACTICAL, IMPRACTICAL_TIMES = 5_000, 20


def number(value: float, digits: int = 3) -> str:
    """A score: three decimals, a real minus sign, never "-0.000"."""
    text = f"{value:.{digits}f}"
    return text.replace("-", "−") if float(text) else f"{0:.{digits}f}"


def signed(value: float, digits: int = 3) -> str:
    """A difference with its sign: "+0.041", "−0.120", "0.000"."""
    text = number(value, digits)
    return f"+{text}" if float(f"{value:.{digits}f}") > 0 else text


def p_value(p: float | None) -> str:
    """A p-value: "< 0.001" and never "0.000"; "no answer" where the test has none."""
    if p is None:
        return "no answer"
    if p < 0.001:
        return "< 0.001"
    return "> 0.999" if 0.999 < p < 1 else f"{p:.3f}"


def count(n: int, noun: str, plural: str | None = None) -> str:
    """ "1 question", "1,200 questions"."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def listed(names: Sequence[str], most: int = 4) -> str:
    """ "a, b and c"; beyond `most` "a, b, c and 7 more"."""
    names = list(names)
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""


def direction(difference: float, eps: float = 1e-9) -> str:
    """ "▲ +0.041 better", "▼ −0.120 worse", "= no difference": a sign, a number and a word, never colour alone."""
    if difference > eps:
        return f"▲ {signed(difference)} better"
    if difference < -eps:
        return f"▼ {signed(difference)} worse"
    return "= no difference"


def verdict_sentence(
    verdict: Verdict, run: str, baseline: str, metric: str, difference: float, ci: tuple[float, float] | None, why: str
) -> str:
    """One sentence on one comparison, engineer's words kept out."""
    between = f" (between {signed(ci[0])} and {signed(ci[1])})" if ci else ""
    if verdict == "better":
        return f"{run} is better than {baseline} on {metric}: {signed(difference)}{between}."
    if verdict == "worse":
        return f"{run} is worse than {baseline} on {metric}: {signed(difference)}{between}."
    if verdict == "equivalent":
        return f"No worthwhile difference between {run} and {baseline} on {metric}: {signed(difference)}{between}."
    if verdict == "undecided":
        unsure = f"Cannot tell yet whether {run} or {baseline} is better on {metric}"
        return f"{unsure}: {signed(difference)}{between}. {why}".strip()
    return f"{run} and {baseline} are not comparable on {metric}. {why}".strip()


def headline(verdict: Verdict, run: str, baseline: str, why: str = "", at: str = "") -> str:
    """The largest words of the Verdict page: what to do. `at` says what is held equal, see `equal_reading`."""
    first, last = (f"{at}, ", f" {at}") if at else ("", "")
    return {
        "better": f"Switch to {run}: {first}it answers better than {baseline}, and that is no accident.",
        "worse": f"Keep {baseline}: {first}{run} answers worse, and that is no accident.",
        "equivalent": f"No worthwhile difference between {run} and {baseline}{last}: keep the cheaper one.",
        "undecided": f"Cannot tell yet whether {run} or {baseline} is better{last}. {why}".strip(),
        "untestable": f"{run} and {baseline} are not comparable. {why}".strip(),
    }[verdict]


def equal_reading(chars: float | None, k: int | None) -> str:
    """What is held equal where runs cut documents differently: so many characters read, or so many chunks."""
    if chars is not None:
        return f"at equal reading, {chars:,.0f} characters"
    return "with whole lists of chunks" if k is None else f"with {count(k, 'chunk')} each, however long"


def evidence_read(after: float, before: float, run: str, baseline: str, at: str) -> str:
    """How much of the evidence two runs have read, as shares: "At equal reading ... has read 83 % of the evidence"."""
    return f"{at[0].upper()}{at[1:]}, {run} has {share(after)} of the evidence and {baseline} {share(before)}."


def less_evidence(n: int, never: int, part: int, run: str, what: str) -> str:
    """Why less evidence was read on `n` questions: at no rank, only a part at any rank, or all of it too late."""
    kinds = (
        (never, "returns none of the evidence at any rank"),
        (part, "returns a part of it"),
        (n - never - part, "returns all of it, but later"),
    )
    told = [f"{said} in {count(of, 'question')}" for of, said in kinds if of]
    return f"{count(n, what, f'{what}es' if what.endswith('s') else None)}: {run} {listed(told)}."


def characters_read(reads: Sequence[tuple[str, float]], k: int | None) -> str:
    """What the first `k` chunks of each run cost: "the first 10 chunks have 7,616 characters with a, 4,999 with b"."""
    told = ", ".join(f"{chars:,.0f}{'' if i else ' characters'} with {run}" for i, (run, chars) in enumerate(reads))
    which = "all chunks have" if k is None else "the first chunk has" if k == 1 else f"the first {k:,} chunks have"
    return f"Read on average: {which} {told}."


def helped(n: int, wins: int, losses: int, ties: int, run: str) -> str:
    """Counts before means: "Of 200 questions, dense helped 41, hurt 12 and left 147 as they were." """
    if n == 1:
        did = "helped it" if wins else "hurt it" if losses else "left it as it was"
        return f"There is one question; {run} {did}."
    return f"Of {n:,} questions, {run} helped {wins:,}, hurt {losses:,} and left {ties:,} as they were."


def per_hundred(
    difference: float,
    ci: tuple[float, float] | None,
    what: str,
    *,
    n: int | None = None,
    before: float | None = None,
) -> str:
    """A difference of shares, said of a hundred questions: "{what} for 7 more questions in 100 (between 3 and 11)".

    Empty where `n` questions are too few to speak of a hundred. The interval ends where shares end: of a hundred no
    more than a hundred can change, and no more than were missing `before`.
    """
    if n is not None and n < FEWEST_IN_A_HUNDRED:
        return ""
    times = round(abs(difference) * 100, 1)
    shown = f"{times:.0f}" if times >= 1 else f"{times:.1f}"
    more = "more" if difference >= 0 else "fewer"
    if float(shown) == 0:
        return f"{what} for as many questions as before."
    between = ""
    if ci is not None:
        least, most = (-1.0, 1.0) if before is None else (-before, 1.0 - before)
        sign = 1 if difference >= 0 else -1
        ends = sorted(sign * min(max(end, least), most) * 100 for end in ci)
        low, high = (number(end, 0) for end in ends)
        between = f" (between {low} and {high})"
    return f"{what} for {shown} {more} {'question' if shown == '1' else 'questions'} in 100{between}."


def one_question(least: int) -> str:
    """Why one question is no test."""
    return f"There is one question: a test needs two at least, and a verdict {least}."


def none_in_common() -> str:
    """Why two runs that answered different questions cannot be compared."""
    return "They answered different questions: none was answered by both."


def all_the_same() -> str:
    return "Both give the same score on every question."


def within(band: float) -> str:
    """Why a difference is not worth having."""
    return f"The difference is within {band:g} either way."


def too_few(n: int, least: int) -> str:
    return f"Too few to say: {n} of the {least} questions that it takes at least."


def too_few_differ(differing: int, smallest_p: float) -> str:
    """Why so few differing questions allow no verdict."""
    differ = "question differs" if differing == 1 else f"{differing} questions differ"
    only = f"only one {differ}" if differing == 1 else f"only {differ}"
    return f"Too few to say: {only}, and no exact test of so few can go below {smallest_p:g}."


def practical(more: int, n: int) -> bool:
    """Whether so many further questions, beside the `n` there are, are a plan and not a figure of speech."""
    return more <= IMPRACTICAL or more <= IMPRACTICAL_TIMES * n


def would_settle(more: int | None, n: int, *, enough_alone: bool = False) -> str:
    """What would settle an undecided comparison: `more` questions beside the `n` there are; None where unknown."""
    alone = "Alone it would be enough, but not among several comparisons"
    if more is None:
        return f"{alone}." if enough_alone else ""
    if not practical(more, n):
        settle = "no practical number of further questions"
    else:
        settle = f"about {count(more, 'more question')}" if more else "a few more questions"
    return (
        f"{alone}; {settle} would settle it." if enough_alone else f"{settle[0].upper()}{settle[1:]} would settle it."
    )


def tests_agree(n: int, found: bool) -> str:
    """All tests on one side of the line."""
    return f"All {n} tests find a difference beyond chance" if found else f"None of the {n} tests finds a difference"


def tests_disagree(found: Sequence[str], missed: Sequence[str], about: Literal["mean", "wins", "line"]) -> str:
    """What it means that some tests find a difference and others do not.

    `about` says which kind finds it: those that look at the mean, those that look at wins and ranks, or some of both.
    """
    meaning = {
        "mean": "a few large differences carry the mean, and most questions do not take part",
        "wins": "one run wins more often, but what it loses elsewhere is large: the mean could be chance",
        "line": "the result lies close to the line, so treat it as open",
    }[about]
    does, do = "finds" if len(found) == 1 else "find", "does not" if len(missed) == 1 else "do not"
    return f"The tests disagree: {listed(found)} {does} a difference, {listed(missed)} {do}: {meaning}"


def effect_word(value: float) -> str:
    """A standardised mean difference in Cohen's words."""
    size = abs(value)
    named = "large" if size >= 0.8 else "medium" if size >= 0.5 else "small" if size >= 0.2 else "very small"
    return f"{named} against its spread"


def band_sentence(
    answer: bool | None, band: float, p: float | None, interval: tuple[float, float] | None, reason: str | None
) -> str:
    """Whether a difference is too small to be worth a change: two one-sided tests."""
    if answer is None or interval is None:
        return f"Whether the difference stays within ±{band:g} cannot be said: {reason or 'nothing to test'}."
    between = f"between {signed(interval[0])} and {signed(interval[1])}"
    if answer:
        return f"The difference is too small to matter: it lies {between}, within ±{band:g} (p {p_value(p)})."
    if interval[0] > band or interval[1] < -band:
        return f"The difference is large enough to matter: it lies {between}, all of it beyond ±{band:g}."
    return f"It is open whether the difference matters: it lies {between}, on both sides of a limit of ±{band:g}."


def no_worse_sentence(answer: bool | None, margin: float, p: float | None, run: str, reason: str | None) -> str:
    """Whether a run is good enough to be taken for another merit, such as its price: non-inferiority."""
    if answer is None:
        return f"Whether {run} is at most {margin:g} worse cannot be said: {reason or 'nothing to test'}."
    if answer:
        return f"{run} is at most {margin:g} worse, if it is worse at all (p {p_value(p)})."
    return f"That {run} is at most {margin:g} worse is not shown (p {p_value(p)})."


def power_sentence(n: int, detectable: float | None, difference: float, needed: int | None) -> str:
    """What so many questions can show, and how many the difference that was seen would need."""
    if detectable is None:
        return "What so many questions can show cannot be said: the differences do not vary."
    told = f"With {count(n, 'question')} a true difference of {number(detectable)} is noticed in 8 of 10 tries."
    if number(abs(difference)) == number(0):
        return f"{told} The difference seen here is next to nothing: no number of questions is worth planning for it."
    if needed is None or not practical(needed - n, n):
        return f"{told} No practical number of questions would show one as small as the {number(abs(difference))} seen."
    return f"{told} One of {number(abs(difference))}, as seen here, takes about {count(needed, 'question')}."


def pairs_told(told: int, n: int) -> str:
    """How many pairs of runs differ beyond chance: "1 of 10 pairs of runs can be told apart"."""
    if n == 1:
        return "The two runs can be told apart" if told else "The two runs cannot be told apart"
    return f"{told or 'None'} of {n:,} pairs of runs can be told apart"


def measured(name: str, before: float, after: float, n: int, lower: int, higher: int, run: str, baseline: str) -> str:
    """What a measurement such as latency or cost says of two runs, on the questions that both measured."""
    if not lower and not higher:
        return f"{name}: the same for both on {count(n, 'question')}."
    side, on = ("lower", lower) if lower >= higher else ("higher", higher)
    return (
        f"{name}: median {plain_number(after)} for {run} and {plain_number(before)} for {baseline}; "
        f"{side} for {run} on {on:,} of {count(n, 'question')}."
    )


def plain_number(value: float) -> str:
    """A measurement in as many digits as tell: "1,240", "0.0031", "12.5"."""
    text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return text.replace("-", "−")


def set_aside(names: Sequence[str]) -> str:
    """Runs that are loaded and take no part, and why."""
    one = len(names) == 1
    they = "it answers none of the dataset's questions" if one else "they answer none of the dataset's questions"
    return f"Not comparable: {listed(names)}, as {they}."


def share(value: float) -> str:
    """A share of documents: "91 %"; what is not all is never "100 %", what is not nothing never "0 %"."""
    if 0 < value < 0.01:
        return "less than 1 %"
    if 0.99 < value < 1:
        return "more than 99 %"
    return f"{value:.0%}".replace("%", " %")


def trust_labels(n_unjudged: int, judged: float, k: int, could_change: bool) -> str:
    """Can the labels be trusted? The largest words of the Judgments page; `judged` is a share of the top `k`."""
    if not n_unjudged:
        return f"Yes: every document in the top {k} is judged."
    rest = "the other document" if n_unjudged == 1 else f"the other {n_unjudged:,} documents"
    known = f"{share(judged)} of the top {k} is judged"
    if could_change:
        return f"Not yet: {known}, and {rest} could change the answer."
    return f"Yes: {known}, and {rest} could not change the answer."


def enough_to_judge(n_documents: int, n_queries: int, n_unjudged: int) -> str:
    """How few of the unjudged documents may do; "" where it takes all of them."""
    rest = n_unjudged - n_documents
    if rest <= 0:
        return ""
    first = count(n_documents, "document")
    where = "in one question" if n_queries == 1 else f"in {n_queries:,} questions"
    if n_documents == 1:
        return f"One may be enough: if it is not relevant, the other {rest:,} cannot change the answer."
    return (
        f"The first {first}, {where}, may be enough: if they are not relevant, the other {rest:,} cannot change the "
        "answer."
    )


#: `query` and `question` as words: not in a name such as `query_id` or `queries.jsonl`, not in quotes, not in
#: "query id" and "query Q0 doc", which are columns of a file.
_SIDE = r"(?<![\w./'\"`-])"
_COLUMNS = r"(?:ids?|texts?|Q0|0|doc|iteration|and document|or a document)"
_QUERY = re.compile(_SIDE + rf"(quer)(y|ies)(?![\w/'\"`-]|\.\w| {_COLUMNS}\b)", re.IGNORECASE)
_QUESTION = re.compile(_SIDE + r"(question)(s?)(?![\w/'\"`-]|\.\w)", re.IGNORECASE)


def as_questions(text: str, but: Iterable[str | None] = ()) -> str:
    """A sentence of the engine in the page's word: a query is a question there. Names and ids in `but` stay."""
    return _reworded(text, _QUERY, {"y": "question", "ies": "questions"}, but)


def as_queries(text: str, but: Iterable[str | None] = ()) -> str:
    """A sentence of the page in the word of the command line and the library: a question is a query there."""
    return _reworded(text, _QUESTION, {"": "query", "s": "queries"}, but)


def _reworded(text: str, pattern: re.Pattern[str], words: Mapping[str, str], but: Iterable[str | None]) -> str:
    def word(found: re.Match[str]) -> str:
        other = words[found[2].lower()]
        return other.capitalize() if found[1][0].isupper() else other

    names = sorted({name for name in but if name}, key=len, reverse=True)
    if not names:
        return pattern.sub(word, text)
    parts = re.split(f"({'|'.join(map(re.escape, names))})", text)
    return "".join(part if place % 2 else pattern.sub(word, part) for place, part in enumerate(parts))
