"""Two chunkings of the same documents: noticed, rolled up, judged by their own labels, located; never in silence."""

import json
from pathlib import Path

import pytest

from ragdash.analysis.evaluate import evaluate
from ragdash.data.chunkings import groups_of, suffix
from ragdash.data.columns import text_column
from ragdash.data.experiment import build
from ragdash.data.formats.base import Blob
from ragdash.data.intake import read_dataset, read_runs
from ragdash.data.labels import label_sets, names_of
from ragdash.data.nouns import Qrels
from ragdash.errors import ExperimentError, OptionError
from tests.chunked import CUTS, TEXTS, chunks_file, qrels_file, queries_file, relevant, run_file, text_files
from tests.small import dataset, run


def both():
    return [one for cut in CUTS for one in read_runs(run_file(cut))]


def codes(experiment):
    return {one.code: one for one in experiment.findings}


def test_it_is_said_in_words_with_the_three_ways() -> None:
    found = codes(build(read_dataset(qrels_file("fixed"), qrels_file("sentence")), both()))["two-chunkings"]
    assert "bm25 returns 7 such as faq:0-20; bm25 (2) returns 6 such as faq:0-25" in found.message
    assert found.message.startswith("Different chunks of the same 2 documents")
    for way in ("rolled up to documents", "labels per run", "evidence spans"):
        assert way in found.message
    assert found.examples == ("faq:0-20", "faq:0-25")
    assert found.remedy == "chunk-to-document"


def test_labels_of_one_chunking_against_ids_of_the_other_are_an_error() -> None:
    experiment = build(read_dataset(qrels_file("fixed")), both())
    assert codes(experiment)["two-chunkings"].severity == "error"
    with pytest.raises(ExperimentError, match="Different chunks of the same 2 documents"):
        evaluate(read_dataset(qrels_file("fixed")), both())


def test_the_union_in_one_file_is_said() -> None:
    union = Blob("qrels.tsv", qrels_file("fixed").bytes + b"\n" + qrels_file("sentence").bytes.split(b"\n", 1)[1])
    found = codes(build(read_dataset(union), both()))["two-chunkings"]
    assert "All are scored against the same 9 judgments now" in found.message


def test_two_files_of_one_name_stay_two_sets_and_each_run_has_its_own() -> None:
    judged = read_dataset(qrels_file("fixed"), qrels_file("sentence"))
    assert [one.name for one in judged.labels] == ["qrels", "qrels (2)"]
    experiment = build(judged, both())
    assert experiment.bound == ("qrels", "qrels (2)")
    assert experiment.labels_differ
    assert experiment.qrels_of(1).doc_ids.to_pylist() == [
        one for q in ("q1", "q2", "q3") for one in relevant("sentence", q)
    ]
    said = codes(experiment)["labels-differ"].message
    assert "bm25 by qrels (6 relevant of 6 judged, 2.00 a query)" in said
    assert "bm25 (2) by qrels (2) (3 relevant of 3 judged, 1.00 a query)" in said


def test_scores_are_those_of_each_chunking_alone() -> None:
    runs = both()
    alone = [evaluate(read_dataset(qrels_file(cut)), one, ["Recall@2", "nDCG@5", "AP"]) for cut, one in zip(CUTS, runs)]
    together = evaluate(read_dataset(*(qrels_file(cut) for cut in CUTS)), runs, ["Recall@2", "nDCG@5", "AP"])
    assert together.values[0].tolist() == alone[0].values[0].tolist()
    assert together.values[1].tolist() == alone[1].values[0].tolist()


def test_all_judgments_as_one_halve_recall_and_are_named() -> None:
    judged = read_dataset(*(qrels_file(cut) for cut in CUTS))
    scores = evaluate(judged, both(), ["Recall@9"], apply=["join-labels"])
    assert scores.of("bm25", "Recall@9").tolist() == [2 / 3, 2 / 3, 2 / 3]  # both of its chunks, of 3 in the union
    assert "two-chunkings" in codes(scores.experiment)
    assert scores.experiment.remedies == ("join-labels",)


def test_labels_can_be_settled_by_hand() -> None:
    judged = read_dataset(*(qrels_file(cut, folder=True) for cut in CUTS))
    assert [one.name for one in judged.labels] == ["fixed/qrels", "sentence/qrels"]
    experiment = build(judged, both(), ["labels:bm25=sentence/qrels"])
    assert experiment.bound == ("sentence/qrels", "sentence/qrels")
    assert codes(experiment)["labels-unused"].remedy == "join-labels"
    with pytest.raises(OptionError, match="The sets of judgments are: fixed/qrels, sentence/qrels"):
        build(judged, both(), ["labels:bm25=other"])
    with pytest.raises(OptionError, match="Say labels:RUN=NAME"):
        build(judged, both(), ["labels:bm25"])


