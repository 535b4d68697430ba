"""What fell out, and what pushed it down? One question: its relevant documents and the runs' lists side by side."""

from ragdash.ui import cached, frame, notes, query, seen, selection

chosen = frame.compared("pages/query.py", ends=False)
found = selection.select(chosen)
query_id = query.chosen_query(chosen, found)
frame.end()
view = cached.query_view(chosen.scores, query_id)

query.way(chosen, found, query_id)
query.question(view)
query.happened(view, chosen)
query.unjudged(view, chosen)
notes.on_query(query_id)
seen.evidence(view, chosen)
query.relevant(view, chosen)
query.side_by_side(view, chosen)
