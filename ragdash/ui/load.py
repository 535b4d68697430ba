"""What does the Data page say? Whether the files were understood, and what to do next."""

from __future__ import annotations

import streamlit as st

from ragdash import escape, wording
from ragdash.data.experiment import Experiment
from ragdash.data.findings import Finding, ordered
from ragdash.errors import RagdashError
from ragdash.ui import cached, judged, keeping, nav, picks, session
from ragdash.ui.shelf import CHUNKED, Workspace


def welcome() -> None:
    """Before anything is loaded: what this is for, and the sample one click away."""
    st.markdown(
        "## Which retrieval run is better, and is that real?\n\n"
        "Load your evaluation dataset and two or more runs: ragdash says which run is better, how sure that is, on "
        "which questions, and which document fell out."
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Try it with sample data", type="primary", icon=":material/science:", on_click=session.open_sample)
        st.button(
            "Two chunkings compared", icon=":material/content_cut:", on_click=session.open_sample, args=(CHUNKED,)
        )
        keeping.opener()
        keeping.private_switch()
    st.caption(
        "The sample: questions to a help centre, and five runs that really retrieved. The other: its articles cut into "
        "chunks in three ways, compared by the words that answer."
    )


def experiment_of(workspace: Workspace) -> tuple[Experiment | None, str]:
    """The experiment, or why there is none yet."""
    try:
        return judged.experiment(workspace, picks.remedies()), ""
    except RagdashError as error:
        return None, str(error)


def findings_of(experiment: Experiment) -> tuple[Finding, ...]:
    """Everything odd, at the metric and cutoff in force."""
    if not experiment.runs:
        return experiment.findings
    chosen = picks.picks(experiment)
    if len(experiment.runs) < 2:  # a run compared with itself is no pick to keep: others will come
        session.put(baseline=None, contender=None)
    return cached.findings(cached.scores(experiment, picks.main_metrics(chosen.metric, chosen.k), chosen.options))


def early(workspace: Workspace) -> tuple[Finding, ...]:
    """What the files are odd in by themselves, while they do not make an experiment yet."""
    parts = [finding for part in workspace.parts for finding in part.reading.findings]
    return ordered([*parts, *(finding for run in workspace.runs for finding in run.findings)])


def answer(workspace: Workspace, experiment: Experiment | None, why: str, findings: tuple[Finding, ...]) -> str:
    """The page's answer, escaped."""
    sources = [*(part.source for part in workspace.parts), *(run.source for run in workspace.runs)]
    files = wording.count(len({(one.file, one.sha256) for one in sources}), "file")
    if experiment is None:
        return f"Not ready yet. {escape.markdown(why)}"
    errors = sum(one.severity == "error" for one in findings) + len(workspace.faults)
    warnings = sum(one.severity == "warning" for one in findings)
    size = f"{wording.count(experiment.n_queries, 'question')} and {wording.count(len(experiment.runs), 'run')}"
    if errors:
        fit = fitting(experiment)
        size = f"{wording.count(experiment.n_queries, 'question')} and {wording.count(fit, 'run')}"
        rest = f"; {size} can be compared" if fit > 1 else ""
        return f"Not everything could be read: {wording.count(errors, 'problem')} below{rest}"
    if warnings:
        return f"Yes: {files}, {size}; {wording.count(warnings, 'thing')} to know below"
    return f"Yes: {files}, {size}, and nothing odd"


def fitting(experiment: Experiment) -> int:
    """How many runs can be compared: those whose ids fit the dataset."""
    misread = {one.run for one in experiment.findings if one.severity == "error"}
    return sum(run.name not in misread for run in experiment.runs)


def next_step(experiment: Experiment | None) -> None:
    """On to the verdict, once there is something to compare."""
    ready = experiment is not None and fitting(experiment) > 1
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("See the verdict", type="primary", icon=":material/gavel:", disabled=not ready, key="to_verdict"):
            nav.go("pages/verdict.py", session.params())
        st.button("Start anew", icon=":material/restart_alt:", on_click=session.forget, key="start_anew")
        if not ready:
            st.markdown("A verdict needs judgments and at least two runs that fit them.", width="content")
