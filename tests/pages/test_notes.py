"""Are notes and tags kept with the workspace, and only by those who may change it?"""

from __future__ import annotations

from ragdash.store import Workspace
from ragdash.ui.shelf import sample, shelf
from tests.pages.reading import checked, param, words


def stored() -> tuple[str, str]:
    """A workspace like the sample: its tokens to edit and to look."""
    access = shelf().access(shelf().add(Workspace(sample().parts, sample().runs)))
    return access.token, access.view_token


def test_a_note_is_kept_and_seen_by_others(visit) -> None:
    edit, view = stored()
    at = checked(visit("query", source=edit, query="q02", show="all"))
    at.text_area(key="note_new_q02_0_text").set_value("Judged *too* strictly")
    at.multiselect(key="note_new_q02_0_tags").set_value(["wrong judgment"])
    at.text_input(key="note_new_q02_0_author").set_value("Ada")
    checked(at.button(key="note_new_q02_0_keep").click().run())
    assert "Judged \\*too\\* strictly" in "\n".join(one.value for one in at.markdown)
    other = checked(visit("query", source=view, query="q02", show="all"))
    assert "Judged *too* strictly :gray-badge[wrong judgment] :gray[:small[Ada" in words(other)
    assert "Judged" not in words(checked(visit("query", source=view, query="q03", show="all")))


def test_a_note_is_changed_and_removed(visit) -> None:
    edit, _ = stored()
    note = shelf().store.add_note(shelf().access(edit), "q02", "first words")
    at = checked(visit("query", source=edit, query="q02", show="all"))
    at.text_area(key=f"note_{note.number}_q02_0_text").set_value("better words")
    checked(at.button(key=f"note_{note.number}_q02_0_keep").click().run())
    assert "better words" in words(at)
    assert "first words" not in words(at)
    number = shelf().store.notes(shelf().access(edit))[0].number
    checked(at.button(key=f"note_{number}_q02_0_remove").click().run())
    assert shelf().store.notes(shelf().access(edit)) == ()


def test_an_empty_note_is_refused_in_words(visit) -> None:
    edit, _ = stored()
    at = checked(visit("query", source=edit, query="q02", show="all"))
    checked(at.button(key="note_new_q02_0_keep").click().run())
    assert any("says nothing" in one.value for one in at.error)


def test_the_sample_becomes_a_workspace_of_ones_own(visit) -> None:
    at = checked(visit("query", source="sample", query="q02", show="all"))
    at.text_area(key="note_new_q02_0_text").set_value("mine")
    checked(at.button(key="note_new_q02_0_keep").click().run())
    assert len(str(param(at, "source"))) == 22
    assert param(at, "query") == "q02"
    assert "mine" in words(at)


def test_who_may_only_look_finds_no_button_that_works(visit) -> None:
    edit, view = stored()
    shelf().store.add_note(shelf().access(edit), "q02", "said")
    at = checked(visit("query", source=view, query="q02", show="all"))
    assert "said" in words(at)
    assert "View only" in words(at)
    assert not [one for one in at.button if str(one.key).endswith("_remove")]
    checked(at.button(key="note_new_q02_0_keep").click().run())  # a page that is not ours could send this
    assert len(shelf().store.notes(shelf().access(edit))) == 1


def test_a_copy_of_ones_own_can_be_changed(visit) -> None:
    edit, view = stored()
    at = checked(visit("query", source=view, query="q02", show="all"))
    checked(at.button(key="own_copy").click().run())
    assert param(at, "source") not in (view, edit)
    assert "View only" not in words(at)
