"""How does a workspace leave, come back, stay off the disk and end? The lower part of the Share page."""

from __future__ import annotations

import io
import re
from typing import Any

import streamlit as st

from ragdash import escape
from ragdash.errors import RagdashError
from ragdash.store import Access, Workspace, export, import_
from ragdash.ui import links, notes, session
from ragdash.ui.shelf import SAMPLES, shelf

VIEW = "view"  # under which a workspace file keeps what was picked, so that it opens with the same numbers
PRIVATE = "Keep nothing on the server's disk"


def whole() -> None:
    """Links, the file, private mode, the end: for what is loaded."""
    if session.workspace() is None:
        opener()
        return
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Links to this view**")
        links.offer("page")
    with right:
        st.markdown("**The workspace as a file**")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            download()
            opener()
            ending()
        st.caption("Files, runs, notes, judgments and what is picked: it opens in any ragdash with the same numbers.")
        private_switch()


def file_name(text: str) -> str:
    """A name that every system takes."""
    return re.sub(r"[^\w.-]+", "-", escape.one_line(text)[:80]).strip("-.") or "ragdash"


def download() -> None:
    """Everything as one zip, made on click."""
    access, workspace, view = session.access(), session.workspace() or Workspace(), session.params(source=None)
    st.download_button(
        "Download",
        data=lambda: packed(access, workspace, view),
        file_name=f"{file_name(workspace.title or 'workspace')}.ragdash.zip",
        mime="application/zip",
        icon=":material/folder_zip:",
        on_click="ignore",
        key="download_workspace",
    )


def packed(access: Access | None, workspace: Workspace, view: dict[str, session.Value]) -> bytes:
    """The zip, with what is picked in it. Who may only look changes nothing: it is made from a copy in memory."""
    store, out = shelf().store, io.BytesIO()
    if access is not None and access.may_edit:
        store.choose(access, {VIEW: view})
        export(store, access, out)
        return out.getvalue()
    copy = shelf().copy(access, private=True) if access else store.create(workspace, private=True)
    try:
        store.choose(copy, {VIEW: view})
        export(store, copy, out)
    finally:
        store.delete(copy)
    return out.getvalue()


def opener() -> None:
    """A workspace file becomes a workspace of one's own; what is none, or not a safe one, is refused in words."""
    with st.popover("Open a workspace file", icon=":material/folder_open:", key="open_workspace"):
        file = st.file_uploader("A file that ragdash wrote", type="zip", key=session.generation("workspace_file"))
        if file is None:
            return
        session.generation("workspace_file", bump=True)
        try:
            access = import_(shelf().store, file, private=session.private())
            view = shelf().store.choices(access).get(VIEW)
        except RagdashError as error:
            session.trouble(escape.markdown(f"{escape.shortened(file.name, 60)}: {error}"))
            st.rerun()
        session.forget()
        session.put(**{**_picked(view), "source": access.token})
        session.message(f"Opened {escape.markdown(escape.shortened(file.name, 60))}.")
        st.rerun()


def _picked(view: Any) -> dict[str, Any]:
    """What of a file's view can stand in the URL; there each value is checked like any link's."""
    kinds = {key: list if key in session.MANY else str for key in session.KEYS}
    return {key: view[key] for key in kinds if isinstance(view.get(key), kinds[key])} if isinstance(view, dict) else {}


def private_switch() -> None:
    """Memory only, or the disk. What is loaded already moves, and gets new links."""
    always, access = shelf().store.settings.private, session.access()
    may = session.may_edit() and not always
    widget = session.show("private", access.private if access else session.private())
    st.toggle(PRIVATE, key=widget, disabled=not may, on_change=lambda: session.move(st.session_state[widget]),
              help="What is loaded lives in the server's memory only, for a day without use at most and until the "
              "server stops. A workspace that moves gets new links; the old ones end.")  # fmt: skip
    if always:
        st.caption("This server never writes to its disk.")


def ending() -> None:
    """The end, asked twice."""
    if session.get("source") in SAMPLES:
        return
    may = session.may_edit()
    with st.popover("Delete", icon=":material/delete_forever:", key="delete", disabled=not may,
                    help=None if may else notes.VIEW_ONLY):  # fmt: skip
        st.markdown(
            "**Delete this workspace for everybody?** Its files, notes and judgments are removed from the server, and "
            "no link leads to them any more. This cannot be undone."
        )
        st.button("Delete for good", key="delete_for_good", type="primary", on_click=session.delete)
