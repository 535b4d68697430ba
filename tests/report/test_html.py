"""Is the report one safe file that says what the pages say, the same whoever makes it?"""

import base64
import hashlib
import html as entities
import re
import shlex
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import ragdash
from ragdash.__main__ import main
from ragdash.analysis.evaluate import metric_of, score_rankings
from ragdash.data import samples
from ragdash.data.nouns import Source
from ragdash.errors import OptionError
from ragdash.report.blocks import BLOCKS
from ragdash.report.command import command
from ragdash.report.contents import Contents, Remark, notes_json
from ragdash.report.html import report
from ragdash.report.study import Study, study
from tests.small import dataset, run

HOSTILE = '<script>alert("x")</script> $x$ \u202eevil \x00 \'"><img src=x onerror=alert(1)>'
FILES = [str(samples.FOLDER / name) for name in (*samples.DATASET, *samples.RUNS)]
SAMPLE = Contents(
    title="Should the help centre switch?",
    remarks="First.\n\nSecond.",
    queries=("q59",),
    notes=(Remark("q59", "Codes are looked up literally.", ("errors",), "Ana"),),
    date="1 May",
)


@pytest.fixture(scope="module")
def sample() -> Study:
    found = ragdash.read_dataset(*FILES[:2])
    return study(ragdash.evaluate(found, [ragdash.read_run(path) for path in FILES[2:]], "nDCG@10"))


@pytest.fixture(scope="module")
def page(sample: Study) -> str:
    return report(sample, SAMPLE)


@pytest.fixture(scope="module")
def hostile() -> Study:
    """Text from outside in every place: ids, texts, metadata, names."""
    ids = [f"{HOSTILE}{i}" for i in range(12)]
    data = dataset({one: {HOSTILE: 1} for one in ids}, dict.fromkeys(ids, HOSTILE))
    old, new = (
        run(f"a{HOSTILE}", {one: ["x", HOSTILE] for one in ids}),
        run(f"b{HOSTILE}", {one: [HOSTILE] for one in ids}),
    )
    return study(ragdash.evaluate(data, [old, new], "nDCG@10"))


