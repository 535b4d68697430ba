"""Where do loaded files live between page views? In the store, behind the token in the address; the samples in memory.

A reload, a second tab and a restarted server find them by that token.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from ragdash.data import samples
from ragdash.store import Access, LinkError, Store, Workspace

__all__ = ["CHUNKED", "SAMPLE", "SAMPLES", "Access", "Shelf", "Workspace", "sample", "shelf"]

SAMPLE, CHUNKED = "sample", "sample-chunks"
SAMPLES = (SAMPLE, CHUNKED)


@st.cache_resource(show_spinner="Reading the sample …")
def sample(name: str = SAMPLE) -> Workspace:
    """One of the samples that come with ragdash, read once."""
    if name == CHUNKED:
        return Workspace(samples.dataset_parts(samples.CHUNKED_DATASET), samples.runs(samples.CHUNKED_RUNS))
    return Workspace(samples.dataset_parts(), samples.runs())


@dataclass(frozen=True)
class Shelf:
    """Workspaces by token. Everything raises StoreError: LinkError says why there is nothing, ViewOnlyError that a
    token may only look, StorageError that disk or database cannot be used."""

    store: Store

    def add(self, workspace: Workspace, *, private: bool = False) -> str:
        """Keep a workspace, `private` in memory only; returns the token that edits it."""
        return self.store.create(workspace, private=private).token

    def access(self, token: str) -> Access:
        """What a token allows."""
        return self.store.find(token)

    def find(self, token: str) -> Workspace | None:
        """The workspace; None where there is none, or no longer."""
        try:
            return self.store.load(self.store.find(token))
        except LinkError:
            return None

    def replace(self, token: str, workspace: Workspace) -> None:
        """Keep the workspace as it is now under the same token."""
        self.store.save(self.store.find(token), workspace)

    def remove(self, token: str) -> None:
        """Delete a workspace and all that was said in it."""
        self.store.delete(self.store.find(token))

    def copy(self, access: Access, *, private: bool) -> Access:
        """The same workspace again under new tokens, with choices, notes and judgments and their history."""
        store = self.store
        return store.restore(
            store.load(access),
            store.choices(access),
            store.note_history(access),
            store.judgment_history(access),
            private=private,
        )


@st.cache_resource(show_spinner=False)
def shelf() -> Shelf:
    """The one shelf of this server, where the settings say."""
    return Shelf(Store.open())
