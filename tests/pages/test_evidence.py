"""Do the pages compare two chunkings by evidence where judgments of ids cannot?"""

import json

import pytest

from tests.pages.reading import checked, param, words

TEXT = {"guide": "Keys and tokens. " * 60, "manual": "Rotate a key every year. " * 50}
N = 14


def dataset() -> tuple[str, bytes]:
    """Questions whose answers stand in the first half of guide, and in manual; the texts of both."""
    rows = []
    for i in range(N):
        spans = [{"doc_id": "guide", "start": 20 * i, "end": 20 * i + 60}, {"doc_id": "manual", "start": 10, "end": 40}]
        rows.append({"id": f"q{i}", "query": f"Question <b>{i}</b>?", "evidence": spans})
    return "dataset.json", json.dumps(rows).encode()


def documents() -> tuple[str, bytes]:
    return "corpus.jsonl", "\n".join(json.dumps({"_id": key, "text": text}) for key, text in TEXT.items()).encode()


def chunked(size: int, first: int) -> bytes:
    """Chunks of so many characters, from chunk number `first` on; every other question finds nothing of manual."""
    rows = []
    for i in range(N):
        places = [("guide", (first + j) * size) for j in range(3)] + [("manual", 0 if i % 2 else 700)]
        found = [
            {"chunk_id": f"{doc}:{at}-{at + size}", "doc_id": doc, "start": at, "end": at + size} for doc, at in places
        ]
        rows.append({"query_id": f"q{i}", "retrieved": found})
    return "\n".join(json.dumps(row) for row in rows).encode()


@pytest.fixture
def source(visit) -> str:
    """A workspace of two chunkings and no judgment of an id."""
    at = visit("data")
    checked(at.file_uploader(key="upload_dataset_0").upload(*dataset()).upload(*documents()).run())
    slot = at.file_uploader(key="upload_run_0").upload("small.jsonl", chunked(100, 3))
    return str(param(checked(slot.upload("large.jsonl", chunked(400, 0)).run()), "source"))


def test_the_verdict_says_what_is_held_equal_and_what_is_read(visit, source) -> None:
    at = checked(visit("verdict", source=source))
    assert param(at, "metric") == "BudgetRecall(chars=3000)"
    said = words(at)
    assert "Switch to large: at equal reading, 3,000 characters, it answers better than small" in said
    assert "Read on average: the first 5 chunks have 1,600 characters with large, 400 with small." in said
    assert "of the evidence and small" in said
    assert "Every chunk is at a known place of its document." in said


@pytest.mark.parametrize(
    "page", ["data", "significance", "distributions", "queries", "query", "runs", "judgments", "ledger", "share"]
)
def test_every_page_stands_without_a_judgment_of_an_id(visit, source, page) -> None:
    checked(visit(page, source=source))
    checked(visit(page, source=source, metric="CharIoU@K", k="3"))


def test_recall_over_characters_read_is_drawn(visit, source) -> None:
    at = checked(visit("distributions", source=source))
    assert "large has read the most evidence, however much is read" in words(at) or "at equal reading" in words(at)


def test_without_evidence_no_such_metric_is_offered(visit) -> None:
    at = checked(visit("verdict", source="sample", metric="CharRecall@K"))
    if "CharRecall@K" in at.selectbox(key="pick_metric").options:
        return
    assert "holds no evidence for its queries" in words(at)
    assert param(at, "metric") == "nDCG@K"


def test_the_query_page_underlines_evidence_and_quotes_what_was_missed(visit, source) -> None:
    at = checked(visit("query", source=source, query="q1", k="3"))
    said = words(at)
    assert "Evidence, and what the first 3 chunks hold of it" in said
    assert "small found 0 of 2 spans of evidence; missed: “" in said
    assert "large found 1 of 2 spans of evidence; missed: “" in said
    assert "In the first 3 chunks, large has 67 % of the evidence and small 0 %." in said
    assert "unjudged document" not in said
    drawn = [str(one.body) for one in at.get("html") if "rd-seen" in str(one.body) and "<u>" in str(one.body)]
    assert len(drawn) == 1
    assert drawn[0].count("rd-words") > 4


def test_the_sample_of_two_chunkings_is_one_click_away(visit) -> None:
    at = visit("data")
    at = checked(next(one for one in at.button if one.label == "Two chunkings compared").click().run())
    assert param(at, "source") == "sample-chunks"
    said = words(
        checked(
            visit("verdict", source="sample-chunks", metric="BudgetRecall(chars=1000)", contender="chunks-paragraph")
        )
    )
    assert "at equal reading, 1,000 characters" in said
    assert "chunks-paragraph has 66 % of the evidence and chunks-fixed500 51 %" in said
    assert "with chunks-paragraph, 4,535 with chunks-fixed500." in said
    checked(visit("query", source="sample-chunks", query="q01"))


def test_pages_about_documents_say_what_they_do_not_look_at(visit, source) -> None:
    at = checked(visit("ledger", source=source))
    assert "looks at evidence, not at documents." in words(at)
    assert "See the evidence of each question" in [one.label for one in at.get("page_link")]
    assert "by_documents" not in [one.key for one in at.button]  # no judgment of an id: no such metric
    said = words(checked(visit("queries", source=source, show="gains")))
    assert "small returns none of the evidence at any rank in" in said
    assert "relevant documents in the top" not in said
    offered = checked(visit("queries", source=source)).get("button_group")
    assert not any("unjudged" in str(one) for one in offered)
    said = words(checked(visit("data", source=source)))
    assert "Every question has evidence, and every chunk its place." in said
    assert "Every question has a relevant document." not in said
