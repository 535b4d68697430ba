"""Is a table that is not understood asked about, read as answered, and remembered for files of the same shape?"""

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
