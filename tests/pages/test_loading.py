"""Do files get in, are bad ones said while the others stay, and is text from files never markup?"""

import json

from tests.pages.reading import checked, param, words

HOSTILE = "<script>alert(1)</script> $x$ *b* [l](http://e.vil) &amp; 100% #1 \u202eabc"
DATASET = [{"id": f"q{i}", "query": f"thing {i}?", "relevant_docs": [f"d{i}"]} for i in range(12)]


def run_file(shift: int) -> bytes:
    """Each query's document at rank 1 + shift."""
    rows = [{"query": f"q{i}", "retrieved": [f"x{j}" for j in range(shift)] + [f"d{i}"]} for i in range(12)]
    return json.dumps(rows).encode()


def load(at, *runs: tuple[str, bytes], dataset=DATASET):
    """Both slots filled, as a person would."""
    checked(at.file_uploader(key="upload_dataset_0").upload("questions.json", json.dumps(dataset).encode()).run())
    slot = at.file_uploader(key="upload_run_0")
    for name, data in runs:
        slot.upload(name, data)
    return checked(slot.run())


def test_uploaded_files_give_a_verdict_and_survive_a_page_change(visit) -> None:
    at = load(visit("data"), ("one.json", run_file(1)), ("two.json", run_file(0)))
    assert "Yes: 3 files, 12 questions and 2 runs" in words(at)
    token = param(at, "source")
    assert token not in (None, "sample")
    assert len(str(token)) == 22
    other = checked(visit("verdict", source=token))  # a second tab
    assert "Of 12 questions, two helped 12, hurt 0 and left 0 as they were." in words(other)


def test_the_upload_is_let_go(visit) -> None:
    at = load(visit("data"), ("one.json", run_file(1)), ("two.json", run_file(0)))
    assert {one.key for one in at.file_uploader} == {"upload_dataset_1", "upload_run_1"}


def test_a_bad_file_is_said_and_the_others_stay(visit) -> None:
    at = load(
        visit("data"), ("one.json", run_file(1)), ("broken.json", b'[{"query": "q1", "retr'), ("two.json", run_file(0))
    )
    assert any("broken" in one.value for one in at.error)
    assert [one.value for one in at.text_input if one.label == "Name of the run"] == ["one", "two"]
    checked(at.button(key="remove_fault_0").click().run())
    assert not at.error


def test_a_run_in_the_dataset_slot_is_refused_with_what_to_do(visit) -> None:
    at = visit("data")
    lines = b"q1 Q0 d1 1 9.0 tag\nq1 Q0 d2 2 8.0 tag\n"
    checked(at.file_uploader(key="upload_dataset_0").upload("run.trec", lines).run())
    assert "Not ready yet" in words(at) or at.error


def test_a_run_can_be_renamed_and_removed(visit) -> None:
    at = load(visit("data"), ("one.json", run_file(1)), ("two.json", run_file(0)))
    checked(at.text_input(key="run_name_0").set_value("baseline model").run())
    assert "baseline model" in [one.value for one in at.text_input]
    checked(at.button(key="remove_run_1").click().run())
    assert "two" not in [one.value for one in at.text_input]
    assert at.button(key="to_verdict").disabled


def test_two_runs_never_share_a_name(visit) -> None:
    at = load(visit("data"), ("one.json", run_file(1)), ("two.json", run_file(0)))
    checked(at.text_input(key="run_name_1").set_value("one").run())
    assert [one.value for one in at.text_input if one.label == "Name of the run"] == ["one", "two"]


def test_a_run_without_a_common_question_is_named_and_not_scored(visit) -> None:
    alien = json.dumps([{"query": f"z{i}", "retrieved": ["d1"]} for i in range(5)]).encode()
    at = load(visit("data"), ("one.json", run_file(1)), ("alien.json", alien), ("two.json", run_file(0)))
    assert "alien** is not scored" in words(at)
    assert "2 runs" in words(at)


