"""How does one judge? One document at a time: question, text, a button and a key for each grade, undo, skip.

Nothing here says which run returned a document, nor at which rank.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from ragdash import escape, wording
from ragdash.analysis.judged import Pair
from ragdash.analysis.judging import Queue, grades_of
from ragdash.data.experiment import Experiment
from ragdash.report.passages import query_words
from ragdash.store import Judgment
from ragdash.ui import frame, judged, lists, notes, picks, session, signin, tab
from ragdash.ui.picks import Picks
from ragdash.ui.unjudged import Unjudged

FULL = 20_000  # characters of a text that are sent
HEIGHT = 250
CANNOT_TELL, SKIP, UNDO, TAKE_BACK = "T", "S", "U", "B"


@dataclass(frozen=True)
class Step:
    """One thing that was done in this tab, so that it can be undone. `before` is what this person had said."""

    pair: Pair
    skipped: bool = False
    before: Judgment | None = None


@dataclass(frozen=True)
class Ask:
    """This person's grade differs from what somebody else said: it waits for a decision."""

    pair: Pair
    grade: float
    other: Judgment


@dataclass
class Tab:
    """What this tab remembers of judging in one workspace: nothing that scores depend on."""

    skipped: list[Pair] = field(default_factory=list)
    made: set[int] = field(default_factory=set)
    steps: list[Step] = field(default_factory=list)
    again: Pair | None = None
    ask: Ask | None = None


@dataclass(frozen=True)
class Next:
    """The document to judge, and how many are left: in its question, and in all."""

    pair: Pair
    left_here: int
    left: int
    again: bool = False


def memory() -> Tab:
    """The memory of this tab for what is loaded."""
    tabs: dict[str, Tab] = st.session_state.setdefault("_judging", {})
    return tabs.setdefault(session.get("source"), Tab())


def next_document(found: Unjudged, chosen: Picks) -> Next | None:
    """The question stays until its documents are judged; then comes the most decisive one. What was skipped comes last.

    The URL names the question, so that a reload goes on where one was.
    """
    experiment, mine = chosen.experiment, memory()
    index = experiment.query_index
    asked = session.get("judge")
    if asked and asked not in index:
        told = picks.said("judge", asked, "the most decisive question", "the id of a judged question")
        st.warning(told, icon=":material/link_off:")
        asked = ""
    left = found.queue.without(index, judged.cannot_tell())
    again = mine.ask.pair if mine.ask else mine.again
    if again is not None and again[0] in index:
        seen = mine.ask is not None or judged.mine(again) is not None
        return Next(again, left.count(index[again[0]]), len(left), again=seen)
    fresh = left.without(index, mine.skipped) if mine.skipped else left
    here = fresh if len(fresh) else left
    if not len(here):
        session.put(judge=None)
        return None
    query = index[asked] if asked and here.count(index[asked]) else int(here.queries[0])
    query_id = experiment.query_ids[query]
    session.put(judge=query_id)
    docs = here.of(query, query_id)
    if here is left and mine.skipped:  # only skipped ones are left: in the order in which they were skipped
        places = {pair: place for place, pair in enumerate(mine.skipped)}
        docs = sorted(docs, key=lambda doc: places.get((query_id, doc), -1))
    return Next((query_id, docs[0]), left.count(query), len(left))


def panel(here: Next, chosen: Picks) -> None:
    """The question, the document, and what can be said of it."""
    query_id, doc_id = here.pair
    with st.container(border=True, key="judging"):
        _question(here, chosen.experiment)
        _document(query_id, doc_id, chosen.experiment)
        ask = memory().ask
        if ask is not None:
            _asked(ask)
            return
        _buttons(here, chosen)


