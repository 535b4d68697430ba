"""Is a setting read as it is meant, or refused by its name?"""

import pytest

from ragdash.__main__ import main
from ragdash.data.limits import LIMITS, limit, setting
from ragdash.errors import OptionError
from ragdash.settings import number, switch, whole


@pytest.mark.parametrize("text", ["2GB", "2 000", "2,000", "1e3", "-5", "0", "2.5", "٣", "999999999999", "NaN"])
@pytest.mark.parametrize("key", LIMITS)
def test_a_limit_that_is_no_number_is_refused_with_its_name(key, text, monkeypatch) -> None:
    monkeypatch.setenv(setting(key), text)
    with pytest.raises(OptionError) as raised:
        limit(key)
    assert f"The setting {setting(key)} is {text!r}; expected a whole number of 1 or more" in str(raised.value)
    assert f"the default ({LIMITS[key]})" in str(raised.value)


def test_not_set_blank_and_set(monkeypatch) -> None:
    assert limit("file_mb") == 2_000
    monkeypatch.setenv("RAGDASH_MAX_FILE_MB", " ")
    assert limit("file_mb") == 2_000
    monkeypatch.setenv("RAGDASH_MAX_FILE_MB", " 12 ")
    assert limit("file_mb") == 12


def test_numbers_and_switches() -> None:
    assert number("X", 3, {"X": "0.5"}) == 0.5
    assert whole("X", 3, {}) == 3
    assert [switch("X", {"X": text}) for text in ("1", "TRUE", "on", "0", "false", "off", "")] == [True] * 3 + [
        False
    ] * 4
    for text in ("maybe", "2", "yes please"):
        with pytest.raises(OptionError, match=r"The setting X is .* expected 1 \(on\) or 0 \(off\)"):
            switch("X", {"X": text})
    for text in ("1_000", "nan", "-1", "30 days"):
        with pytest.raises(OptionError, match=r"The setting X is .*; expected a number of 0 or more"):
            number("X", 3, {"X": text})


def test_the_command_line_says_it_before_a_file_is_read(monkeypatch, capsys) -> None:
    monkeypatch.setenv("RAGDASH_MAX_COLUMNS", "many")
    assert main(["check", "nowhere.csv", "--run", "nowhere.trec"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("The setting RAGDASH_MAX_COLUMNS is 'many'; expected")
