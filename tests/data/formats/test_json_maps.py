import pytest

from ragdash.errors import FileError, MalformedError, WrongRoleError
from tests.data.formats.reading import codes, judged, only_run, ranking, read


def test_a_dict_of_dicts_is_judgments_or_a_run_by_its_slot():
    text = '{"q1": {"a": 1, "b": 0}, "q2": {}}'
    assert judged(read(text, "dataset").qrels) == {"q1": {"a": 1, "b": 0}, "q2": {}}
    run = only_run('{"q1": {"a": 0.5, "b": 0.75}, "q2": {}}')
    assert ranking(run) == {"q1": ["a", "b"], "q2": []}
    assert run.scores.tolist() == [0.5, 0.75]


def test_a_dict_of_lists_keeps_its_order():
    assert ranking(only_run('{"q1": ["b", "a"], "q2": ["c"]}')) == {"q1": ["b", "a"], "q2": ["c"]}
    assert ranking(only_run('{"q1": [["b", 2.0], ["a", 1.0]]}')) == {"q1": ["b", "a"]}
    assert judged(read('{"q1": ["b", "a"]}', "dataset").qrels) == {"q1": {"b": 1, "a": 1}}


def test_a_level_deeper_are_several_runs():
    runs = read('{"bm25": {"q": {"a": 1.5}}, "dense": {"q": {"b": 2.5}}}').runs
    assert [(run.name, ranking(run)) for run in runs] == [("bm25", {"q": ["a"]}), ("dense", {"q": ["b"]})]


def test_a_query_that_is_a_key_twice_is_refused_with_both_lines():
    with pytest.raises(MalformedError, match=r"query k1 appears twice as a key \(lines 1 and 3\)"):
        read('{"k1": {"a": 0.9},\n "k2": {"c": 0.7},\n "k1": {"z": 0.9}}')


def test_a_document_that_is_a_key_twice_counts_once_and_is_told():
    run = read('{"q": {"a": 0.9, "b": 0.5, "a": 0.1}}')
    assert ranking(run.runs[0]) == {"q": ["a", "b"]}
    assert "repeated-key" in codes(run)


def test_scores_that_are_no_numbers_are_left_out_and_named():
    run = only_run('{"k1": {"a": 0.4, "z": NaN, "b": 0.9}, "k2": {"z": Infinity}}')
    assert ranking(run) == {"k1": ["a", "b"], "k2": []}
    (said,) = run.findings
    assert said.code == "unusable-score"
    assert "2 scores are not numbers" in said.message
    assert "query k2 document z: Infinity" in said.message


def test_judgments_in_the_slot_of_a_run_are_suspected():
    run = only_run('{"q1": {"a": 1, "b": 1, "c": 0, "d": 0}, "q2": {"a": 1, "b": 1, "c": 1, "d": 1}}')
    assert codes(run) == ["scores-look-like-grades"]


def test_a_run_in_the_slot_of_the_dataset_is_refused():
    lists = ", ".join(f'"q{i}": {{"a": {i}.25, "b": {i}.75}}' for i in range(20))
    with pytest.raises(WrongRoleError, match="40 different numbers"):
        read(f"{{{lists}}}", "dataset")


def test_the_order_of_a_map_means_nothing():
    assert codes(only_run('{"q": {"a": 0.1, "b": 0.2, "c": 0.3}}')) == []


@pytest.mark.parametrize("text", ["{}", '{"q": 5}', '{"q": {"a": 1.0}, "r": "x"}'])
def test_what_is_no_map_of_documents_is_refused(text):
    with pytest.raises(FileError):
        read(text)


def test_a_small_run_in_the_slot_of_the_dataset_is_told():
    with pytest.raises(WrongRoleError, match="scores of a run, no grades"):
        read('{"q1": {"a": 0.9, "b": 0.8}, "q2": {"c": 0.7}}', "dataset")
    assert judged(read('{"q1": {"a": 1.0, "b": 0.5}, "q2": {"c": 0.25}}', "dataset").qrels)["q1"] == {"a": 1, "b": 0.5}
