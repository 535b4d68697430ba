"""What can go wrong between a person and what was kept? `str(error)` is the sentence shown.

RagdashError
└── StoreError           a note, a judgment or a choice cannot be kept as it is
    ├── LinkError            a link leads nowhere: unknown, expired or deleted
    ├── ViewOnlyError        a view-only link cannot change anything
    ├── StorageError         disk or database: full, locked, out of reach, damaged
    └── ArchiveError         a file is no workspace, or not a safe one
"""

from __future__ import annotations

from typing import Literal

from ragdash.errors import RagdashError

Why = Literal["unknown", "expired", "deleted"]
_GONE: dict[Why, str] = {
    "unknown": "This link leads to no workspace here. Check that it was copied whole; "
    "if it was, ask whoever sent it for a new one.",
    "expired": "The workspace behind this link was not opened for so long that it expired, and its files were removed. "
    "Ask whoever sent the link to load the files again.",
    "deleted": "The workspace behind this link was deleted by somebody who could edit it. "
    "Ask whoever sent the link whether there is a new one.",
}


class StoreError(RagdashError):
    """What should be kept cannot be kept as it is."""


class LinkError(StoreError):
    """A link leads nowhere. `why` is `unknown`, `expired` or `deleted`."""

    def __init__(self, why: Why) -> None:
        self.why: Why = why
        super().__init__(_GONE[why])


class ViewOnlyError(StoreError):
    """This link shows the workspace and cannot change it. Ask whoever sent it for a link that may edit."""

    def __init__(self) -> None:
        super().__init__(str(self.__doc__))


class StorageError(StoreError):
    """Disk or database cannot be used."""


class ArchiveError(StoreError):
    """A file cannot be opened as a workspace."""
