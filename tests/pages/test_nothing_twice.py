"""Is anything computed twice? Rankings are made once per run, whatever page, metric or cutoff comes after."""

import streamlit as st

from ragdash.ui import cached
from tests.pages.reading import checked


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
