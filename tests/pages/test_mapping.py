"""Is a table that is not understood asked about, read as answered, and remembered for files of the same shape?"""

import io
import zipfile

from tests.pages.reading import checked, param, words
from tests.pages.test_loading import load, run_file

ODD = "anliegen;fundstelle;punkte\n" + "".join(f"q{i};d{i};0.9\nq{i};x;0.5\n" for i in range(12))
WIDE = "query_id,rank_1,rank_2\n" + "".join(f"q{i},x,d{i}\n" for i in range(12))


def keyed(at, start: str):
    """The button whose key begins so."""
    return next(one for one in at.button if str(one.key).startswith(start))


def picker(at, role: str):
    return next(one for one in at.selectbox if str(one.key).startswith(f"map_{role}_"))


def answered(at):
    return checked(keyed(at, "use_").click().run())


def names_of(at) -> list[str]:
    return [one.value for one in at.text_input if one.label == "Name of the run"]


def test_an_unknown_table_is_asked_about_and_the_others_stay(visit) -> None:
    at = load(visit("data"), ("odd.csv", ODD.encode()), ("one.json", run_file(1)))
    assert "Which column is which in odd.csv?" in words(at)
    assert names_of(at) == ["one"]
    assert not at.error
    read, understood = (frame.value for frame in at.dataframe[:2])
    assert list(read.columns) == ["anliegen", "fundstelle", "punkte"]
    assert read.iloc[0].tolist() == ["q0", "d0", "0.9"]
    # the ids of the dataset tell which column is which, and numbers that vary are scores
    assert list(understood.columns) == ["Query id", "Document id", "Score (more is better)"]


def test_the_answer_is_read_and_remembered_for_the_same_shape(visit) -> None:
    at = answered(load(visit("data"), ("odd.csv", ODD.encode()), ("one.json", run_file(1))))
    assert "Which column is which" not in words(at)
    assert names_of(at) == ["one", "odd"]
    slot = at.file_uploader(key="upload_run_1")
    checked(slot.upload("again.csv", ODD.replace("0.9", "0.8").encode()).run())
    assert names_of(at) == ["one", "odd", "again"]
    assert "Which column is which" not in words(at)


def test_auto_goes_back_to_the_guess_and_a_file_can_be_left_out(visit) -> None:
    at = load(visit("data"), ("odd.csv", ODD.encode()), ("one.json", run_file(1)))
    checked(picker(at, "doc_id").set_value("punkte").run())
    assert at.dataframe[1].value["Document id"].iloc[0] == "0.9"
    checked(keyed(at, "auto_").click().run())
    assert at.dataframe[1].value["Document id"].iloc[0] == "d0"
    checked(keyed(at, "skip_").click().run())
    assert "Which column is which" not in words(at)
    assert names_of(at) == ["one"]


def test_without_query_and_document_there_is_nothing_to_use(visit) -> None:
    at = load(visit("data"), ("odd.csv", ODD.encode()), ("one.json", run_file(1)))
    checked(picker(at, "doc_id").set_value("–").run())
    assert keyed(at, "use_").disabled


def test_an_answer_that_cannot_be_read_is_said_and_asked_again(visit) -> None:
    at = load(visit("data"), ("odd.csv", ODD.encode()), ("one.json", run_file(1)))
    checked(picker(at, "score").set_value("fundstelle").run())
    checked(keyed(at, "use_").click().run())
    assert "Which column is which in odd.csv?" in words(at)
    assert "d0" in words(at)
    assert "odd" not in names_of(at)


def test_a_wide_table_is_made_long_only_after_asking(visit) -> None:
    at = load(visit("data"), ("wide.csv", WIDE.encode()), ("one.json", run_file(1)))
    assert names_of(at) == ["one"]
    box = next(one for one in at.checkbox if str(one.key).startswith("wide_"))
    assert not box.value
    checked(box.check().run())
    assert at.dataframe[1].value.iloc[:2].to_numpy().tolist() == [["q0", 1, "x"], ["q0", 2, "d0"]]
    checked(keyed(at, "use_").click().run())
    assert names_of(at) == ["one", "wide"]
    # the relevant document is second in both: no question differs
    assert "No worthwhile difference" in words(checked(visit("verdict", source=str(param(at, "source")))))


