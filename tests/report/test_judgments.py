"""Do judgments leave with who and when, and is what was written read back?"""

import json

import pytest

from ragdash.errors import MalformedError
from ragdash.report.files import read_csv
from ragdash.report.judgments import Said, as_csv, as_json, read

ROWS = [
    Said("q1", "=d1", 2.0, "ada@example.org", "2026-12-01T09:30:00+00:00", True),
    Said("q1", "=d1", 0.0, "Ben", "2026-12-01T09:20:00+00:00", False),
    Said("q2", "d 2", None, "", "2026-12-01T09:31:00+00:00", False),
    Said("q2", "dé", 0.5, "", "2026-12-01T09:32:00+00:00", True),
]


def test_what_counts_is_read_back(tmp_path) -> None:
    path = tmp_path / "judgments.json"
    path.write_bytes(as_json(ROWS))
    assert read(str(path)) == {("q1", "=d1"): 2.0, ("q2", "dé"): 0.5}
    first = json.loads(path.read_text(encoding="utf-8"))[0]
    assert first == {"query_id": "q1", "doc_id": "=d1", "grade": 2, "author": "ada@example.org",
                     "at": "2026-12-01T09:30:00+00:00", "counts": True}  # fmt: skip


def test_a_spreadsheet_gets_the_same_with_formulas_defused() -> None:
    text = as_csv(ROWS)
    assert b"'=d1" in text
    rows = read_csv(text)
    assert [row["doc_id"] for row in rows] == ["=d1", "=d1", "d 2", "dé"]
    assert [row["grade"] for row in rows] == ["2.0", "0.0", "", "0.5"]


def test_a_record_without_more_than_a_grade_counts(tmp_path) -> None:
    path = tmp_path / "j.json"
    path.write_text('[{"query_id": "q1", "doc_id": "d", "grade": 1}]')
    assert read(str(path)) == {("q1", "d"): 1.0}


@pytest.mark.parametrize(
    "text",
    ["{", '{"query_id": "q"}', '[{"query_id": "q", "doc_id": "d", "grade": "2"}]', '["q d 2"]',
     '[{"query_id": "q", "doc_id": "d"}]', '[{"query_id": 1, "doc_id": "d", "grade": 1}]',
     '[{"query_id": "q", "doc_id": "d", "grade": true}]', '[{"query_id": "q", "doc_id": "d", "grade": NaN}]'],
)  # fmt: skip
def test_what_is_no_file_of_judgments_is_refused(tmp_path, text: str) -> None:
    path = tmp_path / "j.json"
    path.write_text(text)
    with pytest.raises(MalformedError, match=r"j\.json: .*expected \[\{"):
        read(str(path))


def test_a_file_that_is_not_there_is_said(tmp_path) -> None:
    with pytest.raises(MalformedError, match="cannot be opened"):
        read(str(tmp_path / "none.json"))
