"""Where words stand: exactly, with blanks and Unicode form folded, and the nearest place of what is not there."""

import json

import pytest

from ragdash.data.formats.base import Blob
from ragdash.data.intake import read_dataset
from ragdash.data.nouns import Documents
from ragdash.data.quotes import Folded, Texts, fold

TEXT = "One ﬁne day.\n\nThe  “old” key – it works;\tcafe\u0301 au lait… 𝒳 ends"


def texts(**documents: str) -> Texts:
    return Texts(Documents.of(list(documents), list(documents.values())))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("One ﬁne", "One ﬁne"),  # exactly
        ("One fine day. The", "One ﬁne day.\n\nThe"),  # a ligature and blank lines
        ('The "old" key - it', "The  “old” key – it"),  # typography
        ("café au lait... X ends", "cafe\u0301 au lait… 𝒳 ends"),  # two letters for one, one sign for three
        ("  key ", None if "  key " in TEXT else "key"),
    ],
)
def test_words_are_found_at_their_characters(words, found) -> None:
    place = texts(a="nothing here", b=TEXT).place(words, None)
    assert place is not None
    name, begin, end = place
    assert (name, TEXT[begin:end]) == ("b", found)


def test_folding_keeps_a_place_for_each_character() -> None:
    for text in (TEXT, "plain  text\n", "ASCII only", "", " \n "):
        folded = Folded.of(text)
        assert len(folded.text) == len(folded.begins) == len(folded.ends)
        assert folded.text.strip() == fold(text)


def test_what_is_not_there_has_a_nearest_place() -> None:
    known = texts(b="The warranty lasts two years from the day of the order.")
    assert known.place("The warranty lasts three years from the day", "b") is None
    near = known.nearest("A warranty lasts three years from the day", "b")
    assert near == ("b", 23, "years from the day of the order.")
    assert known.nearest("entirely other words", "b") is None


def test_a_document_is_put_together_from_its_chunks() -> None:
    chunks = Documents.of(["a:0-4", "a:6-9"], ["abcd", "ghi"], None, ["a", "a"], [0, 6], [4, 9])
    assert Texts(chunks).whole == {"a": "abcd\0\0ghi"}


def test_a_quote_that_is_nowhere_is_a_finding_with_the_nearest_place() -> None:
    rows = [
        {"id": "q1", "question": "How long?", "quotes": ["The warranty lasts three years from the day of the order."]},
        {
            "id": "q2",
            "question": "When?",
            "references": [{"doc_id": "terms", "start": 0, "end": 12, "text": "day of the"}],
        },
    ]
    terms = Blob("terms.md", b"The warranty lasts two years from the day of the order.")
    judged = read_dataset(Blob("q.json", json.dumps(rows).encode()), terms)
    said = {one.code: one for one in judged.findings}
    assert said["quote-not-found"].count == 1 and said["quote-not-found"].queries == ("q1",)
    assert "nearest: terms at 23, 'years from the day of the order.'" in said["quote-not-found"].message
    assert said["span-moved"].queries == ("q2",)
    assert judged.evidence.begins.tolist() == [-1, 38]
    assert judged.evidence.ends.tolist() == [-1, 48]