class Elements(HTMLParser):
    """The tags of a page with their attributes, and the text of each script."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[str, str]] = []
        self.inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, dict(attrs)))
        self.inside = tag == "script"

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.scripts.append((self.tags[-1][1].get("type") or "", data))


def text_of(page: str) -> str:
    body = re.sub(r"<(script|style).*?</\1>", "", page, flags=re.S)
    return entities.unescape(" ".join(re.sub(r"<[^>]+>", " ", body).split()))


def test_it_says_what_the_pages_say(sample: Study, page: str) -> None:
    text = text_of(page)
    assert "Switch to rrf: it answers better than bm25, and that is no accident." in text
    assert "Of 72 questions, rrf helped 35, hurt 9 and left 28 as they were." in text
    assert f"nDCG@10 0.669 0.758 {chr(9650)} +0.089 better 35 / 28 / 9" in text
    assert all(check.text in text for check in sample.checks)
    assert all(finding.message in text for finding in sample.findings)


def test_title_remarks_date_notes_and_chosen_questions(page: str) -> None:
    text = text_of(page)
    for said in ("Should the help centre switch?", "First.", "Second.", "1 May", "Codes are looked up literally."):
        assert said in text
    assert "error HL-3008 on my domain" in text
    assert "What the relevant documents say" in text


def test_digests_versions_and_settings_are_in_the_appendix(sample: Study, page: str) -> None:
    experiment = sample.scores.experiment
    for source in (*experiment.dataset.sources, *(one.source for one in experiment.runs)):
        assert source.sha256 in page
    assert experiment.dataset.sha256 in page
    assert f"ragdash {ragdash.__version__}" in page and "scipy" in page


def test_the_command_names_each_of_two_files_of_one_name_and_an_archive_once() -> None:
    grades = {f"q{i}": {"d": 1.0} for i in range(3)}
    lists = {query: ["d"] for query in grades}
    named = [
        ("one", "run.json", "1"),
        ("two", "run.json", "2"),
        ("three", "all.zip", "3"),
        ("four", "all.zip", "3"),
    ]
    runs = [replace(run(name, lists), source=Source(file, sha256=digest)) for name, file, digest in named]
    found = study(ragdash.evaluate(dataset(grades), runs, "nDCG@10"), baseline="one", contender="two")
    words = shlex.split(command(found, Contents()))
    given = [words[i + 1] for i, word in enumerate(words) if word == "--run"]
    assert given == ["one=run.json", "two=run.json", "all.zip"]


def test_the_command_of_the_appendix_makes_the_same_bytes(page: str, tmp_path: Path, monkeypatch: Any) -> None:
    for path in FILES:
        (tmp_path / Path(path).name).symlink_to(path)
    (tmp_path / "notes.json").write_text(notes_json(SAMPLE.notes))
    monkeypatch.chdir(tmp_path)
    (told,) = re.findall(r"<pre><code>(.*?)</code>", page, re.S)
    words = shlex.split(entities.unescape(told))
    assert words[:4] == ["python", "-m", "ragdash", "report"]
    assert main(words[3:]) == 0
    assert (tmp_path / "report.html").read_text() == page


def test_the_same_study_gives_the_same_bytes(sample: Study, page: str) -> None:
    again = study(sample.scores, baseline="bm25", contender="rrf", metric="ndcg_cut_10")
    assert report(again, SAMPLE) == page


def test_what_else_was_evaluated_does_not_matter(sample: Study) -> None:
    one = sample.scores
    more = score_rankings(one.experiment, one.rankings, [metric_of("RR"), metric_of("nDCG@10")], one.options)
    small = Contents(interactive=False)
    assert report(study(more, metric="nDCG@10"), small) == report(sample, small)


def test_it_is_small(sample: Study, page: str) -> None:
    assert len(page.encode()) < 2_500_000
    assert len(report(sample, Contents(interactive=False)).encode()) < 200_000


def test_two_scripts_run_and_the_policy_names_them(page: str) -> None:
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    policy = entities.unescape(policy)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe-eval" not in policy and "http" not in policy
    allowed = re.findall(r"'sha256-([^']+)'", policy)
    (loader,) = [text for kind, text in Elements(page).scripts if kind == ""]
    assert base64.b64encode(hashlib.sha256(loader.encode()).digest()).decode() == allowed[0]
    assert len(allowed) == 2


def test_nothing_is_fetched(page: str) -> None:
    for tag, attributes in Elements(page).tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form", "a")
        assert not {"src", "href", "srcset", "action"} & set(attributes)


def test_text_from_the_data_stays_text(hostile: Study) -> None:
    contents = Contents(
        HOSTILE, HOSTILE, None, tuple(hostile.focus.query_ids[:2]), (Remark("", HOSTILE, (HOSTILE,), HOSTILE),), HOSTILE
    )
    page = report(hostile, contents)
    elements = Elements(page)
    assert [kind for kind, _ in elements.scripts if kind == ""] == [""]
    assert not any(name.startswith("on") for _, attributes in elements.tags for name in attributes)
    assert "img" not in {tag for tag, _ in elements.tags}
    assert "\u202e" not in page and "\x00" not in page
    assert '<script>alert("x")</script>' in text_of(page)


def test_without_scripts_nothing_may_run(sample: Study) -> None:
    page = report(sample, Contents(interactive=False))
    assert "script-src 'none'" in entities.unescape(page)
    assert "<script" not in page
    assert page.count("<svg") == page.count("<figure>") > 5


@pytest.mark.parametrize("block", [block.key for block in BLOCKS])
def test_every_block_stands_alone(sample: Study, block: str) -> None:
    page = report(sample, Contents(blocks=(block,), queries=("q01",), notes=SAMPLE.notes, interactive=False))
    assert re.findall(r'<section id="(\w+)">', page) == [block]
    assert len(text_of(page)) > 200


def test_blocks_keep_their_order(sample: Study) -> None:
    page = report(sample, Contents(blocks=("trust", "verdict"), interactive=False))
    assert re.findall(r'<section id="(\w+)">', page) == ["verdict", "trust"]


def test_a_block_or_a_question_that_does_not_exist(sample: Study) -> None:
    with pytest.raises(OptionError, match="no block 'charts'"):
        report(sample, Contents(blocks=("charts",)))
    with pytest.raises(OptionError, match="q999"):
        report(sample, Contents(queries=("q999",)))


def test_two_runs_that_never_differ() -> None:
    data = dataset({f"q{i}": {"d": 1} for i in range(12)})
    runs = [run(name, {f"q{i}": ["d"] for i in range(12)}) for name in ("one", "two")]
    found = study(ragdash.evaluate(data, runs, "RR"))
    assert found.row.verdict == "equivalent"
    assert "two helped 0, hurt 0 and left 12 as they were." in text_of(report(found, Contents(interactive=False)))


def test_one_question_is_no_test() -> None:
    data = dataset({"q": {"d": 1}})
    runs = [run("one", {"q": ["x", "d"]}), run("two", {"q": ["d"]})]
    found = study(ragdash.evaluate(data, runs, "RR"))
    assert found.row.verdict == "untestable"
    assert "There is one question; two helped it." in text_of(report(found, Contents(interactive=False)))
