import pytest

from ragdash.errors import MalformedError, WrongRoleError
from tests.data.formats.reading import judged, read

TOPICS = (
    "<top>\n<num> Number: 303 \n<title> Hubble Telescope\n\n<desc> Description:\nIdentify\n</top>\n\n"
    "<top>\n<num> Number: 304\n<desc> Description:\nonly this\n</top>\n"
)


def test_trec_topics():
    queries = read(TOPICS, "dataset").queries
    assert queries.ids.to_pylist() == ["303", "304"]
    assert queries.texts.to_pylist() == ["Hubble Telescope", "only this"]
    with pytest.raises(WrongRoleError, match="Load this file with the dataset"):
        read(TOPICS)
    with pytest.raises(MalformedError, match="no entry that is closed"):
        read(TOPICS[:60], "dataset")


def test_documents_in_mark_up():
    queries = read("<DOC>\n<DOCNO> 1 </DOCNO>\n\n What <b>exists</b>\n\n</DOC>\n", "dataset").queries
    assert (queries.ids.to_pylist(), queries.texts.to_pylist()) == (["1"], ["What exists"])


def test_id_colon_text():
    queries = read("8091:michigan v. rick sitz\n8092:a: b c\n", "dataset").queries
    assert queries.texts.to_pylist() == ["michigan v. rick sitz", "a: b c"]


def test_learning_to_rank_judgments():
    text = "# qid:1: rambo*1\n# qid:2: rocky iv*1\n4\tqid:1\t # 7555\trambo\n0 qid:2 1:0.5 # 12 x\n"
    reading = read(text, "dataset")
    assert judged(reading.qrels) == {"1": {"7555": 4}, "2": {"12": 0}}
    assert reading.queries.texts.to_pylist() == ["rambo", "rocky iv"]
    with pytest.raises(MalformedError, match="line 2: no document id after #"):
        read("4 qid:1 # 7555\n3 qid:1 1:0.5\n2 qid:1 # 3\n", "dataset")
