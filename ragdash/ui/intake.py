"""How do files get in? Uploaded, parsed once into columns, released; what cannot be read is said, the rest stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from ragdash import escape, wording
from ragdash.data.findings import Finding
from ragdash.data.formats import FORMATS, Blob, Role
from ragdash.data.intake import BESIDE, Part, left_out, open_blobs, read_part, read_runs
from ragdash.data.nouns import Run, Source
from ragdash.data.preview import as_table
from ragdash.errors import FileError, RagdashError
from ragdash.ui import questions, session
from ragdash.ui.questions import Question
from ragdash.ui.shelf import SAMPLES, Workspace

#: What a file of each role may look like, to fill in with a spreadsheet.
TEMPLATES = {
    "Questions and judgments": (
        "template-dataset.csv",
        "query_id,query,doc_id,relevance\n"
        "q1,How do I rotate an API key?,doc_7,2\nq1,How do I rotate an API key?,doc_3,0\nq2,cancel plan,doc_9,1\n",
    ),
    "Runs": ("template-run.csv", "query_id,doc_id,score\nq1,doc_7,0.93\nq1,doc_3,0.41\nq2,doc_9,0.88\n"),
    "Document texts": ("template-documents.csv", "doc_id,title,text\ndoc_7,API keys,Rotate a key under Settings.\n"),
}
HELP = {
    "dataset": "Questions, judgments (qrels) and document texts: one file or several.",
    "run": "What each retriever returned: one file a run, several at once.",
}


def uploaders(workspace: Workspace | None) -> None:
    """Two slots. Files are read at once; then the widget forgets them, so that no rerun copies them again."""
    left, right = st.columns(2, gap="medium")
    slots: tuple[tuple[Any, Role, str], ...] = (
        (left, "dataset", "Questions and judgments"),
        (right, "run", "Runs (two or more)"),
    )
    for column, role, label in slots:
        key = session.generation(f"upload_{role}")
        files = column.file_uploader(
            label, accept_multiple_files=True, key=key, help=HELP[role], disabled=not session.may_edit()
        )
        if files:
            keep = workspace if workspace is not None and session.get("source") not in SAMPLES else Workspace()
            if session.get("source") in SAMPLES:
                session.forget()
            new, asked = take_in(keep, files, role)
            session.generation(f"upload_{role}", bump=True)
            session.save(new)
            session.ask(asked)
            st.rerun()


def take_in(workspace: Workspace, files: Sequence[UploadedFile], role: Role) -> tuple[Workspace, list[Question]]:
    """Read every file; the faults of one leave the others usable. Files that need an answer are returned as well."""
    new, names = workspace, []
    asked: list[Question] = []
    for file in files:
        size = f"{file.size / 1e6:,.1f} MB"
        with st.spinner(f"Reading {escape.markdown(escape.shortened(file.name))} ({size}) …"):
            faults: list[str] = []
            waiting = len(asked)
            try:
                new, questions = _unpacked(new, open_blobs(file.name, data=file.getvalue()), role, faults)
                asked += questions
            except RagdashError as error:
                faults.append(str(error))
            names += [] if faults or len(asked) > waiting else [file.name]
            new = replace(new, faults=tuple(dict.fromkeys([*new.faults, *faults])))
    if names:
        session.message(f"Read {wording.listed([escape.markdown(escape.shortened(name)) for name in names])}.")
    return new, asked


def _unpacked(
    workspace: Workspace, blobs: Sequence[Blob], role: Role, faults: list[str]
) -> tuple[Workspace, list[Question]]:
    """All files of an upload. Of an archive, what is something else is left out and named."""
    asked: list[Question] = []
    beside: list[FileError] = []
    taken: list[tuple[list[Part], list[Run]]] = []
    for blob in blobs:
        try:
            parts, runs, question = _read(blob, role)
        except RagdashError as error:
            if isinstance(error, BESIDE) and len(blobs) > 1:
                beside.append(error)
            else:
                faults.append(str(error))
            continue
        taken += [(parts, runs)] if parts or runs else []
        asked += [question] if question else []
    if beside and not (taken or asked):
        faults += map(str, beside)
    elif beside and taken:
        taken[0] = _told(*taken[0], left_out(beside))
    for parts, runs in taken:
        workspace = questions.taken(workspace, parts, runs)
    return workspace, asked


def _told(parts: list[Part], runs: list[Run], found: Sequence[Finding]) -> tuple[list[Part], list[Run]]:
    """The first of what was read, with further findings."""
    if parts:
        reading = parts[0].reading
        parts = [replace(parts[0], reading=replace(reading, findings=(*found, *reading.findings))), *parts[1:]]
    else:
        said = tuple(one.of_run(runs[0].name) for one in found)
        runs = [replace(runs[0], findings=(*said, *runs[0].findings)), *runs[1:]]
    return parts, runs


def _read(blob: Blob, role: Role) -> tuple[list[Part], list[Run], Question | None]:
    """One file, as understood, or as a person said before of one of the same shape; or what to ask about it.

    Raises RagdashError where it cannot be read, and there is nothing to ask.
    """
    fault: RagdashError | None = None
    parts: list[Part] = []
    runs: list[Run] = []
    try:
        parts = [read_part(blob)] if role == "dataset" else []
        runs = read_runs(blob) if role == "run" else [run for part in parts for run in part.reading.runs]
        told = [*(part.reading.findings for part in parts), *(run.findings for run in runs)]
        unsure = any(found.code == "ambiguous-column" for some in told for found in some)
        question = questions.question(blob, role) if unsure else None
    except RagdashError as error:
        fault = error
        question = questions.question(blob, role, error) if isinstance(error, FileError) else None
    if fault is not None and question is None:
        raise fault
    if any(as_table(one) for one in [part.source.format for part in parts] + [run.source.format for run in runs]):
        session.keep_file(blob.sha256, blob.bytes)
        if question is None:
            question = _expected(blob, role)
            if question is not None and question.again:
                return [], [], question  # it is here already
    if question is not None and not question.again and (columns := session.remembered(question.shape_key)):
        try:
            return *questions.read(question, columns), None
        except RagdashError as error:
            question = replace(question, why=str(error), picked=columns)
    if question is not None and (parts or runs):
        question = replace(question, again=True)  # it is read, and stays so unless the answer is another one
    return parts, runs, question


def _expected(blob: Blob, role: Role) -> Question | None:
    """A file of which the columns were to be picked again, and which had to be loaded again for it; and one of a shape
    that a person has spoken of before."""
    file = session.expected(blob.sha256)
    if file is not None:
        return questions.once_more(replace(blob, name=file), role, None)
    return questions.known(blob, role, session.remembered) if session.remembers() else None


def files(workspace: Workspace) -> None:
    """One row a file: what it was recognised as, how much is in it, a name one can change, and a way out."""
    for place, part in enumerate(workspace.parts):
        name, told, again, out = _row()
        name.markdown(f"**{escape.markdown(escape.shortened(part.source.file, 60))}**")
        told.markdown(
            " · ".join([escape.markdown(part.source.format), *_contents(part), *_twin(part, workspace.parts)])
        )
        _differently(again, f"part_{place}", part.source, "dataset")
        _remove(out, f"part_{place}", part.source.file, workspace.without_part(place))
    for place, run in enumerate(workspace.runs):
        name, told, again, out = _row()
        _rename(name, place, run, workspace)
        told.markdown(" · ".join([escape.markdown(run.source.format), *_size(run), *_twin(run, workspace.runs)]))
        _differently(again, f"run_{place}", run.source, "run")
        _remove(out, f"run_{place}", run.name, workspace.without_run(place))


def _row() -> list[Any]:
    """Four places in a row: name, what is known, read it differently, remove."""
    return st.columns([3, 5, 0.7, 0.7], vertical_alignment="center", gap="small")


def _differently(place_of: Any, key: str, source: Source, role: Role) -> None:
    """The columns of a table can be picked again after it was read."""
    if as_table(source.format):
        place_of.button(
            "Read it differently", icon=":material/view_column:", key=f"again_{key}", type="tertiary",
            help="Read it differently: pick its columns again", on_click=_once_more, args=(source, role),
            disabled=not session.may_edit(),
        )  # fmt: skip


def _once_more(source: Source, role: Role) -> None:
    """Ask about a file that was read; where its bytes are gone, ask for the file first."""
    found = session.kept_file(source.sha256)
    if found is None:
        session.expect(source.sha256, source.file)
        name = escape.markdown(escape.shortened(source.file, 60))
        session.message(
            f"ragdash keeps what it read of {name}, not the file. Add the file again, and its columns can be picked."
        )
        return
    blob = Blob(source.file, found)
    seen = questions.once_more(blob, role, None)
    if seen is not None:
        session.ask([replace(seen, picked=session.remembered(seen.shape_key) or {})])


def _contents(part: Part) -> list[str]:
    """What a file of the dataset holds, in counts."""
    reading = part.reading
    out = []
    if reading.qrels is not None:
        relevant = int((reading.qrels.grades >= 1).sum())
        judged = wording.count(reading.qrels.n_queries, "judged question")
        out.append(f"{judged}, {wording.count(len(reading.qrels), 'judgment')} ({relevant:,} relevant)")
    if reading.queries is not None and len(reading.queries):
        out.append(wording.count(len(reading.queries) - reading.queries.texts.null_count, "question text"))
        names = [escape.markdown(str(name)) for name in reading.queries.metadata.columns]
        out += [f"with {wording.listed(names)}"] if names else []
    if reading.documents is not None and len(reading.documents):
        out.append(wording.count(len(reading.documents), "chunk" if reading.documents.located else "document"))
    if reading.evidence is not None and len(reading.evidence):
        asked = wording.count(reading.evidence.n_queries, "question")
        out.append(f"{wording.count(len(reading.evidence), 'evidence span')} for {asked}")
    return out


def _twin(one: Part | Run, among: Sequence[Part | Run]) -> list[str]:
    """Of two files with one name, what tells them apart: a document that is judged or returned."""
    same = {other.source.sha256 for other in among if other.source.file == one.source.file}
    rows = one.reading.qrels if isinstance(one, Part) else one
    if len(same) < 2 or rows is None or not len(rows):
        return []
    return [f"such as {escape.markdown(escape.shortened(str(rows.doc_ids[0].as_py()), 40))}"]


def _size(run: Run) -> list[str]:
    """How much a run holds."""
    depths = run.depths
    low, high = (int(depths.min()), int(depths.max())) if len(depths) else (0, 0)
    deep = f"{high:,} deep" if low == high else f"{low:,} to {high:,} deep"
    scores = "" if run.scores is not None else "no scores: its own order counts"
    return [wording.count(run.n_queries, "question"), wording.count(len(run), "result"), deep, *filter(None, [scores])]


def _rename(place_of: Any, place: int, run: Run, workspace: Workspace) -> None:
    """The run's name, editable; two runs never share one."""
    widget = session.show(f"run_name_{place}", run.name)

    def write() -> None:
        name = escape.one_line(st.session_state[widget])[:200]
        if not name or name == run.name:
            return
        if name in {other.name for other in workspace.runs}:
            session.message(f"There is a run named {escape.markdown(name)} already; the name stays as it was.")
            return
        renamed = {key: name for key in ("baseline", "contender") if session.get(key) == run.name}
        session.save(workspace.renamed(place, name))
        session.put(**renamed)

    place_of.text_input(
        "Name of the run", key=widget, on_change=write, label_visibility="collapsed", disabled=not session.may_edit()
    )


