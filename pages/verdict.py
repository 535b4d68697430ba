"""Should we switch? The sentence, the counts behind it, the difference on every usual metric, and what to distrust."""

import streamlit as st

from ragdash.charts import differences
from ragdash.ui import cached, frame, picks, tables, verdict

chosen = frame.compared("pages/verdict.py")
row = cached.comparison(chosen.scores, chosen.baseline, chosen.contender, chosen.metric, chosen.testing)
metrics = picks.main_metrics(chosen.metric, chosen.k)
scores = cached.scores(chosen.experiment, metrics, chosen.options)
gaps = cached.gaps(scores, chosen.baseline, chosen.contender)

frame.answer(verdict.headline(row))
verdict.counts_first(row, gaps)
verdict.outcomes(row.counts)
verdict.beside_quality(row, chosen)

left, right = st.columns([3, 2], gap="large")
with left:
    counts = row.counts
    title = differences.title(counts.wins, counts.losses, row.n, chosen.baseline, chosen.contender)
    lines = [differences.Whisker(gap.metric.label, gap.difference, gap.ci) for gap in gaps]
    drawn = differences.whiskers(lines, chosen.baseline, chosen.contender, chosen.testing.band, title)
    frame.chart(drawn, "differences")
    verdict.extremes(chosen)
with right:
    verdict.trust(cached.checks(chosen.scores, row, chosen.testing), row)

if len(chosen.experiment.runs) > 2:
    verdict.leading(chosen)
    verdict.every_run(chosen)
tables.means(scores, chosen)
verdict.details(row, chosen)
