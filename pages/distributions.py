"""Does the mean hide something? Every question's difference, run against run, groups of questions, and every cutoff."""

import streamlit as st

from ragdash.charts import distributions as charts
from ragdash.charts import theme
from ragdash.ui import distributions, frame

chosen = frame.compared("pages/distributions.py")
scores = chosen.scores
names = chosen.experiment.run_names
values = {name: scores.of(name, chosen.metric) for name in names}
before, after = values[chosen.baseline], values[chosen.contender]
texts = distributions.texts(chosen)

frame.answer(distributions.answer(chosen, before, after))
drawn = charts.sorted_differences(distributions.difference(chosen), texts, chosen.baseline, chosen.contender)
by_query = frame.chart(drawn, "sorted", select=True)

left, right = st.columns(2, gap="large")
with left:
    distributions.slices(chosen)
    if distributions.coarse(before, after):
        distributions.two_by_two(chosen, before, after)
        by_point = None
    else:
        drawn = charts.scatter(before, after, chosen.baseline, chosen.contender, chosen.metric.label)
        by_point = frame.chart(drawn, "scatter", select=True, config=distributions.LASSO)
with right:
    distributions.over_k(chosen)
    kind = distributions.kind()
    inks = theme.inks(names, chosen.baseline, chosen.contender)
    title = charts.spread_title(values, chosen.baseline, chosen.contender)
    draw = charts.histogram if kind == "histogram" else charts.spread
    shown = distributions.shown(values, chosen, kind)
    frame.chart(draw(shown, inks, chosen.metric.label, title), f"spread_{kind}")

distributions.picked(chosen, by_query, by_point, charts.groups(before, after)[3])
frame.details(distributions.reading(), chosen)
