"""Who may do what? Whoever has a token. Two of them lead to a workspace: one may edit, one may only look.

Both have 128 bits and cannot be guessed. The view token is made from the edit token, in one direction: whoever may edit
can always pass on a link to look at, and nobody gets from looking to editing. The database keeps digests of tokens
only, so a copy of it opens no workspace.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from dataclasses import dataclass, field

TOKEN = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)


@dataclass(frozen=True)
class Access:
    """What a token allows, as `Store.find` says. Every change checks the token again, where the workspace is kept."""

    workspace_id: str
    may_edit: bool
    token: str = field(repr=False)
    private: bool = False

    @property
    def view_token(self) -> str:
        """The token of a link that only looks."""
        return view_token(self.token) if self.may_edit else self.token


def new_token() -> str:
    return secrets.token_urlsafe(16)


def view_token(edit_token: str) -> str:
    """The token that looks at what `edit_token` edits."""
    digest = hashlib.sha256(b"ragdash view " + edit_token.encode()).digest()
    return base64.urlsafe_b64encode(digest[:16]).rstrip(b"=").decode()


def hashed(token: str) -> str:
    """What is kept of a token. It is random, so one round without salt is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
