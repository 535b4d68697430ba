"""Workspaces that outlive a browser tab: `Store` keeps them, `Settings` says where."""

from ragdash.store.access import Access
from ragdash.store.archive import export, import_
from ragdash.store.errors import ArchiveError, LinkError, StorageError, StoreError, ViewOnlyError
from ragdash.store.remarks import Judgment, Note
from ragdash.store.rulings import Decision, Ruling, added, choice, decisions_of, rulings
from ragdash.store.settings import Settings
from ragdash.store.store import Store
from ragdash.store.workspace import Workspace

__all__ = [
    "Access",
    "ArchiveError",
    "Decision",
    "Judgment",
    "LinkError",
    "Note",
    "Ruling",
    "Settings",
    "StorageError",
    "Store",
    "StoreError",
    "ViewOnlyError",
    "Workspace",
    "added",
    "choice",
    "decisions_of",
    "export",
    "import_",
    "rulings",
]