def test_a_matrix_of_scores_is_refused_with_its_width(visit) -> None:
    head = ",".join(["query_id", *(f"paper-{i:04}" for i in range(500))])
    matrix = head + "\n" + "q1," + ",".join(["0.1"] * 500) + "\n"
    at = load(visit("data"), ("matrix.csv", matrix.encode()), ("one.json", run_file(1)))
    assert any("501 columns found" in one.value.replace("\\", "") for one in at.error)
    assert "Which column is which" not in words(at)


def test_two_grade_columns_are_read_and_asked_about(visit) -> None:
    rows = "".join(f"q{i},d{i},{i % 2},1\n" for i in range(12))
    at = visit("data")
    slot = at.file_uploader(key="upload_dataset_0")
    checked(slot.upload("judged.csv", f"query_id,doc_id,relevance,grade\n{rows}".encode()).run())
    assert "Which column is which in judged.csv?" in words(at)
    assert "6 relevant" in words(at)
    checked(picker(at, "grade").set_value("grade").run())
    checked(keyed(at, "use_").click().run())
    assert "12 relevant" in words(at)
    assert "Which column is which" not in words(at)


def test_column_names_are_never_markup(visit) -> None:
    table = "frage [l](http://e.vil);<script>x</script>;c\n" + "a;b;1\n" * 4
    at = load(visit("data"), ("odd.csv", table.encode()), ("one.json", run_file(1)))
    assert "Which column is which" in words(at)
    for one in (*at.markdown, *at.caption, *at.error):
        assert "](http" not in one.value and "<script>" not in one.value


PLAIN = "query_id,doc_id,score,other\n" + "".join(f"q{i},d{i},0.9,0.1\nq{i},x,0.5,0.7\n" for i in range(12))


def asked(at) -> bool:
    return "Which column is which" in words(at)


def test_a_file_that_was_read_can_be_read_differently(visit) -> None:
    at = load(visit("data"), ("plain.csv", PLAIN.encode()), ("one.json", run_file(1)))
    assert not asked(at)
    assert names_of(at) == ["plain", "one"]
    checked(keyed(at, "again_run_0").click().run())
    assert "Which column is which in plain.csv?" in words(at)
    assert (picker(at, "query_id").value, picker(at, "doc_id").value, picker(at, "score").value) == (
        "query_id",
        "doc_id",
        "score",
    )
    checked(picker(at, "score").set_value("other").run())
    answered(at)
    assert not asked(at)
    assert names_of(at) == ["plain", "one"]  # in its place, under its name
    # the first document of each question is the other one now: its relevant one fell to rank 2
    at = checked(visit("verdict", source=str(param(at, "source"))))
    assert "plain" in words(at)


def test_auto_shows_the_guess_again_and_the_answer_holds_for_files_of_the_same_shape(visit) -> None:
    at = load(visit("data"), ("plain.csv", PLAIN.encode()), ("one.json", run_file(1)))
    checked(keyed(at, "again_run_0").click().run())
    checked(picker(at, "score").set_value("other").run())
    answered(at)
    checked(keyed(at, "again_run_0").click().run())
    assert picker(at, "score").value == "other"  # as it was understood
    checked(keyed(at, "auto_").click().run())
    assert picker(at, "score").value == "score"
    checked(keyed(at, "skip_").click().run())
    assert not asked(at)
    slot = at.file_uploader(key="upload_run_1")
    checked(slot.upload("same.csv", PLAIN.replace("0.7", "0.8").encode()).run())
    assert not asked(at)
    assert names_of(at) == ["plain", "one", "same"]
    checked(keyed(at, "again_run_2").click().run())
    assert picker(at, "score").value == "other"


