"""Is anything computed twice? Rankings are made once per run, whatever page, metric or cutoff comes after."""

import json

import streamlit as st

from ragdash.ui import cached
from tests.pages.reading import checked, words
from tests.pages.test_loading import load, run_file


def test_a_run_is_ranked_once(visit, monkeypatch) -> None:
    st.cache_resource.clear()
    ranked: list[str] = []
    real = cached.rankings_of

    def counted(experiment, run, options):
        ranked.append(experiment.runs[run].name)
        return real(experiment, run, options)

    monkeypatch.setattr(cached, "rankings_of", counted)
    for page in ("verdict", "significance", "distributions", "queries", "query"):
        checked(visit(page, source="sample"))
    checked(visit("verdict", source="sample", metric="Recall@K", k="3"))
    checked(visit("queries", source="sample", threshold="2", baseline="lsa"))
    assert len(ranked) == len(set(ranked)) == 5


def test_the_findings_are_those_of_the_files_at_hand(visit) -> None:
    alien = json.dumps([{"query": f"z{i}", "retrieved": ["d1"]} for i in range(5)]).encode()
    pair = ("one.json", run_file(1)), ("two.json", run_file(0))
    assert "alien.json: 0 of 12 questions match" in words(load(visit("data"), *pair, ("alien.json", alien)))
    assert "alien" not in words(load(visit("data"), *pair))  # the same scores, and nothing set aside
