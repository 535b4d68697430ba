"""Write the README's tables from the lists they come from: `python tests/readme.py`. A test holds the README to it."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from ragdash.data.findings import CODES  # noqa: E402
from ragdash.data.formats import FORMATS  # noqa: E402
from ragdash.data.remedies import REMEDIES  # noqa: E402
from ragdash.metrics import CATALOGUE  # noqa: E402

README = ROOT / "README.md"


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell(one) for one in line) + " |" for line in lines)


def metrics() -> str:
    rows = [
        [
            f"`{block.name}`" + (f" (shown as {block.label})" if block.label != block.name else ""),
            "`@K` needed" if block.needs_cutoff else "`@K` or none" if block.takes_cutoff else "none",
            ", ".join(f"`{alias}`" for alias in block.aliases) or "–",
            block.sentence,
            f"${block.formula}$",
        ]
        for block in CATALOGUE.values()
    ]
    return table(["name", "cutoff", "also read as", "what it says", "definition"], rows)


def formats() -> str:
    parts = []
    for one in FORMATS:
        roles = " and ".join({"dataset": "evaluation dataset", "run": "run"}[role] for role in one.roles)
        parts.append(f"**{one.title}** ({roles})\n\n```\n{one.sample.rstrip()}\n```")
    return "\n\n".join(parts)


def findings() -> str:
    return table(["code", "what it says"], [[f"`{code}`", sentence] for code, sentence in CODES.items()])


def remedies() -> str:
    rows = [[f"`{key}`", remedy.sentence] for key, remedy in REMEDIES.items()]
    return table(["remedy", "what it does"], rows)


BLOCKS = {"metrics": metrics, "formats": formats, "findings": findings, "remedies": remedies}


def written(text: str) -> str:
    """The README with each marked block made anew."""
    for name, make in BLOCKS.items():
        opening = f"<!-- {name}: made by tests/readme.py -->\n"
        assert text.count(opening) == 1, f"README has no block for {name}"
        before, rest = text.split(opening)
        _, closing, after = rest.partition("\n<!-- end -->")
        text = f"{before}{opening}{make()}{closing}{after}"
    return text


if __name__ == "__main__":
    README.write_text(written(README.read_text(encoding="utf-8")), encoding="utf-8")