def test_labels_of_a_chunking_that_no_run_returns_are_left_out() -> None:
    experiment = build(read_dataset(*(qrels_file(cut) for cut in CUTS)), read_runs(run_file("fixed")))
    assert experiment.bound == ("qrels",)
    assert len(experiment.qrels) == 6
    assert not experiment.labels_differ
    assert "qrels (2) judges chunks that no run returns" in codes(experiment)["labels-unused"].message


def test_files_that_judge_the_same_documents_are_one_set() -> None:
    one, other = Qrels.of(["q1", "q1"], ["a", "b"], [1, 0]), Qrels.of(["q1", "q2"], ["a", "c"], [1, 1])
    assert label_sets([("a.tsv", one), ("b.tsv", other)]) == ()
    later = Qrels.of(["q8", "q9"], ["x", "y"], [1, 1])  # other queries: train and test
    assert label_sets([("a.tsv", one), ("b.tsv", later)]) == ()
    assert names_of(["a/qrels.tsv", "b/qrels.tsv", "b/qrels.txt"]) == ["a/qrels", "b/qrels", "b/qrels (2)"]


@pytest.mark.parametrize("remedy", ["chunk-to-document", r"chunk-to-document::\d+-\d+$"])
def test_chunks_roll_up_to_documents(remedy) -> None:
    judged = read_dataset(*(qrels_file(cut) for cut in CUTS))
    scores = evaluate(judged, both(), ["RR", "Recall@1", "Recall@2"], apply=[remedy])
    experiment = scores.experiment
    assert experiment.runs[0].doc_ids.to_pylist() == ["faq", "guide", "guide", "faq", "guide", "faq"]
    assert experiment.bound == () and "two-chunkings" not in codes(experiment)
    assert scores.of("bm25", "RR").tolist() == [0.5, 0.5, 0.5]  # the other document's chunk stands first
    assert scores.of("bm25", "Recall@2").tolist() == [1.0, 1.0, 1.0]
    assert "9 judgments of chunks became 3 of documents" in " ".join(one.message for one in experiment.findings)


def test_rolling_up_by_a_field_where_ids_say_nothing() -> None:
    rows = [{"query_id": "q1", "retrieved": [{"chunk_id": c, "doc_id": d} for c, d in (("x1", "g"), ("y7", "f"))]}]
    others = [{"query_id": "q1", "retrieved": [{"chunk_id": c, "doc_id": d} for c, d in (("k", "f"), ("m", "g"))]}]
    runs = [read_runs(Blob(f"{name}.json", json.dumps(one).encode()))[0] for name, one in (("a", rows), ("b", others))]
    experiment = build(dataset({"q1": {"x1": 1, "k": 1}}), runs, ["chunk-to-document"])
    assert [one.doc_ids.to_pylist() for one in experiment.runs] == [["g", "f"], ["f", "g"]]
    assert experiment.qrels.doc_ids.to_pylist() == ["g", "f"]


def test_a_suffix_is_found_by_itself() -> None:
    assert suffix(text_column([f"guide_chunk_{i}" for i in range(40)])) == r"_chunk_\d+$"
    assert suffix(text_column([f"doc{i}.md#{i}" for i in range(40)])) == r"#\d+$"
    assert suffix(text_column(["alpha", "beta"])) == ""
    runs = [run("a", {"q1": ["g_chunk_1", "h_chunk_2", "h_chunk_3"]}), run("b", {"q1": ["g_para_1", "h_para_3"]})]
    experiment = build(dataset({"q1": {"g_chunk_1": 1, "g_para_1": 1}}), runs)
    assert codes(experiment)["two-chunkings"].remedy == r"chunk-to-document:(?:_chunk_\d+|_para_\d+)$"


