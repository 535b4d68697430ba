"""What did the person pick, and where is it kept? The one door to the session and to the URL.

The URL is the truth: a link opens the same view in another tab. Widgets show what it says and write back to it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st

from ragdash import escape
from ragdash.data.assembly import Part
from ragdash.data.nouns import Dataset
from ragdash.errors import RagdashError
from ragdash.store import choice
from ragdash.ui import tab
from ragdash.ui.shelf import SAMPLE, SAMPLES, Access, Workspace, sample, shelf

#: Everything that may stand in the URL. `apply` may occur several times.
KEYS = (
    "source", "baseline", "contender", "metric", "k", "show", "search", "query", "also", "from",
    "line", "slice", "diff", "score", "sort", "by", "change", "cause", "order", "judge", "judged",
    "threshold", "gain", "missing", "no_relevant", "ties", "drop_self", "band", "test", "correction", "apply",
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
    state.pop("_found", None)  # asked anew in every run: somebody may have deleted it meanwhile


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


def asked() -> list[Any]:
    """Files of this workspace that wait for a person to say which column is which (`ui.mapping.Question`)."""
    waiting: dict[str, list[Any]] = st.session_state.setdefault("_asked", {})
    return list(waiting.get(get("source"), []))


def ask(questions: Iterable[Any]) -> None:
    """Let files wait for an answer; one of the same content waits once."""
    known = {one.key: one for one in [*asked(), *questions]}
    st.session_state["_asked"][get("source")] = list(known.values())


def answered(key: str, again: Any = None) -> None:
    """The file needs no answer any more, or asks `again`."""
    left = [one if one.key != key else again for one in asked()]
    st.session_state["_asked"][get("source")] = [one for one in left if one is not None]


def remember(shape: str, columns: Any) -> None:
    """Keep which column is which for files of the same shape."""
    st.session_state.setdefault("_columns", {})[shape] = dict(columns)


def remembers() -> bool:
    """Whether a person has said of any file which column is which."""
    return bool(st.session_state.get("_columns"))


def remembered(shape: str) -> dict[str, str] | None:
    known: dict[str, dict[str, str]] = st.session_state.get("_columns", {})
    return known.get(shape)


#: How many bytes of loaded files a session keeps, packed, so that their columns can be picked again.
_KEPT = 64 << 20


def keep_file(sha256: str, data: bytes) -> None:
    """Keep the bytes of a table for a while; the oldest go first, and the largest are not kept."""
    kept: dict[str, bytes] = st.session_state.setdefault("_files", {})
    kept.pop(sha256, None)
    packed = zlib.compress(data, 1)
    if len(packed) <= _KEPT:
        kept[sha256] = packed
    while sum(map(len, kept.values())) > _KEPT:
        kept.pop(next(iter(kept)))


def kept_file(sha256: str) -> bytes | None:
    """The bytes of a file that was loaded in this session, where they are still here."""
    packed: bytes | None = st.session_state.get("_files", {}).get(sha256)
    return None if packed is None else zlib.decompress(packed)


def expect(sha256: str, file: str) -> None:
    """A file is asked about when it is loaded again."""
    st.session_state.setdefault("_expected", {})[sha256] = file


def expected(sha256: str) -> str | None:
    """The name of a file that was waited for, once."""
    file: str | None = st.session_state.get("_expected", {}).pop(sha256, None)
    return file


def trouble(text: str | None = None) -> str | None:
    """Leave word of something that could not be done, or take it. Unlike a message it stays on the page."""
    if text is None:
        taken: str | None = st.session_state.pop("_trouble", None)
        return taken
    st.session_state["_trouble"] = text
    return None


def workspace() -> Workspace | None:
    """What is loaded: the sample, or the files behind the link's token. None where nothing is, or no longer."""
    source = get("source")
    if not source:
        return None
    if source in SAMPLES:
        return sample(source)
    found = access()
    try:
        return shelf().store.load(found) if found else None
    except RagdashError as error:  # deleted between two looks
        st.session_state["_found"] = (source, None, error)
        return None


