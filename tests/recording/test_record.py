"""Does a retriever become a run that is read back the same, whatever shape it answers in and wherever it breaks off?"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ragdash
from ragdash.errors import ExperimentError, OptionError
from tests.small import dataset

ROOT = Path(__file__).resolve().parents[2]
QUESTIONS = {"q1": "how do I rotate a key", "q2": "cancel my plan", "q3": "where is the log"}
DATA = dataset({"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}, QUESTIONS)
ANSWERS = {"how do I rotate a key": [("a", 0.9), ("b", 0.5)], "cancel my plan": [("b", 0.25)], "where is the log": []}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def recorded(retriever: Any, **options: Any) -> ragdash.Run:
    return ragdash.record(retriever, DATA, progress=False, **options)


def rows(run: ragdash.Run) -> dict[str, list[str]]:
    ids, starts = run.doc_ids.to_pylist(), run.starts.tolist()
    return {query: ids[starts[i] : starts[i + 1]] for i, query in enumerate(run.query_ids.to_pylist())}


def test_what_is_recorded_is_in_the_file_and_read_back_equal() -> None:
    run = recorded(lambda text: ANSWERS[text], name="new")
    assert run.name == "new"
    assert rows(run) == {"q1": ["a", "b"], "q2": ["b"], "q3": []}
    assert run.scores is not None and run.scores.tolist() == [0.9, 0.5, 0.25]
    again = ragdash.read_run("new.jsonl")
    assert (again.name, again.sha256) == (run.name, run.sha256)
    assert [path.name for path in Path().iterdir()] == ["new.jsonl"]


def test_milliseconds_are_kept_as_a_measurement() -> None:
    run = recorded(lambda text: ["a"])
    assert (run.measurements["latency_ms"] >= 0).all()
    assert len(run.measurements["latency_ms"]) == 3


def test_a_recorded_run_can_be_compared() -> None:
    one = recorded(lambda text: ["x"], name="one")
    two = recorded(lambda text: [doc for doc, _ in ANSWERS[text]], name="two")
    scores = ragdash.evaluate(DATA, [one, two], "Recall@1")
    assert scores.means()["Recall@1"].tolist() == [0.0, pytest.approx(2 / 3)]


def document(page: str, **metadata: Any) -> SimpleNamespace:
    """LangChain's shape."""
    return SimpleNamespace(id=None, page_content=page, metadata=metadata)


def node(name: str, score: float) -> SimpleNamespace:
    """LlamaIndex's shape."""
    inner = SimpleNamespace(node_id=name, metadata={"file": "f.md"}, get_content=lambda: f"text of {name}")
    return SimpleNamespace(node=inner, score=score)


SHAPES: dict[str, tuple[Callable[[str], Any], list[float] | None]] = {
    "ids": (lambda text: ["a", "b"], None),
    "a generator": (lambda text: (one for one in ("a", "b")), None),
    "numbers as ids": (lambda text: [7, 8], None),
    "pairs": (lambda text: [("a", 2), ("b", 1.5)], [2, 1.5]),
    "a mapping": (lambda text: {"b": 1.5, "a": 2.0}, [2, 1.5]),
    "dictionaries": (lambda text: [{"id": "a", "score": 2, "text": "t"}, {"id": "b", "score": 1.5}], [2, 1.5]),
    "LangChain": (lambda text: [document("p", doc_id="a"), document("p", source="b")], None),
    "LangChain with scores": (lambda text: [(document("p", id="a"), 2), (document("p", id="b"), 1.5)], [2, 1.5]),
    "LlamaIndex": (lambda text: [node("a", 2), node("b", 1.5)], [2, 1.5]),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_are_recognised_without_importing_anybody(shape: str) -> None:
    retriever, scores = SHAPES[shape]
    run = recorded(retriever)
    expected = ["7", "8"] if shape == "numbers as ids" else ["a", "b"]
    assert rows(run) == {"q1": expected, "q2": expected, "q3": expected}
    assert (None if run.scores is None else run.scores.tolist()) == (None if scores is None else scores * 3)


def test_texts_that_the_retriever_returns_are_kept() -> None:
    run = recorded(lambda text: [node("a", 1)])
    assert run.documents.look_up(["a"]) == {"a": (None, "text of a")}


def test_doc_id_says_where_the_id_of_the_document_is() -> None:
    chunks = [document("p", doc_id="a#1", article="a"), document("p", doc_id="a#2", article="a")]
    assert rows(recorded(lambda text: chunks, doc_id="article"))["q1"] == ["a", "a"]
    assert rows(recorded(lambda text: ["a#1"], doc_id=lambda one: one.split("#")[0]))["q1"] == ["a"]


def test_objects_with_invoke_or_retrieve() -> None:
    assert rows(recorded(SimpleNamespace(invoke=lambda text: ["a"])))["q1"] == ["a"]
    assert rows(recorded(SimpleNamespace(retrieve=lambda text: ["b"])))["q1"] == ["b"]


def test_only_the_first_k_are_kept_and_asked_for() -> None:
    def endless(text: str) -> Iterator[str]:
        i = 0
        while True:
            i += 1
            yield f"d{i}"

    assert rows(recorded(endless, k=3))["q1"] == ["d1", "d2", "d3"]


def test_distances_are_turned_or_refused() -> None:
    near = [("a", 0.1), ("b", 0.4)]
    with pytest.raises(OptionError, match=r"Question q1: scores get better down the list .*scores='distance'"):
        recorded(lambda text: near)
    run = recorded(lambda text: near, scores="distance", resume=False)
    assert run.scores is not None and run.scores.tolist()[:2] == [-0.1, -0.4]
    assert recorded(lambda text: near, scores="ignore", resume=False).scores is None
    far_first = {"far": 0.9, "near": 0.1, "mid": 0.5}
    assert rows(recorded(lambda text: far_first, k=2, scores="distance", resume=False))["q1"] == ["near", "mid"]
    assert rows(recorded(lambda text: far_first, k=2, scores="ignore", resume=False))["q1"] == ["far", "near"]
    assert rows(recorded(lambda text: far_first, k=2, resume=False))["q1"] == ["far", "mid"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("a b c", "a list of documents was expected; found str"),
        (None, "found NoneType"),
        ({"documents": ["a"]}, "its keys are"),
        ([document("p", sheet=3)], "no id in a SimpleNamespace with the metadata"),
        ([{"body": "p"}], "a dictionary with the keys"),
        ([("a", float("nan"))], "no finite number"),
        ([("a", 1.0), "b"], "1 of 2 documents have a score"),
    ],
)
def test_what_cannot_be_read_names_the_question(answer: Any, told: str) -> None:
    with pytest.raises(OptionError, match=r"Question q1: ") as error:
        recorded(lambda text: answer)
    assert told in str(error.value)


