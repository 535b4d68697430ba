"""Write a run and judgments of any size, the same ones every time.

    python tests/benchmarks/generate.py FOLDER [--queries 6980] [--depth 1000] [--kind sorted]

The default is the size of MS MARCO's passage dev set: one relevant passage a query, a thousand passages of 8.8 million
returned, 290 MB. Kinds: sorted, shuffled-within (rows of a query in any order), shuffled (all rows in any order),
tabs, ties (scores of one digit), gzip.
"""

from __future__ import annotations

import argparse
import gzip
from pathlib import Path

import numpy as np

KINDS = ("sorted", "shuffled-within", "shuffled", "tabs", "ties", "gzip")
N_PASSAGES = 8_841_823


def generate(
    folder: Path, queries: int = 6980, depth: int = 1000, kind: str = "sorted", seed: int = 7
) -> tuple[Path, Path]:
    """The paths of the run and the judgments; files that are there already are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    run = folder / f"{kind}-{queries}x{depth}.trec{'.gz' if kind == 'gzip' else ''}"
    qrels = folder / f"qrels-{queries}x{depth}.txt"
    if run.exists() and qrels.exists():
        return run, qrels
    rng, order = np.random.default_rng(7), np.random.default_rng(8)
    gap = "\t" if kind == "tabs" else " "
    rows: list[str] = []
    with gzip.open(run, "wt", compresslevel=3) if kind == "gzip" else run.open("w") as out, qrels.open("w") as judged:
        for number in range(queries):
            query = 1_000_000 + 13 * number
            docs = rng.choice(N_PASSAGES, depth, replace=False).tolist()
            scores = np.sort(rng.gamma(9.0, 2.0, depth))[::-1]
            digits = 0 if kind == "ties" else 6
            lines = [
                gap.join((str(query), "Q0", str(doc), str(rank), f"{score:.{digits}f}", "Anserini")) + "\n"
                for rank, (doc, score) in enumerate(zip(docs, scores.tolist()), start=1)
            ]
            place = int(rng.geometric(0.02))
            relevant = docs[place - 1] if place <= depth else N_PASSAGES + 1
            judged.write(f"{query} 0 {relevant} 1\n")
            if kind == "shuffled-within":
                order.shuffle(lines)
            if kind == "shuffled":
                rows += lines
            else:
                out.write("".join(lines))
        out.write("".join(rows[i] for i in order.permutation(len(rows)).tolist()))
    return run, qrels


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--queries", type=int, default=6980)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--kind", choices=KINDS, default="sorted")
    options = parser.parse_args()
    print(*generate(options.folder, options.queries, options.depth, options.kind), sep="\n")