def _remove(place_of: Any, key: str, name: str, rest: Workspace) -> None:
    place_of.button(
        "Remove", icon=":material/delete:", key=f"remove_{key}", help=f"Remove {escape.markdown(name)}",
        on_click=_keep, args=(rest,), type="tertiary", disabled=not session.may_edit(),
    )  # fmt: skip


def _keep(rest: Workspace) -> None:
    """What is left is kept; where that is nothing, one starts anew."""
    if session.save(rest) and rest.empty:
        session.forget()


def faults(workspace: Workspace | None) -> None:
    """Files that could not be read: which, where, found, expected, what to do."""
    if workspace is None:
        return
    for place, text in enumerate(workspace.faults):
        said, out = st.columns([8, 0.7], vertical_alignment="center", gap="small")
        said.error(escape.markdown(text), icon=":material/error:")
        rest = replace(workspace, faults=workspace.faults[:place] + workspace.faults[place + 1 :])
        _remove(out, f"fault_{place}", "this message", rest)


def looks() -> None:
    """What files look like: templates to fill in, and three lines of each format that is known."""
    shown = st.expander("What do these files look like?", key="looks", on_change="rerun")
    if not shown.open:
        return
    with shown:
        st.markdown("Templates to fill in:")
        with st.container(horizontal=True):
            for title, (name, text) in TEMPLATES.items():
                st.download_button(title, text, name, icon=":material/download:", on_click="ignore", key=f"get_{name}")
        st.markdown(
            f"Or one of {len(FORMATS)} formats as they are, recognised by their content; compressed files (gz, bz2, "
            "zst, zip) and folders of them as a zip are read as well."
        )
        names = {block.key: block.title for block in FORMATS}
        key = st.selectbox("Format", list(names), format_func=lambda one: names[one], key="looks_format", width=420)
        block = next(one for one in FORMATS if one.key == key)
        slots = {"dataset": "questions and judgments", "run": "runs"}
        st.caption(f"For {wording.listed([slots[role] for role in block.roles])}")
        st.code(block.sample, language=None)
        suffix = block.suffixes[0] if block.suffixes else ".txt"
        st.download_button("Download this sample", block.sample, f"sample-{block.key}{suffix}", on_click="ignore")
