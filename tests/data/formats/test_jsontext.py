import pytest

from ragdash.data.formats.base import Blob
from ragdash.data.formats.encoding import decoded
from ragdash.data.formats.jsontext import Number, loads, members, peek, records
from ragdash.errors import MalformedError


def listed(content: str, kind="list"):
    return list(records(decoded(Blob("f.json", content.encode())), "f.json", kind))


@pytest.mark.parametrize("text", ["7", "7.0", "1e5", "1E5", "12345678901234567891234", "NaN", "-0"])
def test_a_number_keeps_its_text(text):
    assert loads(f'{{"id": {text}}}') == {"id": text}
    assert isinstance(loads(text), Number)


def test_a_repeated_key_keeps_the_first_value_and_is_known():
    value = loads('{"a": 1, "b": 2, "a": 3}')
    assert value == {"a": "1", "b": "2"}
    assert value.again == ("a",)


def test_lines_are_known_in_lists_in_lines_and_in_objects():
    assert [line for line, _ in listed('[{"a": 1},\n\n {"a": 2}]')] == [1, 3]
    assert [line for line, _ in listed('{"a": 1}\n\n{"a": 2}\n', "lines")] == [1, 3]
    text = decoded(Blob("f", b'{"q1": 1,\n "q2": 2}'))
    assert [(key, line) for key, line, _ in members(text, "f")] == [("q1", 1), ("q2", 2)]


@pytest.mark.parametrize(
    ("content", "kind", "said"),
    [
        ('[{"a": 1}, {"a": 2', "list", "cut off"),
        ('[{"a": 1} {"a": 2}]', "list", "line 1: the JSON is broken here"),
        ('[{"a": 1},\n{"a": tru}]', "list", "line 2"),
        ('[{"a": 1}] {"b": 1}', "list", "more text after the end"),
        ('[{"a": 1},]', "list", "comma before the closing bracket"),
        ('{"a": 1}\n{"a": \n{"a": 3}', "lines", "line 2: this is not one whole JSON object"),
    ],
)
def test_broken_json_names_the_line_and_what_is_wrong(content, kind, said):
    with pytest.raises(MalformedError, match=said):
        listed(content, kind)


def test_objects_over_several_lines_one_after_the_other_are_read():
    assert [value["a"] for _, value in listed('{\n "a": 1\n}\n{\n "a": 2\n}\n', "lines")] == ["1", "2"]


def test_the_head_of_a_large_file_shows_its_shape():
    big = '{"name": "x, \\"y", "docs": {"1": [' + ", ".join('{"id": "d, {"}' for _ in range(40_000)) + "]}}"
    seen = peek(Blob("f.json", big.encode()))
    assert seen.kind == "object"
    assert list(seen.sample) == ["name", "docs"]
    assert seen.sample["docs"]["1"][0] == {"id": "d, {"}
