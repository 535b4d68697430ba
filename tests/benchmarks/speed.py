"""How fast is it, against whom? From files to per-query scores, each contender in a process of its own.

    python tests/benchmarks/speed.py FOLDER [contenders|kinds|loaded|growth ...]

FOLDER is where `generate.py` keeps its files (some GB for all of it). `contenders` compares with trec_eval (where it is
on the PATH), pytrec_eval, ir_measures, ranx and the bare parse of pyarrow; `kinds` measures files that are not so
regular; `loaded` what a change of metric costs once a run is loaded; `growth` how cost grows with the input.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

KINDS = ("sorted", "shuffled-within", "shuffled", "tabs", "ties", "gzip")  # of generate.py, which imports numpy

ROOT = Path(__file__).parents[2]
METRICS = ("nDCG@10", "RR", "Recall@100", "Precision@10", "AP")

RAGDASH = """
import sys
from pathlib import Path
from ragdash.analysis.rank import rank_run
from ragdash.data.columns import positions
from ragdash.data.formats.base import Blob
from ragdash.data.formats.trec import QRELS, RUN
from ragdash.data.unpack import unpacked
from ragdash.metrics import parse, score
(blob,) = unpacked(Blob(Path(sys.argv[1]).name, path=Path(sys.argv[1])))
qrels = QRELS.read(Blob("qrels.txt", path=Path(sys.argv[2])), "dataset").qrels
run = RUN.read(blob, "run").runs[0]
rankings = rank_run(qrels, run, positions(qrels.query_ids, run.query_ids))
scores = score(rankings, [parse(name) for name in sys.argv[3].split(",")])
print(*scores.mean(axis=1).round(6))
"""

PYARROW = """
import sys
from pyarrow import csv
options = csv.ParseOptions(delimiter=" ")
table = csv.read_csv(sys.argv[1], csv.ReadOptions(autogenerate_column_names=True), options)
print(len(table), "rows")
"""

PYTREC_EVAL = """
import sys, pytrec_eval
with open(sys.argv[2]) as file:
    qrels = pytrec_eval.parse_qrel(file)
with open(sys.argv[1]) as file:
    run = pytrec_eval.parse_run(file)
names = ["ndcg_cut.10", "recip_rank", "recall.100", "P.10", "map"]
scores = pytrec_eval.RelevanceEvaluator(qrels, set(names)).evaluate(run)
print(*(round(sum(one[name.replace(".", "_")] for one in scores.values()) / len(qrels), 6) for name in names))
"""

IR_MEASURES = """
import sys, ir_measures
from collections import defaultdict
measures = [ir_measures.parse_measure(name) for name in ("nDCG@10", "RR", "R@100", "P@10", "AP")]
qrels, run = ir_measures.read_trec_qrels(sys.argv[2]), ir_measures.read_trec_run(sys.argv[1])
totals = defaultdict(list)
for one in ir_measures.iter_calc(measures, qrels, run):
    totals[one.measure].append(one.value)
print(*(round(sum(totals[measure]) / len(totals[measure]), 6) for measure in measures))
"""

RANX = """
import sys, ranx
qrels, run = ranx.Qrels.from_file(sys.argv[2], kind="trec"), ranx.Run.from_file(sys.argv[1], kind="trec")
names = ["ndcg@10", "mrr", "recall@100", "precision@10", "map"]
scores = ranx.evaluate(qrels, run, names, make_comparable=True)
print(*(round(float(scores[name]), 6) for name in names))
"""

TEN_RUNS = """
import sys, ragdash
from ragdash.analysis.evaluate import evaluate
dataset = ragdash.read_dataset(sys.argv[2])
runs = [ragdash.read_run(sys.argv[1], name=f"run {i}") for i in range(10)]
print(*evaluate(dataset, runs, ["nDCG@10", "AP"]).means().iloc[-1].round(6))
"""

CONTENDERS = {
    "pyarrow.csv.read_csv alone": PYARROW,
    "pytrec_eval": PYTREC_EVAL,
    "ir_measures": IR_MEASURES,
    "ranx": RANX,
}
TREC_EVAL = ["trec_eval", "-q", "-m", "ndcg_cut.10", "-m", "recip_rank", "-m", "recall.100", "-m", "P.10", "-m", "map"]


def generate(folder: Path, queries: int = 6980, depth: int = 1000, kind: str = "sorted") -> tuple[Path, Path]:
    """The files, written by a process of its own: a child's peak memory starts at what its parent holds."""
    script = str(Path(__file__).with_name("generate.py"))
    options = ["--queries", str(queries), "--depth", str(depth), "--kind", kind]
    done = subprocess.run([sys.executable, script, str(folder), *options], check=True, capture_output=True, text=True)
    run, qrels = done.stdout.split("\n")[:2]
    return Path(run), Path(qrels)


