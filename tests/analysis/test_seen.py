"""What each run saw of one query's evidence."""

from dataclasses import replace

from ragdash.analysis.evaluate import evaluate_experiment
from ragdash.analysis.seen import AROUND, Page, Proof, seen
from ragdash.data.evidence import Evidence
from ragdash.data.experiment import build
from ragdash.data.nouns import Documents
from tests.small import dataset, run

TEXT = "".join(chr(ord("a") + i % 26) for i in range(3000))


def scores():
    spans = Evidence.of(
        ["q1", "q1", "q1", "q1"], ["guide", "guide", "guide", "manual"], [400, 450, -1, 2500], [600, 500, -1, 2600],
        [None, None, "words that stand nowhere", None],
    )  # fmt: skip
    data = replace(
        dataset({"q1": {}, "q2": {}}),
        evidence=spans,
        documents=Documents.of(["guide", "manual"], [TEXT, None], ["A guide", None]),
    )
    one = run("one", {"q1": ["guide:0-450", "guide:440-460", "manual:0-500"], "q2": ["guide:0-10"]})
    two = run("two", {"q1": ["manual:2000-3000", "guide:500-1000"], "q2": []})
    return evaluate_experiment(build(data, [one, two]), ["CharRecall@2"])


def test_which_chunk_covers_what():
    found = seen(scores(), "q1", 2, ["one", "two"])
    assert found is not None
    wide, narrow, lost, other = found.proofs
    assert wide.covered == {"one": 60 / 200, "two": 100 / 200}
    assert wide.ranks == {"one": (1, 2), "two": (2,)}
    assert narrow.covered == {"one": 10 / 50, "two": 0}
    assert narrow.quote == TEXT[450:500]
    assert wide.missed("one")
    assert not wide.missed("two")
    assert (lost.covered, lost.quote) == ({"one": 0, "two": 0}, "words that stand nowhere")
    assert other.covered == {"one": 0, "two": 1}
    assert other.quote == ""
    assert [page.doc_id for page in found.pages] == ["guide", "manual"]
    guide = found.pages[0]
    assert guide.windows() == [(400 - AROUND, 600 + AROUND)]
    assert [(one.rank, one.begin, one.end) for one in guide.chunks["one"]] == [(1, 0, 450), (2, 440, 460)]
    assert seen(scores(), "q1", 1, ["one"]).proofs[0].covered == {"one": 50 / 200}


def test_the_table_has_a_row_a_span():
    table = seen(scores(), "q1", 2, ["one", "two"]).frame()
    assert table["ranks: one"].tolist() == ["1, 2", "2", "", ""]
    assert table["share: two"].tolist() == [0.5, 0, 0, 1]
    assert table["begin"].isna().tolist() == [False, False, True, False]


def test_a_query_without_evidence():
    assert seen(scores(), "q2", 2, ["one"]) is None


def test_no_word_is_cut_at_the_ends_of_what_is_shown():
    text = "word " * 400
    page = Page("d", None, text, (Proof("d", 1000, 1010, "", {}, {}),), {})
    ((begin, end),) = page.windows()
    assert text[begin - 1] == text[end] == " "
    assert text[begin:end].startswith("word")
    assert 1000 - AROUND <= begin <= 1000 - AROUND + 5
