"""What did the person pick, and where is it kept? The one door to the session and to the URL.

The URL is the truth: a link opens the same view in another tab. Widgets show what it says and write back to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st

from ragdash.ui.shelf import SAMPLE, Workspace, shelf

#: Everything that may stand in the URL. `apply` may occur several times.
KEYS = (
    "source", "baseline", "contender", "metric", "k", "show", "search", "query", "also", "from",
    "line", "slice", "diff", "score", "sort", "by", "change", "cause", "order",
    "threshold", "gain", "missing", "no_relevant", "ties", "band", "test", "correction", "apply",
)  # fmt: skip
MANY = ("apply", "also", "slice", "score")
#: What narrows down the queries that are listed.
FILTERS = ("show", "search", "line", "slice", "diff", "score")

Value = str | list[str]


def begin() -> None:
    """Read the URL. A link inside the session that carries nothing (a bare page name) gets what was picked before."""
    state, url = st.session_state, st.query_params
    if not any(key in url for key in KEYS) and state.get("_url"):
        url.from_dict(state["_url"])
    now = params()
    if now != state.get("_url"):
        state["_notices"] = []
    state["_url"] = now


def params(**changes: Any) -> dict[str, Value]:
    """What the URL says, as parameters for a link; `changes` are put on top, None takes one out."""
    out: dict[str, Value] = {}
    for key in KEYS:
        if key in st.query_params:
            out[key] = st.query_params.get_all(key) if key in MANY else st.query_params[key]
    for key, value in changes.items():
        if value in (None, "", []):
            out.pop(key, None)
        else:
            out[key] = [str(one) for one in value] if key in MANY else str(value)
    return out


def only(**changes: Any) -> dict[str, Value]:
    """Parameters for a link that leads to exactly these queries: every other filter is taken out."""
    return params(**{**dict.fromkeys((*FILTERS, "from", "query")), **changes})


def get(key: str) -> str:
    """One value of the URL, or ""."""
    return str(st.query_params.get(key, ""))


def get_all(key: str) -> list[str]:
    """All values of a key that may occur several times."""
    return [str(one) for one in st.query_params.get_all(key)]


def put(**changes: Any) -> None:
    """Write picks to the URL; None takes one out."""
    now = params(**changes)
    if now != params():
        st.query_params.from_dict(now)
    st.session_state["_url"] = now


def picked(
    widget: str, key: str, read: Callable[[Any], Any] = lambda value: value, also: dict[str, Any] | None = None
) -> Callable[[], None]:
    """A callback for a widget: what it holds now goes to the URL under `key`, together with `also`."""

    def write() -> None:
        put(**{key: read(st.session_state[widget]), **(also or {})})

    return write


def show(widget: str, value: Any) -> str:
    """Let a widget show `value`, which the URL says; returns the widget's key."""
    st.session_state[widget] = value
    return widget


def notice(text: str) -> None:
    """Something that the link asked for and that is not there. Stays until something else is picked."""
    notices = st.session_state.setdefault("_notices", [])
    if text not in notices:
        notices.append(text)


def notices() -> Iterable[str]:
    return list(st.session_state.get("_notices", []))


def message(text: str | None = None) -> str | None:
    """Leave a word for the next run of the page, or take it."""
    if text is None:
        taken: str | None = st.session_state.pop("_message", None)
        return taken
    st.session_state["_message"] = text
    return None


def generation(widget: str, bump: bool = False) -> str:
    """A widget's key that can be renewed: the uploader forgets its files when its key changes."""
    counts: dict[str, int] = st.session_state.setdefault("_generations", {})
    counts[widget] = counts.get(widget, 0) + bump
    return f"{widget}_{counts[widget]}"


def workspace() -> Workspace | None:
    """What is loaded: the sample, or the files behind the link's token. None where nothing is, or no longer."""
    source = get("source")
    if not source:
        return None
    if source == SAMPLE:
        return Workspace.sample()
    found = shelf().find(source)
    if found is None:
        st.session_state["_lost"] = True
    return found


def lost() -> bool:
    """Whether the link names files that are not on the shelf."""
    return bool(get("source")) and get("source") != SAMPLE and shelf().find(get("source")) is None


def save(new: Workspace) -> None:
    """Keep what is loaded and name it in the URL: under the link's own token, or a new one.

    The sample is never changed: whoever changes it gets a shelf place of their own.
    """
    token = get("source")
    if not token or token == SAMPLE or shelf().find(token) is None:
        put(source=shelf().add(new))
    else:
        shelf().replace(token, new)


def open_sample() -> None:
    """Put the sample in the URL, and nothing of what was picked for other files."""
    forget()
    put(source=SAMPLE)


def forget() -> None:
    """Start anew: nothing loaded, nothing picked. The files of this session leave the shelf."""
    token = get("source")
    if token and token != SAMPLE:
        shelf().remove(token)
    st.query_params.clear()
    st.session_state["_url"] = {}
