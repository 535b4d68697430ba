"""Does the Share page send what the other pages say, to those who may, and is a workspace file the workspace?"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ragdash.report.blocks import BLOCKS
from ragdash.store import StorageError, Workspace, import_
from ragdash.ui import keeping
from ragdash.ui.shelf import sample, shelf
from tests.pages.reading import checked, param, words
from tests.pages.test_loading import load

VIEW = {"baseline": "bm25", "contender": "rrf", "metric": "nDCG@K", "k": "10"}


def stored() -> tuple[str, str]:
    """A workspace like the sample: its tokens to edit and to look."""
    access = shelf().access(shelf().add(Workspace(sample().parts, sample().runs)))
    return access.token, access.view_token


def preview(at: Any) -> str:
    """The report as the page shows it."""
    return str(at.get("iframe")[0].proto.srcdoc)


def test_the_preview_shows_title_remarks_questions_and_notes(visit) -> None:
    edit, _ = stored()
    shelf().store.add_note(shelf().access(edit), "q02", "Judged <b>too</b> strictly", tags=["wrong judgment"])
    at = checked(visit("share", source=edit, **VIEW))
    at.text_input(key="report_title").set_value("Shall we switch?")
    at.text_area(key="report_remarks").set_value("Yes, <script>on Monday</script>.")
    checked(at.multiselect(key="report_queries").set_value(["q02"]).run())
    seen = preview(at)
    assert "Shall we switch?" in seen
    assert "Yes, &lt;script&gt;on Monday&lt;/script&gt;." in seen
    assert "Judged &lt;b&gt;too&lt;/b&gt; strictly" in seen
    assert "the bank declined my card" in seen
    again = checked(visit("share", source=edit, **VIEW))  # what was chosen is kept with the workspace
    assert preview(again) == seen


def test_parts_are_taken_out_and_put_back(visit) -> None:
    at = checked(visit("share", source="sample", **VIEW))
    assert "For engineers" in preview(at)
    checked(at.checkbox(key="report_block_engineers").uncheck().run())
    assert "For engineers" not in preview(at)
    checked(at.checkbox(key="report_block_engineers").check().run())
    assert "For engineers" in preview(at)
    assert len([one for one in at.checkbox if str(one.key).startswith("report_block_")]) == len(BLOCKS)


def test_the_page_and_the_command_line_write_the_same_report(visit, tmp_path: Path) -> None:
    at = checked(visit("share", source="sample", **VIEW))
    files = ["sample_runs/eval_dataset.json", "sample_runs/documents.jsonl"]
    runs = [word for run in sample().runs for word in ("--run", f"sample_runs/{run.source.file}")]
    out = tmp_path / "report.html"
    options = ["--baseline", "bm25", "--contender", "rrf", "-m", "nDCG@10", "--static", "-o", str(out)]
    command = [sys.executable, "-m", "ragdash", "report", *files, *runs, *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert out.read_text(encoding="utf-8") == preview(at)


def test_who_may_only_look_can_choose_for_themselves_and_changes_nothing(visit) -> None:
    edit, view = stored()
    at = checked(visit("share", source=view, **VIEW))
    checked(at.text_input(key="report_title").set_value("Mine").run())
    assert "Mine" in preview(at)
    assert shelf().store.choices(shelf().access(edit)) == {}
    checked(at.button(key="delete_for_good").click().run())  # a page that is not ours could send this
    assert shelf().find(edit) is not None


def test_a_deleted_workspace_is_gone_and_its_links_say_so(visit) -> None:
    edit, view = stored()
    at = checked(visit("share", source=edit, **VIEW))
    checked(at.button(key="delete_for_good").click().run())
    assert param(at, "source") is None
    assert "was deleted by somebody who could edit it" in words(checked(visit("verdict", source=view)))


def test_an_export_opens_with_the_same_files_notes_and_picks(visit) -> None:
    edit, _ = stored()
    shelf().store.add_note(shelf().access(edit), "q02", "look")
    data = keeping.packed(shelf().access(edit), Workspace(), {"metric": "Recall@K", "apply": ["ignore-case"]})
    at = checked(visit("share"))
    checked(at.file_uploader(key="workspace_file_0").upload("w.ragdash.zip", data).run())
    token = str(param(at, "source"))
    assert token != edit
    assert param(at, "metric") == "Recall@K"
    found = shelf().find(token)
    assert found is not None
    assert found.sha256 == sample().sha256
    assert [note.text for note in shelf().store.notes(shelf().access(token))] == ["look"]


@pytest.mark.parametrize("kind", ["look", "sample"])
def test_who_may_not_write_exports_too_and_leaves_nothing_behind(kind: str) -> None:
    edit, view = stored()
    access = shelf().access(view) if kind == "look" else None
    data = keeping.packed(access, sample(), {"k": "5"})
    assert shelf().store.choices(shelf().access(edit)) == {}
    opened = import_(shelf().store, io.BytesIO(data))
    assert shelf().store.choices(opened)["view"] == {"k": "5"}


@pytest.mark.parametrize("data", [b"no zip", b""])
def test_a_file_that_is_no_workspace_is_refused_in_words(visit, data: bytes) -> None:
    at = checked(visit("share"))
    checked(at.file_uploader(key="workspace_file_0").upload("w.zip", data).run())
    assert len(at.error) == 1
    assert "w.zip" in at.error[0].value.replace("\\", "")


def test_a_hostile_zip_is_refused_in_words(visit) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("../../etc/passwd", "x")
        archive.writestr("ragdash.json", json.dumps({"ragdash": 1}))
    at = checked(visit("share"))
    checked(at.file_uploader(key="workspace_file_0").upload("evil.zip", out.getvalue()).run())
    assert len(at.error) == 1
    assert param(at, "source") is None


def test_what_a_file_says_was_picked_is_checked_like_a_link(visit) -> None:
    edit, _ = stored()
    view: Any = {"metric": ["x"], "k": "ten", "source": "sample", "strange": "y", "apply": "ignore-case"}
    data = keeping.packed(shelf().access(edit), Workspace(), view)
    at = checked(visit("share"))
    checked(at.file_uploader(key="workspace_file_0").upload("w.zip", data).run())
    assert len(str(param(at, "source"))) == 22
    assert "k = ten" in words(at)
    assert param(at, "apply") is None


def test_going_private_ends_the_old_links(visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAGDASH_PRIVATE")
    monkeypatch.setenv("RAGDASH_STORE", str(tmp_path))
    edit, _ = stored()
    at = checked(visit("share", source=edit, **VIEW))
    checked(at.toggle(key="private").set_value(True).run())
    new = str(param(at, "source"))
    assert shelf().access(new).private
    assert shelf().find(edit) is None
    assert param(at, "metric") == "nDCG@K"


def test_a_full_disk_is_a_message(visit, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise StorageError("The disk is full: nothing was kept. Free some space and try again.")

    at = checked(visit("query", source="sample", query="q02", show="all"))
    monkeypatch.setattr(type(shelf().store), "create", full)
    at.text_area(key="note_new_q02_0_text").set_value("mine")
    checked(at.button(key="note_new_q02_0_keep").click().run())
    assert any("The disk is full" in one.value for one in at.error)
    assert at.text_area(key="note_new_q02_0_text").value == "mine"
    assert param(at, "source") == "sample"


def test_a_database_out_of_reach_is_a_message(visit, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise StorageError("The database does not answer.")

    monkeypatch.setattr(type(shelf().store), "find", away)
    assert "The database does not answer" in words(checked(visit("verdict", source="A" * 22)))


def test_a_table_that_cannot_be_written_is_not_offered_and_says_why(visit) -> None:
    rows = [{"query": f"question {i}", "relevant_docs": ["my guide"]} for i in range(12)]
    run = json.dumps([{"query": f"question {i}", "retrieved": ["my guide", "other"]} for i in range(12)]).encode()
    loaded = load(visit("data"), ("one.json", run), ("two.json", run), dataset=rows)
    at = checked(visit("share", source=param(loaded, "source")))
    assert "'question 0' holds a blank, which TREC files cannot keep" in words(at)
    offered = {one.proto.id.rsplit("-", 1)[-1]: not one.proto.disabled for one in at.get("download_button")}
    assert not offered["table_qrels.txt"]
    assert offered["table_means.csv"]


def test_a_link_that_expired_says_so(visit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in {"PRIVATE": "0", "STORE": str(tmp_path), "EXPIRY_DAYS": "30"}.items():
        monkeypatch.setenv(f"RAGDASH_{name}", value)
    shelf.clear()
    tokens = stored()
    later = shelf().store.clock() + 31 * 86_400
    monkeypatch.setattr(shelf().store, "clock", lambda: later)
    for token in tokens:
        assert "was not opened for so long that it expired" in words(checked(visit("verdict", source=token)))
