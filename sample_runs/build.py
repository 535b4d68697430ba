"""Build the sample runs from the articles and questions in source/.

Without an option, write the dataset, the documents and the runs, and print what they show.
With --check, write nothing, and fail if a committed file is not what would be written.
"""

import argparse
import csv
import io
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
import retrievers
from retrievers import Article, Chunk, Hit
from scipy.stats import ttest_rel

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import ragdash  # noqa: E402

DEPTH = 10
CUTS: dict[str, Callable[[Article], list[Chunk]]] = {
    "chunks-paragraph": retrievers.paragraphs,
    "chunks-fixed500": retrievers.fixed,
    "chunks-overlap200": lambda article: retrievers.fixed(article, 500, 200),
}
CHUNK_DEPTH = 20  # so that every run has read 3,000 characters
POOL_DEPTHS = {"bm25": 10, "lsa": 10, "minilm-paragraph": 5}
TIE = 1e-9
TOLERANCE = 1e-5  # another processor may compute another last digit

Rankings = list[list[Hit]]
Chunked = list[list[tuple[Chunk, float]]]
Grades = dict[str, int]
Metric = Callable[[list[Hit], Grades], float]


class Question(NamedTuple):
    """A question, the articles that answer it (2) or help (1), and the sentence that holds the answer."""

    id: str
    query: str
    category: str
    language: str
    relevance: Grades
    answer: dict[str, str]


def read_article(path: Path) -> Article:
    """Read a Markdown file with a front matter of id, title and language."""
    _, front, body = path.read_text(encoding="utf-8").split("---\n", 2)
    field = dict(line.split(": ", 1) for line in front.splitlines())
    return Article(field["id"], field["title"].strip('"'), field["language"], body.strip())


def verify(articles: Sequence[Article], questions: Sequence[Question]) -> None:
    """Hold every question to its source: known articles, and an answer that stands in an article of grade 2."""
    bodies = {article.doc_id: article.body for article in articles}
    for question in questions:
        relevance, answer = question.relevance, question.answer
        if unknown := relevance.keys() - bodies.keys():
            raise SystemExit(f"{question.id}: no such article: {', '.join(sorted(unknown))}")
        if relevance.get(answer["doc_id"]) != 2:
            raise SystemExit(f"{question.id}: the answer is quoted from {answer['doc_id']}, which has not grade 2")
        if answer["quote"] not in bodies[answer["doc_id"]]:
            raise SystemExit(f"{question.id}: the quote is not in {answer['doc_id']}: {answer['quote']}")


def retrieve(articles: Sequence[Article], queries: Sequence[str]) -> dict[str, Rankings]:
    """Run every retriever and keep the top of its rankings."""
    paragraphs = [chunk for article in articles for chunk in retrievers.paragraphs(article)]
    fixed500 = [chunk for article in articles for chunk in retrievers.fixed(article, 500)]
    runs = {
        "bm25": retrievers.bm25(articles, queries),
        "lsa": retrievers.lsa(articles, queries),
        "minilm-paragraph": retrievers.minilm(paragraphs, queries),
        "minilm-fixed500": retrievers.minilm(fixed500, queries),
    }
    runs["rrf"] = retrievers.reciprocal_rank_fusion(runs["bm25"], runs["minilm-paragraph"])
    return {name: [ranking[:DEPTH] for ranking in rankings] for name, rankings in runs.items()}


def record_chunks(articles: Sequence[Article], questions: Sequence[Question], folder: Path) -> dict[str, Chunked]:
    """The same articles cut in three ways, searched question by question; each run is left in `folder`."""
    asked = {question.id: question.query for question in questions}
    found = {}
    for name, cut in CUTS.items():
        chunks = {chunk.chunk_id: chunk for article in articles for chunk in cut(article)}
        path = folder / f"{name}.jsonl"
        search = retrievers.chunk_search(list(chunks.values()))
        ragdash.record(search, asked, CHUNK_DEPTH, name=name, path=path, resume=False, progress=False)
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        found[name] = [[(chunks[hit["id"]], hit["score"]) for hit in line["retrieved"]] for line in lines]
    return found


