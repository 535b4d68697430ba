"""What does a cell of an .xlsx file show, where that is more than its number? 7 in the format `0000` is 0007."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from posixpath import join, normpath
from xml.etree import ElementTree

Show = Callable[[float], str]
_PADDED = re.compile(r'^(?:"([^"]*)")?(0+)(?:"([^"]*)")?(?:;.*)?$')
_CELL = re.compile(rb"<(?:\w+:)?c\b([^>]*?)/?>")
_ATTRIBUTE = re.compile(rb'\b(r|s)="([^"]*)"')
_PLACE = re.compile(rb"([A-Z]{1,3})(\d+)$")


def shown_cells(data: bytes) -> dict[str, dict[tuple[int, int], Show]]:
    """By sheet and place (row, column, both from 0) how a number is shown, for cells with a format such as `0000`.

    Empty for anything that is no .xlsx file, or has no such format.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as book:
            names = set(book.namelist())
            if not {"xl/styles.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"} <= names:
                return {}
            styles = _styles(book.read("xl/styles.xml"))
            if not styles:
                return {}
            files = _files(book.read("xl/workbook.xml"), book.read("xl/_rels/workbook.xml.rels"))
            return {sheet: _places(book.read(file), styles) for sheet, file in files.items() if file in names}
    except (zipfile.BadZipFile, ElementTree.ParseError, KeyError, OSError, ValueError):
        return {}


def _styles(xml: bytes) -> dict[int, Show]:
    """The styles of cells whose number format fills up with zeros or puts a word before the number."""
    root = ElementTree.fromstring(xml)
    formats: dict[str, Show] = {}
    for one in root.iter():
        if one.tag.endswith("}numFmt") and (fits := _PADDED.match(one.get("formatCode", ""))):
            before, zeros, after = fits[1] or "", fits[2], fits[3] or ""
            if len(zeros) > 1 or before or after:
                formats[one.get("numFmtId", "")] = _padded(before, len(zeros), after)
    cells = next((one for one in root.iter() if one.tag.endswith("}cellXfs")), None)
    found = {} if cells is None else {place: formats.get(one.get("numFmtId", "")) for place, one in enumerate(cells)}
    return {place: show for place, show in found.items() if show is not None}


def _padded(before: str, width: int, after: str) -> Show:
    def show(value: float) -> str:
        return f"{before}{value:0{width}.0f}{after}"

    return show


def _files(workbook: bytes, relations: bytes) -> dict[str, str]:
    """The file in the archive of each sheet."""
    targets = {one.get("Id"): one.get("Target", "") for one in ElementTree.fromstring(relations)}
    out: dict[str, str] = {}
    for one in ElementTree.fromstring(workbook).iter():
        if one.tag.endswith("}sheet"):
            key = next((value for name, value in one.attrib.items() if name.endswith("}id")), "")
            target = targets.get(key, "")
            out[one.get("name", "")] = target[1:] if target.startswith("/") else normpath(join("xl", target))
    return out


def _places(xml: bytes, styles: dict[int, Show]) -> dict[tuple[int, int], Show]:
    out: dict[tuple[int, int], Show] = {}
    for cell in _CELL.finditer(xml):
        attributes = dict(_ATTRIBUTE.findall(cell[1]))
        show = styles.get(int(attributes.get(b"s", b"0")))
        place = _PLACE.match(attributes.get(b"r", b""))
        if show is None or place is None:
            continue
        column = 0
        for letter in place[1]:
            column = column * 26 + letter - 64
        out[int(place[2]) - 1, column - 1] = show
    return out