def parts() -> tuple[Part, ...]:
    """The files of the dataset that is loaded."""
    found = workspace()
    return () if found is None else found.parts


def workspace_dataset() -> Dataset | None:
    """The dataset that is loaded, before any remedy; None where there is none."""
    found = workspace()
    try:
        return None if found is None else found.dataset
    except RagdashError:  # no judgments yet: the page says so
        return None


def access() -> Access | None:
    """What the link's token allows; None for the sample, without a link, and where the link leads nowhere."""
    return _found()[0]


def lost() -> RagdashError | None:
    """Why the link's files are not to be had: unknown, expired, deleted, or a store that cannot be read."""
    return _found()[1]


def _found() -> tuple[Access | None, RagdashError | None]:
    """Where the link leads, asked once a run and kept beside the token that was asked for."""
    source = get("source")
    if source in ("", *SAMPLES):
        return None, None
    kept = st.session_state.get("_found")
    if kept is None or kept[0] != source:
        try:
            found, error = shelf().access(source), None
            shelf().store.load(found)
        except RagdashError as why:
            found, error = None, why
        kept = st.session_state["_found"] = (source, found, error)
    return kept[1], kept[2]


def may_edit() -> bool:
    """Whether what is loaded may be changed. Whoever changes the sample, or loads files where a link leads nowhere,
    gets a workspace of their own."""
    found = access()
    return found is None or found.may_edit


def private() -> bool:
    """Whether what is loaded from now on stays in the server's memory."""
    return bool(st.session_state.get("_private")) or shelf().store.settings.private


def attempt(change: Callable[[], Any]) -> bool:
    """Do what changes a workspace; where it cannot be done, the page says why."""
    try:
        change()
    except RagdashError as error:
        trouble(escape.markdown(str(error)))
        return False
    finally:
        st.session_state.pop("_found", None)
    return True


def save(new: Workspace) -> bool:
    """Keep what is loaded and name it in the URL: under the link's own token, or a new one. Says whether it was kept.

    The sample is never changed: whoever changes it gets a workspace of their own.
    """

    def keep() -> None:
        if access() is None:
            put(source=_home(new))
        else:
            shelf().replace(get("source"), new)

    return attempt(keep)


def own() -> Access:
    """The access to write with; the sample becomes a workspace of one's own first. Raises StoreError."""
    found = access()
    if found is None:
        put(source=_home(workspace() or Workspace()))
        return shelf().access(get("source"))
    return found


def _home(new: Workspace) -> str:
    """The token of a new workspace, with what was judged in this tab before there was one."""
    history, decisions = tab.said(get("source"))
    if not history:
        return shelf().add(new, private=private())
    choices = dict(choice(pair, decision) for pair, decision in decisions.items())
    made = shelf().store.restore(new, choices, (), history, private=private())
    tab.forget(get("source"))
    return made.token


def copy() -> None:
    """A workspace of one's own, the same as the one that is shown; the URL then names it."""
    found = access()
    if found is not None:
        attempt(lambda: put(source=shelf().copy(found, private=private()).token))


def move(private: bool) -> None:
    """Into the server's memory alone, or onto its disk: the workspace gets new links, the old ones end."""
    st.session_state["_private"] = private
    found = access()
    if found is None or not found.may_edit or found.private == private:
        return

    def exchange() -> None:
        put(source=shelf().copy(found, private=private).token)
        shelf().store.delete(found)

    attempt(exchange)


def delete() -> None:
    """Delete the workspace that is shown, for everybody, and start anew."""
    if attempt(lambda: shelf().remove(get("source"))):
        forget()
        message("The workspace was deleted, and its links with it.")


def open_sample(name: str = SAMPLE) -> None:
    """Put a sample in the URL, and nothing of what was picked for other files."""
    forget()
    put(source=name)


def forget() -> None:
    """Start anew: nothing loaded, nothing picked. What was loaded stays behind its link."""
    st.query_params.clear()
    st.session_state["_url"] = {}
