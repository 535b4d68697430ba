"""Does the Verdict page end in exactly one of five sentences, and say what else speaks for a run?"""

import json

from tests.pages.reading import checked, param, words
from tests.pages.test_loading import load
from tests.pages.test_significance import dataset, opened, placed


def test_better_says_so(visit) -> None:
    assert "Switch to two" in words(opened(visit, "verdict", placed(*[2] * 20), placed(*[1] * 20), 20, metric="RR@K"))


def test_no_worthwhile_difference_says_so(visit) -> None:
    at = opened(visit, "verdict", placed(*[2] * 20), placed(*[2] * 20), 20, metric="RR@K")
    assert "No worthwhile difference between two and one" in words(at)


def test_undecided_says_what_would_settle_it(visit) -> None:
    at = opened(visit, "verdict", placed(*[1, 2, 2] * 8), placed(*[2, 1, 1] * 8), 24, metric="RR@K")
    assert "Cannot tell yet whether two or one is better." in words(at)
    assert "more questions would settle it." in words(at)


def test_fewer_than_ten_questions_are_too_few_and_no_hundred_is_spoken_of(visit) -> None:
    said = words(opened(visit, "verdict", placed(*[2] * 6), placed(*[1] * 6), 6, metric="RR@K"))
    assert "Too few to say: 6 of the 10 questions" in said
    assert "in 100" not in said


def test_runs_that_answered_different_questions_are_not_comparable(visit) -> None:
    one = json.dumps([{"query": f"q{i}", "retrieved": [f"d{i}"]} for i in range(12)]).encode()
    two = json.dumps([{"query": f"q{i}", "retrieved": [f"d{i}"]} for i in range(12, 24)]).encode()
    said = words(opened(visit, "verdict", one, two, 24))
    assert "two and one are not comparable. They answered different questions: none was answered by both." in said
    assert "helped" not in said
    at = opened(visit, "verdict", one, two, 24, missing="common")
    assert "Not comparable: no question is left." in words(at)
    checked(at.button(key="count_them").click().run())
    assert param(at, "missing") is None
    assert "are not comparable" in words(at)


def test_a_run_set_aside_is_named(visit) -> None:
    alien = json.dumps([{"query": f"z{i}", "retrieved": ["d1"]} for i in range(5)]).encode()
    runs = ("one.json", placed(*[2] * 12)), ("two.json", placed(*[1] * 12))
    at = load(visit("data"), *runs, ("alien.json", alien), dataset=dataset(12))
    seen = checked(visit("verdict", source=str(param(at, "source"))))
    assert "Not comparable: alien, as it answers none of the dataset's questions." in words(seen)
    at = load(visit("data"), runs[0], ("alien.json", alien), dataset=dataset(12))
    seen = checked(visit("verdict", source=str(param(at, "source"))))
    assert "One run can be scored: a comparison needs two." in words(seen)


def measured_run(ms: float) -> bytes:
    rows = [{"query": f"q{i}", "retrieved": [f"d{i}"], "latency_ms": ms + i} for i in range(12)]
    return json.dumps(rows).encode()


def test_where_quality_is_tied_measurements_are_said(visit) -> None:
    at = opened(visit, "verdict", measured_run(300), measured_run(100), 12)
    # the median of 100 .. 111 is 105.5
    assert "latency_ms: median 105.5 for two and 305.5 for one; lower for two on 12 of 12 questions." in words(at)
    assert "latency_ms (median)" in at.dataframe[-1].value.columns


def test_a_trust_line_opens_its_questions(visit) -> None:
    from streamlit.proto.PageLink_pb2 import PageLink

    at = checked(visit("verdict", source="sample"))
    links: list[PageLink] = [one.proto for one in at.get("page_link")]
    assert any(one.label == "Show 13 questions" and "line=trust" in one.query_string for one in links)


def test_a_run_of_which_no_id_fits_is_not_compared(visit) -> None:
    chunks = json.dumps([{"query": f"q{i}", "retrieved": [f"d{i}_chunk_0"]} for i in range(12)]).encode()
    said = words(opened(visit, "verdict", chunks, placed(*[1] * 12), 12))
    assert "Not comparable: one does not fit the dataset." in said
    assert "with chunk-to-document 12 of 12 judged documents would be found" in said
    assert "Switch to" not in said
    mended = words(opened(visit, "verdict", chunks, placed(*[1] * 12), 12, apply="chunk-to-document"))
    assert "Not comparable" not in mended