def _question(here: Next, experiment: Experiment) -> None:
    query_id = here.pair[0]
    text = escape.one_line(experiment.query_texts[experiment.query_index[query_id]])
    st.subheader(escape.markdown(escape.shortened(text, 240)), anchor=False)
    if len(text) > 240:
        with st.expander("The whole question"):
            st.text(text)
    told = []
    if here.again:
        said = judged.mine(here.pair)
        told.append("judged before" if said is None else f"you said {_said(said.grade)}")
    else:
        told.append(f"{wording.count(here.left_here, 'document')} left in this question, {here.left:,} in all")
    if text != query_id:
        told.append(f"question {escape.markdown(escape.shortened(query_id, 60))}")
    st.caption(" · ".join(told))


def _said(grade: float | None) -> str:
    return "that you cannot tell" if grade is None else f"{grade:g}"


def _document(query_id: str, doc_id: str, experiment: Experiment) -> None:
    """Title, id and text with the question's words marked; where no file has the text, that."""
    title, text = experiment.documents.look_up([doc_id]).get(doc_id, (None, None))
    words = query_words(experiment.query_texts[experiment.query_index[query_id]])
    with st.container(height=HEIGHT, key="judged_document", border=False):
        st.html(lists.document(title, doc_id, text, words, FULL))
        if not text:
            st.caption("No text: no file has it. Add a file of documents on the Data page to read it here.")


def _buttons(here: Next, chosen: Picks) -> None:
    """A button and a key for each grade, then what is no grade."""
    may, threshold = session.may_edit(), chosen.options.threshold
    why = None if may else notes.VIEW_ONLY
    grades = grades_of(chosen.experiment.qrels.grades, threshold)
    keys = keys_of(grades)
    with st.container(horizontal=True, key="grades", gap="small", vertical_alignment="center"):
        for place, grade in enumerate(grades):
            st.button(
                grade_label(grade, threshold), key=f"grade_{place}", shortcut=keys[place], disabled=not may, help=why,
                type="primary" if grade >= threshold else "secondary", on_click=give, args=(here.pair, grade),
            )  # fmt: skip
    with st.container(horizontal=True, key="no_grades", gap="small", vertical_alignment="center"):
        st.button("Cannot tell", key="cannot_tell", shortcut=CANNOT_TELL, disabled=not may, help=why,
                  type="tertiary", on_click=give, args=(here.pair, None))  # fmt: skip
        if here.again:
            said = judged.mine(here.pair)
            st.button("Take it back", key="take_back", shortcut=TAKE_BACK, disabled=not may or said is None, help=why,
                      type="tertiary", on_click=take_back, args=(here.pair,))  # fmt: skip
            st.button("Leave it", key="leave", shortcut=SKIP, type="tertiary", on_click=leave)
        else:
            st.button("Skip", key="skip", shortcut=SKIP, type="tertiary", on_click=skip, args=(here.pair,))
        st.button("Undo", key="undo", shortcut=UNDO, icon=":material/undo:", disabled=not (may and memory().steps),
                  type="tertiary", help=why, on_click=undo)  # fmt: skip
        if may and not signin.name():
            st.text_input("Your name", value=tab.author(), key="judge_name", max_chars=200, width=220,
                          placeholder="Your name, kept with each judgment", label_visibility="collapsed",
                          on_change=named)  # fmt: skip


def keys_of(grades: list[float]) -> list[str]:
    """One key for each grade: its own digit, where every grade has one; else digits from 1 on, 0 the tenth."""
    if all(grade.is_integer() and 0 <= grade <= 9 for grade in grades):
        return [f"{grade:g}" for grade in grades]
    return [str((place + 1) % 10) for place in range(len(grades))]


def grade_label(grade: float, threshold: float) -> str:
    """ "2 relevant": the grade with what it means under the threshold in force."""
    return f"**{grade:g}** {'relevant' if grade >= threshold else 'not relevant'}".replace("-", "−")


