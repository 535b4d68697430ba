"""What does one line of a TREC file say? Its fields, and whether they look like a run or like judgments."""

from __future__ import annotations

import re
from collections.abc import Sequence

RUN_FIELDS = "query Q0 doc rank score tag"
QRELS_FIELDS = "query 0 doc grade"
RUN_COLUMNS = ("query", "q0", "doc", "rank", "score", "tag")
QRELS_COLUMNS = ("query", "iteration", "doc", "grade")


_BLANK = " \t\r\n\f\v"
_BLANKS = re.compile(f"[{_BLANK}]+")
_OTHER_BLANK = re.compile("[\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")  # part of an id


def split(line: str, n_fields: int) -> list[str]:
    """The fields of a line: between tabs where there are as many as there should be, else between any blanks."""
    if line.count("\t") == n_fields - 1:
        return [field.strip() for field in line.split("\t")]
    return _BLANKS.split(line.strip(_BLANK)) if _OTHER_BLANK.search(line) else line.split()


def number_in(text: str) -> float | None:
    """The number that `text` is, NaN and infinity included; None where it is none."""
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


_MEASURE = re.compile(
    r"(runid|relstring(_\d+)?|num_(q|ret|rel|rel_ret|nonrel_judged_ret)|(gm_)?(map|bpref)(_cut_\d+)?|recip_rank|Rprec(_mult.*)?"
    r"|iprec_at_recall_.*|(set_)?(P|recall|F|map|relative_P)(_\d+(\.\d+)?)?|(R?ndcg|ndcg)(_cut_\d+|_rel)?|success_\d+"
    r"|infAP|utility|G|binG|11pt_avg|[A-Za-z]+@\d+)$"
)


def is_measure(fields: Sequence[str]) -> bool:
    """A line of trec_eval's output: `ndcg_cut_10 301 0.41`."""
    return len(fields) == 3 and bool(_MEASURE.match(fields[0]))


def _is_whole(text: str) -> bool:
    number = number_in(text)
    return number is not None and number.is_integer()


def is_run_row(fields: Sequence[str]) -> bool:
    if len(fields) < 6 or not _is_whole(fields[3]):
        return False
    return number_in(fields[4]) is not None or fields[1].upper() == "Q0"


def is_row_without_q0(fields: Sequence[str]) -> bool:
    return len(fields) == 5 and _is_whole(fields[2]) and number_in(fields[3]) is not None


def is_row_without_tag(fields: Sequence[str]) -> bool:
    return len(fields) == 5 and fields[1].upper() in ("Q0", "0") and number_in(fields[4]) is not None


def is_qrels_row(fields: Sequence[str]) -> bool:
    return len(fields) == 4 and number_in(fields[3]) is not None and (fields[1].upper() == "Q0" or _is_whole(fields[1]))


def is_row(fields: Sequence[str], n_fields: int) -> bool:
    """Whether a line is a row of a run (of six fields, or five) or of judgments (of four, or three)."""
    if n_fields == 6:
        return is_run_row(fields) or is_row_of_five(fields)
    return is_qrels_row(fields) if n_fields == 4 else len(fields) == 3 and number_in(fields[2]) is not None


def is_row_of_five(fields: Sequence[str]) -> bool:
    return is_row_without_q0(fields) or is_row_without_tag(fields)


def begins_like_a_run(fields: Sequence[str]) -> bool:
    """`query Q0 ...`, whatever follows: a line of a run that may be broken."""
    return len(fields) > 3 and fields[1].upper() == "Q0" and any(number_in(one) is not None for one in fields[3:])


def is_exchanged(fields: Sequence[str]) -> bool:
    """Whether the score stands where the rank belongs, and the other way round."""
    return len(fields) == 6 and number_in(fields[3]) is not None and not _is_whole(fields[3]) and _is_whole(fields[4])