def test_texts_that_overlap_tell_chunkings_whose_ids_say_nothing() -> None:
    text = "Rotate the key in the settings of your account before the old one ends on the last day of the month"
    words = text.split()
    sides = [
        {"q1": [{"id": f"{name}{i}", "text": " ".join(words[i : i + 12])} for i in range(0, 9, step)]}
        for name, step in (("x", 3), ("u", 4))
    ]
    runs = [read_runs(Blob(f"{i}.json", json.dumps(side).encode()))[0] for i, side in enumerate(sides)]
    assert "two-chunkings" in codes(build(dataset({"q1": {"x0": 1}}), runs))


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (["d1", "d2"], ["d3", "d4"]),  # one numbering, by chance without an id in common
        (["a-1", "b-1"], ["a-2", "b-2"]),
        (["alpha", "beta"], ["gamma", "delta"]),
        (["x:0-10", "x:10-20"], ["x:0-10", "y:0-5"]),
    ],
)
def test_one_chunking_is_not_taken_for_two(mine, theirs) -> None:
    experiment = build(dataset({"q1": {mine[0]: 1, theirs[1]: 1}}), [run("a", {"q1": mine}), run("b", {"q1": theirs})])
    assert "two-chunkings" not in codes(experiment)


def test_the_sample_is_of_documents_with_passages_and_no_chunking() -> None:
    folder = Path(__file__).parents[2] / "sample_runs"
    names = ("bm25.trec", "lsa.csv", "minilm-fixed500.jsonl", "minilm-paragraph.json")
    blobs = {name: Blob(name, (folder / name).read_bytes()) for name in (*names, "eval_dataset.json")}
    runs = [one for name in names for one in read_runs(blobs[name])]
    found = codes(build(read_dataset(blobs["eval_dataset.json"]), runs))
    assert "two-chunkings" not in found
    assert found["document-texts-differ"].severity == "info"


def passages(name: str, cut: int):
    """A run of documents, each with a passage of its text that is another one for each query."""
    rows = [
        {"query_id": q, "retrieved": [{"doc_id": d, "text": TEXTS[d][cut + i : cut + 20 + i]} for d in TEXTS]}
        for i, q in enumerate(("q1", "q2", "q3"))
    ]
    return read_runs(Blob(f"{name}.json", json.dumps(rows).encode()))[0]


def test_documents_with_another_passage_in_each_run_are_no_chunking() -> None:
    runs = [passages("a", 0), passages("b", 20), run("c", {"q1": ["faq", "guide"]})]
    judged = dataset({"q1": {"guide": 1}, "q2": {"faq": 1}, "q3": {"faq": 1}})
    for several in (runs, runs[::-1], runs[1:]):
        found = codes(build(judged, several))
        assert "two-chunkings" not in found
        assert found["document-texts-differ"].severity == "info"


def test_runs_that_meet_by_way_of_a_third_are_one_chunking() -> None:
    ids = [f"guide_{i}" for i in range(9)]
    runs = [run(name, {"q1": ids[at : at + 4]}) for name, at in (("a", 0), ("b", 5), ("c", 2))]
    assert groups_of([one.doc_ids.unique() for one in runs], runs) == [[0, 1, 2]]


@pytest.mark.parametrize("whole", [False, True])
def test_one_numbering_of_other_places_is_another_chunking(whole: bool) -> None:
    runs = [
        read_runs(Blob(f"{name}.json", json.dumps([{"query_id": "q1", "retrieved": [
            {"chunk_id": f"c{i}", "doc_id": f"{i}.md" if whole else "guide", "start": size * i, "end": size * (i + 1)}
            for i in range(4)
        ]}]).encode()))[0]
        for name, size in (("a", 10), ("b", 15))
    ]  # fmt: skip
    found = codes(build(dataset({"q1": {"c1": 1}}), runs))
    assert ("two-chunkings" in found) is not whole  # a document with its best place is one document
    if not whole:
        assert "One id is another place in each" in found["two-chunkings"].message


def test_spans_alone_are_a_dataset() -> None:
    judged = read_dataset(queries_file())
    experiment = build(judged, both())
    assert len(judged.qrels) == 0 and experiment.n_queries == 3
    assert experiment.evidence.query_ids.to_pylist() == ["q1", "q2", "q3"]
    assert experiment.query_texts[0] == "How do I rotate a key?"
    assert all(one.known.all() for one in experiment.locations)
    assert experiment.parents.take(experiment.evidence_codes).to_pylist() == ["guide", "faq", "faq"]
    first = experiment.locations[0]
    assert (int(first.begins[1]), int(first.ends[1])) == (0, 20)


@pytest.mark.parametrize("files", [text_files(), [chunks_file("fixed")]], ids=["texts", "chunks"])
def test_quotes_are_located_in_documents_or_in_what_their_chunks_make_together(files) -> None:
    located = read_dataset(queries_file(quotes=True), *files).evidence
    given = read_dataset(queries_file()).evidence
    assert located.begins.tolist() == given.begins.tolist()
    assert located.ends.tolist() == given.ends.tolist()