def _asked(ask: Ask) -> None:
    """Two people, two grades: which one counts? Neither is overwritten."""
    who = escape.markdown(ask.other.author or "somebody without a name")
    theirs = ask.other.grade if ask.other.grade is not None else 0.0
    st.warning(
        f"**{who}** judged this document **{theirs:g}** ({ask.other.at:%Y-%m-%d %H:%M} UTC); you say "
        f"**{ask.grade:g}**. Both are kept. Which one counts?",
        icon=":material/difference:",
    )
    with st.container(horizontal=True, key="which", gap="small"):
        st.button(f"**{ask.grade:g}**, mine", key="count_mine", shortcut="1", on_click=settle, args=(ask, ask.grade))
        st.button(f"**{theirs:g}**, {who}’s", key="count_theirs", shortcut="2", on_click=settle, args=(ask, theirs))
        st.button("Leave it as it was", key="count_neither", shortcut=SKIP, type="tertiary", on_click=leave)


# What the buttons do


def give(pair: Pair, grade: float | None) -> None:
    """Keep a grade, or that one cannot tell. Another person's grade is never passed over: it is shown first."""
    mine, said = memory(), judged.mine(pair)
    other = None if grade is None or not session.may_edit() else judged.others(pair, grade, mine.made)
    if grade is not None and other is not None:
        mine.ask = Ask(pair, grade, other)
        return
    if said is not None and said.grade == grade:
        mine.again = None
        return
    if session.attempt(lambda: _say(pair, grade)):
        _done(Step(pair, before=said))


def _say(pair: Pair, grade: float | None) -> Judgment:
    made = judged.judge(pair, grade)
    memory().made.add(made.number)
    return made


def settle(ask: Ask, grade: float) -> None:
    """Keep this person's grade, and which of the two counts. Of two people without a name the one that counts."""
    said = judged.mine(ask.pair)
    if grade != ask.grade and ask.other.author == judged.author():
        leave()
        return

    def keep() -> None:
        made = _say(ask.pair, ask.grade)
        judged.decide(ask.pair, grade, made.number)

    if session.attempt(keep):
        _done(Step(ask.pair, before=said))


def named() -> None:
    """Keep the name that was typed."""
    tab.author(st.session_state["judge_name"])


def skip(pair: Pair) -> None:
    """Come back to it when everything else is judged."""
    mine = memory()
    mine.skipped = [*(one for one in mine.skipped if one != pair), pair]
    mine.again = None
    mine.steps.append(Step(pair, skipped=True))


def leave() -> None:
    """Go on without a word."""
    mine = memory()
    if mine.ask is not None:
        skip(mine.ask.pair)
    mine.ask = mine.again = None


def take_back(pair: Pair) -> None:
    """Withdraw what this person said of a document."""
    said = judged.mine(pair)
    if said is not None and session.attempt(lambda: judged.withdraw(pair)):
        _done(Step(pair, before=said))


def undo() -> None:
    """Undo the last step of this tab, and show its document again."""
    mine = memory()
    if not mine.steps:
        return
    step = mine.steps[-1]
    if step.skipped:
        mine.skipped = [one for one in mine.skipped if one != step.pair]
    elif step.before is None:
        if not session.attempt(lambda: judged.withdraw(step.pair)):
            return
    elif not session.attempt(lambda: _say(step.pair, step.before.grade if step.before else None)):
        return
    mine.steps.pop()
    mine.ask, mine.again = None, step.pair


def open_again(pair: Pair | None) -> None:
    """Show a document that was judged, to judge it anew."""
    if pair is not None:
        memory().again = pair


def _done(step: Step) -> None:
    mine = memory()
    mine.steps.append(step)
    mine.skipped = [one for one in mine.skipped if one != step.pair]
    mine.ask = mine.again = None


def nothing_left(found: Unjudged, queue: Queue) -> None:
    """Why there is no document to judge."""
    k = found.bounds.k
    if not len(queue):
        frame.nothing(f"Every document in the top {k} is judged.")
        return
    n = len(queue)
    frame.nothing(
        f"Nothing is left to judge: you could not tell of {wording.count(n, 'document')}. "
        "“Change a judgment” below shows them again."
    )