def measured(command: list[str]) -> tuple[float, float, float, str]:
    """Wall seconds, CPU seconds, peak memory in MB, and the last line printed, of a process of its own."""
    read, write = os.pipe()
    start = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pid = os.posix_spawnp(command[0], command, environment, file_actions=[(os.POSIX_SPAWN_DUP2, write, 1)])
    os.close(write)
    with os.fdopen(read) as output:
        printed = output.read()
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    if status:
        printed += f" (ended with status {status})"
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, printed.strip().rpartition("\n")[2]


def best(command: list[str], times: int = 3) -> tuple[float, float, float, str]:
    """The run with the least CPU seconds of several."""
    return best_of({"": command}, times)[""]


def best_of(commands: dict[str, list[str]], times: int = 3) -> dict[str, tuple[float, float, float, str]]:
    """The same of several commands in turn, so that a busy moment of the machine does not fall on one of them."""
    rounds = [{name: measured(command) for name, command in commands.items()} for _ in range(times)]
    return {name: min((one[name] for one in rounds), key=lambda one: one[1]) for name in commands}


def ours(run: Path, qrels: Path, metrics: str = ",".join(METRICS)) -> list[str]:
    return [sys.executable, "-c", RAGDASH, str(run), str(qrels), metrics]


def contenders(folder: Path) -> None:
    """ragdash against the others, at the size of MS MARCO's dev set."""
    run, qrels = generate(folder)
    print(f"{run.name}: {run.stat().st_size / 1e6:.0f} MB; {', '.join(METRICS)}")
    print("best CPU of five for the first two, of one for the others\n")
    own = {"ragdash": ours(run, qrels)}
    others = {name: [sys.executable, "-c", code, str(run), str(qrels)] for name, code in CONTENDERS.items()}
    parse = "pyarrow.csv.read_csv alone"
    quick = best_of({**own, parse: others.pop(parse)}, 5)
    base = quick["ragdash"]
    print("| | wall s | CPU s | CPU, ragdash = 1 | peak MB | means |\n|---|---:|---:|---:|---:|---|")
    for name, one in {**quick, **best_of(others, 1)}.items():
        _row(name, one, base)
    if shutil.which("trec_eval"):
        _row("trec_eval", best([*TREC_EVAL, str(qrels), str(run)]), base)


def _row(name: str, one: tuple[float, float, float, str], base: tuple[float, float, float, str]) -> None:
    wall, cpu, peak, printed = one
    print(f"| {name} | {wall:.2f} | {cpu:.2f} | {cpu / base[1]:.2f} | {peak:.0f} | {printed[:80]} |", flush=True)


def kinds(folder: Path) -> None:
    """Files that are not sorted, not grouped, tab-separated, gzipped or full of ties."""
    print("| file | wall s | CPU s | times the sorted one | peak MB | means |\n|---|---:|---:|---:|---:|---|")
    found = best_of({kind: ours(*generate(folder, kind=kind)) for kind in KINDS})
    for kind, (wall, cpu, peak, printed) in found.items():
        print(f"| {kind} | {wall:.2f} | {cpu:.2f} | {cpu / found['sorted'][1]:.2f} | {peak:.0f} | {printed} |")