def test_an_asynchronous_retriever_is_told_apart() -> None:
    async def later(text: str) -> list[str]:
        return ["a"]

    with pytest.raises(OptionError, match="asyncio"):
        recorded(later)


def failing_on(question: str, asked: list[str]) -> Callable[[str], list[str]]:
    def retriever(text: str) -> list[str]:
        asked.append(text)
        if text == question:
            raise ConnectionError("the index is gone")
        return ["a"]

    return retriever


def test_a_retriever_that_fails_is_a_bug_of_its_own_and_the_note_names_the_question() -> None:
    with pytest.raises(ConnectionError) as error:
        recorded(failing_on(QUESTIONS["q2"], []))
    assert "question q2" in error.value.__notes__[0]
    assert not Path("run.jsonl").exists()


def test_a_recording_goes_on_where_it_broke_off() -> None:
    with pytest.raises(ConnectionError):
        recorded(failing_on(QUESTIONS["q2"], []))
    asked: list[str] = []
    run = recorded(failing_on("", asked))
    assert asked == [QUESTIONS["q2"], QUESTIONS["q3"]]
    assert list(rows(run)) == ["q1", "q2", "q3"]
    assert not Path("run.jsonl.part").exists()


def test_a_half_written_last_line_is_asked_again() -> None:
    with pytest.raises(ConnectionError):
        recorded(failing_on(QUESTIONS["q3"], []))
    part = Path("run.jsonl.part")
    part.write_bytes(part.read_bytes()[:-9])
    asked: list[str] = []
    recorded(failing_on("", asked))
    assert asked == [QUESTIONS["q2"], QUESTIONS["q3"]]
    lines = [json.loads(line) for line in Path("run.jsonl").read_text().splitlines()]
    assert [line["query_id"] for line in lines] == ["q1", "q2", "q3"]


def test_another_k_or_other_questions_do_not_go_on() -> None:
    with pytest.raises(ConnectionError):
        recorded(failing_on(QUESTIONS["q2"], []), k=5)
    with pytest.raises(ExperimentError, match="it was made with"):
        recorded(failing_on("", []), k=10)
    with pytest.raises(ExperimentError, match="it was made with"):
        recorded(failing_on("", []), k=5, doc_id="source")
    with pytest.raises(ExperimentError, match="question q1 is another one"):
        ragdash.record(failing_on("", []), {"q1": "something else"}, k=5, progress=False)
    assert rows(recorded(failing_on("", []), k=10, resume=False))["q1"] == ["a"]


def test_a_finished_recording_is_made_anew() -> None:
    recorded(lambda text: ["a"])
    assert rows(recorded(lambda text: ["b"]))["q1"] == ["b"]


def test_questions_without_a_text_are_named() -> None:
    with pytest.raises(ExperimentError, match=r"1 of 2 queries have no text to ask \(such as q2\)"):
        ragdash.record(lambda text: [], dataset({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": "text"}))


def test_progress_is_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    ragdash.record(lambda text: ["a"], DATA, name="new")
    out, err = capsys.readouterr()
    assert out == ""
    assert "new: 3 of 3 questions" in err


def test_the_readme_s_comparison_runs(capsys: pytest.CaptureFixture[str]) -> None:
    Path("sample_runs").symlink_to(ROOT / "sample_runs")
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("## From a retriever to a run")[1]
    code = section.split("```python\n")[1].split("```")[0]
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    exec(code, {})
    out, err = capsys.readouterr()
    assert "paragraphs" in out and "fixed" in out
    assert "fixed: 72 of 72 questions" in err
