from time import process_time

import pytest

from kubectl_applylint.core.paths import Path, render
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.report.objects.differences import (
    Difference,
    differences,
    line_differences,
    replaced_blocks,
    shorten_both,
)


def differing_parts(before: Json, after: Json) -> list[tuple[str, Json, Json]]:
    return [(render(one.path), one.before, one.after) for one in differences(before, after)]


@pytest.mark.parametrize(
    ("before", "after", "parts"),
    [
        pytest.param(1, 1, [], id="same"),
        pytest.param(1, 1.0, [("", 1, 1.0)], id="another number for Kubernetes"),
        pytest.param({"a": {"b": 1, "c": 2}}, {"a": {"b": 3, "c": 2}}, [("a.b", 1, 3)], id="field"),
        pytest.param({"a": 1}, {"b": None}, [("b", MISSING, None), ("a", 1, MISSING)], id="fields come and go"),
        pytest.param({"a": {}}, {"a": {"b": 1}}, [("a", {}, {"b": 1})], id="filled"),
        pytest.param({"a": [1]}, {"a": {"b": 1}}, [("a", [1], {"b": 1})], id="another type"),
        pytest.param(Unknown("why"), 1, [("", Unknown("why"), 1)], id="unknown"),
        pytest.param(["get"], ["get", "list"], [("[1]", MISSING, "list")], id="appended"),
        pytest.param(["x", "get"], ["get"], [("[0]", "x", MISSING)], id="removed"),
        pytest.param(["--v=2", "-a"], ["--v=4", "-a"], [("[0]", "--v=2", "--v=4")], id="changed inside"),
        pytest.param(["--v=2"], ["list", "--v=4"], [("[1]", "--v=2", "--v=4"), ("[0]", MISSING, "list")], id="likest"),
        pytest.param(["get"], [1], [("[0]", "get", MISSING), ("[0]", MISSING, 1)], id="nothing in common"),
        pytest.param([{"a": 1, "b": 2}], [{"a": 1, "b": 3}], [("[0].b", 2, 3)], id="element without a name"),
        pytest.param(
            [{"name": "a", "v": 1}, {"name": "b"}],
            [{"name": "c"}, {"name": "a", "v": 2}],
            [("[name=c]", MISSING, {"name": "c"}), ("[name=a].v", 1, 2), ("[name=b]", {"name": "b"}, MISSING)],
            id="elements with names",
        ),
        pytest.param(["x" * 500], ["y" * 500], [("[0]", "x" * 500, "y" * 500)], id="too long to compare"),
    ],
)
def test_values_differ_in_their_smallest_parts(before: Json, after: Json, parts: list[tuple[str, Json, Json]]) -> None:
    assert differing_parts(before, after) == parts


@pytest.mark.parametrize(
    ("before", "after", "path", "moved"),
    [
        pytest.param([{"name": "a"}, {"name": "b"}], [{"name": "b"}, {"name": "a"}], "[name=b]", (1, 0), id="by name"),
        pytest.param(["get", "list", "watch"], ["list", "watch", "get"], "[2]", (0, 2), id="by run"),
    ],
)
def test_elements_move(before: Json, after: Json, path: str, moved: tuple[int, int]) -> None:
    found = differences(before, after)

    assert [(render(one.path), one.moved) for one in found] in ([(path, moved)], [("[name=a]", (0, 1))])


def test_a_name_that_two_elements_share_names_neither() -> None:
    ports = [{"name": "a", "port": 80}, {"name": "a", "port": 81}]

    assert differing_parts(ports, ports[:1]) == [("[port=81]", {"name": "a", "port": 81}, MISSING)]


def test_long_lists_are_replaced_in_one_block() -> None:
    before, after = [str(number) for number in range(3000)], [str(number) for number in range(3001, 6001)]

    assert list(replaced_blocks(before, after)) == [(range(3000), range(3000))]


LINES = "".join(f"line {number}\n" for number in range(20))


def test_lines_that_differ_have_three_lines_around() -> None:
    after = LINES.replace("line 4\n", "line four\n")

    assert line_differences(LINES, after) == [
        "  line 1",
        "  line 2",
        "  line 3",
        "- line 4",
        "+ line four",
        "  line 5",
        "  line 6",
        "  line 7",
    ]


@pytest.mark.parametrize(
    ("second", "between"),
    [
        pytest.param(6, ["  line 5"], id="one line"),
        pytest.param(10, ["  line 5", "@@ 3 equal lines @@", "  line 9"], id="many lines"),
        pytest.param(8, ["  line 5", "  line 6", "  line 7"], id="one line more than is shown around"),
    ],
)
def test_lines_between_differences_are_counted(second: int, between: list[str]) -> None:
    after = LINES.replace("line 4\n", "").replace(f"line {second}\n", "")
    shown = line_differences(LINES, after, 1)

    assert shown == ["  line 3", "- line 4", *between, f"- line {second}", f"  line {second + 1}"]


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        pytest.param("a:1", "a:2", ("a:1", "a:2"), id="short"),
        pytest.param("abcdefgh", "abcXefgh", ("abcde…", "abcXe…"), id="end"),
        pytest.param("abcdefgh1", "abcdefgh2", ("…h1", "…h2"), id="start"),
        pytest.param("abcdefgh123456789", "abcdefgh", ("…h123…", "…h"), id="both"),
    ],
)
def test_texts_are_cut_where_they_are_the_same(before: str, after: str, shown: tuple[str, str]) -> None:
    assert shorten_both(before, after, 6) == shown


def test_a_difference_has_no_place_where_the_values_are_none_to_look_into() -> None:
    root: Path = ()

    assert differences("a", "b") == [Difference(root, "a", "b")]


def test_many_changed_elements_take_little_time() -> None:
    before, after = ([f"--flag{number}={number * factor}" for number in range(8_000)] for factor in (1, 2))
    start = process_time()
    found = [*differences(before, after)]

    assert len(found) > 7_000
    assert process_time() - start < 1.5