def test_a_file_of_another_session_is_asked_for_first(visit) -> None:
    at = load(visit("data"), ("plain.csv", PLAIN.encode()), ("one.json", run_file(1)))
    again = visit("data", source=str(param(at, "source")))
    checked(keyed(again, "again_run_0").click().run())
    assert any("Add the file again" in one.value for one in again.toast)
    assert not asked(again)
    checked(again.file_uploader(key="upload_run_0").upload("of_another_name.csv", PLAIN.encode()).run())
    assert "Which column is which in plain.csv?" in words(again)
    checked(picker(again, "score").set_value("other").run())
    answered(again)
    assert names_of(again) == ["plain", "one"]


def test_words_for_grades_get_numbers(visit) -> None:
    table = "query_id,doc_id,label\n" + "".join(f"q{i},d{i},{('Golden', 'Silver', 'Junk')[i % 3]}\n" for i in range(12))
    at = visit("data")
    checked(at.file_uploader(key="upload_dataset_0").upload("judged.csv", table.encode()).run())
    assert "Which column is which in judged.csv?" in words(at)
    boxes = {one.label: one for one in at.number_input}
    assert {label: box.value for label, box in boxes.items()} == {"Golden": None, "Silver": None, "Junk": None}
    assert keyed(at, "use_").disabled
    for label, value in {"Golden": 2.0, "Silver": 1.0, "Junk": 0.0}.items():
        checked(next(one for one in at.number_input if one.label == label).set_value(value).run())
    answered(at)
    assert "12 judgments (8 relevant)" in words(at)
    assert "golden = 2, silver = 1, junk = 0" in words(at)


def test_words_of_a_known_scale_are_filled_in_and_can_be_changed(visit) -> None:
    table = "query_id,doc_id,label\n" + "".join(f"q{i},d{i},{('Relevant', 'Irrelevant')[i % 2]}\n" for i in range(12))
    at = visit("data")
    checked(at.file_uploader(key="upload_dataset_0").upload("judged.csv", table.encode()).run())
    assert not asked(at)
    checked(keyed(at, "again_part_0").click().run())
    assert [(one.label, one.value) for one in at.number_input] == [("Relevant", 1.0), ("Irrelevant", 0.0)]
    checked(at.number_input[0].set_value(2.0).run())
    answered(at)
    assert "relevant = 2, irrelevant = 0" in words(at)
    checked(keyed(at, "again_part_0").click().run())
    assert at.number_input[0].value == 2.0


def test_words_for_grades_in_json_are_asked_for_as_well(visit) -> None:
    judged = '[{"query": "a", "relevant_docs": [{"doc_id": "d1", "grade": "gold"}, {"doc_id": "d2", "grade": "dust"}]}]'
    at = visit("data")
    checked(at.file_uploader(key="upload_dataset_0").upload("judged.json", judged.encode()).run())
    assert "What are the grades of judged.json worth?" in words(at)
    for place, value in enumerate((3.0, 0.0)):
        checked(at.number_input[place].set_value(value).run())
    answered(at)
    assert "2 judgments (1 relevant)" in words(at)


def test_of_an_archive_what_is_something_else_is_left_out_and_named(visit) -> None:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("bm25.json", run_file(1))
        archive.writestr("qrels.txt", "q1 0 d1 1\n")
        archive.writestr("settings.yaml", "k: 10\n")
    at = load(visit("data"), ("runs.zip", sink.getvalue()), ("one.json", run_file(1)))
    assert names_of(at) == ["bm25", "one"]
    assert not at.error
    assert "Left out: runs.zip/qrels.txt" in words(at)


def test_two_scores_are_asked_about_and_the_answer_replaces_the_run(visit) -> None:
    table = "query_id,doc_id,bm25_score,dense_score,ms\n"
    table += "".join(f"q{i},d{i},0.4,0.9,7\nq{i},x,0.5,0.2,7\n" for i in range(12))
    at = load(visit("data"), ("two.csv", table.encode()), ("one.json", run_file(1)))
    assert "Several columns may be the score: bm25_score, dense_score." in words(at)
    assert names_of(at) == ["two", "one"]  # it is read in the meantime, and said to be
    assert list(at.dataframe[1].value)[3:] == ["dense_score (not read)", "ms (measurement)"]
    checked(picker(at, "score").set_value("dense_score").run())
    answered(at)
    assert names_of(at) == ["two", "one"]
    assert not asked(at)
