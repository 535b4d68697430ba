import codecs

import pytest

from ragdash.data.formats.base import Blob
from ragdash.data.formats.encoding import decoded
from ragdash.errors import MalformedError
from tests.data.formats.reading import read


def text_of(data: bytes):
    text = decoded(Blob("f.csv", data))
    return text.decode(), text.encoding, [(f.severity, f.lines) for f in text.findings]


def test_utf8_passes_as_it_is_and_loses_its_mark():
    assert text_of("müsli\n".encode()) == ("müsli\n", "UTF-8", [])
    assert text_of(codecs.BOM_UTF8 + b"id\n") == ("id\n", "UTF-8", [])


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf16_and_utf32_are_recognised_with_and_without_mark(codec):
    content = "query_id,doc_id\n1,müsli\n" * 3
    assert text_of(content.encode(codec))[0] == content


def test_windows_1252_is_said_with_the_first_line():
    content = "a,b\ncrème – “classic”,1\n"
    assert text_of(content.encode("cp1252")) == (content, "Windows-1252", [("warning", (2,))])


def test_one_stray_byte_leaves_the_rest_utf8():
    data = "müsli\ncrème ".encode() + b"\x96" + " “x”\n".encode()
    assert text_of(data) == ("müsli\ncrème – “x”\n", "UTF-8", [("warning", (2,))])


def test_another_script_is_detected():
    content = "вопрос,документ\nкак настроить почту на телефоне,статья один\n" * 20
    assert text_of(content.encode("cp1251"))[:2] == (content, "Windows-1251")


def test_utf16_cut_in_the_middle_of_a_letter_is_refused():
    with pytest.raises(MalformedError, match="begins as UTF-16"):
        decoded(Blob("f.csv", "a,b\n".encode("utf-16") + b"\x00"))


def test_marks_between_the_lines_of_joined_files_are_left_out_and_said() -> None:
    for text in (
        "q1 Q0 d1 1 0.5 x\n\ufeffq2 Q0 d2 1 0.4 x\n",
        "query_id,doc_id,score\nq1,d1,1\n\ufeffquery_id,doc_id,score\nq2,d2,1\n",
    ):
        reading = read(text)
        assert reading.runs[0].query_ids.to_pylist() == ["q1", "q2"]
        said = next(one for one in reading.findings if one.code == "encoding-repaired")
        assert "1 byte order mark stands between the lines" in said.message
        assert said.lines == (text.count("\n", 0, text.index("\ufeff")) + 1,)
