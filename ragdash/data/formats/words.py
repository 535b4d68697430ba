"""What do people call a query, a document, a grade, a score? Field and column names, most telling first.

Names are compared in one spelling: `docId`, `Doc-ID` and `doc id` are all `doc_id`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache


def listed(text: str) -> tuple[str, ...]:
    return tuple(text.split())


QUERY_ID = listed(
    "query_id qid queryid q_id topic_id topic topic_number question_id questionid query_key search_id sample_id "
    "example_id case_id test_id num number frage_id anfrage_id id_requete id_consulta"
)
QUERY_ID_SURE = listed("query_id qid queryid q_id topic_id question_id questionid query_key")
QUERY_TEXT = listed(
    "query question query_text querytext question_text user_input search_query raw_query user_query prompt input "
    "utterance search_term keywords frage anfrage suchanfrage requete consulta pregunta domanda"
)
DOC_ID = listed(
    "chunk_id chunkid node_id nodeid passage_id psg_id doc_id docid docno doc_no document_id documentid corpus_id "
    "corpusid pid did product_id item_id doc_key document doc chunk_link link url source_id reference_id context_id "
    "dokument_id dokument id_document id_documento documento"
)
GRADE = listed(
    "relevance rel grade final_rating rating relevance_grade relevance_label label judgment judgement gain qrel "
    "relevant is_relevant relevancy relevance_score score relevanz pertinence relevancia rilevanza"
)
SCORE = listed(
    "score similarity sim similarity_score relevance_score rerank_score search_score retrieval_score cosine "
    "cosine_similarity bm25 bm25_score dense_score value punktzahl puntuacion punteggio"
)
DISTANCE = listed("distance dist distances l2 l2_distance cosine_distance euclidean_distance")
RANK = listed("rank position pos place ranking order rang platz posicion posizione doc_position result_position")
TEXT = listed(
    "text content contents document_text doc_text passage_text passage page_content body chunk_text chunk segment "
    "snippet context passage_body description"
)
TITLE = listed("title name heading chunk_heading headline document_title doc_title")
RUN = listed("run run_name run_id system system_name retriever tag runid variant pipeline")
ID = listed("id _id uuid key")
# Where a document without an id comes from.
SOURCE = listed("source file_name filename file_path filepath path file")

RELEVANT = listed(
    "relevant_docs relevant relevant_ids relevant_documents relevant_doc_ids relevant_docids relevant_chunks "
    "relevant_chunk_ids relevant_passages reference_context_ids positive_ids positives positive_docs "
    "positive_passages positive_ctxs positive_doc_ids gold gold_ids gold_docs gold_doc_ids gold_passages "
    "ground_truth_ids ground_truth_docs ground_truth_context_ids expected_ids expected_docs expected_doc_ids "
    "pos positive correct_chunks correct_ids correct_docs correct_doc_ids qrels judgments judgements ratings "
    "relevance_judgments "
    "target_ids labels"
)
# The relevant documents by number: `{"d": 2, "e": 0}` or `[{"doc_id": "d", "relevance": 2}]`.
GRADED = listed(
    "relevance relevances relevance_grades relevance_labels relevance_scores grades grade rel rels graded_relevance "
    "doc_relevance document_relevance relevance_map gains annotations assessments"
)
# Names that say "what is right" of an answer as often as of documents: taken where the values look like ids, and told.
SURELY_RIGHT = listed(
    "expected expected_documents expected_sources expected_results expected_chunks expected_contexts ground_truth "
    "ground_truths ground_truth_documents ground_truth_chunks ground_truth_contexts golden golden_docs golden_ids "
    "golden_contexts gold_contexts correct targets target reference_ids reference_docs reference_documents answer_ids "
    "answer_docs answer_doc_ids evidence_ids supporting_docs supporting_documents"
)
PERHAPS_RIGHT = listed(
    "relevance truth answers answer references reference reference_contexts sources source supporting_facts evidence "
    "contexts citations"
)
RETRIEVED = listed(
    "retrieved retrieved_docs retrieved_ids retrieved_documents retrieved_doc_ids retrieved_docids retrieved_chunks "
    "retrieved_chunk_ids retrieved_passages retrieved_context_ids retrieved_nodes results hits candidates "
    "ranked_list ranking ranked_docs ranked_ids predictions matches source_nodes source_documents nodes documents "
    "docs ctxs contexts top_k topk response passages doc_ids docids output ids result points"
)
# Documents that are told to be not relevant, beside those that are.
NEGATIVE = listed(
    "negatives negative neg negative_ids negative_docs negative_doc_ids negative_passages negative_ctxs hard_negatives "
    "hard_negative_ids hard_negative_ctxs irrelevant irrelevant_ids irrelevant_docs not_relevant not_relevant_docs "
    "non_relevant non_relevant_docs nonrelevant_docs distractors"
)
RUN_OF_RECORD = listed("run run_name run_id runid system system_name retriever retriever_name")
# Of these a cell may hold a list of ids as text, "a|b|c".
RETRIEVED_IDS = listed(
    "retrieved retrieved_docs retrieved_ids retrieved_documents retrieved_doc_ids retrieved_docids retrieved_chunks "
    "retrieved_chunk_ids retrieved_context_ids results hits ranked_list ranking ranked_docs ranked_ids predictions "
    "top_k topk doc_ids docids ids"
)
# The document that a chunk is cut from, beside the chunk's own id; the second list only where nothing else fits.
PARENT = listed(
    "parent_doc_id parent_document_id parent_id parent ref_doc_id ref_doc doc_id docid document_id documentid docno "
    "corpus_id corpusid document doc source_id file_id"
)
PARENT_PERHAPS = listed("file_name filename file_path file path source url link")
CHUNK_ID = listed("chunk_id chunkid chunk_key node_id nodeid passage_id psg_id segment_id split_id child_id")
# Where it is cut from: characters of the document, the end not included.
BEGIN = listed(
    "start start_index start_char start_char_idx start_offset start_pos start_position char_start begin begin_index "
    "begin_offset offset_start span_start start_idx"
)
END = listed(
    "end end_index end_char end_char_idx end_offset end_pos end_position char_end stop end_idx offset_end span_end"
)
# Lists of spans or quotes of documents that answer a query.
EVIDENCE = listed(
    "evidence evidences evidence_spans spans gold_spans answer_spans relevant_spans reference_spans references "
    "reference highlights relevant_highlights excerpts relevant_excerpts quotes citations supporting_evidence "
    "supporting_spans supporting_facts gold_evidence gold_references reference_contexts ground_truth_contexts "
    "gold_contexts ground_truth_excerpts relevant_texts answers"
)
QUOTE = listed("quote content text excerpt passage snippet span highlight evidence reference context")

SCORES = listed("scores retrieved_scores similarities")
DISTANCES = listed("distances")

KNOWN = frozenset(
    QUERY_ID + QUERY_TEXT + DOC_ID + GRADE + SCORE + DISTANCE + RANK + TEXT + TITLE + RELEVANT + RETRIEVED + ID + RUN
)


@lru_cache(maxsize=4096)
def plain(name: str) -> str:
    """One spelling of a name: lower case without accents, words joined by `_`; `_id` and `id` are the same.

    A remark in brackets behind it is no part of it: `Rating (0-3)`, `score [cosine]`. The number of a copy is.
    """
    name = re.sub(r"(?<=\w)\s*[(\[](?!\d+[)\]])[^()\[\]]*[)\]]\s*$", "", name)
    if not name.isascii():
        name = "".join(one for one in unicodedata.normalize("NFKD", name) if not unicodedata.combining(one))
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    return re.sub(r"[^0-9a-z]+", "_", name.lower()).strip("_")


def is_distance(name: str) -> bool:
    """Whether a name says that smaller is better."""
    return plain(name) in DISTANCE + DISTANCES or plain(name).endswith(("_distance", "_dist", "_distances"))


def is_score(name: str) -> bool:
    """Whether a name that is not known as a score ends like one."""
    return plain(name).endswith(("_score", "_similarity", "_sim", "_relevancy")) and not is_distance(name)


def find(names: Iterable[str], words: Collection[str]) -> str | None:
    """The name among `names` that says most about `words` (their order decides), as it was spelled."""
    known: dict[str, str] = {}
    for name in names:
        known.setdefault(plain(name), name)
    return next((known[word] for word in words if word in known), None)


def find_all(names: Iterable[str], words: Collection[str]) -> list[str]:
    """Every name among `names` that is one of `words`, in the order of `words`."""
    known: dict[str, list[str]] = {}
    for name in names:
        known.setdefault(plain(name), []).append(name)
    return [name for word in words for name in known.get(word, ())]
