"""The tree of errors that a user can mend. `str(error)` is the sentence shown; anything else that is raised is a bug.

RagdashError
├── FileError            a file cannot be used: which, where, found, expected, what to do
│   ├── EmptyFileError       nothing in it, or a header and no rows
│   ├── UnknownFormatError   none of the formats fits
│   ├── MalformedError       the format is known, one place in it is wrong
│   │   └── GradeError           grades are words of which nobody said what they are worth
│   ├── WrongRoleError       a run where a dataset belongs, or the other way round
│   └── LimitError           larger than a limit that is a setting
├── ExperimentError      dataset and runs do not fit together
└── OptionError          an option, a metric or a name that does not exist
"""

from __future__ import annotations


class RagdashError(Exception):
    """Something the person in front of the screen can mend; the message says how."""


class FileError(RagdashError):
    """A file cannot be used.

    The sentence is built from its parts, so that each of them is there: "bm25.run, line 17: 5 fields found,
    6 expected (query Q0 doc rank score tag). Add the missing field."
    """

    def __init__(self, file: str, found: str, *, line: int | None = None, expected: str = "", todo: str = "") -> None:
        self.file, self.line, self.found, self.expected, self.todo = file, line, found, expected, todo
        where = file if line is None else f"{file}, line {line:,}"
        parts = [f"{where}: {found.rstrip('.')}" + (f"; expected {expected.rstrip('.')}." if expected else ".")]
        if todo:
            parts.append(todo.rstrip(".") + ".")
        super().__init__(" ".join(parts))


class EmptyFileError(FileError):
    """A file without a single row."""


class UnknownFormatError(FileError):
    """None of the formats fits the file."""


class MalformedError(FileError):
    """The format is known, but one place in the file breaks it."""


class GradeError(MalformedError):
    """Grades are words of which nobody said what they are worth; `labels` are these words."""

    def __init__(
        self,
        file: str,
        found: str,
        *,
        line: int | None = None,
        expected: str = "",
        todo: str = "",
        labels: tuple[str, ...] = (),
    ) -> None:
        super().__init__(file, found, line=line, expected=expected, todo=todo)
        self.labels = labels


class WrongRoleError(FileError):
    """The file is fine, but it is not what this slot takes."""


class LimitError(FileError):
    """The file is larger than a limit that is a setting."""


class ExperimentError(RagdashError):
    """Dataset and runs do not fit together."""


class OptionError(RagdashError):
    """An option, a metric or a name that does not exist."""
