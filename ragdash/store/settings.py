"""Where are workspaces kept, and for how long? Settings of the environment, each with a default.

| setting | default | |
|---|---|---|
| `RAGDASH_STORE` | `.ragdash` in the checkout; elsewhere the user's data folder | a folder on this computer |
| `RAGDASH_DATABASE_URL` | an SQLite file in that folder | `postgresql://...` for several servers |
| `RAGDASH_FILES_URL` | that folder | any fsspec URL for several servers: `s3://...`, `file:///mnt/share` |
| `RAGDASH_EXPIRY_DAYS` | 0: never | days without use until a workspace is removed |
| `RAGDASH_CACHE_MB` | 20,000 | what is kept on this computer of tables behind `RAGDASH_FILES_URL` |
| `RAGDASH_PRIVATE` | off | `1`: nothing is written, workspaces live in memory until the server stops |
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ragdash.settings import number, switch, text_of, whole

_CHECKOUT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Settings:
    """`folder` is on this computer; `database_url` and `files_url` are "" where that folder serves."""

    folder: Path
    database_url: str = ""
    files_url: str = ""
    expiry_days: float = 0
    cache_mb: int = 20_000
    private: bool = False

    @classmethod
    def of(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Read the environment. Raises OptionError where a number is none, or a switch neither on nor off."""
        said = environment
        return cls(
            folder=Path(text_of("RAGDASH_STORE", said) or default_folder()).expanduser().absolute(),
            database_url=text_of("RAGDASH_DATABASE_URL", said),
            files_url=text_of("RAGDASH_FILES_URL", said),
            expiry_days=number("RAGDASH_EXPIRY_DAYS", 0, said),
            cache_mb=whole("RAGDASH_CACHE_MB", 20_000, said),
            private=switch("RAGDASH_PRIVATE", said),
        )


def default_folder() -> Path:
    """`.ragdash` in a checkout that can be written to, so that a tried-out ragdash is removed with its folder.

    An installed package has no checkout: there it is the user's data folder of the system.
    """
    if (_CHECKOUT / "app.py").is_file() and os.access(_CHECKOUT, os.W_OK):
        return _CHECKOUT / ".ragdash"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "ragdash"
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "ragdash"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "ragdash"
