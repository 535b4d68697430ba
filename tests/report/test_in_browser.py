"""Does the file open from a mail: without a network, with and without scripts, on paper, small and dark?"""

import re
from pathlib import Path

import pytest
from playwright import sync_api

import ragdash
from ragdash.data import samples
from ragdash.report.contents import Contents
from ragdash.report.html import report
from ragdash.report.study import study
from tests.small import dataset, run

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("report")]
WAIT = 60_000


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample's report on disk."""
    found = ragdash.read_dataset(*(samples.FOLDER / name for name in samples.DATASET))
    scores = ragdash.evaluate(found, list(samples.runs()), "nDCG@10")
    path = tmp_path_factory.mktemp("mail") / "report.html"
    path.write_text(report(study(scores), Contents(queries=("q59",))), encoding="utf-8")
    return path


class Tab:
    """A page without a network that remembers whatever went wrong."""

    def __init__(self, browser: sync_api.Browser, path: Path, **options: object) -> None:
        self.context = browser.new_context(offline=True, **options)
        self.context.set_default_timeout(WAIT)
        self.page = self.context.new_page()
        self.wrong: list[str] = []
        self.page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", lambda asked: None if asked.url.startswith("file:") else self.wrong.append(asked.url))
        self.page.goto(path.as_uri())

    def __enter__(self) -> "Tab":
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_charts_become_live_offline_and_nothing_is_cut_off(
    browser: sync_api.Browser, file: Path, width: int, scheme: str
) -> None:
    with Tab(browser, file, viewport={"width": width, "height": 900}, color_scheme=scheme) as tab:
        figures = tab.page.locator("figure")
        sync_api.expect(tab.page.locator("figure .main-svg").first).to_be_visible()
        sync_api.expect(tab.page.locator("figure .drawn, figure.drawn")).to_have_count(figures.count())
        assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert tab.wrong == []


def test_without_scripts_the_pictures_are_there(browser: sync_api.Browser, file: Path) -> None:
    with Tab(browser, file, java_script_enabled=False) as tab:
        for still in tab.page.locator("figure .still").all():
            sync_api.expect(still).to_be_visible()


def test_on_paper_the_pictures_and_the_texts_are_printed(browser: sync_api.Browser, file: Path) -> None:
    with Tab(browser, file) as tab:
        sync_api.expect(tab.page.locator("figure .main-svg").first).to_be_visible()
        tab.page.emulate_media(media="print")
        sync_api.expect(tab.page.locator(".still").first).to_be_visible()
        sync_api.expect(tab.page.locator(".live").first).to_be_hidden()
        pdf = tab.page.pdf(format="A4", print_background=True)
        assert 5 <= len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 30
        assert tab.wrong == []


def test_a_script_from_the_data_does_not_run(browser: sync_api.Browser, tmp_path: Path) -> None:
    evil = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"
    ids = [f"{evil}{i}" for i in range(12)]
    data = dataset({one: {evil: 1} for one in ids}, dict.fromkeys(ids, evil))
    runs = [run(f"a{evil}", {one: ["x", evil] for one in ids}), run(f"b{evil}", {one: [evil] for one in ids})]
    path = tmp_path / "report.html"
    path.write_text(report(study(ragdash.evaluate(data, runs, "RR")), Contents(title="quiet", remarks=evil)))
    with Tab(browser, path) as tab:
        sync_api.expect(tab.page.locator("figure .main-svg").first).to_be_visible()
        assert tab.page.title() == "quiet"
        assert tab.wrong == []
