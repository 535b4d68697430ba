"""Chunks to documents by a file that says which."""

import json

import pyarrow as pa
import pytest

from ragdash.data.assembly import Part, assemble
from ragdash.data.chunkmap import MAPPING as MAPPED
from ragdash.data.chunkmap import mapping_part, mapping_remedy, open_remedy, opened, read_mapping
from ragdash.data.experiment import build
from ragdash.data.formats.base import Blob, Reading
from ragdash.data.mending import apply_remedies
from ragdash.data.nouns import Dataset, Qrels, Run, Source
from ragdash.data.remedies import parse_remedy
from ragdash.errors import FileError, MalformedError, OptionError, UnknownFormatError
from tests.data.formats.reading import judged, ranking

MAPPING = {"s1": "guide", "s2": "guide", "s3": "faq", "s4": "faq"}
ROWS = list(MAPPING.items())
SHAPES = {
    "map.csv": "chunk_id,doc_id\n" + "\n".join(",".join(row) for row in ROWS),
    "turned.csv": "doc_id,chunk_id\n" + "\n".join(f"{doc},{chunk}" for chunk, doc in ROWS),
    "bare.tsv": "\n".join("\t".join(row) for row in ROWS),
    "bare_turned.tsv": "\n".join(f"{doc}\t{chunk}" for chunk, doc in ROWS),
    "map.json": json.dumps(MAPPING),
    "by_document.json": json.dumps({"guide": ["s1", "s2"], "faq": ["s3", "s4"]}),
    "list.json": json.dumps([{"chunk": chunk, "document": doc, "tokens": 7} for chunk, doc in ROWS]),
    "lines.jsonl": "\n".join(json.dumps({"id": chunk, "text": "a b", "parent_id": doc}) for chunk, doc in ROWS),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_mapping_in_every_shape(name):
    chunks, documents = read_mapping(Blob(name, SHAPES[name].encode()))
    assert dict(zip(chunks.to_pylist(), documents.to_pylist())) == MAPPING


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("chunk_id,doc_id\ns1,guide\ns1,faq\n", MalformedError, "line 3: chunk 's1' belongs to 'guide' and to 'faq'"),
        ("chunk_id,doc_id\ns1,\n", MalformedError, "line 2: the document of chunk 's1' is missing"),
        ("a,b,c\nx,y,z\nx,y,w\n", UnknownFormatError, "none of which is a chunk and a document"),
        ('{"s1": {"x": [1]}}', MalformedError, "'s1' has neither a document nor a list of chunks"),
        ("", FileError, "empty"),
    ],
)
def test_what_is_no_mapping(text, error, said):
    with pytest.raises(error, match=said):
        read_mapping(Blob("map", text.encode()))


def test_the_first_chunk_of_a_document_is_kept_and_unmapped_ids_are_counted():
    dataset = Dataset("d", Qrels.of(["q", "q"], ["guide", "faq"], [1, 2]))
    run = Run.of("r", ["q"] * 4, ["s2", "s1", "s9", "s3"], [4, 3, 2, 1])
    remedy = mapping_remedy(Blob("map.json", SHAPES["map.json"].encode()))
    _, (out,), said = apply_remedies(dataset, [run], [remedy])
    assert ranking(out) == {"q": ["guide", "s9", "faq"]}
    assert [(f.code, f.count, f.examples) for f in said if f.code == "unmapped-chunk"] == [
        ("unmapped-chunk", 1, ("s9",))
    ]
    assert "1 of 4 document ids of r are not in map.json (such as s9)" in said[0].message


def test_judgments_of_chunks_roll_up_to_the_highest_grade():
    dataset = Dataset("d", Qrels.of(["q"] * 4, ["s1", "s2", "s3", "s4"], [1, 3, 0, 0]))
    run = Run.of("r", ["q"], ["s1"], [1.0])
    rolled, _, said = apply_remedies(dataset, [run], [mapping_remedy(Blob("m.csv", SHAPES["map.csv"].encode()))])
    assert judged(rolled.qrels) == {"q": {"guide": 3, "faq": 0}}
    assert [f.message for f in said][-1].startswith("4 judgments of chunks became 2 of documents")


def test_a_pattern_rolls_judgments_up_only_where_more_of_them_are_met():
    run = Run.of("r", ["q", "q"], ["guide-04_chunk_2", "guide-04_chunk_3"], [2, 1])
    by_document = Dataset("d", Qrels.of(["q"], ["guide-04"], [1]))  # the pattern would cut -04 as well
    assert judged(apply_remedies(by_document, [run], [parse_remedy("chunk-to-document")])[0].qrels) == {
        "q": {"guide-04": 1}
    }
    by_chunk = Dataset("d", Qrels.of(["q", "q"], ["guide-04_chunk_7", "guide-04_chunk_8"], [1, 2]))
    assert judged(apply_remedies(by_chunk, [run], [parse_remedy("chunk-to-document")])[0].qrels) == {
        "q": {"guide-04": 2}
    }


def test_a_file_is_opened_on_request_only_and_never_for_a_link(tmp_path):
    path = tmp_path / "map.csv"
    path.write_text(SHAPES["map.csv"])
    experiment = build(
        Dataset("d", Qrels.of(["q"], ["faq"], [1])),
        [Run.of("r", ["q"], ["s4"], [1.0])],
        [f"chunk-to-document:@{path}"],
    )
    assert ranking(experiment.runs[0]) == {"q": ["faq"]}
    assert experiment.remedies == (f"chunk-to-document:@{path}",)
    with pytest.raises(OptionError, match="not loaded"):
        parse_remedy(f"chunk-to-document:@{path}")
    with pytest.raises(FileError, match="no such mapping file"):
        open_remedy("chunk-to-document:@nowhere.csv")
    assert open_remedy("chunk-to-document:@.*$").chunks is None


def test_a_mapping_file_is_kept_among_the_files_of_a_dataset():
    part = mapping_part(Blob("map.json", json.dumps(MAPPING).encode()))
    assert part.source.format == MAPPED and part.reading.documents.parents.to_pylist() == list(MAPPING.values())
    remedy = opened([part], "chunk-to-document:@map.json")
    assert remedy.change(pa.array(["s1", "s9"])).to_pylist() == ["guide", "s9"]
    assert opened([part], "flip-scores").key == "flip-scores"
    with pytest.raises(OptionError, match="is not loaded"):
        opened([part], "chunk-to-document:@other.json")


def test_a_kept_mapping_serves_the_remedy_without_an_argument():
    part = mapping_part(Blob("map.csv", SHAPES["map.csv"].encode()))
    judged = Part(Source("qrels.csv"), Reading("CSV", Qrels.of(["q", "q"], ["s1", "s3"], [1, 2])))
    run = Run.of("r", ["q", "q", "q"], ["s2", "s1", "s4"])
    experiment = build(assemble([judged, part]), [run], ["chunk-to-document"])
    assert ranking(experiment.runs[0]) == {"q": ["guide", "faq"]}
