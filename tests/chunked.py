"""Two chunkings of the same documents, small enough to count by hand: every 20 characters, and by sentence.

Files have the shapes in which such comparisons come: questions with spans, a list of chunks and judgments for each
chunking, and runs under the same file name in two folders.
"""

from __future__ import annotations

import json
import re

from ragdash.data.formats.base import Blob

TEXTS = {
    "guide": "Open the settings. Rotate the key there. The old one works on.",
    "faq": "Plans end with the month. Refunds take a week. Write to us.",
}
#: Question, document, the words that answer it.
QUESTIONS = {
    "q1": ("How do I rotate a key?", "guide", "Rotate the key there."),
    "q2": ("How long do refunds take?", "faq", "Refunds take a week."),
    "q3": ("When does a plan end?", "faq", "Plans end with the month."),
}
CUTS = ("fixed", "sentence")


def span(query: str) -> tuple[str, int, int]:
    """Document, begin and end of the words that answer a question."""
    _, document, words = QUESTIONS[query]
    begin = TEXTS[document].index(words)
    return document, begin, begin + len(words)


def chunks(cut: str) -> list[tuple[str, int, int]]:
    """Document, begin and end of each chunk."""
    out = []
    for document, text in TEXTS.items():
        if cut == "fixed":
            out += [(document, at, min(at + 20, len(text))) for at in range(0, len(text), 20)]
        else:
            out += [(document, found.start(), found.end()) for found in re.finditer(r"[^.]+\.", text)]
    return out


def chunk_id(chunk: tuple[str, int, int]) -> str:
    return f"{chunk[0]}:{chunk[1]}-{chunk[2]}"


def text_of(chunk: tuple[str, int, int]) -> str:
    return TEXTS[chunk[0]][chunk[1] : chunk[2]]


def relevant(cut: str, query: str) -> list[str]:
    """Chunks that hold a character of the evidence."""
    document, begin, end = span(query)
    return [chunk_id(one) for one in chunks(cut) if one[0] == document and one[1] < end and begin < one[2]]


def ranked(cut: str, query: str) -> list[tuple[str, int, int]]:
    """What a run returns: one chunk of the other document first, then the document in its order."""
    document = QUESTIONS[query][1]
    other = next(one for one in chunks(cut) if one[0] != document)
    return [other, *(one for one in chunks(cut) if one[0] == document)]


def lines(rows: list[dict[str, object]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def queries_file(quotes: bool = False) -> Blob:
    """Questions with their evidence as spans, or as words alone."""
    rows: list[dict[str, object]] = []
    for query, (question, document, words) in QUESTIONS.items():
        _, begin, end = span(query)
        evidence = {"quote": words} if quotes else {"start": begin, "end": end, "content": words}
        rows.append({"query_id": query, "question": question, "doc_id": document, "references": [evidence]})
    return Blob("queries.jsonl", lines(rows))


def qrels_file(cut: str, folder: bool = False) -> Blob:
    rows = ["query_id\tchunk_id\trelevance", *(f"{q}\t{one}\t1" for q in QUESTIONS for one in relevant(cut, q))]
    return Blob(f"{cut}/qrels.tsv" if folder else "qrels.tsv", "\n".join(rows).encode())


def chunks_file(cut: str) -> Blob:
    rows: list[dict[str, object]] = [
        {"chunk_id": chunk_id(one), "doc_id": one[0], "start": one[1], "end": one[2], "text": text_of(one)}
        for one in chunks(cut)
    ]
    return Blob("chunks.jsonl", lines(rows))


def run_file(cut: str, name: str = "bm25") -> Blob:
    rows: list[dict[str, object]] = []
    for query in QUESTIONS:
        hits = [
            {"chunk_id": chunk_id(one), "doc_id": one[0], "start": one[1], "end": one[2], "rank": i, "score": 1 / i}
            for i, one in enumerate(ranked(cut, query), start=1)
        ]
        rows.append({"query_id": query, "retrieved": hits})
    return Blob(f"{name}.jsonl", lines(rows))


def text_files() -> list[Blob]:
    return [Blob(f"{name}.md", text.encode()) for name, text in TEXTS.items()]
