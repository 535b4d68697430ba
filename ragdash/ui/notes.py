"""What did people say about a question? Notes and tags on the Query page, kept with the workspace."""

from __future__ import annotations

import streamlit as st

from ragdash import escape
from ragdash.report.contents import Remark
from ragdash.store import Note
from ragdash.ui import session, signin, tab
from ragdash.ui.shelf import shelf

USUAL_TAGS = ("wrong judgment", "ambiguous question", "missing document", "chunking", "wording")
VIEW_ONLY = "This link cannot change anything. “Make my own copy”, at the top, gives you a workspace to change."


def kept() -> tuple[Note, ...]:
    """The notes of the workspace that is shown, oldest first."""
    access = session.access()
    return shelf().store.notes(access) if access else ()


def remarks() -> tuple[Remark, ...]:
    """The notes for the report."""
    return tuple(Remark(note.query_id, note.text, note.tags, note.author) for note in kept())


def on_query(query_id: str) -> None:
    """The notes on one question, each with its way to change it, and the way to add one."""
    notes = kept()
    tags = list(dict.fromkeys([*(tag for note in notes for tag in note.tags), *USUAL_TAGS]))
    for note in notes:
        if note.query_id == query_id:
            _shown(note, tags)
    with st.popover("Add a note", icon=":material/edit_note:", key="add_note", disabled=not session.may_edit(),
                    help=None if session.may_edit() else VIEW_ONLY):  # fmt: skip
        _form(query_id, tags, None)


def _shown(note: Note, tags: list[str]) -> None:
    """What was said, with its tags, by whom and when."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"note_{note.number}", gap="small"):
        labels = " ".join(f":gray-badge[{escape.markdown(tag)}]" for tag in note.tags)
        lines = "  \n".join(escape.markdown(line) for line in note.text.splitlines() if line.strip())
        by = " · ".join(filter(None, [escape.markdown(note.author), f"{note.at:%Y-%m-%d}"]))
        st.markdown(f":material/sticky_note_2: {lines} {labels} :gray[:small[{by}]]", width="content")
        if session.may_edit():
            with st.popover("Change", key=f"change_{note.number}", type="tertiary"):
                _form(note.query_id, tags, note)


def _form(query_id: str, tags: list[str], note: Note | None) -> None:
    """Text, tags and a name; kept on the button, and only then."""
    name = session.generation(f"note_{note.number if note else 'new'}_{query_id}")
    text, labels, author = f"{name}_text", f"{name}_tags", f"{name}_author"

    def keep() -> None:
        state, new = st.session_state, session.access() is None
        by = signin.name() or tab.author(state.get(author, ""))
        if session.attempt(lambda: _add(query_id, state[text], tuple(state[labels]), by, note)):
            session.generation(f"note_{note.number if note else 'new'}_{query_id}", bump=True)
            session.message("Kept. The sample stays as it is: this is a copy of your own." if new else "Note kept.")

    def remove() -> None:
        if note is not None:
            session.attempt(
                lambda: shelf().store.remove_note(session.own(), note.number, author=signin.name() or tab.author())
            )

    st.text_area("Note", value=note.text if note else "", key=text, height=90, max_chars=20_000, width=420)
    chosen = list(note.tags) if note else []
    st.multiselect("Tags", tags, default=chosen, key=labels, accept_new_options=True, width=420,
                   placeholder="Choose or type",
                   format_func=lambda tag: escape.shortened(escape.one_line(tag), 40))  # fmt: skip
    if not signin.name():
        st.text_input("Your name", value=tab.author(), key=author, max_chars=200, width=420)
    with st.container(horizontal=True):
        st.button("Keep the note", key=f"{name}_keep", type="primary", on_click=keep)
        if note is not None:
            st.button("Remove", key=f"{name}_remove", icon=":material/delete:", on_click=remove)


def _add(query_id: str, text: str, tags: tuple[str, ...], author: str, note: Note | None) -> None:
    access, replaces = session.own(), note.number if note else None
    shelf().store.add_note(access, query_id, text, tags=tags, author=author, replaces=replaces)