def test_a_run_as_trec_has_its_places_in_the_ids() -> None:
    (bm25,) = read_runs(Blob("a.trec", b"q1 Q0 guide:0-20 1 2.0 x\nq1 Q0 guide:20-40 2 1.0 x\n"))
    experiment = build(read_dataset(queries_file()), [bm25])
    assert experiment.locations[0].begins.tolist() == [0, 20]


def test_chunks_are_located_by_their_text() -> None:
    hits = [{"id": "c1", "text": "Rotate  the key"}, {"id": "c2", "text": "nowhere"}]
    (found,) = read_runs(Blob("a.json", json.dumps([{"query_id": "q1", "retrieved": hits}]).encode()))
    experiment = build(read_dataset(queries_file(), *text_files()), [found])
    assert experiment.locations[0].begins.tolist() == [19, -1]
    assert experiment.locations[0].ends.tolist() == [33, -1]
    told = codes(experiment)["chunk-not-located"]
    assert told.count == 1 and told.examples == ("c2",)


def test_evidence_of_a_file_without_ids_is_of_the_query_with_the_same_text() -> None:
    references = json.dumps([{"content": "Refunds take a week.", "start_index": 26, "end_index": 46}]).replace(
        '"', '""'
    )
    table = f'question,references,corpus_id\nHow long do refunds take?,"{references}",faq\n'.encode()
    topics = Blob("topics.tsv", b"query_id\tquery\nq2\tHow long do refunds take?\n")
    judged = read_dataset(Blob("questions.csv", table), topics)
    assert judged.evidence.query_ids.to_pylist() == ["q2"]
    assert judged.queries.ids.to_pylist() == ["q2"]
    assert (judged.evidence.doc_ids[0].as_py(), int(judged.evidence.begins[0]), int(judged.evidence.ends[0])) == (
        "faq",
        26,
        46,
    )


def test_a_run_against_the_labels_of_another_chunking_is_said() -> None:
    experiment = build(read_dataset(qrels_file("fixed")), read_runs(run_file("sentence")))
    found = codes(experiment)["two-chunkings"]
    assert found.severity == "error"
    assert "bm25 returns 6 such as faq:0-25; the judgments name 5 such as guide:0-20" in found.message
    rolled = build(read_dataset(qrels_file("fixed")), read_runs(run_file("sentence")), ["chunk-to-document"])
    assert rolled.runs[0].doc_ids.to_pylist() == ["faq", "guide", "guide", "faq", "guide", "faq"]
    assert rolled.qrels.doc_ids.to_pylist() == ["guide", "faq", "faq"]


def test_a_run_that_meets_nothing_of_its_own_chunking_is_not_taken_for_another() -> None:
    judged = dataset({"q1": {"d:0-20": 1}, "q2": {"e:40-60": 1}})
    experiment = build(judged, [run("a", {"q1": ["d:20-40", "d:60-80"], "q2": ["e:0-20", "d:40-60"]})])
    assert "two-chunkings" not in codes(experiment)


def test_evidence_in_documents_that_are_spelled_otherwise_is_said() -> None:
    rows = [{"query_id": "q1", "retrieved": [{"chunk_id": "c", "doc_id": "docs/Guide.md", "start": 19, "end": 40}]}]
    (found,) = read_runs(Blob("a.json", json.dumps(rows).encode()))
    other = read_dataset(Blob("q.jsonl", queries_file().bytes.replace(b'"guide"', b'"Guide"')))
    told = codes(build(other, [found]))["no-common-evidence"]
    assert (told.severity, told.remedy, told.examples) == ("error", "file-ending", ("docs/Guide.md", "Guide"))
    mended = build(other, [found], ["file-ending"])
    assert "no-common-evidence" not in codes(mended) and mended.locations[0].known.all()


def test_judgments_of_two_people_about_different_documents_stay_one_dataset() -> None:
    files = [
        Blob(f"{name}.txt", "\n".join(f"q{i} 0 {name}{i} 1" for i in range(5)).encode()) for name in ("anna", "bert")
    ]
    judged = read_dataset(*files)
    assert [one.name for one in judged.labels] == ["anna", "bert"]
    lists = {f"q{i}": [f"anna{i}", f"bert{i}"] for i in range(5)}
    only_one = {f"q{i}": [f"anna{i}", f"x{i}"] for i in range(5)}
    experiment = build(judged, [run("a", lists), run("b", only_one)])
    assert experiment.bound == () and len(experiment.qrels) == 10
