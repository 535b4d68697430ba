"""What is odd about the data, and what mends it? The health list of the Data page, green lines included."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ragdash import escape, wording
from ragdash.analysis.judged import said
from ragdash.data.experiment import Experiment
from ragdash.data.findings import Finding
from ragdash.data.remedies import REMEDIES, titled
from ragdash.ui import chunking, links, names, session

SIGNS = {"error": ":red[:material/cancel:]", "warning": ":material/warning:", "info": ":gray[:material/info:]"}
FIRST = 8
#: Findings that lead to the page Judgments, and by which words.
TO_JUDGE = {"unjudged-in-top-k": "Judge them", "judgments-added": "See them"}

#: Said when none of the codes was found: what was looked at and is fine.
FINE: dict[str, tuple[str, ...]] = {
    "Every run answers every judged question.": ("query-missing-from-run", "empty-result", "no-common-query"),
    "No document is listed twice.": ("duplicate-document",),
    "Ids of runs and judgments are written alike.": ("ids-differ-by", "no-common-document", "two-chunkings"),
    "Every question has a relevant document.": ("no-relevant-document",),
    "No judgment is repeated or contradicted.": ("repeated-judgment", "contradicting-judgment"),
    "Scores fall as rank rises, and none is unusable.": ("scores-look-like-distances", "unusable-score"),
    "No two runs hold the same results.": ("identical-runs", "identical-scores"),
}
#: Not said where nothing is judged.
OF_JUDGMENTS = (FINE["Every question has a relevant document."], FINE["No judgment is repeated or contradicted."])


def health(findings: Sequence[Finding], experiment: Experiment) -> None:
    """Errors, then warnings, then notes, then what is fine."""
    st.markdown("**Health of the data**")
    codes = {finding.code for finding in findings}
    serious = [one for one in findings if one.severity != "info"]
    notes = [one for one in findings if one.severity == "info"]
    for place, finding in enumerate(serious[:FIRST]):
        line(finding, f"finding_{place}", experiment)
    fine = [sentence for sentence, of in FINE.items() if not codes & set(of)]
    if not len(experiment.qrels):
        fine = [sentence for sentence in fine if FINE[sentence] not in OF_JUDGMENTS]
    starts, lost = experiment.evidence.starts, {"quote-not-found", "chunk-not-located"}
    if len(experiment.evidence) and not codes & lost and (starts[1:] > starts[:-1]).all():
        fine.append("Every question has evidence, and every chunk its place.")
    if fine:
        with st.container(gap="xsmall"):
            for text in fine:
                st.markdown(f":green[:material/check_circle:] {text}")
    rest = [*serious[FIRST:], *notes]
    if rest:
        shown = st.expander(wording.count(len(rest), "more note"), key="more_notes", on_change="rerun", type="compact")
        if shown.open:
            with shown:
                for place, finding in enumerate(rest[:60]):
                    line(finding, f"note_{place}", experiment)


def so_far(findings: Sequence[Finding]) -> None:
    """What the files themselves are odd in, before there is a run or a dataset to hold them against."""
    if findings:
        st.markdown("**Noticed so far**")
        for place, finding in enumerate(findings[:60]):
            line(finding, f"early_{place}", None)


def line(finding: Finding, key: str, experiment: Experiment | None) -> None:
    """One finding: sign, message, examples and lines, its questions, and the remedy with what it would do."""
    told = []
    if finding.examples and not all(one in finding.message for one in finding.examples):
        told.append(f"for example {escape.markdown(', '.join(escape.shortened(one, 40) for one in finding.examples))}")
    if finding.lines:
        told.append(
            f"{'line' if len(finding.lines) == 1 else 'lines'} {wording.listed([f'{n:,}' for n in finding.lines], 6)}"
        )
    if finding.file and finding.file not in finding.message:
        told.append(escape.markdown(escape.shortened(finding.file, 40)))
    known = [name for name in (finding.run, finding.file) if name]
    offered = offer(finding) if experiment and finding.code not in chunking.CODES else None
    counted = offered is None or experiment is None or "would" in finding.message
    if offered and experiment and not counted and chunking.soon(experiment) and (would := effect(offered, experiment)):
        told.append(escape.markdown(would))
    if finding.code == "two-chunkings" and finding.remedy and experiment and chunking.soon(experiment):
        told.append(f"rolled up: {escape.markdown(effect(finding.remedy, experiment))}")
    small = f"  \n:small[:gray[{' · '.join(told)}]]" if told else ""
    with st.container(gap="xsmall"):
        st.markdown(f"{SIGNS[finding.severity]} {names.trimmed(names.finding(finding), known)}{small}")
        if experiment and finding.code in chunking.CODES:
            with st.container(horizontal=True, vertical_alignment="center"):
                chunking.ways(finding, key, experiment)
        elif experiment and (finding.queries or offered or finding.code in TO_JUDGE):
            with st.container(horizontal=True, vertical_alignment="center"):
                ways(finding, offered, key, experiment)
                if offered and not counted and not chunking.soon(experiment):
                    on_demand(offered, key, experiment)


@st.fragment
def on_demand(remedy: str, key: str, experiment: Experiment) -> None:
    """What a remedy would do, counted when it is asked for: with millions of results that takes a while."""
    if st.button("What would it do?", key=f"would_{key}", icon=":material/preview:", type="tertiary"):
        st.markdown(escape.markdown(effect(remedy, experiment)))


def offer(finding: Finding) -> str | None:
    """The remedy of a finding, unless it is at work already: chosen, or by itself as it is safe."""
    key = finding.remedy
    safe = key in REMEDIES and REMEDIES[key].safe
    return None if key is None or safe or key in session.get_all("apply") else key


def ways(finding: Finding, offered: str | None, key: str, experiment: Experiment) -> None:
    """What one can do about a finding: mend it, see its questions."""
    if offered:
        st.button(
            escape.markdown(title(offered)),
            key=key,
            icon=":material/healing:",
            help=escape.markdown(sentence(offered)),
            on_click=apply,
            args=(offered,),
        )
    if offered and offered.startswith("chunk-to-document"):
        chunking.pattern(key, experiment)
    if finding.queries:
        st.page_link(
            "pages/queries.py",
            label=f"Show {wording.count(len(finding.queries), 'question')}",
            query_params=session.only(line=f"finding:{finding.code}:{finding.run or ''}"),
            icon=":material/arrow_forward:",
        )
    if finding.code in TO_JUDGE:
        links.to_judgments(TO_JUDGE[finding.code])


def effect(remedy: str, experiment: Experiment) -> str:
    """What a remedy would do, counted before anybody decides; empty where it is a setting, not a remedy."""
    return "" if _is_setting(remedy) else chunking.preview(remedy, experiment)


def _is_setting(remedy: str) -> bool:
    """Whether what is offered is an option with a value, `no-relevant=exclude`, and no change of the data."""
    return "=" in remedy.partition(":")[0]


def title(remedy: str) -> str:
    """A remedy in words."""
    if _is_setting(remedy):
        return "Leave these questions out" if remedy == "no-relevant=exclude" else remedy
    return titled(remedy)


def sentence(remedy: str) -> str:
    """What a remedy does."""
    known = REMEDIES.get(remedy.partition(":")[0])
    return known.sentence if known else title(remedy)


def apply(remedy: str) -> None:
    """Put a remedy to work: it stands in the URL, is named on the page and can be taken back."""
    if _is_setting(remedy):  # not a change of the data but a setting: it stands among the settings
        key, _, value = remedy.partition("=")
        session.put(**{key.replace("-", "_"): value})
        return
    chunking.apply(remedy)


def applied(experiment: Experiment | None) -> None:
    """The remedies at work, each with its way back; judgments made here, which can be left out."""
    made_here(experiment)
    now = session.get_all("apply")
    if not now:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("Mended:", width="content")
        for place, remedy in enumerate(now):
            rest = [one for one in now if one != remedy]
            st.button(escape.markdown(title(remedy)), icon=":material/undo:", key=f"undo_{place}",
                      help="Take this back", on_click=session.put, kwargs={"apply": rest or None})  # fmt: skip


def made_here(experiment: Experiment | None) -> None:
    """Judgments made here, where there are any: whether they count, and the other way."""
    told = "" if experiment is None else said(experiment)
    if not told:
        return
    off = session.get("judged") == "off"
    with st.container(horizontal=True, vertical_alignment="center", key="made_here"):
        st.markdown(f"Judgments made here: {told}.", width="content")
        st.button("Count them" if off else "Leave them out", icon=":material/undo:", key="switch_judgments",
                  on_click=session.put, kwargs={"judged": None if off else "off"})  # fmt: skip
        links.to_judgments(TO_JUDGE["judgments-added"])


def set_aside(experiment: Experiment) -> None:
    """Runs that share no question with the dataset: named, not scored as zero."""
    for run in experiment.set_aside:
        st.warning(
            f"**{escape.markdown(run.name)}** is not scored: none of its questions is judged in the dataset. "
            "It stays loaded; see below what its ids look like.",
            icon=":material/do_not_disturb_on:",
        )
