"""Recall over characters read, drawn."""

from ragdash.analysis.over_read import AtRead
from ragdash.charts import theme
from ragdash.charts.reading import over_read, title


def curve(*means: float) -> tuple[AtRead, ...]:
    return tuple(AtRead(chars, mean, mean - 0.1, mean + 0.1) for chars, mean in zip((250, 500, 1000), means))


def test_the_title_is_the_finding() -> None:
    assert title({"a": curve(0.1, 0.2, 0.3), "b": curve(0.0, 0.1, 0.2)}) == (
        "a has read the most evidence, however much is read"
    )
    assert title({"a": curve(0.1, 0.2, 0.3), "b": curve(0.0, 0.3, 0.4)}) == (
        "Most evidence at equal reading: a up to 250 characters, b from 500 characters on"
    )
    turns = {"a": curve(0.1, 0.2, 0.5), "b": curve(0.0, 0.3, 0.4)}
    assert title(turns) == (
        "Most evidence at equal reading: a up to 250 characters, b at 500, a from 1,000 characters on"
    )


def test_a_line_a_run_bands_for_the_two_compared_and_a_table_twin() -> None:
    curves = {"<b>a": curve(0.1, 0.2, 0.3), "b": curve(0.0, 0.3, 1.0), "c": curve(0.2, 0.2, 0.2)}
    chart = over_read(curves, theme.inks(list(curves), "<b>a", "b"), 500)
    bands = [trace for trace in chart.figure.data if trace.fill == "toself"]
    lines = [trace for trace in chart.figure.data if trace.fill is None]
    assert len(bands) == 2
    assert [trace.name for trace in lines] == ["c", "&lt;b&gt;a", "b"]
    assert list(lines[2].marker.size) == [7, 12, 7]
    assert max(y for trace in bands for y in trace.y) == 1.0
    assert min(y for trace in bands for y in trace.y) == 0.0
    assert chart.table.columns.tolist() == ["run", "characters read", "recall", "low", "high"]
    assert len(chart.table) == 9
