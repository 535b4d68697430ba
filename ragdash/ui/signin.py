"""Who is there? Sign-in through the organisation's own OpenID provider, where one is set; otherwise nobody is asked.

Streamlit keeps the provider in `.streamlit/secrets.toml` ([auth]). `RAGDASH_ALLOWED_DOMAINS` (such as
`example.org, example.com`) says whose verified e-mail addresses may come in; without it everybody whom the provider
knows. `RAGDASH_TRUST_EMAIL=1` is for providers that do not say whether an address was verified, where the directory is
one's own (Microsoft Entra with a single tenant). Nothing of a workspace is read before somebody has come in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ragdash import escape
from ragdash.settings import switch, text_of

DOMAINS, TRUST = "RAGDASH_ALLOWED_DOMAINS", "RAGDASH_TRUST_EMAIL"
#: The provider leads back to the first page: the address that was asked for waits in the tab.
REMEMBER = "<script>sessionStorage.setItem('ragdash_back', location.href)</script>"
RETURN = """<script>
const back = sessionStorage.getItem('ragdash_back');
sessionStorage.removeItem('ragdash_back');
if (back && back !== location.href && new URL(back).origin === location.origin) location.replace(back);
</script>"""


def allowed_domains(environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The domains that the setting names."""
    said = text_of(DOMAINS, environment)
    return tuple(part.strip().lower().lstrip("@") for part in said.split(",") if part.strip())


def settings() -> None:
    """Raises OptionError where a setting cannot be used."""
    switch(TRUST)


def refused(user: Mapping[str, Any], domains: tuple[str, ...], *, trusting: bool = False) -> str:
    """Why somebody whom the provider knows may not come in, or ""."""
    if not domains:
        return ""
    email = str(user.get("email") or "")
    if not email:
        return "Your account says no e-mail address, and only some addresses may come in here."
    if str(user.get("email_verified", trusting)).lower() != "true":
        return f"Your provider does not say that the address {email} is verified, so it cannot be relied on."
    local, _, domain = email.rpartition("@")
    if local and "@" not in local and domain.lower() in domains:
        return ""
    return f"{email} may not come in here: the addresses of {' and '.join(domains)} may. Ask whoever runs this server."


def _provider() -> bool:
    """Whether a provider is set: only then does Streamlit say whether somebody is signed in."""
    return hasattr(st.user, "is_logged_in")


def gate() -> None:
    """Before every page: who may not come in gets no further."""
    domains = allowed_domains()
    if not _provider():
        if not domains:
            return
        st.error(f"{DOMAINS} is set, but no provider to sign in with: `.streamlit/secrets.toml` has no [auth].")
        st.stop()
    if not st.user.is_logged_in:
        st.html(REMEMBER, unsafe_allow_javascript=True)
        with st.container(border=True, key="sign_in", width=480):
            st.markdown("## ragdash\n\nThis server asks who you are before it shows anything.")
            st.button("Sign in", type="primary", icon=":material/login:", on_click=st.login)
        st.stop()
    why = refused(st.user.to_dict(), domains, trusting=switch(TRUST))
    if why:
        with st.container(border=True, key="refused", width=560):
            st.markdown(escape.markdown(why))
            st.button("Sign out", on_click=st.logout)
        st.stop()
    if not st.session_state.get("_returned"):
        st.session_state["_returned"] = True
        st.html(RETURN, unsafe_allow_javascript=True)


def name() -> str:
    """Who is signed in, for notes and judgments; "" where nobody is asked."""
    user = st.user.to_dict() if _provider() else {}
    return str(user.get("email") or user.get("name") or "")


def menu() -> None:
    """Under the menu: who is signed in, and the way out."""
    if name():
        with st.sidebar:
            st.caption(escape.markdown(escape.shortened(name(), 40)))
            st.button("Sign out", icon=":material/logout:", key="sign_out", on_click=st.logout, type="tertiary")
