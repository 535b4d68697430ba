"""Is it real? The chosen test in words, all tests side by side, sizes, chance at work, and the difference over K."""

import streamlit as st

from ragdash.charts import significance as charts
from ragdash.ui import cached, frame, significance

chosen = frame.compared("pages/significance.py")
family = cached.comparisons(chosen.scores, chosen.baseline, chosen.testing)
row = family.of(chosen.contender, chosen.metric)
size = cached.magnitude(row, chosen.testing)

frame.answer(significance.answer(row))
st.markdown(significance.in_words(row, chosen))
significance.tests(row, family)

left, right = st.columns(2, gap="large")
with left:
    frame.chart(charts.spread(row.differences, chosen.baseline, chosen.contender), "spread_of_differences")
with right:
    frame.chart(charts.chance(cached.by_chance(row, chosen.testing), row.difference), "chance")

left, right = st.columns(2, gap="large")
with left:
    significance.sizes(row, size)
with right:
    significance.worth(row, size)

left, right = st.columns(2, gap="large")
with left:
    significance.over_k(row, chosen)
with right:
    power = cached.power(row)
    if power is not None:
        frame.chart(charts.power(*power, row.n, row.difference), "power")
    else:
        frame.nothing("No power curve: the differences do not vary.")
if len(chosen.experiment.runs) > 2:
    significance.pairs(cached.comparisons(chosen.scores, "all", chosen.testing), chosen)
frame.details(significance.reading(row), chosen, significance.why_these_defaults)
