"""How large may a file be? Each limit is a setting of the environment with a default; going over one is a message.

| setting | default | |
|---|---|---|
| `RAGDASH_MAX_FILE_MB` | 2000 | size of one file, in MB |
| `RAGDASH_MAX_UNPACKED_MB` | 4000 | size of all that one archive unpacks to, in MB |
| `RAGDASH_MAX_MEMBERS` | 2000 | files in one archive or folder |
| `RAGDASH_MAX_NESTING` | 3 | archives packed into each other |
| `RAGDASH_MAX_COLUMNS` | 1000 | columns of a table |
"""

from __future__ import annotations

from ragdash.settings import whole

_MB = 1 << 20
LIMITS: dict[str, int] = {"file_mb": 2_000, "unpacked_mb": 4_000, "members": 2_000, "nesting": 3, "columns": 1_000}


def limit(key: str) -> int:
    """The value in force: the setting, or the default. Raises OptionError where it is no whole number above 0."""
    return whole(setting(key), LIMITS[key], least=1)


def in_bytes(key: str) -> int:
    """A limit in megabytes as bytes."""
    return limit(key) * _MB


def check_limits() -> None:
    """Raises OptionError where a setting cannot be used: said before the first file, not when a limit is met."""
    for key in LIMITS:
        limit(key)


def setting(key: str) -> str:
    """The name of the environment variable."""
    return f"RAGDASH_MAX_{key.upper()}"