def loaded(folder: Path) -> None:
    """What a change costs once a run is loaded and ranked, and what the run keeps in memory."""
    sys.path.insert(0, str(ROOT))
    import numpy as np

    from ragdash.analysis.rank import duplicates_of, rank_run
    from ragdash.data.columns import positions
    from ragdash.data.formats.base import Blob
    from ragdash.data.formats.trec import QRELS, RUN
    from ragdash.metrics import CATALOGUE, Settings, parse, score

    run_file, qrels_file = generate(folder)
    qrels = QRELS.read(Blob("qrels.txt", path=qrels_file), "dataset").qrels
    run = RUN.read(Blob("run.trec", path=run_file), "run").runs[0]
    assert run.scores is not None and qrels is not None
    kept = run.doc_ids.nbytes + run.scores.nbytes + run.starts.nbytes + getattr(run.lines, "nbytes", 0)
    rows = positions(qrels.query_ids, run.query_ids)
    rankings = rank_run(qrels, run, rows)
    every = [
        parse(f"{name}@{k}")
        for name, block in CATALOGUE.items()
        if block.takes_cutoff
        for k in (1, 3, 5, 10, 20, 50, 100)
    ] + [parse(name) for name, block in CATALOGUE.items() if not block.needs_cutoff]
    print(f"kept: {kept / len(run):.1f} bytes a row\n\n| | ms |\n|---|---:|")
    tasks = {
        "find duplicates": lambda: duplicates_of(run),
        "rank, duplicates known": lambda: rank_run(qrels, run, rows, duplicates=np.zeros(0, dtype=np.int64)),
        **{name: (lambda name=name: parse(name)(rankings)) for name in (*METRICS, "bpref", "ERR@10", "IPrec11")},
        "another threshold": lambda: score(rankings, [parse(name) for name in METRICS], Settings(threshold=2)),
        f"all {len(every)} metrics and cutoffs": lambda: score(rankings, every),
    }
    for name, task in tasks.items():
        times = []
        for _ in range(5):
            start = time.perf_counter()
            task()
            times.append(time.perf_counter() - start)
        print(f"| {name} | {1000 * statistics.median(times):.1f} |", flush=True)


def growth(folder: Path) -> None:
    """CPU seconds at four sizes each of queries, depth, metrics and runs."""
    print("| what grows | sizes | CPU s |\n|---|---|---|")
    nothing = best(ours(*generate(folder, 1, 1)))[1]
    for what, sizes in {"queries": (500, 1000, 2000, 4000), "depth": (125, 250, 500, 1000)}.items():
        spent = []
        for size in sizes:
            files = generate(folder, size, 1000) if what == "queries" else generate(folder, 4000, size)
            spent.append(f"{best(ours(*files))[1] - nothing:.2f}")
        print(f"| {what} | {', '.join(map(str, sizes))} | {', '.join(spent)} |", flush=True)
    files = generate(folder, 4000, 1000)
    spent = []
    for size in (5, 10, 20, 40):
        names = ",".join(f"nDCG@{k}" for k in range(1, size + 1))
        spent.append(f"{best(ours(*files, names))[1] - nothing:.2f}")
    print(f"| metrics | 5, 10, 20, 40 | {', '.join(spent)} |")
    spent = []
    for size in (1, 2, 4, 8):
        several = RAGDASH + f"for _ in range({size - 1}):\n    run = RUN.read(blob, 'run').runs[0]\n"
        several += "    rankings = rank_run(qrels, run, positions(qrels.query_ids, run.query_ids))\n"
        command = [sys.executable, "-c", several, *map(str, files), METRICS[0]]
        spent.append(f"{best(command)[1] - nothing:.2f}")
    print(f"| runs | 1, 2, 4, 8 | {', '.join(spent)} |")
    print(f"\nStarting Python and importing takes {nothing:.2f} s, left out above.")


def ten(folder: Path) -> None:
    """Ten runs of that size in one process, the whole way: recognised, read, paired, checked, ranked and scored."""
    run, qrels = generate(folder)
    wall, cpu, peak, printed = measured([sys.executable, "-c", TEN_RUNS, str(run), str(qrels)])
    print(f"wall {wall:.1f} s, CPU {cpu:.1f} s, peak {peak:,.0f} MB, means {printed}")


PARTS = {"contenders": contenders, "kinds": kinds, "growth": growth, "loaded": loaded, "ten": ten}

if __name__ == "__main__":
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(PARTS):
        sys.exit(__doc__)
    for part in sys.argv[2:] or PARTS:
        print(f"\n## {part}: {PARTS[part].__doc__}\n", flush=True)
        PARTS[part](Path(sys.argv[1]))
