"""Does a chart leave the page as a picture, drawn by the server as SVG and made into pixels by the browser?"""

from __future__ import annotations

import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright import sync_api

from tests.browser.steps import expect, settle

pytestmark = pytest.mark.browser

CHARTS = {
    "verdict": ("differences",),
    "distributions": ("sorted", "scatter", "means_over_k"),
    "significance": ("chance", "over_k", "power"),
    "runs": ("squares", "alike"),
}


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_is_to_be_had_as_svg_and_png(server, page: sync_api.Page, name: str, tmp_path: Path) -> None:
    page.goto(f"{server.url}/{name}?source=sample")
    for key in CHARTS[name]:
        settle(page)
        page.locator(f".st-key-{key}_data summary").first.click()
        svg = page.locator(f".st-key-download_{key}_svg button")
        expect(svg).to_be_visible()
        with page.expect_download() as drawn:
            svg.click()
        drawn.value.save_as(tmp_path / f"{key}.svg")
        root = ElementTree.parse(tmp_path / f"{key}.svg").getroot()
        settle(page)
        with page.expect_download() as pixels:
            page.get_by_role("button", name="Download PNG").last.click()
        assert pixels.value.suggested_filename == f"ragdash-{key}.png"
        pixels.value.save_as(tmp_path / f"{key}.png")
        data = (tmp_path / f"{key}.png").read_bytes()
        assert data.startswith(b"\x89PNG")
        assert struct.unpack(">II", data[16:24]) == (2 * int(root.get("width", "0")), 2 * int(root.get("height", "0")))
        page.locator(f".st-key-{key}_data summary").first.click()
