"""Comparing ids as numbers gives what comparing their bytes gives."""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from ragdash.data.idbytes import IdBytes

TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=20), min_size=1, max_size=12)


@given(TEXTS, st.booleans())
def test_greater_is_greater_of_bytes(texts, large):
    ids = IdBytes(pa.array(texts, type=pa.large_string() if large else pa.string()))
    left, right = (grid.ravel() for grid in np.indices((len(texts), len(texts))))
    encoded = [text.encode() for text in texts]
    assert ids.greater(left, right).tolist() == [encoded[i] > encoded[j] for i, j in zip(left.tolist(), right.tolist())]


@given(TEXTS, TEXTS)
def test_places_within_groups_are_those_of_a_sort(first, second):
    groups = [list(dict.fromkeys(first)), list(dict.fromkeys(second))]
    texts = [text for group in groups for text in group]
    number = np.repeat([0, 1], [len(group) for group in groups])
    places = IdBytes(pa.array(texts)).descending(np.arange(len(texts)), number)
    expected = [sorted(group, key=str.encode, reverse=True).index(text) for group in groups for text in group]
    assert places.tolist() == expected


@given(TEXTS)
def test_equal_texts_have_equal_fingerprints_whatever_stands_beside_them(texts):
    together = IdBytes(pa.array(texts)).fingerprints(0, len(texts)).tolist()
    alone = [int(IdBytes(pa.array([text])).fingerprints(0, 1)[0]) for text in texts]
    assert together == alone
    assert len(set(together)) == len(set(texts))
