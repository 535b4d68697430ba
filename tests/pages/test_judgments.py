"""Can judgments be made on the page, do they count everywhere, and is nobody's overwritten?"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from ragdash.data.formats.base import Blob
from ragdash.data.intake import read_part, read_parts, read_runs
from ragdash.report.judgments import Said, as_json
from ragdash.store import ViewOnlyError, Workspace
from ragdash.ui import cached
from ragdash.ui.judging import grade_label, keys_of
from ragdash.ui.shelf import sample, shelf
from tests import chunked
from tests.pages.reading import checked, param, words

QUERIES = [f"q{i:02}" for i in range(12)]


def stored() -> tuple[str, str]:
    """A workspace like the sample: its tokens to edit and to look."""
    access = shelf().access(shelf().add(Workspace(sample().parts, sample().runs)))
    return access.token, access.view_token


def said(token: str) -> dict[tuple[str, str], float | None]:
    """What is kept, by query and document."""
    return {(one.query_id, one.doc_id): one.grade for one in shelf().store.judgments(shelf().access(token))}


def shown(at: Any) -> str:
    """The document on the page, as HTML."""
    bodies = [str(one.proto.body) for one in at.get("html")]
    return next(body for body in bodies if "rd-title" in body and "<ol" not in body)


def press(at: Any, *keys: str) -> Any:
    for key in keys:
        checked(at.button(key=key).click().run())
    return at


def test_the_answer_comes_first_and_every_run_has_its_share(visit) -> None:
    at = checked(visit("judgments", source="sample", contender="rrf"))
    assert at.header[0].value.startswith("Yes: 88 % of the top 10 is judged, and the other 107 documents could not")
    assert "The verdict now:** Switch to rrf" in words(at)
    assert "◆ now **+0.089**  \n○ if none were relevant **+0.089**  \n▲ if all were relevant **+0.274**" in words(at)
    table = next(one.value for one in at.dataframe if list(one.value) == ["run", "1", "3", "5", "10"])
    assert table.loc[table["run"] == "rrf", "10"].item() == pytest.approx(0.8514, abs=5e-5)


def test_the_page_agrees_with_the_trust_list(visit) -> None:
    options = {"source": "sample", "contender": "minilm-paragraph"}
    verdict = words(checked(visit("verdict", **options)))
    page = words(checked(visit("judgments", **options)))
    assert ("could change the answer" in verdict) is ("Not yet" in page)
    links = [one for one in visit("verdict", **options).get("page_link") if "udge" in one.proto.label]
    assert any(one.proto.label == "Judge them" for one in links)


def test_judging_goes_from_document_to_document(visit) -> None:
    edit, _ = stored()
    at = checked(visit("judgments", source=edit, contender="rrf"))
    assert "8 documents left in this question, 380 in all" in words(at)
    first, query = shown(at), param(at, "judge")
    press(at, "grade_2")
    assert shown(at) != first
    assert "7 documents left in this question, 379 in all" in words(at)
    assert list(said(edit).values()) == [2.0]
    assert "the other 106 documents" in at.header[0].value
    assert "before judging here **+0.089**" in words(at)
    press(at, "grade_0", "undo")
    assert list(said(edit).values()) == [2.0]
    press(at, "undo")
    assert said(edit) == {}
    assert shown(at) == first
    assert param(at, "judge") == query


def test_nothing_on_the_page_says_which_run_returned_a_document(visit) -> None:
    at = checked(visit("judgments", source="sample", contender="rrf"))
    texts = [shown(at), *(one.value for one in at.caption)]
    assert not any(name in text for name in ("lsa", "minilm", "rank") for text in texts)


def test_a_skipped_document_comes_last_and_cannot_tell_is_kept(visit) -> None:
    edit, _ = stored()
    at = checked(visit("judgments", source=edit, contender="rrf"))
    first = shown(at)
    press(at, "skip")
    assert shown(at) != first
    assert said(edit) == {}
    press(at, "undo")
    assert shown(at) == first
    press(at, "cannot_tell")
    assert list(said(edit).values()) == [None]
    assert "379 in all" in words(at)
    assert at.header[0].value.startswith("Yes: 88 %")  # it is as unjudged as before


def test_judgments_count_on_every_page_until_they_are_switched_off(visit) -> None:
    edit, _ = stored()
    store, access = shelf().store, shelf().access(edit)
    for query in sample_queries():
        store.judge(access, query, f"gone-{query}", 2.0, author="Ada")  # relevant, and no run returns it
    plain = recall(visit("verdict", source="sample"))
    assert recall(visit("verdict", source=edit)) < plain
    assert "judgments made here: 72 counted" in words(visit("verdict", source=edit))
    off = visit("verdict", source=edit, judged="off")
    assert recall(off) == plain
    assert "judgments made here: 72 not counted" in words(off)
    at = checked(visit("judgments", source=edit))
    checked(at.toggle(key="judged_count").set_value(False).run())
    assert param(at, "judged") == "off"
    checked(at.toggle(key="judged_count").set_value(True).run())
    assert param(at, "judged") is None
    data = checked(visit("data", source=edit))
    assert "Judgments made here: 72 counted" in words(data)
    press(data, "switch_judgments")
    assert param(data, "judged") == "off"
    assert "Judgments made here: 72 not counted" in words(data)


def sample_queries() -> list[str]:
    ids: list[str] = sample().dataset.qrels.query_ids.to_pylist()
    return ids


def recall(at: Any) -> float:
    table = next(one.value for one in checked(at).dataframe if "Recall@10" in one.value)
    return float(table["Recall@10"].iloc[0])


def test_an_invalid_switch_is_said(visit) -> None:
    at = checked(visit("judgments", source="sample", judged="perhaps"))
    assert "judged = perhaps" in words(at)
    assert param(at, "judged") is None


def test_the_sample_is_judged_in_this_tab_and_kept_on_request(visit) -> None:
    at = press(checked(visit("judgments", source="sample", contender="rrf")), "grade_2")
    assert param(at, "source") == "sample"
    assert "kept for this tab alone" in words(at)
    assert "106 documents" in at.header[0].value
    assert "107 documents" in checked(visit("judgments", source="sample", contender="rrf")).header[0].value
    press(at, "keep_all")
    token = str(param(at, "source"))
    assert len(token) == 22
    assert list(said(token).values()) == [2.0]
    assert "106 documents" in at.header[0].value


def test_a_view_only_link_shows_judgments_and_makes_none(visit) -> None:
    edit, view = stored()
    at = checked(visit("judgments", source=view, contender="rrf"))
    assert at.button(key="grade_0").disabled
    for key in ("grade_0", "cannot_tell"):
        at.button(key=key).proto.disabled = False  # a page that is not ours could send this
        press(at, key)
    assert said(edit) == {}
    with pytest.raises(ViewOnlyError):
        shelf().store.judge(shelf().access(view), "q01", "refunds", 0.0)
    press(checked(visit("judgments", source=edit, contender="rrf")), "grade_1")
    assert "1 judgment made here" in words(checked(visit("judgments", source=view, contender="rrf")))


def test_in_private_mode_the_page_says_that_nothing_is_kept_on_disk(visit) -> None:
    edit, _ = stored()
    assert "Nothing is kept on the server's disk" in words(checked(visit("judgments", source=edit)))


def test_somebody_elses_grade_is_shown_before_another_counts(visit) -> None:
    edit, _ = stored()
    at = checked(visit("judgments", source=edit, contender="rrf"))
    checked(at.text_input(key="judge_name").set_value("Ben").run())
    pair = pair_of(at)
    shelf().store.judge(shelf().access(edit), *pair, 2.0, author="Ada")  # while Ben reads
    press(at, "grade_0")
    assert "**Ada** judged this document **2**" in words(at)
    assert [one.author for one in shelf().store.judgments(shelf().access(edit))] == ["Ada"]
    press(at, "count_theirs")
    kept = shelf().store.judgments(shelf().access(edit))
    assert {(one.author, one.grade) for one in kept} == {("Ada", 2.0), ("Ben", 0.0)}
    assert "Grades differ" not in words(at)
    table = next(one.value for one in at.dataframe if "state" in one.value)
    assert dict(zip(table["by"], table["state"])) == {"Ada": "counts", "Ben": "another grade counts"}


def pair_of(at: Any) -> tuple[str, str]:
    """The document on the page: its id stands beside its title, or in its place."""
    query = str(param(at, "judge"))
    documents = sample().dataset.documents
    html = shown(at)
    doc = max((one for one in documents.ids.to_pylist() if f">{one}<" in html), key=len)
    return query, doc


def test_two_grades_that_met_unseen_are_asked_about(visit) -> None:
    edit, _ = stored()
    store, access = shelf().store, shelf().access(edit)
    store.judge(access, "q01", "nowhere", 2.0, author="Ada")
    store.judge(access, "q01", "nowhere", 0.0, author="Ben")
    at = checked(visit("judgments", source=edit))
    assert "Grades differ on 1 document" in words(at)
    assert "2** Ada" in at.button(key="dispute_0_2").label
    press(at, "dispute_0_2")
    assert "Grades differ" not in words(at)
    kept = {one.author: one.grade for one in store.judgments(access)}
    assert kept == {"Ada": 2.0, "Ben": 0.0}  # both words stay as they were said


def test_a_grade_of_the_files_is_not_overwritten_in_silence(visit) -> None:
    edit, _ = stored()
    store, access = shelf().store, shelf().access(edit)
    store.judge(access, "q01", "refunds", 0.0, author="Ada")  # 2 in the file
    plain = visit("judgments", source="sample").header[0].value
    at = checked(visit("judgments", source=edit))
    assert at.header[0].value == plain
    assert "Grades differ on 1 document" in words(at)
    assert "the files, counts now" in at.button(key="dispute_0_2").label
    press(at, "dispute_0_0")
    assert "judgments made here: 1 counted" in words(at)


def test_a_judgment_is_changed_and_taken_back(visit) -> None:
    edit, _ = stored()
    at = press(checked(visit("judgments", source=edit, contender="rrf")), "grade_2")
    pair = next(iter(said(edit)))
    checked(at.selectbox(key="change_judgment_0").set_value(pair).run())
    assert "you said 2" in words(at)
    press(at, "grade_0")
    assert said(edit) == {pair: 0.0}
    checked(at.selectbox(key="change_judgment_1").set_value(pair).run())
    press(at, "take_back")
    assert said(edit) == {}


def everything(judged: bool) -> Workspace:
    """Twelve questions, two runs of two documents; the second is judged, or not."""
    grades = {q: {f"a-{q}": 1} | ({f"b-{q}": 0} if judged else {}) for q in QUERIES}
    one = {q: [f"b-{q}", f"a-{q}"] for q in QUERIES}
    other = {q: [f"a-{q}", f"b-{q}"] for q in QUERIES}
    return workspace_of({"qrels.json": grades}, {"one.json": one, "other.json": other})


def workspace_of(dataset: dict[str, Any], runs: dict[str, Any]) -> Workspace:
    parts = [part for name, body in dataset.items() for part in read_parts(name, json.dumps(body).encode())]
    read = [run for name, body in runs.items() for run in read_runs(Blob(name, json.dumps(as_run(body)).encode()))]
    return Workspace(tuple(parts), tuple(read))


def as_run(lists: dict[str, list[str]]) -> list[dict[str, Any]]:
    return [{"query": query, "retrieved": docs} for query, docs in lists.items()]


def test_where_everything_is_judged_the_page_says_so(visit) -> None:
    token = shelf().add(everything(True))
    at = checked(visit("judgments", source=token, k="2", metric="RR@K"))
    assert at.header[0].value == "Yes: every document in the top 2 is judged."
    assert "Every document in the top 2 is judged." in [one.value for one in at.info]
    assert not [one for one in at.button if str(one.key).startswith("grade_")]


def test_judging_the_last_document_ends_the_list(visit) -> None:
    token = shelf().add(everything(False))
    at = checked(visit("judgments", source=token, k="2", metric="RR@K"))
    assert "No text: no file has it." in words(at)
    press(at, *["grade_0"] * 12)
    assert "Every document in the top 2 is judged." in [one.value for one in at.info]


def test_what_nobody_could_tell_is_said_when_nothing_else_is_left(visit) -> None:
    token = shelf().add(everything(False))
    at = checked(visit("judgments", source=token, k="2", metric="RR@K"))
    press(at, *["grade_0"] * 10, "cannot_tell", "cannot_tell")
    assert "you could not tell of 2 documents" in at.info[0].value


def test_a_judgment_neither_ranks_nor_pairs_anything_again(visit, monkeypatch) -> None:
    st.cache_resource.clear()
    done: list[str] = []
    for name in ("rankings_of", "build"):
        real = getattr(cached, name)

        def counted(*args: Any, real: Any = real, name: str = name) -> Any:
            done.append(name)
            return real(*args)

        monkeypatch.setattr(cached, name, counted)
    edit, _ = stored()
    at = checked(visit("judgments", source=edit, contender="rrf"))
    before = list(done)
    press(at, "grade_2", "grade_0", "undo")
    checked(visit("verdict", source=edit, contender="rrf"))
    assert done == before


def test_the_query_page_marks_what_was_judged_here_and_leads_here(visit) -> None:
    edit, _ = stored()
    press(checked(visit("judgments", source=edit, contender="rrf")), "grade_2")
    query = next(iter(said(edit)))[0]
    page = checked(visit("query", source=edit, query=query, show="all", contender="rrf"))
    assert any("2✎" in one.proto.body for one in page.get("html"))
    assert any(one.proto.label.startswith("Judge ") for one in page.get("page_link"))


def test_a_grade_has_its_own_key() -> None:
    assert keys_of([0.0, 1.0, 2.0]) == ["0", "1", "2"]
    assert keys_of([0.0, 0.5, 1.0]) == ["1", "2", "3"]
    assert keys_of([-1.0, *map(float, range(9))])[-1] == "0"
    assert grade_label(0.5, 1.0) == "**0.5** not relevant"
    assert grade_label(2.0, 2.0) == "**2** relevant"


def test_the_report_and_the_command_line_count_the_same_judgments(visit, tmp_path: Path) -> None:
    edit, _ = stored()
    press(checked(visit("judgments", source=edit, contender="rrf")), "grade_2", "grade_0", "grade_1")
    at = checked(visit("share", source=edit, baseline="bm25", contender="rrf", metric="nDCG@K", k="10"))
    page = str(at.get("iframe")[0].proto.srcdoc)
    assert "3 judgments made in ragdash count beside those of the files." in page
    assert "--judgments judgments.json" in page
    assert "judgments_added" in page
    rows = [Said(*pair, grade, "", "", True) for pair, grade in said(edit).items()]
    file, out = tmp_path / "judgments.json", tmp_path / "report.html"
    file.write_bytes(as_json(rows))
    files = ["sample_runs/eval_dataset.json", "sample_runs/documents.jsonl", "--judgments", str(file)]
    runs = [word for run in sample().runs for word in ("--run", f"sample_runs/{run.source.file}")]
    options = ["--baseline", "bm25", "--contender", "rrf", "-m", "nDCG@10", "--static", "-o", str(out)]
    command = [sys.executable, "-m", "ragdash", "report", *files, *runs, *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "judgments_added 3 counted" in done.stdout
    assert out.read_text(encoding="utf-8") == page


def test_the_share_page_offers_them_with_who_and_when(visit) -> None:
    edit, _ = stored()
    plain = checked(visit("share", source=edit))
    assert not [one for one in plain.get("download_button") if "made here" in one.proto.label]
    shelf().store.judge(shelf().access(edit), "q01", "sla", 1.0, author="Ada")
    at = checked(visit("share", source=edit))
    labels = [one.proto.label for one in at.get("download_button")]
    assert {"Judgments", "Judgments made here (CSV)", "Judgments made here (JSON)"} <= set(labels)


def two_chunkings() -> str:
    """Two cuts of the same documents, each with judgments of its own, and evidence."""
    blobs = [chunked.queries_file(), *(chunked.qrels_file(cut, folder=True) for cut in chunked.CUTS)]
    parts = [read_part(blob) for blob in [*blobs, *map(chunked.chunks_file, chunked.CUTS)]]
    runs = [run for cut in chunked.CUTS for run in read_runs(chunked.run_file(cut, cut))]
    return shelf().add(Workspace(tuple(parts), tuple(runs)))


def test_where_labels_differ_judging_concerns_the_run_that_returned_the_chunk(visit) -> None:
    token = two_chunkings()
    at = checked(visit("judgments", source=token, metric="Recall@K", k="5"))
    before = shares_at(at, "5")
    query = str(param(at, "judge"))
    press(at, "grade_1")
    assert len(said(token)) == 1
    ((judged, document),) = said(token)
    assert judged == query
    changed = {name for name, share in shares_at(at, "5").items() if share != before[name]}
    cuts = {cut for cut in chunked.CUTS if document in [chunked.chunk_id(one) for one in chunked.chunks(cut)]}
    assert changed == cuts


def shares_at(at: Any, k: str) -> dict[str, float]:
    table = next(one.value for one in checked(at).dataframe if list(one.value)[:2] == ["run", "1"])
    return dict(zip(table["run"], table[k]))


def test_a_metric_over_evidence_has_nothing_to_judge(visit) -> None:
    at = checked(visit("judgments", source=two_chunkings(), metric="CharRecall@K", k="5"))
    assert "Nothing to judge: CharRecall@5 looks at evidence, not at judgments." in at.header[0].value.replace("\\", "")
    assert not [one for one in at.button if str(one.key).startswith("grade_")]
    assert "See the evidence of each question" in [one.label for one in at.get("page_link")]
    at = checked(at.button(key="by_documents").click().run())
    assert param(at, "metric") == "nDCG@K"
    assert "Nothing to judge" not in at.header[0].value


def test_a_question_that_is_not_there_is_said(visit) -> None:
    at = checked(visit("judgments", source="sample", judge="q999"))
    assert "judge = q999" in words(at)
    assert param(at, "judge") != "q999"


def test_two_people_without_a_name_are_two(visit) -> None:
    edit, _ = stored()
    one, other = (checked(visit("judgments", source=edit, contender="rrf")) for _ in range(2))
    pair = pair_of(one)
    press(one, "grade_2")
    press(one, "undo", "grade_1")  # one's own word may be changed
    press(other, "grade_0")
    assert "**somebody without a name** judged this document **1**" in words(other)
    press(other, "count_theirs")
    assert said(edit) == {pair: 1.0}
    press(one, "undo", "grade_2")
    assert said(edit) == {pair: 2.0}
