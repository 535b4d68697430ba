"""Runs of two chunkings: which of the three ways compares them? Documents, labels per run, or evidence spans."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from ragdash import escape, wording
from ragdash.analysis.spans import has_spans
from ragdash.data.chunkings import suffix_of
from ragdash.data.chunkmap import EXPECTED, MAPPING, mapping_part
from ragdash.data.experiment import Experiment
from ragdash.data.findings import Finding
from ragdash.data.formats.base import Blob
from ragdash.data.labels import met
from ragdash.data.nouns import Dataset, Run
from ragdash.data.remedies import CHUNK
from ragdash.errors import RagdashError
from ragdash.metrics import Metric
from ragdash.ui import cached, picks, questions, session

#: Findings that are about chunks of which the labels may be picked.
CODES = ("two-chunkings", "labels-differ", "labels-unused")
SOON = 200_000  # results for which a preview is counted unasked
BY_EVIDENCE = "CharRecall@K"
ALL = "All judgments together"


def ways(finding: Finding, key: str, experiment: Experiment) -> None:
    """The three ways, each one click: which is in force is said, and is not offered once more."""
    dataset = session.workspace_dataset()
    metric = picks.at_k(session.get("metric"), int(session.get("k"))) if experiment.runs else None
    by_spans = metric is not None and metric.block.needs_spans
    if finding.code == "two-chunkings":
        st.markdown(f":small[**{escape.markdown(in_force(experiment, metric))}**]", width="content")
        roll_up(finding.remedy, key, experiment)
    if dataset is not None and dataset.labels:
        labels(dataset, key, experiment, by_spans)
    if finding.code == "two-chunkings" and not by_spans and has_spans(experiment):
        st.button(
            "Compare by evidence spans", key=f"spans_{key}", icon=":material/format_ink_highlighter:",
            on_click=session.put, kwargs={"metric": BY_EVIDENCE},
            help="Which share of the characters that answer a question is in the first K chunks: the same for every "
            "chunking",
        )  # fmt: skip


def in_force(experiment: Experiment, metric: Metric | None) -> str:
    """Which of the ways compares the runs at the chosen metric (None: no run is scored)."""
    if metric is None:
        return "In force: none of these"
    by_labels = "labels per run" if experiment.labels_differ else "none of these"
    return f"In force: {'evidence spans' if metric.block.needs_spans else by_labels} ({metric.label})"


def roll_up(remedy: str | None, key: str, experiment: Experiment) -> None:
    """Chunks to documents in one click where a way was found by itself; by a pattern or a file of one's own else."""
    if remedy:
        st.button(
            "Roll chunks up to documents", key=f"roll_{key}", icon=":material/account_tree:", on_click=apply,
            args=(remedy,), help="The first chunk of a document counts; judgments of its chunks become one",
        )  # fmt: skip
    pattern(key, experiment)


def pattern(key: str, experiment: Experiment) -> None:
    """Chunk ids by a pattern of one's own, or by a file that says which; each with what it would do."""
    asked = not soon(experiment)
    shown = st.popover("Pattern or mapping file", key=f"own_{key}", on_change="rerun" if asked else "ignore")
    if asked and not shown.open:
        return
    with shown:
        found = suffix_of([*experiment.runs, *experiment.set_aside]) or CHUNK
        text = st.text_input("What to cut off a chunk's id (a regular expression)", found, key=f"pattern_{key}")
        if text.strip():
            one(f"chunk-to-document:{text.strip()}", f"pattern_go_{key}", "Apply the pattern", experiment)
        workspace = session.workspace()
        for place, part in enumerate(() if workspace is None else workspace.parts):
            if part.source.format == MAPPING:
                name = part.source.file
                st.markdown(f"**{escape.markdown(escape.shortened(name, 40))}**")
                one(f"chunk-to-document:@{name}", f"mapped_{place}_{key}", "Apply this file", experiment)
        upload(key)


def one(remedy: str, key: str, label: str, experiment: Experiment) -> None:
    """What a remedy would do, and the button that does it."""
    try:
        st.markdown(escape.markdown(in_words(remedy, experiment)))
    except RagdashError as error:
        st.error(escape.markdown(str(error)))
        return
    now = session.get_all("apply")
    st.button(label, key=key, type="primary", on_click=apply, args=(remedy,), disabled=remedy in now)


