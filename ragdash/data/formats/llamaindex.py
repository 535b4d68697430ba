"""LlamaIndex: question-context pairs (`EmbeddingQAFinetuneDataset`), and the same with `qrels`."""

from __future__ import annotations

from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.hits import identify, text_of
from ragdash.data.formats.json_records import begin, checked_role, export_again
from ragdash.data.formats.jsontext import object_keys
from ragdash.data.formats.records import RecordReader


def _is_llamaindex(blob: Blob, role: Role) -> float:
    top = object_keys(blob)
    judged = top.get("relevant_docs") or top.get("qrels") or {}
    texts, corpus = top.get("queries"), top.get("corpus") or {}
    if not isinstance(texts, dict) or not isinstance(judged, dict) or not isinstance(corpus, dict):
        return 0.0
    if not all(isinstance(one, str) or one is None for one in texts.values()):
        return 0.0
    return 0.95 if {"corpus", "relevant_docs", "qrels"} & set(top) else 0.0


def _read_llamaindex(blob: Blob, role: Role) -> Reading:
    top, pile, _ = begin(blob)
    for query_id, text in top["queries"].items():
        pile.query(query_id, text_of(text))
    corpus = top.get("corpus") or {}
    for doc_id, text in corpus.items():
        if isinstance(text, dict):
            hit = identify({"id": doc_id, **text})
            pile.document(doc_id, hit.title, hit.text)
        else:
            pile.document(doc_id, None, text_of(text))
    judged = top.get("relevant_docs") or top.get("qrels") or {}
    if not isinstance(judged, dict):
        raise export_again(blob, "relevant_docs is no object", '{"relevant_docs": {"q1": ["doc_7"]}}')
    reader = RecordReader(pile, "")
    for query_id, listed in judged.items():
        reader.relevant(query_id, listed, None, 0)
    return checked_role(pile.reading("LlamaIndex question-context pairs"), role, blob.name)


LLAMAINDEX = Format(
    "llamaindex", "LlamaIndex question-context pairs", ("dataset",),
    '{"queries": {"q1": "How do I reset it?"},\n "corpus": {"n7": "Open the settings ..."},\n'
    ' "relevant_docs": {"q1": ["n7"]}}',
    _is_llamaindex, _read_llamaindex, (".json",),
)  # fmt: skip
