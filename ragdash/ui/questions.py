"""Which files wait for a person to say what they hold? What is asked of each, and how its answer is read."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ragdash.data.formats.base import Blob, Role
from ragdash.data.formats.sheet import RANKED
from ragdash.data.formats.words import plain
from ragdash.data.intake import Part, read_part, read_runs, unique_names
from ragdash.data.nouns import Run
from ragdash.data.preview import Preview, preview
from ragdash.errors import FileError, GradeError, UnknownFormatError
from ragdash.ui.shelf import Workspace

Columns = Mapping[str, str]
#: Wider tables without numbered columns are matrices of scores: there is no document column to pick.
WIDEST = 40
_FRACTION = re.compile(r"-?\d*[.,]\d+(e-?\d+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Question:
    """A file that a person is asked about: its bytes, the table in it (None where it is none), and why it is asked.

    `labels` are words that stand for grades; `picked` is what was said of the file before; `again` is set where the
    file was read already, and may be read differently.
    """

    blob: Blob
    role: Role
    seen: Preview | None
    why: str
    picked: Columns = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    again: bool = False

    @property
    def key(self) -> str:
        name = hashlib.sha256(self.blob.name.encode()).hexdigest()
        return f"{self.blob.sha256[:12]}{name[:4]}_{self.role}"

    @property
    def shape_key(self) -> str:
        """Files of one shape are read alike: the same columns, or the same words for grades."""
        return self.seen.shape_key if self.seen else f"{self.role}:labels:{'|'.join(sorted(self.labels))}"

    @property
    def ranked(self) -> tuple[str, ...]:
        """Columns that look like ranks: `rank_1`, `doc2`, `3`."""
        if self.seen is None:
            return ()
        fractions = {
            name for name, *cells in zip(self.seen.columns, *self.seen.rows) if any(map(_FRACTION.fullmatch, cells))
        }  # a matrix of scores: its columns are documents
        return tuple(name for name in self.seen.columns if RANKED.match(plain(name)) and name not in fractions)


def question(blob: Blob, role: Role, error: FileError | None = None) -> Question | None:
    """What to ask about a file that was not understood (`error`), or of which two columns could play one role."""
    if isinstance(error, GradeError):
        return Question(blob, role, preview(blob, role), str(error), labels=error.labels)
    if error is not None and not isinstance(error, UnknownFormatError):
        return None
    seen = preview(blob, role)
    if seen is None or seen.sure or len(seen.columns) < 2:
        return None
    asked = Question(blob, role, seen, str(error) if error else f"{seen.why[:1].upper()}{seen.why[1:]}.")
    if seen.n_columns > WIDEST and len(asked.ranked) < 2:
        return None
    return asked


def once_more(blob: Blob, role: Role, picked: Columns | None) -> Question | None:
    """What to ask about a file that was read: as it was understood, to be changed. None where it is no table."""
    seen = preview(blob, role)
    if seen is None or len(seen.columns) < 2:
        return None
    return Question(blob, role, seen, "It was read as below. Pick other columns to read it differently.", picked or {},
                    again=True)  # fmt: skip


def known(blob: Blob, role: Role, remembered: Callable[[str], Columns | None]) -> Question | None:
    """A file of a shape that a person has spoken of before: to be read in the same way."""
    seen = preview(blob, role)
    if seen is None or remembered(seen.shape_key) is None:
        return None
    return Question(blob, role, seen, "")


def read(asked: Question, columns: Columns) -> tuple[list[Part], list[Run]]:
    """The file with its columns settled. Raises RagdashError."""
    if asked.role == "run":
        return [], read_runs(asked.blob, columns)
    part = read_part(asked.blob, columns)
    return [part], list(part.reading.runs)


def taken(workspace: Workspace, parts: Sequence[Part], runs: Sequence[Run], *, again: bool = False) -> Workspace:
    """The workspace with what was read. A file of the dataset that was there before is replaced, at its place; a run
    only where it is read `again` (the same file twice may be meant), and it keeps its name then."""
    known = {part.source.sha256: part for part in parts}
    kept = [known.pop(part.source.sha256, part) for part in workspace.parts]
    before = list(workspace.runs)
    if again:
        sources = [part.source for part in parts] + [run.source for run in runs]
        files = {(one.file, one.sha256) for one in sources}
        places = [place for place, run in enumerate(before) if (run.source.file, run.source.sha256) in files]
        if len(places) == len(runs) == 1:
            runs = [runs[0].named(before[places[0]].name)]
        at = places[0] if places else len(before)
        before = [run for place, run in enumerate(before) if place not in places]
        both = [*before[:at], *runs, *before[at:]]
    else:
        both = [*before, *runs]
    return replace(workspace, parts=(*kept, *known.values()), runs=tuple(unique_names(both)))
