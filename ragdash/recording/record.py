"""How does a retriever become a run? Asked every question of a dataset once, timed, and kept as it goes.

What was answered is on the disk before the next question is asked: a recording that broke off goes on where it stopped.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ragdash.data.formats.base import Blob
from ragdash.data.intake import read_runs
from ragdash.data.nouns import Dataset, Run
from ragdash.errors import ExperimentError, OptionError
from ragdash.recording.progress import Progress
from ragdash.recording.shapes import Scores, Where, check, listed, result


def record(
    retriever: Any,
    dataset: Dataset | Mapping[str, str],
    k: int = 10,
    *,
    name: str = "run",
    path: str | os.PathLike[str] | None = None,
    doc_id: Where = None,
    scores: Scores = "similarity",
    resume: bool = True,
    progress: bool = True,
) -> Run:
    """Ask `retriever` every judged question and return the run, which is also in the file `path` (NAME.jsonl).

    `retriever` is a function of the question's text, or an object with `invoke` or `retrieve`. It returns documents in
    their order, the first `k` of which are kept: ids, `(id, score)` or `(document, score)` pairs, dictionaries, a
    mapping of ids to scores, LangChain documents, LlamaIndex nodes. `doc_id` says where a document's id is, a name to
    look for or a function: give it where the judgments are about documents and the retriever returns chunks.
    `dataset` may be `{query id: text}` too. `scores`: more is better ("similarity"), less is better ("distance", kept
    with the sign turned), or the order alone counts ("ignore").

    Milliseconds per question are kept as the measurement `latency_ms`. With `resume` an unfinished recording in
    `path` + ".part" goes on. Raises OptionError or ExperimentError for what cannot be recorded, naming the question; an
    exception of the retriever's own passes through with a note that names it.
    """
    if k < 1:
        raise OptionError(f"k is the number of documents to keep, at least 1, not {k}.")
    if scores not in ("similarity", "distance", "ignore"):
        raise OptionError(f"scores is similarity, distance or ignore, not {scores!r}.")
    questions = _questions(dataset)
    ask = _asked(retriever)
    file = Path(path) if path is not None else Path(f"{name}.jsonl")
    part = file.with_name(file.name + ".part")
    head = {"recording": name, "k": k, "scores": scores, "doc_id": getattr(doc_id, "__qualname__", doc_id)}
    done = _unfinished(part, head, questions) if resume else {}
    bar = Progress(name, len(questions), len(done), shown=progress)
    file.parent.mkdir(parents=True, exist_ok=True)
    with part.open("ab" if done else "wb") as out:
        if not done:
            _keep(out, head)
        for query_id, text in questions.items():
            if query_id in done:
                continue
            line, seconds = _answer(ask, query_id, text, k, doc_id, scores, part)
            _keep(out, line)
            done[query_id] = line
            bar.step(seconds)
    bar.end()
    lines = [json.dumps(done[query_id], ensure_ascii=False) for query_id in questions]
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
    whole = file.with_name(file.name + ".new")
    whole.write_bytes(data)
    os.replace(whole, file)
    part.unlink()
    (run,) = read_runs(Blob(file.name, data=data))
    return run.named(name)


def _questions(dataset: Dataset | Mapping[str, str]) -> dict[str, str]:
    """What to ask: the judged queries, or all where none is judged."""
    if isinstance(dataset, Mapping):
        texts: dict[str, str | None] = {str(key): value for key, value in dataset.items()}
        wanted = list(texts)
    else:
        texts = dict(zip(dataset.queries.ids.to_pylist(), dataset.queries.texts.to_pylist()))
        wanted = dataset.qrels.query_ids.to_pylist() or list(texts)
    silent = [one for one in wanted if not texts.get(one)]
    if silent:
        raise ExperimentError(
            f"{len(silent):,} of {len(wanted):,} queries have no text to ask (such as {', '.join(silent[:3])}). "
            "Add a file of queries with their texts."
        )
    if not wanted:
        raise ExperimentError("There is no question to ask.")
    return {one: str(texts[one]) for one in wanted}


def _asked(retriever: Any) -> Callable[[str], Any]:
    """The function to call: the retriever itself, LangChain's `invoke`, LlamaIndex's `retrieve`."""
    for method in ("invoke", "retrieve"):
        if callable(found := getattr(retriever, method, None)):
            return found  # type: ignore[no-any-return]
    if callable(retriever):
        return retriever  # type: ignore[no-any-return]
    raise OptionError(f"A retriever is a function of the question's text; found {type(retriever).__name__}.")


def _unfinished(part: Path, head: Mapping[str, Any], questions: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """What an earlier recording got, by query id. A half-written last line is cut off."""
    if not part.exists():
        return {}
    data = part.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    try:
        lines = [json.loads(line) for line in whole.splitlines()]
    except ValueError as error:
        raise _stale(part, "it is damaged") from error
    if not lines:
        return {}
    if lines[0] != head:
        raise _stale(part, f"it was made with {lines[0]}, and this is {dict(head)}")
    done = {line["query_id"]: line for line in lines[1:]}
    for query_id, line in done.items():
        if questions.get(query_id) != line["query"]:
            raise _stale(part, f"its question {query_id} is another one")
    if len(whole) < len(data):
        with part.open("r+b") as file:
            file.truncate(len(whole))
    return done


def _stale(part: Path, why: str) -> ExperimentError:
    return ExperimentError(
        f"{part.name}: an unfinished recording cannot go on: {why}. Delete it, or pass resume=False to begin anew."
    )


def _answer(
    ask: Callable[[str], Any], query_id: str, text: str, k: int, doc_id: Where, scores: Scores, part: Path
) -> tuple[dict[str, Any], float]:
    """One line of the file, and how long the retriever took."""
    begun = time.perf_counter()
    try:
        found = ask(text)
        if hasattr(found, "__await__"):
            found.close()
            raise OptionError("The retriever is asynchronous: pass lambda text: asyncio.run(retriever(text)).")
        documents = listed(found, k, scores)
    except OptionError as error:
        raise OptionError(f"Question {query_id}: {error}") from None
    except Exception as error:
        error.add_note(
            f"ragdash.record: the retriever failed on question {query_id} ({text[:80]!r}). What was answered before is "
            f"kept in {part}: call record again to go on."
        )
        raise
    seconds = time.perf_counter() - begun
    try:
        results = [result(one, doc_id, scores) for one in documents]
        check(results, scores)
    except OptionError as error:
        raise OptionError(f"Question {query_id}: {error}") from None
    retrieved = [one.json() for one in results]
    return {
        "query_id": query_id,
        "query": text,
        "retrieved": retrieved,
        "latency_ms": round(seconds * 1000, 3),
    }, seconds


def _keep(out: Any, line: Mapping[str, Any]) -> None:
    """A line on the disk before anything else happens."""
    out.write(json.dumps(line, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
    out.flush()
    os.fsync(out.fileno())
