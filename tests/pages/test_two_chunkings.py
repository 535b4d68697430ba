"""Two chunkings on the Data page: said, and compared rightly in one click, by any of the three ways."""

from tests.chunked import CUTS, chunks_file, qrels_file, queries_file, run_file
from tests.pages.reading import checked, param, words


def load(at, *files):
    """The dataset's files and both runs, which share their name, as they are."""
    slot = at.file_uploader(key="upload_dataset_0")
    for blob in files:
        slot.upload(blob.name, blob.bytes)
    checked(slot.run())
    slot = at.file_uploader(key="upload_run_0")
    for cut in CUTS:
        slot.upload("bm25.jsonl", run_file(cut).bytes)
    return checked(slot.run())


def key_of(at, label: str) -> str:
    return next(one.key for one in at.button if one.label == label)


def test_both_label_files_bind_themselves_and_the_page_says_so(visit) -> None:
    at = load(visit("data"), *(qrels_file(cut) for cut in CUTS))
    said = words(at)
    assert "Different chunks of the same 2 documents" in said
    assert "Each run is scored against the judgments of its own chunks." in said
    assert "such as guide:0-20" in said and "such as guide:18-40" in said  # two files of one name
    assert "such as faq:0-20" in said and "such as faq:0-25" in said.partition("Different chunks")[0]  # and two runs
    assert "Yes: 4 files, 3 questions and 2 runs" in said
    assert "In force: labels per run (nDCG@5)" in said
    assert "with 2 documents nearly every question then finds its document" in said
    other = checked(visit("verdict", source=param(at, "source")))
    assert "each run judged by the labels of its own chunks" in words(other)
    assert "bm25 (2)" in words(other)


def test_one_label_file_is_no_comparison_until_chunks_are_rolled_up(visit) -> None:
    at = load(visit("data"), qrels_file("fixed"))
    assert at.button(key="to_verdict").disabled
    checked(at.button(key=key_of(at, "Roll chunks up to documents")).click().run())
    assert param(at, "apply") == "chunk-to-document"
    assert not at.button(key="to_verdict").disabled
    other = checked(visit("verdict", source=param(at, "source"), apply="chunk-to-document"))
    assert "Chunks to documents" in words(other)
    checked(at.button(key="undo_0").click().run())
    assert param(at, "apply") is None


def test_labels_can_be_joined_picked_and_bound_again(visit) -> None:
    at = load(visit("data"), *(qrels_file(cut) for cut in CUTS))
    at = checked(visit("data", source=param(at, "source"), apply="join-labels"))
    assert "All are scored against the same 9 judgments now" in words(at)
    checked(at.button(key=key_of(at, "Labels per run")).click().run())
    assert param(at, "apply") is None
    at = checked(visit("data", source=param(at, "source"), apply="labels:bm25=qrels (2)"))
    assert "The labels of bm25 are those of other chunks: no result is judged." in words(at)


def test_spans_alone_are_compared_by_spans(visit) -> None:
    at = load(visit("data"), queries_file(), chunks_file("fixed"))
    assert "They are compared by their evidence spans." in words(at)
    assert "In force: evidence spans (CharRecall@3000c)" in words(at)
    assert "Compare by evidence spans" not in [one.label for one in at.button]
    assert "3 evidence spans for 3 questions" in words(at) and "7 chunks" in words(at)


def test_a_remedy_without_its_mapping_file_is_said(visit) -> None:
    at = load(visit("data"), qrels_file("fixed"))
    at = checked(visit("data", source=param(at, "source"), apply="chunk-to-document:@map.csv"))
    assert "map.csv" in words(at) and "is not loaded" in words(at)


def test_of_evidence_and_labels_the_way_of_the_metric_is_said_to_be_in_force(visit) -> None:
    at = load(visit("data"), queries_file(), *(qrels_file(cut) for cut in CUTS))
    assert "In force: evidence spans (CharRecall@3000c)" in words(at)
    assert "or, by a metric over evidence, all against the same spans." in words(at)
    source = param(at, "source")
    said = words(checked(visit("verdict", source=source)))
    assert "compared by evidence spans, the same for every run" in said and "labels of its own chunks" not in said
    checked(at.button(key=key_of(at, "Compare by these labels")).click().run())
    assert param(at, "metric") == "nDCG@K" and "In force: labels per run (nDCG@" in words(at)
    said = words(checked(visit("verdict", source=source, metric="nDCG@K")))
    assert "each run judged by the labels of its own chunks" in said
    checked(at.button(key=key_of(at, "Compare by evidence spans")).click().run())
    assert param(at, "metric") == "CharRecall@K" and "In force: evidence spans (CharRecall@" in words(at)
