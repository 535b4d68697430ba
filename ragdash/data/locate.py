"""Where is a chunk cut from? By the fields of its file, by its id, by its text; for distinct chunks, then for rows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from ragdash.data.columns import places_in, positions, take
from ragdash.data.evidence import Locations
from ragdash.data.nouns import Documents, Run


def located(run: Run, documents: Documents, parents: pa.Array) -> Locations:
    """Where each row of `run` is cut from, as its own file says, else as `documents` (the dataset's) say.

    `parents` are the distinct ids that codes count in.
    """
    known = Documents.merged([run.documents, documents])
    at = places_in(run.doc_ids, known.ids).astype(np.int64)
    found = at >= 0
    if not len(known):
        unknown = np.full(len(run), -1, dtype=np.int64)
        return Locations(unknown, unknown, unknown)
    at = np.maximum(at, 0)
    codes = positions(take(known.parents, at), parents)
    return Locations(*(np.where(found, column, -1) for column in (codes, known.begins[at], known.ends[at])))
