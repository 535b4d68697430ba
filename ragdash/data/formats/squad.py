"""SQuAD: paragraphs are documents, the paragraph of a question is its relevant one."""

from __future__ import annotations

from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.hits import text_of
from ragdash.data.formats.json_records import begin, checked_role
from ragdash.data.formats.jsontext import object_keys


def _is_squad(blob: Blob, role: Role) -> float:
    data = object_keys(blob).get("data")
    first = data[0] if isinstance(data, list) and data else None
    return 0.95 if isinstance(first, dict) and "paragraphs" in first else 0.0


def _read_squad(blob: Blob, role: Role) -> Reading:
    top, pile, _ = begin(blob)
    for number, article in enumerate(top["data"]):
        title = text_of(article.get("title"))
        for place, paragraph in enumerate(article.get("paragraphs") or ()):
            doc_id = f"{title or number}#{place}"
            pile.document(doc_id, (title or "").replace("_", " ") or None, text_of(paragraph.get("context")))
            for question in paragraph.get("qas") or ():
                text = text_of(question.get("question"))
                query_id = text_of(question.get("id")) or text
                if query_id is not None:
                    pile.query(query_id, text)
                    pile.judge(query_id, doc_id, None, 0)
    return checked_role(pile.reading("SQuAD questions"), role, blob.name)


SQUAD = Format(
    "squad", "SQuAD questions and paragraphs", ("dataset",),
    '{"data": [{"title": "Panthers", "paragraphs": [\n'
    '  {"context": "...", "qas": [{"id": "q1", "question": "..."}]}]}]}',
    _is_squad, _read_squad, (".json",),
)  # fmt: skip
