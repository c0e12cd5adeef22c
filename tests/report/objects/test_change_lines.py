from dataclasses import replace

import pytest

from kubectl_applylint.core.outcome import Change, Why
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.objects.change_lines import change_lines, diff_lines, parts_for
from tests.report.samples import CONFIGURED, DOCUMENT, change

PLAIN = Context(command="plan")


def lines(*changes: Change, context: Context = PLAIN, most: int = 11) -> list[str]:
    return list(change_lines(DOCUMENT, replace(CONFIGURED, changes=changes), context, most))


def lines_of(before: Json, after: Json, why: Why = Why.REPLACED, most: int = 11) -> list[str]:
    return lines(change(fields("spec", "x"), before, after, why), most=most)


LONG = "x" * 60


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        pytest.param(1, 2, ["    ~ spec.x: 1 → 2 (list replaced)"], id="scalar"),
        pytest.param(MISSING, 2, ["    + spec.x: 2 (list replaced)"], id="added"),
        pytest.param(2, MISSING, ["    - spec.x: 2 (list replaced)"], id="removed"),
        pytest.param(["a", "b"], ["a"], ['    - spec.x: "b" (list replaced)'], id="one element"),
        pytest.param(["a"], ["a", "b", "c"], ['    + spec.x: "b", "c" (list replaced)'], id="several elements"),
        pytest.param(
            ["a"],
            ["a", LONG, LONG],
            ["    ~ spec.x (list replaced)", f'        + [1]: "{LONG}"', f'        + [2]: "{LONG}"'],
            id="long elements",
        ),
        pytest.param(
            [{"name": "a", "v": 1}],
            [{"name": "a", "v": 2}, {"name": "b"}],
            ["    ~ spec.x (list replaced)", "        ~ [name=a].v: 1 → 2", '        + [name=b]: {"name": "b"}'],
            id="elements",
        ),
        pytest.param(
            ["a", "b", "c"], ["b", "c", "a"], ["    ~ spec.x[2]: moved from [0] to [2] (list replaced)"], id="moved"
        ),
        pytest.param(
            f"{LONG}{LONG}:1",
            f"{LONG}{LONG}:2",
            [f'    ~ spec.x: "…{"x" * 22}:1" → "…{"x" * 22}:2" (list replaced)'],
            id="cut",
        ),
        pytest.param(
            "a\nb\nc\n",
            "a\nB\nc\n",
            [
                "    ~ spec.x: -1 +1 lines (list replaced)",
                *("        " + line for line in ("  a", "- b", "+ B", "  c")),
            ],
            id="lines",
        ),
        pytest.param(
            "a\nb", "a\nb\n", ['    ~ spec.x: "a\\nb" → "a\\nb\\n" (list replaced)'], id="end of the last line"
        ),
        pytest.param(
            "a", "a\nb\n", ["    ~ spec.x: -0 +1 lines (list replaced)", "          a", "        + b"], id="one"
        ),
        pytest.param(
            f'{{"a": 1, "b": "{LONG}"}}',
            f'{{"a": 2, "b": "{LONG}"}}',
            [
                "    ~ spec.x: -1 +1 lines (list replaced)",
                *("        " + line for line in ("  {", '-   "a": 1,', '+   "a": 2,')),
                f'            "b": "{LONG}"',
                "          }",
            ],
            id="JSON",
        ),
        pytest.param(
            f"{{{LONG}: 1}}{LONG}",
            f"{{{LONG}: 2}}{LONG}",
            [f'    ~ spec.x: "…{"x" * 21}: 1}}{"x" * 45}… → "…{"x" * 21}: 2}}{"x" * 45}… (list replaced)'],
            id="no JSON",
        ),
    ],
)
def test_a_change_shows_what_differs(before: Json, after: Json, shown: list[str]) -> None:
    assert lines_of(before, after) == shown


def test_a_kept_value_is_shown_with_its_reason() -> None:
    assert lines_of(["a"], ["a"], Why.SHARED) == ['    = spec.x: ["a"] (kept because it is shared)']


def test_a_value_that_falls_to_its_default_has_its_own_sign() -> None:
    """GitHub shows a line of a diff with this sign in a color of its own."""
    one = change(fields("spec", "replicas"), 3, 1, Why.DEFAULTED)
    several = change(fields("spec", "x"), {"a": 3, "b": 1}, {"a": 1, "b": 2}, Why.DEFAULTED)
    added = change(fields("spec", "y"), MISSING, 1, Why.DEFAULTED)

    assert lines(one, several, added, context=replace(PLAIN, verbose=True)) == [
        "    ! spec.replicas: 3 → 1 (defaulted by the server)",
        "    ! spec.x (defaulted by the server)",
        "        ! a: 3 → 1",
        "        ! b: 1 → 2",
        "    + spec.y: 1 (defaulted by the server)",
    ]
    assert diff(one) == ["@@ spec.replicas (defaulted by the server) @@", "! 3 → 1"]


def test_lines_around_go_first_where_there_is_no_room() -> None:
    text = "".join(f"{number}\n" for number in range(9))
    after = text.replace("4\n", "four\n")

    assert len(lines_of(text, after)) == 1 + 8
    assert lines_of(text, after, most=7)[1:] == ["          3", "        - 4", "        + four", "          5"]
    assert lines_of(text, after, most=3)[1:] == ["        - 4", "        + four"]


def test_more_lines_than_there_is_room_for_are_counted() -> None:
    shown = lines_of("a\n", "".join(f"{number}\n" for number in range(9)), most=4)

    assert shown[-2:] == ["        + 1", "        7 more lines (-v to list)"]


