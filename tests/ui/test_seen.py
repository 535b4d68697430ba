"""The evidence in its document as HTML: safe, underlined, with a band a run and scissors in cut sentences."""

from html.parser import HTMLParser

from ragdash.analysis.seen import Chunk, Page, Proof
from ragdash.ui.seen import page

TEXT = (
    "First sentence. <b>Keys & tokens</b> expire after a year. Renew them early. The rest says nothing of use at all."
)


def drawn(chunks, begin=16, end=57, text=TEXT):
    proof = Proof(
        "d", begin, end, text[begin:end] if text else "quote", {"<i>a": 1.0, "b": 0.0}, {"<i>a": (1,), "b": ()}
    )
    return page(Page("d", "<script>title", text, (proof,), chunks), ["<i>a", "b"])


class Balanced(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_text_from_the_data_is_inert():
    html = drawn({"<i>a": (Chunk(1, 0, 30),), "b": ()})
    parser = Balanced()
    parser.feed(html)
    assert not parser.open
    assert {tag for tag, _ in parser.seen} <= {"div", "u", "b", "span"}
    assert "<u>&lt;b&gt;Keys &amp; toke</u>" in html
    assert "<script" not in html
    assert "<i>" not in html


def test_a_cut_within_a_sentence_is_marked_and_one_between_sentences_is_not():
    within = drawn({"<i>a": (Chunk(1, 0, 30),), "b": ()})
    between = drawn({"<i>a": (Chunk(1, 0, 16),), "b": ()})
    assert within.count("✂") == 1
    assert "✂" not in between


def test_bands_have_ranks_and_say_where_two_chunks_overlap():
    html = drawn({"<i>a": (Chunk(2, 0, 40), Chunk(5, 30, 80)), "b": (Chunk(1, 0, len(TEXT)),)})
    assert ">2, 5</div>" in html
    assert html.count("rd-twice") == 1
    assert html.count('title="rank 1"') == 4  # rows: 0 to 30, 30 to 40, 40 to 80, 80 to the end
    assert html.count("<u>") == 3  # evidence 16 to 57, cut at 30 and at 40


def test_a_document_without_text_is_named():
    assert "its text is not known" in drawn({"<i>a": (), "b": ()}, text=None)


def test_a_long_document_shows_what_is_around_the_evidence():
    html = drawn({"<i>a": (), "b": ()}, 5000, 5100, "word " * 4000)
    assert "⋮ 4,760 characters" in html
    assert "⋮ 14,661 characters" in html


def test_columns_are_headed_by_the_marks_of_the_runs():
    html = drawn({"<i>a": (), "b": ()})
    assert 'title="&lt;i&gt;a">●</div>' in html
    assert 'title="b">◆</div>' in html
