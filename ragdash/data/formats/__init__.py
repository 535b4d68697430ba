"""Which formats are known? One module each, one line here; tables in the README and the help are made from this list."""

from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.columnar import COLUMNAR, EXCEL
from ragdash.data.formats.delimited import TABLE
from ragdash.data.formats.json_maps import MAPS
from ragdash.data.formats.json_records import RECORDS
from ragdash.data.formats.json_tools import (
    LLAMAINDEX,
    NESTED,
    PROMPTFOO,
    QUEPID_CASE,
    QUEPID_SNAPSHOT,
    SQUAD,
    TURNS,
)
from ragdash.data.formats.topics import COLON, LTR, TOPICS
from ragdash.data.formats.trec import QRELS, QRELS3, RUN

FORMATS: tuple[Format, ...] = (
    RECORDS,
    MAPS,
    RUN,
    QRELS,
    QRELS3,
    TABLE,
    COLUMNAR,
    EXCEL,
    LLAMAINDEX,
    QUEPID_CASE,
    QUEPID_SNAPSHOT,
    PROMPTFOO,
    SQUAD,
    TURNS,
    NESTED,
    TOPICS,
    COLON,
    LTR,
)

__all__ = ["FORMATS", "Blob", "Format", "Reading", "Role"]
