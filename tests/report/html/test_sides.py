import pytest

from kubectl_applylint.core.outcome import Change, Provenance, Why
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json, Missing
from kubectl_applylint.report.html.sides import cut, readable, side_by_side, side_rows
from kubectl_applylint.report.html.values import CellLine, SideRow

PATH = fields("spec", "x")


def rows(before: Json | Missing, after: Json | Missing, why: Why = Why.SET) -> tuple[SideRow, ...]:
    return side_rows(Change(PATH, before, after, Provenance(why)), whole=False)[0]


def texts(lines: tuple[CellLine, ...]) -> list[str]:
    return [line.text for line in lines]


@pytest.mark.parametrize(
    ("before", "after", "sign", "left", "right"),
    [
        (1, 2, "~", ["1"], ["2"]),
        ("1", MISSING, "-", ['"1"'], []),
        (MISSING, {"a": [1]}, "+", [], ["a:", "- 1"]),
        (None, Unknown("given by the server"), "~", ["null"], ["(unknown: given by the server)"]),
        (MISSING, "a\nb", "+", [], ["a", "b"]),
    ],
    ids=["number", "gone", "map", "unknown", "text"],
)
def test_each_side_is_shown(before: Json, after: Json, sign: str, left: list[str], right: list[str]) -> None:
    (row,) = rows(before, after)

    assert (row.path, row.sign, texts(row.before), texts(row.after)) == ("", sign, left, right)


def test_a_value_that_falls_to_its_default_has_its_own_sign() -> None:
    assert [row.sign for row in rows(3, 1, Why.DEFAULTED)] == ["!"]


def test_the_parts_of_a_value_are_rows() -> None:
    before, after = ([{"name": name, "v": number} for name in "ab"] for number in (1, 2))

    assert [row.path for row in rows(before, after)] == ["[name=a].v", "[name=b].v"]


def test_a_moved_element_has_both_positions() -> None:
    (row,) = rows(["a", "b", "c"], ["c", "a", "b"])

    assert (texts(row.before), texts(row.after)) == (["at [2]"], ["at [0]"])


def test_a_kept_value_is_equal_on_both_sides() -> None:
    assert rows(3, 3, Why.KEPT) == (SideRow("", "=", (CellLine("3"),), (CellLine("3"),)),)


def test_lines_of_texts_are_level() -> None:
    before, after = side_by_side(["  a", "- b", "+ c", "+ d", "@@ 3 equal lines @@", "  e"])

    assert before == [
        CellLine("a"),
        CellLine("b", "gone"),
        CellLine(""),
        CellLine(" 3 equal lines @@", "gap"),
        CellLine("e"),
    ]
    assert [line.text for line in after] == ["a", "c", "d", " 3 equal lines @@", "e"]


def test_texts_differ_by_line() -> None:
    (row,) = rows("a\nb\n", "a\nc\n")

    assert row.before == (CellLine("a"), CellLine("b", "gone"))
    assert row.after == (CellLine("a"), CellLine("c", "come"))


def test_too_much_is_counted() -> None:
    (row,) = rows(MISSING, "x\n" * 300)
    _, more = side_rows(
        Change(PATH, {str(n): 1 for n in range(101)}, dict.fromkeys(map(str, range(101)), 2), Provenance(Why.SET)),
        whole=False,
    )

    assert row.after[-1] == CellLine("100 more lines", "gap")
    assert more == "1 more change"


def test_descriptions_of_schemas_are_counted_unless_all_is_wanted() -> None:
    before, after = ({"openAPIV3Schema": {"description": text}} for text in ("old", "new"))
    change = Change(fields("spec"), before, after, Provenance(Why.SET))

    assert side_rows(change, whole=False) == ((), "1 description")
    assert len(side_rows(change, whole=True)[0]) == 1


def test_a_long_line_is_cut() -> None:
    assert cut("abcd", 3) == "ab…"
    assert cut("abc", 3) == "abc"


def test_an_unknown_value_is_shown_with_its_reason() -> None:
    assert readable({"a": [Unknown("why")], "b": 1}) == {"a": ["(unknown: why)"], "b": 1}
