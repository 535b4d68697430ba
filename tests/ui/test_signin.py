"""Who may come in?"""

import pytest

from ragdash.ui.signin import allowed_domains, refused

ADA = {"email": "Ada@Example.org", "email_verified": True}


def test_the_setting_is_a_list_of_domains() -> None:
    assert allowed_domains({"RAGDASH_ALLOWED_DOMAINS": " Example.org, @example.com ,"}) == (
        "example.org",
        "example.com",
    )
    assert allowed_domains({}) == ()


def test_without_domains_everybody_whom_the_provider_knows_comes_in() -> None:
    assert refused({}, ()) == ""


def test_a_verified_address_of_the_domain_comes_in() -> None:
    assert refused(ADA, ("example.org",)) == ""


@pytest.mark.parametrize(
    "email",
    [
        "eve@e.vil",
        "eve@sub.example.org",
        "eve@example.org.e.vil",
        "example.org",
        "eve@example.org@e.vil",
        "eve@e.vil@example.org",
        "",
    ],
)
def test_other_addresses_do_not(email: str) -> None:
    assert refused({"email": email, "email_verified": True}, ("example.org",))


@pytest.mark.parametrize("claims", [{}, {"email_verified": False}, {"email_verified": "false"}])
def test_an_address_that_is_not_verified_does_not(claims: dict) -> None:
    assert "verified" in refused({"email": "ada@example.org", **claims}, ("example.org",))


def test_ones_own_directory_may_be_trusted_where_it_says_nothing_but_not_against_its_word() -> None:
    assert refused({"email": "ada@example.org"}, ("example.org",), trusting=True) == ""
    assert refused({"email": "ada@example.org", "email_verified": False}, ("example.org",), trusting=True)