def judge(questions: Sequence[Question], runs: Mapping[str, Rankings]) -> list[dict[str, int]]:
    """Complete the grades 1 and 2 of each question by a 0 for what else stood in the pool."""
    judged = []
    for i, question in enumerate(questions):
        pool = {hit.doc_id for name, depth in POOL_DEPTHS.items() for hit in runs[name][i][:depth]}
        grades = dict.fromkeys(pool, 0) | question.relevance
        judged.append(dict(sorted(grades.items(), key=lambda item: (-item[1], item[0]))))
    return judged


# ---------------------------------------------------------------- files


def as_json(value: object) -> str:
    """Indented JSON with its letters as they are."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def as_jsonl(rows: Iterable[object]) -> str:
    """One JSON value a line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def as_trec(questions: Sequence[Question], rankings: Rankings, tag: str) -> str:
    """TREC run: query, Q0, document, rank, score, tag."""
    return "".join(
        f"{question.id} Q0 {hit.doc_id} {position} {hit.score:.{retrievers.DIGITS}f} {tag}\n"
        for question, ranking in zip(questions, rankings, strict=True)
        for position, hit in enumerate(ranking, start=1)
    )


def as_csv(questions: Sequence[Question], rankings: Rankings) -> str:
    """CSV with one row per retrieved document."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["query_id", "doc_id", "rank", "score"])
    for question, ranking in zip(questions, rankings, strict=True):
        for position, hit in enumerate(ranking, start=1):
            writer.writerow([question.id, hit.doc_id, position, f"{hit.score:.{retrievers.DIGITS}f}"])
    return buffer.getvalue()


def with_passages(questions: Sequence[Question], rankings: Rankings) -> list[dict[str, object]]:
    """A run with ids, scores and passages."""
    return [
        {"id": question.id, "query": question.query, "retrieved": [hit._asdict() for hit in ranking]}
        for question, ranking in zip(questions, rankings, strict=True)
    ]


def ids_only(questions: Sequence[Question], rankings: Rankings) -> list[dict[str, object]]:
    """A run in its simplest form: the text of the query and the ids in order."""
    return [
        {"query": question.query, "retrieved": [hit.doc_id for hit in ranking]}
        for question, ranking in zip(questions, rankings, strict=True)
    ]


def dataset(questions: Sequence[Question], judged: Sequence[Grades]) -> list[dict[str, object]]:
    """The evaluation dataset: questions and judgments, without the answers."""
    return [
        {
            "id": question.id,
            "query": question.query,
            "relevant_docs": [doc_id for doc_id, grade in grades.items() if grade >= 1],
            "relevance": grades,
            "category": question.category,
            "language": question.language,
        }
        for question, grades in zip(questions, judged, strict=True)
    ]


def evidence(articles: Sequence[Article], questions: Sequence[Question]) -> list[dict[str, object]]:
    """The questions with the place of the words that answer them: labels that hold for every chunking."""
    bodies = {article.doc_id: article.body for article in articles}
    rows = []
    for question in questions:
        doc_id, quote = question.answer["doc_id"], question.answer["quote"]
        start = bodies[doc_id].index(quote)
        span = {"doc_id": doc_id, "start": start, "end": start + len(quote), "quote": quote}
        row = {"id": question.id, "query": question.query, "evidence": [span]}
        rows.append(row | {"category": question.category, "language": question.language})
    return rows


def files(
    articles: Sequence[Article],
    questions: Sequence[Question],
    judged: Sequence[Grades],
    runs: Mapping[str, Rankings],
    recorded: Path,
) -> dict[str, str]:
    """Every output file with its text, those of chunks from the folder `recorded`. Formats differ from run to run."""
    return {
        "eval_dataset.json": as_json(dataset(questions, judged)),
        "documents.jsonl": as_jsonl({"_id": a.doc_id, "title": a.title, "text": a.body} for a in articles),
        "bm25.trec": as_trec(questions, runs["bm25"], "bm25"),
        "lsa.csv": as_csv(questions, runs["lsa"]),
        "minilm-paragraph.json": as_json(with_passages(questions, runs["minilm-paragraph"])),
        "minilm-fixed500.jsonl": as_jsonl(with_passages(questions, runs["minilm-fixed500"])),
        "rrf.json": as_json(ids_only(questions, runs["rrf"])),
        "evidence.json": as_json(evidence(articles, questions)),
        **{path.name: path.read_text(encoding="utf-8") for path in sorted(recorded.glob("*.jsonl"))},
    }


def untimed(text: str) -> str:
    """A file without what the clock said."""
    return re.sub(r', "latency_ms": [\d.]+', "", text)


def same(found: str, expected: str) -> bool:
    """Whether two files agree, but for the last digits of their scores."""
    number = re.compile(r"-?\d+\.\d+")
    left, right = number.findall(found), number.findall(expected)
    return number.sub("#", found) == number.sub("#", expected) and np.allclose(
        np.array(left, float), np.array(right, float), rtol=0, atol=TOLERANCE
    )


def check(expected: Mapping[str, str], *shown: str) -> int:
    """Compare the committed files and the summaries in the README with what they should be; return the exit status."""
    status = 0
    for name, text in expected.items():
        path = HERE / name
        found = untimed(path.read_text(encoding="utf-8")) if path.exists() else ""
        text = untimed(text)
        verdict = "identical" if found == text else "same but for last digits" if same(found, text) else "DIFFERENT"
        status |= verdict == "DIFFERENT"
        print(f"{name}: {verdict}")
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    quoted = all(part in readme for part in shown)
    print(f"summaries in README.md: {'identical' if quoted else 'DIFFERENT'}")
    return int(status or not quoted)


# ---------------------------------------------------------------- what the runs show


def ndcg(ranking: Sequence[Hit], grades: Grades, k: int = 10) -> float:
    """nDCG@k with linear gain, as in trec_eval."""
    discounts = 1 / np.log2(np.arange(2, k + 2))
    gains = [grades.get(hit.doc_id, 0) for hit in ranking[:k]]
    ideal = sorted(grades.values(), reverse=True)[:k]
    return float(gains @ discounts[: len(gains)] / (ideal @ discounts[: len(ideal)]))


def recall(ranking: Sequence[Hit], grades: Grades, k: int = 5) -> float:
    """Share of the relevant documents that stand in the top k."""
    relevant = {doc_id for doc_id, grade in grades.items() if grade >= 1}
    return len(relevant & {hit.doc_id for hit in ranking[:k]}) / len(relevant)


def per_query(metric: Metric, runs: Mapping[str, Rankings], judged: Sequence[Grades]) -> dict[str, np.ndarray]:
    """One score per run and query."""
    return {
        name: np.array([metric(ranking, grades) for ranking, grades in zip(rankings, judged, strict=True)])
        for name, rankings in runs.items()
    }


def overview(questions: Sequence[Question], judged: Sequence[Grades], runs: Mapping[str, Rankings]) -> list[str]:
    """A line per run: its means, its holes, and the questions on which it found nothing."""
    gain, found = per_query(ndcg, runs, judged), per_query(recall, runs, judged)
    lines = [f"{'run':18}{'nDCG@10':>9}{'Recall@5':>10}{'unjudged':>10}  nothing relevant in the top 10"]
    for name, rankings in runs.items():
        holes = [hit.doc_id not in grades for grades, ranking in zip(judged, rankings, strict=True) for hit in ranking]
        missed = [question.id for question, score in zip(questions, gain[name], strict=True) if score == 0]
        means = f"{gain[name].mean():9.3f}{found[name].mean():10.3f}{np.mean(holes):10.3f}"
        lines.append(f"{name:18}{means}  {' '.join(missed) or '-'}")
    return lines


def by_category(questions: Sequence[Question], scores: Mapping[str, np.ndarray]) -> list[str]:
    """A line per category with the mean of each run."""
    lines = [f"{'nDCG@10':18}" + "".join(f"{name:>18}" for name in scores)]
    for category in dict.fromkeys(question.category for question in questions):
        rows = [i for i, question in enumerate(questions) if question.category == category]
        means = "".join(f"{score[rows].mean():18.3f}" for score in scores.values())
        lines.append(f"{f'{category} ({len(rows)})':18}{means}")
    return lines


def by_pair(scores: Mapping[str, np.ndarray]) -> list[str]:
    """A line per pair of runs with a paired t-test, not corrected for their number."""
    lines = [f"{'nDCG@10':36}{'difference':>10}{'p':>9}  wins/ties/losses"]
    for a, b in combinations(scores, 2):
        difference = scores[b] - scores[a]
        wins, losses = int((difference > TIE).sum()), int((difference < -TIE).sum())
        tally = f"{wins}/{len(difference) - wins - losses}/{losses}"
        p = ttest_rel(scores[b], scores[a]).pvalue
        lines.append(f"{f'{b} - {a}':36}{difference.mean():+10.3f}{p:9.4f}  {tally}")
    return lines


def recall_of_words(start: int, end: int, doc_id: str, ranking: Sequence[tuple[Chunk, float]], chars: int) -> float:
    """Share of the characters of the evidence that is among the first `chars` characters read, chunk by chunk."""
    read, found = 0, set()
    for chunk, _ in ranking:
        last = min(chunk.end, chunk.start + max(0, chars - read))
        found |= set(range(chunk.start, last)) & set(range(start, end)) if chunk.doc_id == doc_id else set()
        read += chunk.end - chunk.start
    return len(found) / (end - start)


def by_chunking(rows: Sequence[Mapping[str, object]], chunked: Mapping[str, Chunked]) -> list[str]:
    """A line per chunking: recall of the evidence after so many characters, and what ten chunks have."""
    budgets = (500, 1000, 2000, 3000)
    lines = [f"{'evidence read after':20}" + "".join(f"{chars:>8,}" for chars in budgets) + f"{'10 chunks':>12}"]
    for name, rankings in chunked.items():
        shares = []
        for chars in budgets:
            values = []
            for row, ranking in zip(rows, rankings, strict=True):
                span = row["evidence"][0]
                values.append(recall_of_words(span["start"], span["end"], span["doc_id"], ranking, chars))
            shares.append(f"{np.mean(values):8.3f}")
        size = np.mean([sum(chunk.end - chunk.start for chunk, _ in ranking[:10]) for ranking in rankings])
        lines.append(f"{name:20}{''.join(shares)}{size:12.0f}")
    return lines


def summary(questions: Sequence[Question], judged: Sequence[Grades], runs: Mapping[str, Rankings]) -> str:
    """What the runs show, as text."""
    scores = per_query(ndcg, runs, judged)
    parts = overview(questions, judged, runs), by_category(questions, scores), by_pair(scores)
    return "\n\n".join("\n".join(part) for part in parts)


def main() -> int:
    """Build or check the files; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, compare with the committed files")
    options = parser.parse_args()

    articles = [read_article(path) for path in sorted((HERE / "source" / "articles").glob("*.md"))]
    rows = json.loads((HERE / "source" / "questions.json").read_text(encoding="utf-8"))
    questions = [Question(**row) for row in rows]
    verify(articles, questions)
    runs = retrieve(articles, [question.query for question in questions])
    judged = judge(questions, runs)
    with TemporaryDirectory() as folder:
        chunked = record_chunks(articles, questions, Path(folder))
        outputs = files(articles, questions, judged, runs, Path(folder))
    shown = summary(questions, judged, runs)
    of_chunks = "\n".join(by_chunking(evidence(articles, questions), chunked))
    if options.check:
        return check(outputs, shown, of_chunks)
    for name, text in outputs.items():
        (HERE / name).write_text(text, encoding="utf-8", newline="\n")
    print(shown, of_chunks, sep="\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