def upload(key: str) -> None:
    """A file that names the document of each chunk: read at once, kept with the workspace."""
    widget = session.generation(f"chunkmap_{key}")
    file = st.file_uploader(
        "A file that names the document of each chunk", key=widget, disabled=not session.may_edit(),
        help="Two columns, chunk and document (CSV, TSV, Excel, Parquet), or JSON: {chunk: document}",
    )  # fmt: skip
    if file is None:
        return
    try:
        part = mapping_part(Blob(file.name, data=file.getvalue()))
    except RagdashError as error:
        st.error(escape.markdown(str(error)))
        st.code(EXPECTED, language=None)
        return
    workspace = session.workspace()
    session.generation(f"chunkmap_{key}", bump=True)
    if workspace is not None:
        others = tuple(one for one in workspace.parts if (one.source.file, one.source.format) != (file.name, MAPPING))
        session.save(questions.taken(replace(workspace, parts=others), [part], []))
    st.rerun()


def labels(dataset: Dataset, key: str, experiment: Experiment, by_spans: bool) -> None:
    """Which judgments each run is scored against: as bound by themselves, changeable, and all as one.

    `by_spans`: the chosen metric looks at evidence; then a metric over judgments is offered.
    """
    bound = dict(zip(experiment.run_names, experiment.bound))
    if not bound:
        st.button(
            "Labels per run", key=f"labels_{key}", icon=":material/label:", on_click=per_run,
            help="Each run is scored against the judgments of its own chunks",
        )  # fmt: skip
        return
    asked = not soon(experiment)
    shown = st.popover("Labels per run", icon=":material/label:", key=f"own_labels_{key}",
                       on_change="rerun" if asked else "ignore")  # fmt: skip
    if asked and not shown.open:
        return
    with shown:
        names = {one.name: one for one in dataset.labels}
        for run in experiment.runs:
            widget = session.show(f"labels_{key}_{run.name}", bound.get(run.name, "") or ALL)
            st.selectbox(
                escape.markdown(run.name), [*names, ALL], key=widget, on_change=settle, args=(widget, run.name),
            )  # fmt: skip
            st.caption(escape.markdown(share(dataset, run, bound.get(run.name, ""))))
        if by_spans:
            st.button("Compare by these labels", key=f"by_labels_{key}", on_click=session.put,
                      kwargs={"metric": picks.DEFAULT_METRIC}, help="By a metric that looks at judgments")  # fmt: skip
        st.button("All judgments as one", key=f"join_{key}", on_click=apply, args=("join-labels",),
                  help=escape.markdown(preview("join-labels", experiment)))  # fmt: skip


def share(dataset: Dataset, run: Run, name: str) -> str:
    """How much a run's results and the judgments in force have in common."""
    qrels = next((one.qrels for one in dataset.labels if one.name == name), dataset.qrels)
    example = f", such as {qrels.doc_ids[0].as_py()}" if len(qrels) else ""
    return (
        f"{met(qrels, run):,} of {wording.count(len(run), 'result')} name a document of these "
        f"{wording.count(len(qrels), 'judgment')}{example}"
    )


def settle(widget: str, run: str) -> None:
    """The labels that were picked for a run stand in the URL."""
    name = st.session_state[widget]
    rest = [one for one in session.get_all("apply") if one != "join-labels" and not one.startswith(f"labels:{run}=")]
    session.put(apply=[*rest, f"labels:{run}={'' if name == ALL else name}"])


def per_run() -> None:
    """Each run against its own labels, as they are bound by themselves."""
    rest = [one for one in session.get_all("apply") if one != "join-labels" and not one.startswith("labels:")]
    session.put(apply=rest or None)


def soon(experiment: Experiment) -> bool:
    """Whether what a remedy would do is counted at once: with millions of results it takes a while."""
    return sum(len(run) for run in (*experiment.runs, *experiment.set_aside)) <= SOON


def preview(remedy: str, experiment: Experiment) -> str:
    """What a remedy would do, counted before anybody decides; "" where that cannot be said."""
    try:
        return in_words(remedy, experiment)
    except RagdashError:
        return ""  # the button says what is wrong when it is pressed


def in_words(remedy: str, experiment: Experiment) -> str:
    """What a remedy would do, in the page's words. Raises RagdashError."""
    runs = (run.name for run in (*experiment.runs, *experiment.set_aside))
    return wording.as_questions(cached.effect(experiment, remedy, session.workspace()), runs)


def apply(remedy: str) -> None:
    """Put a remedy to work: it stands in the URL, is named on the page and can be taken back."""
    now = session.get_all("apply")
    session.put(apply=[*now, remedy] if remedy not in now else now)
