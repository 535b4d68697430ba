"""Was the evidence read, and at what cost? Metrics over characters of documents, the same for any chunking.

Chunk ids differ between two chunkings, so labels on chunks cannot compare them; places in the documents can. Evidence
is a union of spans: a character that two spans share counts once, and so does one that two chunks hold. What was read
is a sum: what stands in two chunks was read, and paid for, twice. Evidence at no known place counts and is never found;
a chunk at no known place finds nothing and costs what its text, or else an average chunk of the run, costs.

Checked against the values of B. Smith's chunking evaluation (Chroma 2024), whose precision and IoU count alike.
"""

from __future__ import annotations

import numpy as np

from ragdash.metrics.catalogue import Parameter, block
from ragdash.metrics.rankings import Floats
from ragdash.metrics.view import View, log2, ratio

NO_EVIDENCE = "A query without evidence scores 0."
CHROMA = "Smith and Troynikov 2024, Evaluating chunking strategies for retrieval (Chroma)"


@block(
    "CharRecall",
    aliases=("char_recall", "character_recall", "span_recall", "token_recall"),
    sentence="Of the characters of the evidence, the share that stands in the first K chunks.",
    formula=r"\frac{|\text{evidence} \cap \text{top } K|}{|\text{evidence}|}",
    use_when="Two ways of cutting documents are compared, and the context must hold what answers the question.",
    misleads="Larger chunks hold more at the same K: look at BudgetRecall, or at CharsRead beside it.",
    on_no_relevant=NO_EVIDENCE,
    on_short_list="Counts what is there.",
    reference=CHROMA,
    has_ceiling=False,
    rag=True,
    needs_spans=True,
)
def char_recall(view: View, k: int | None) -> Floats:
    return ratio(view.spans.covered(k), view.spans.evidence_chars)


@block(
    "BudgetRecall",
    aliases=("budget_recall", "recall_at_budget", "char_recall_at_budget"),
    spoken="CharRecall@{chars:g}c",
    sentence="Of the characters of the evidence, the share that is met in the first characters read, in rank order.",
    formula=r"\frac{|\text{evidence} \cap \text{first } \textit{chars} \text{ characters read}|}{|\text{evidence}|}",
    parameters=(Parameter("chars", "how many characters are read", 3000.0, 1.0),),
    use_when="Chunks differ in size and the context has room for so many characters: the same reading for both.",
    misleads="The chunk in which the budget ends is read up to there, which a real context may not do.",
    on_no_relevant=NO_EVIDENCE,
    on_short_list="Counts what is there: a run that returns fewer characters than the budget has read less.",
    reference=f"{CHROMA}, at a budget of characters instead of chunks",
    cut="none",
    has_ceiling=False,
    rag=True,
    needs_spans=True,
)
def budget_recall(view: View, k: int | None, chars: float = 3000.0) -> Floats:
    return ratio(view.spans.covered_at(chars), view.spans.evidence_chars)


@block(
    "CharPrecision",
    aliases=("char_precision", "character_precision", "span_precision", "token_precision"),
    sentence="Of the characters of the first K chunks, the share that is evidence.",
    formula=r"\frac{|\text{evidence} \cap \text{top } K|}{\sum_{i=1}^{K} |\text{chunk}_i|}",
    use_when="Every character of the context costs, and noise distracts the model.",
    misleads="It is small even for good runs, as a sentence answers and a chunk holds many. What two chunks share is "
    "counted twice below the line and once above it.",
    on_no_relevant=NO_EVIDENCE,
    on_short_list="Divides by what was read, not by K chunks.",
    reference=CHROMA,
    has_ceiling=False,
    rag=True,
    needs_spans=True,
)
def char_precision(view: View, k: int | None) -> Floats:
    return ratio(view.spans.covered(k), view.spans.read(k))