def test_the_sample_is_never_changed(visit) -> None:
    at = checked(visit("data", source="sample"))
    checked(at.button(key="remove_run_0").click().run())
    assert param(at, "source") != "sample"
    again = checked(visit("data", source="sample"))
    assert "5 runs" in words(again)


def test_text_from_files_is_never_markup(visit) -> None:
    dataset = [{**one, "query": f"{HOSTILE} {i}"} for i, one in enumerate(DATASET)]
    rows = json.loads(run_file(0))
    for row in rows:
        row["retrieved"] = [HOSTILE, *row["retrieved"]]
    name = f"{HOSTILE}.json".replace("/", "_")
    at = load(visit("data"), (name, json.dumps(rows).encode()), ("two.json", run_file(2)), dataset=dataset)
    token = param(at, "source")
    for page in ("data", "verdict", "significance", "distributions", "queries", "query"):
        seen = checked(visit(page, source=token, show="all"))
        for kind in (seen.header, seen.markdown, seen.caption, seen.error, seen.warning):
            for one in kind:
                assert "<script>" not in one.value, (page, one.value)
                assert "](http" not in one.value, (page, one.value)
        for one in seen.get("html"):
            assert "<script>" not in one.proto.body, page


def test_a_very_long_name_is_shortened(visit) -> None:
    at = load(visit("data"), ("one.json", run_file(1)), ("two.json", run_file(0)))
    checked(at.text_input(key="run_name_0").set_value("n" * 10_000).run())
    token = param(at, "source")
    seen = checked(visit("verdict", source=token))
    assert max(len(label) for label in seen.selectbox(key="pick_baseline").options) < 60


def test_a_remedy_is_applied_from_the_list_and_taken_back(visit) -> None:
    upper = json.dumps([{"query": f"Q{i}", "retrieved": [f"D{i}"]} for i in range(12)]).encode()
    at = load(visit("data"), ("upper.json", upper), ("two.json", run_file(0)))
    button = next(one for one in at.button if one.label.replace("\\", "") == "Ignore case")
    checked(button.click().run())
    assert param(at, "apply") == "ignore-case"
    assert "2 runs" in words(at)
    checked(at.button(key="undo_0").click().run())
    assert param(at, "apply") is None


def test_what_a_remedy_would_do_is_said_before_the_click(visit) -> None:
    chunks = json.dumps([{"query": f"q{i}", "retrieved": [f"d{i}_chunk_0", f"d{i}_chunk_1"]} for i in range(12)])
    at = load(visit("data"), ("chunks.json", chunks.encode()), ("two.json", run_file(0)))
    assert "12 of 12 judged documents would be found" in words(at)

    def typed(text: str) -> None:
        checked(next(one for one in at.text_input if str(one.key).startswith("pattern_")).set_value(text).run())

    typed("_chunk_[0-9]")
    assert "chunks: would match 12 of 12 judged documents (now 0)" in words(at)
    typed("(")
    assert any("no regular expression" in one.value.replace("\\", "") for one in at.error)
    typed("_chunk_[0-9]")
    checked(next(one for one in at.button if str(one.key).startswith("pattern_go_")).click().run())
    assert param(at, "apply") == "chunk-to-document:_chunk_[0-9]"


def test_a_second_run_that_comes_later_is_compared_without_a_word(visit) -> None:
    at = load(visit("data"), ("run.json", run_file(1)))
    assert param(at, "contender") is None
    checked(at.file_uploader(key="upload_run_1").upload("run.json", run_file(0)).run())
    assert not [one for one in at.warning if "The link asks" in one.value]
    assert param(at, "contender") == "run (2)"


def test_a_setting_of_the_server_that_is_none_is_said_on_every_page(visit, monkeypatch) -> None:
    monkeypatch.setenv("RAGDASH_MAX_FILE_MB", "2GB")
    for page in ("data", "verdict"):
        at = visit(page)
        assert not at.exception
        assert "The setting RAGDASH\\_MAX\\_FILE\\_MB is" in at.error[0].value
        assert not at.button
