"""How large may a file be? Each limit is a setting of the environment with a default; going over one is a message."""

from __future__ import annotations

import os

_MB = 1 << 20
LIMITS: dict[str, tuple[int, str]] = {
    "file_mb": (2_000, "size of one file, in MB"),
    "unpacked_mb": (4_000, "size of all that one archive unpacks to, in MB"),
    "members": (2_000, "files in one archive or folder"),
    "columns": (1_000, "columns of a table"),
}


def limit(key: str) -> int:
    """The value in force: `RAGDASH_MAX_<KEY>` where it is a whole number above 0, the default otherwise."""
    text = os.environ.get(setting(key), "")
    return int(text) if text.isascii() and text.isdigit() and int(text) > 0 else LIMITS[key][0]


def in_bytes(key: str) -> int:
    """A limit in megabytes as bytes."""
    return limit(key) * _MB


def setting(key: str) -> str:
    """The name of the environment variable."""
    return f"RAGDASH_MAX_{key.upper()}"