@block(
    "CharIoU",
    aliases=("char_iou", "character_iou", "span_iou", "IoU", "token_iou", "Jaccard"),
    sentence="Evidence that was read, as a share of all that is evidence or was read.",
    formula=r"\frac{|\text{evidence} \cap \text{top } K|}"
    r"{\sum_{i=1}^{K} |\text{chunk}_i| + |\text{evidence} \setminus \text{top } K|}",
    use_when="One number must stand for evidence missed, noise read and text read twice.",
    misleads="It depends strongly on K and on the length of chunks: a large K drowns every run in what it reads.",
    on_no_relevant=NO_EVIDENCE,
    on_short_list="Counts what is there.",
    reference=CHROMA,
    has_ceiling=False,
    needs_spans=True,
)
def char_iou(view: View, k: int | None) -> Floats:
    spans, covered = view.spans, view.spans.covered(k)
    return ratio(covered, spans.read(k) + spans.evidence_chars - covered)


@block(
    "EvidenceFound",
    spoken="EvidenceFound({share:g})",
    aliases=("evidence_found", "spans_found", "evidence_recall"),
    sentence="Of the spans of evidence, the share of which at least half stands in the first K chunks.",
    formula=r"\frac{|\{e : |e \cap \text{top } K| \ge \textit{share} \cdot |e|\}|}{|\text{spans}|}",
    parameters=(Parameter("share", "how much of a span must be there, 1 for all of it", 0.5, 1e-6, 1.0),),
    use_when="Pieces of evidence count, not their length: a short fact matters as much as a long paragraph.",
    misleads="Half a sentence may not answer anything; `share=1` asks for whole spans. A span may be put together from "
    "several chunks.",
    on_no_relevant=NO_EVIDENCE,
    on_short_list="Counts what is there.",
    reference="Recall over spans, a span found from a share of its characters on",
    has_ceiling=False,
    rag=True,
    needs_spans=True,
)
def evidence_found(view: View, k: int | None, share: float = 0.5) -> Floats:
    return ratio(view.spans.found(share, k), view.spans.n_evidence)


@block(
    "SpanNDCG",
    aliases=("span_ndcg", "char_ndcg", "evidence_ndcg"),
    sentence="How early the evidence is read: newly read evidence counts less at later ranks.",
    formula=r"\frac{1}{|\text{evidence}|}\sum_{i=1}^{K} \frac{|\text{evidence new in chunk}_i|}{\log_2(i+1)}",
    use_when="The order of the chunks matters, and saying the same evidence again must not count again.",
    misleads="The ideal has all evidence in the first chunk, whatever the chunking, so that two chunkings share it: "
    "small chunks, and evidence in several documents, cannot reach 1.",
    on_no_relevant=NO_EVIDENCE,
    on_short_list="Sums what is there.",
    reference="Järvelin and Kekäläinen 2002, with newly covered characters as the gain",
    has_ceiling=False,
    rag=True,
    needs_spans=True,
)
def span_ndcg(view: View, k: int | None) -> Floats:
    return ratio(view.spans.gained(log2, k), view.spans.evidence_chars)


@block(
    "Redundancy",
    aliases=("redundancy", "overlap"),
    sentence="Of the characters of the first K chunks, the share that was read in another of them already.",
    formula=r"1 - \frac{|\bigcup_{i \le K} \text{chunk}_i|}{\sum_{i=1}^{K} |\text{chunk}_i|}",
    use_when="Chunks overlap, and you want to know how much of the context is said again.",
    misleads="It knows places, not meanings: two documents that say the same are not redundant to it.",
    on_no_relevant="Counts all the same: it looks at the run alone.",
    on_short_list="Counts what is there; an empty list has none.",
    reference="Share of the characters retrieved that are retrieved more than once, less their first time",
    higher_is_better=False,
    has_ceiling=False,
    needs_spans=True,
)
def redundancy(view: View, k: int | None) -> Floats:
    return ratio(view.spans.repeated(k), view.spans.read(k))


@block(
    "CharsRead",
    aliases=("chars_read", "characters_read", "context_length"),
    sentence="How many characters the first K chunks have: what the model's context costs.",
    formula=r"\sum_{i=1}^{K} |\text{chunk}_i|",
    range=(0.0, np.inf),
    use_when="Beside every other number at K: a chunking may find more only because it reads more.",
    misleads="Reading nothing costs least: it says nothing about what was found.",
    on_no_relevant="Counts all the same: it looks at the run alone.",
    on_short_list="Counts what is there.",
    reference="Length of the context in characters (Unicode code points)",
    higher_is_better=False,
    has_ceiling=False,
    needs_spans=True,
)
def chars_read(view: View, k: int | None) -> Floats:
    return view.spans.read(k)
