"""Which formats are known? One module each, one line here; README and help are made from this list."""

from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.delimited import TABLE
from ragdash.data.formats.excel import EXCEL
from ragdash.data.formats.json_maps import MAPS
from ragdash.data.formats.json_nested import NESTED
from ragdash.data.formats.json_parts import PARTS
from ragdash.data.formats.json_records import RECORDS
from ragdash.data.formats.json_tables import TABLES
from ragdash.data.formats.llamaindex import LLAMAINDEX
from ragdash.data.formats.ltr import LTR
from ragdash.data.formats.parquet import COLUMNAR
from ragdash.data.formats.promptfoo import PROMPTFOO
from ragdash.data.formats.prose import PROSE
from ragdash.data.formats.quepid import QUEPID_CASE, QUEPID_SNAPSHOT
from ragdash.data.formats.squad import SQUAD
from ragdash.data.formats.topics import COLON, TOPICS
from ragdash.data.formats.trec import QRELS, QRELS3, RUN
from ragdash.data.formats.turns import TURNS

FORMATS: tuple[Format, ...] = (
    RECORDS,
    MAPS,
    RUN,
    QRELS,
    QRELS3,
    TABLE,
    COLUMNAR,
    EXCEL,
    TABLES,
    LLAMAINDEX,
    QUEPID_CASE,
    QUEPID_SNAPSHOT,
    PROMPTFOO,
    PARTS,
    SQUAD,
    TURNS,
    NESTED,
    TOPICS,
    COLON,
    LTR,
    PROSE,
)

__all__ = ["FORMATS", "Blob", "Format", "Reading", "Role"]
