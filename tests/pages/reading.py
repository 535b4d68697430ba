"""How does a test read a page?"""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def checked(at: AppTest) -> AppTest:
    """The page, once it is known that nothing broke."""
    assert not at.exception, "\n".join(one.message for one in at.exception)
    return at


def words(at: AppTest) -> str:
    """Everything that can be read on the page, the escapes taken out."""
    kinds = (at.header, at.subheader, at.markdown, at.caption, at.warning, at.error, at.info)
    return "\n".join(str(one.value) for kind in kinds for one in kind).replace("\\", "")


def param(at: AppTest, key: str) -> str | None:
    """A value of the URL."""
    found = at.query_params.get(key)
    return str(found[0]) if isinstance(found, list) else found
