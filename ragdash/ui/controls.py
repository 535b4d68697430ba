"""The strip under every title: what is compared, on what, and the settings in force. The same in the same place."""

from __future__ import annotations

import streamlit as st

from ragdash import escape, stats, wording
from ragdash.analysis.judged import said as made_here
from ragdash.ui import picks as picking
from ragdash.ui import session
from ragdash.ui.picks import Picks

MISSING = {"zero": "score 0", "common": "leave the query out for all runs"}
NO_RELEVANT = {"zero": "score 0", "exclude": "leave them out"}
GAINS = {"linear": "the grade (as trec_eval)", "exponential": "2^grade − 1"}
TIES = {"double": "64-bit scores (trec_eval 10)", "float32": "32-bit scores (trec_eval 9)"}


def strip(picks: Picks) -> None:
    """Baseline, contender, metric, K and settings as pickers in one row."""
    names = picks.experiment.run_names
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="strip"):
        _choose(":blue[●] Baseline", "baseline", names, picks.baseline, 190, swap=picks)
        st.button(
            "Swap baseline and contender",
            icon=":material/swap_horiz:",
            key="swap",
            help="Swap baseline and contender",
            on_click=session.put,
            kwargs={"baseline": picks.contender, "contender": picks.baseline},
        )
        others = [name for name in names if name != picks.baseline] or names
        _choose(":orange[◆] Contender", "contender", others, picks.contender, 190)
        _metric(picks)
        _choose("K", "k", picking.cutoffs(picks.experiment, picks.k), picks.k, 84)
        settings(picks)


def _choose(label: str, key: str, options: list, value: object, width: int, swap: Picks | None = None) -> None:  # type: ignore[type-arg]
    widget = session.show(f"pick_{key}", value)

    def write() -> None:
        new = st.session_state[widget]
        if swap is not None and new == swap.contender:  # the contender became the baseline: they change places
            session.put(baseline=new, contender=swap.baseline)
        else:
            session.put(**{key: new})

    st.selectbox(
        label,
        options,
        key=widget,
        width=width,
        on_change=write,
        format_func=lambda one: escape.shortened(escape.one_line(str(one)), 28),
    )


def _metric(picks: Picks) -> None:
    value = picking.spelled(picks.metric, picks.k)
    names = picking.metric_names(picks.experiment)
    names = names if value in names else [value, *names]
    st.selectbox(
        "Metric",
        names,
        key=session.show("pick_metric", value),
        width=190,
        on_change=session.picked("pick_metric", "metric"),
        format_func=lambda name: metric_label(name, picks.k),
    )


def metric_label(name: str, k: int) -> str:
    """ "MRR@10", and "MRR (whole list)" where the metric takes a cutoff and has none."""
    metric = picking.at_k(name, k)
    whole = metric.k is None and metric.block.takes_cutoff
    return metric.label + (" (whole list)" if whole else "")


def settings(picks: Picks) -> None:
    """What scores and tests depend on, in the URL like everything else."""
    options, testing = picks.options, picks.testing
    with st.popover("Settings", icon=":material/tune:", key="settings"):
        st.markdown("**How scores are counted**")
        grades = picks.experiment.qrels.grades
        highest = max(2.0, float(grades.max(initial=1.0)))
        st.number_input(
            "A document is relevant from grade",
            min_value=0.0,
            max_value=max(highest, options.threshold),
            step=1.0,
            format="%g",
            key=session.show("pick_threshold", options.threshold),
            on_change=session.picked("pick_threshold", "threshold"),
        )
        _words("nDCG counts a grade as", "gain", GAINS, options.gain)
        _words("Questions that a run did not answer", "missing", MISSING, options.missing)
        _words("Questions without a relevant document", "no_relevant", NO_RELEVANT, options.no_relevant)
        _words("Documents tie when equal as", "ties", TIES, options.ties)
        st.checkbox(
            "Leave out documents whose id is the question's id",
            key=session.show("pick_drop_self", options.drop_self),
            on_change=session.picked("pick_drop_self", "drop_self", lambda picked: "yes" if picked else None),
        )
        _made_here(picks)
        st.markdown("**How differences are tested**")
        st.number_input(
            "Differences up to this are not worth a change",
            min_value=0.0,
            max_value=0.5,
            step=0.005,
            format="%.3f",
            key=session.show("pick_band", min(testing.band, 0.5)),
            on_change=session.picked("pick_band", "band"),
        )
        _words("Test", "test", {key: block.name for key, block in stats.TESTS.items()}, testing.test)
        _words(
            "Correction", "correction", {key: one.name for key, one in stats.CORRECTIONS.items()}, testing.correction
        )
        st.button("Back to the defaults", on_click=session.put, kwargs=dict.fromkeys(
            ("threshold", "gain", "missing", "no_relevant", "ties", "drop_self", "band", "test", "correction", "judged")
        ), key="settings_default")  # fmt: skip


def _made_here(picks: Picks) -> None:
    """Judgments made in the app, where there are any: whether they count."""
    if made_here(picks.experiment):
        st.checkbox(
            "Judgments made here count",
            key=session.show("pick_judged", session.get("judged") != "off"),
            on_change=session.picked("pick_judged", "judged", lambda picked: None if picked else "off"),
        )


def _words(label: str, key: str, words: dict[str, str], value: str) -> None:
    widget = session.show(f"pick_{key}", value)
    st.selectbox(
        label, list(words), key=widget, format_func=lambda one: words[one], on_change=session.picked(widget, key)
    )


def in_force(picks: Picks) -> str:
    """The values in force as one line, for the details of a page."""
    options, testing, added = picks.options, picks.testing, made_here(picks.experiment)
    return (
        f"Relevant from grade {options.threshold:g}; nDCG gain {options.gain}; unanswered questions "
        f"{MISSING[options.missing]}; questions without a relevant document: {NO_RELEVANT[options.no_relevant]}; "
        f"ties by {TIES[options.ties]}, then document id, descending; "
        f"{'documents with the id of their question left out; ' if options.drop_self else ''}"
        f"{added and f'judgments made here: {added}; '}"
        f"{stats.TESTS[testing.test].name}, "
        f"correction {stats.CORRECTIONS[testing.correction].name}, alpha {testing.alpha:g}, band ±{testing.band:g}; "
        f"{wording.count(picks.scores.n, 'question')}."
    )
