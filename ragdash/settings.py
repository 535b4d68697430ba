"""What do the settings of the environment say? One parser for all: what cannot be used is refused, never guessed."""

from __future__ import annotations

import os
from collections.abc import Mapping

from ragdash.errors import OptionError

_ON, _OFF = ("1", "true", "yes", "on"), ("", "0", "false", "no", "off")
_MOST = 1e9


def text_of(key: str, said: Mapping[str, str] | None = None) -> str:
    """The setting without blanks around it; "" where it is not set. `said` stands for the environment."""
    return (os.environ if said is None else said).get(key, "").strip()


def number(key: str, default: float, said: Mapping[str, str] | None = None) -> float:
    """A number of 0 or more, below a billion. Raises OptionError for anything else."""
    text = text_of(key, said)
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < _MOST or "_" in text:
        raise _refused(key, text, "a number of 0 or more, without a unit", f"{default:g}")
    return value


def whole(key: str, default: int, said: Mapping[str, str] | None = None, *, least: int = 0) -> int:
    """A whole number of `least` or more, below a billion, such as `2000`. Raises OptionError for anything else."""
    text = text_of(key, said)
    if not text:
        return default
    if not (text.isascii() and text.isdigit()) or not least <= int(text) < _MOST:
        raise _refused(key, text, f"a whole number of {least} or more, without a unit or separators", str(default))
    return int(text)


def switch(key: str, said: Mapping[str, str] | None = None) -> bool:
    """On (`1`, `true`, `yes`, `on`) or off (`0`, `false`, `no`, `off`, not set). Raises OptionError otherwise."""
    text = text_of(key, said)
    if text.lower() not in _ON + _OFF:
        raise _refused(key, text, "1 (on) or 0 (off)", "0")
    return text.lower() in _ON


def _refused(key: str, found: str, expected: str, default: str) -> OptionError:
    return OptionError(
        f"The setting {key} is {found[:40]!r}; expected {expected}. Mend it where the server's environment is set, or "
        f"remove it for the default ({default})."
    )
