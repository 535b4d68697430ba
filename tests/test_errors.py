"""Does an error say what, where, found, expected and what to do?"""

from ragdash.errors import FileError, MalformedError, RagdashError


def test_a_file_error_is_one_sentence_made_of_its_parts() -> None:
    error = MalformedError(
        "bm25.run",
        "5 fields",
        line=1017,
        expected="6 (query Q0 doc rank score tag)",
        todo="Add the missing field",
    )
    assert str(error) == (
        "bm25.run, line 1,017: 5 fields; expected 6 (query Q0 doc rank score tag). Add the missing field."
    )
    assert isinstance(error, FileError)
    assert isinstance(error, RagdashError)


def test_parts_that_are_missing_leave_no_trace() -> None:
    assert str(FileError("run.csv", "it is empty (0 bytes)")) == "run.csv: it is empty (0 bytes)."
