"""Is it real? The chosen test in words, all tests side by side, chance at work, and the difference over K."""

import streamlit as st

from ragdash.charts import significance as charts
from ragdash.ui import cached, frame, significance

chosen = frame.compared("pages/significance.py")
family = cached.comparisons(chosen.scores, chosen.baseline, chosen.testing)
row = family.of(chosen.contender, chosen.metric)

frame.answer(significance.answer(row))
st.markdown(significance.in_words(row, chosen))

left, right = st.columns(2, gap="large")
with left:
    significance.tests(row, chosen)
with right:
    frame.chart(charts.chance(cached.by_chance(row, chosen.testing), row.difference), "chance")

left, right = st.columns(2, gap="large")
with left:
    curve = cached.differences_over_k(chosen.scores, chosen.metric, chosen.baseline, chosen.contender)
    if len(curve) > 1:
        frame.chart(
            charts.over_k(curve, chosen.metric.block.label, chosen.baseline, chosen.contender, chosen.k), "over_k"
        )
    else:
        frame.nothing("This metric has no cutoff to vary.")
with right:
    power = cached.power(row, chosen.testing)
    if power is not None:
        frame.chart(charts.power(*power, row.n, row.difference), "power")
    else:
        frame.nothing("No power curve: the differences do not vary.")
if len(chosen.experiment.runs) > 2:
    significance.pairs(cached.comparisons(chosen.scores, "all", chosen.testing), chosen)
frame.details(significance.reading(row, chosen), chosen)