def test_more_parts_than_there_is_room_for_are_counted() -> None:
    many = [{"name": f"n{number}"} for number in range(9)]

    assert lines_of(many[:1], many, most=5)[3:] == [
        '        + [name=n3]: {"name": "n3"}',
        "        5 more changes (-v to list)",
    ]


def test_everything_is_shown_on_demand() -> None:
    verbose = replace(PLAIN, verbose=True)
    many = [{"name": f"n{number}"} for number in range(9)]
    changes = [change(fields("spec", f"f{number}"), 1, 2, Why.SET) for number in range(20)]

    assert len(lines(change(fields("spec", "x"), many[:1], many, Why.SET), context=verbose, most=4)) == 9
    assert len(lines(*changes, context=verbose)) == 20
    assert f"{LONG}{LONG}" in lines(change(fields("a"), 1, f"{LONG}{LONG}", Why.SET), context=verbose)[0]


def test_many_fields_are_counted() -> None:
    changes = [change(fields("spec", f"f{number}"), 1, 2, Why.SET) for number in range(20)]

    assert lines(*changes)[-1] == "    12 more changes (-v to list)"
    assert len(lines(*changes[:9])) == 9


def test_the_more_objects_change_the_less_room_each_has() -> None:
    assert [parts_for(number) for number in (0, 1, 2, 9)] == [9, 9, 4, 4]


def test_colour_changes_no_word() -> None:
    shown = lines(change(fields("spec", "x"), "a\nb\n", "a\nc\n", Why.SET), context=replace(PLAIN, color=True))

    assert shown[2:] == ["        \x1b[31m- b\x1b[0m", "        \x1b[32m+ c\x1b[0m"]


def test_descriptions_in_a_schema_are_counted() -> None:
    def version(words: str, type_: str) -> Json:
        properties = {"a": {"description": words, "type": type_}, "b": {"description": words}}
        return [{"name": "v1", "schema": {"openAPIV3Schema": {"properties": properties}}}]

    assert lines_of(version("old", "string"), version("new", "string")) == [
        "    ~ spec.x: 2 descriptions (list replaced)"
    ]
    assert lines_of(version("old", "string"), version("new", "integer"))[1:] == [
        '        ~ [name=v1].schema.openAPIV3Schema.properties.a.type: "string" → "integer"',
        "        ~ 2 descriptions",
    ]


def diff(*changes: Change, context: Context = PLAIN, most: int = 11) -> list[str]:
    return list(diff_lines(DOCUMENT, replace(CONFIGURED, changes=changes), context, most))


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        pytest.param("a", "b", ['- "a"', '+ "b"'], id="scalar"),
        pytest.param(MISSING, 2, ["+ 2"], id="added"),
        pytest.param(2, MISSING, ["- 2"], id="removed"),
        pytest.param(
            [{"name": "a", "v": 1, "w": 1}, {"name": "c"}],
            [{"name": "a", "v": 2, "w": 1}, {"name": "b"}],
            ["- [name=a].v: 1", "+ [name=a].v: 2", '+ [name=b]: {"name": "b"}', '- [name=c]: {"name": "c"}'],
            id="elements",
        ),
        pytest.param("a\nb\n", "a\nB\n", ["  a", "- b", "+ B"], id="text"),
        pytest.param(
            {"a": "1\n2\n", "b": 1},
            {"a": "1\n3\n", "b": 2},
            ["@@ a @@", "  1", "- 2", "+ 3", "- b: 1", "+ b: 2"],
            id="texts",
        ),
    ],
)
def test_a_diff_has_a_header_and_both_sides(before: Json, after: Json, shown: list[str]) -> None:
    assert diff(change(fields("spec", "x"), before, after, Why.REPLACED)) == ["@@ spec.x (list replaced) @@", *shown]


def test_one_part_that_differs_is_named_in_the_header() -> None:
    one = change(fields("spec", "x"), [{"name": "a", "v": 1, "w": 0}], [{"name": "a", "v": 2, "w": 0}], Why.REPLACED)

    assert diff(one) == ["@@ spec.x[name=a].v (list replaced) @@", "- 1", "+ 2"]


def test_moved_and_kept_values_have_no_sign() -> None:
    moved = change(fields("spec", "x"), ["a", "b", "c"], ["b", "c", "a"], Why.REPLACED)
    kept = change(fields("spec", "y"), 1, 1, Why.KEPT)

    assert diff(moved) == ["@@ spec.x[2] (list replaced) @@", "  moved from [0] to [2]"]
    assert diff(kept, context=replace(PLAIN, verbose=True)) == ["@@ spec.y (kept from live) @@", "  1"]


def test_a_diff_counts_changes_beyond_a_limit() -> None:
    many = [change(fields("spec", f"f{number}"), 1, 2, Why.SET) for number in range(12)]
    wide = change(fields("spec", "x"), {str(n): 1 for n in range(9)}, {str(n): 2 for n in range(9)}, Why.SET)
    text = change(fields("data", "x"), "a\n" * 9, "b\n" * 9, Why.SET)

    assert diff(*many)[-1] == "@@ 4 more changes @@"
    assert diff(wide, most=4)[-1] == "@@ 7 more changes @@"
    assert diff(text, most=4)[-1] == "@@ 15 more lines @@"


def test_no_value_makes_a_line_of_its_own_in_a_diff() -> None:
    shown = diff(change(fields("data", "x\ny"), "a\n```\n\x1b[31m", "a\n", Why.SET))

    assert shown == ['@@ data["x\\ny"] (set by the manifest) @@', "  a", "- ```", "- \\u001b[31m"]
