"""Objects without the paths that Argo CD ignores: rows are those of gojq 0.12.19, ``del(EXPRESSION)``."""

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.tools.argocd.jq_paths import delete_path, parse_path

ITEM: dict[str, Json] = {"a": [{"n": "x", "v": 1}, {"n": "y", "v": 2}], "m": {"k.l": 1, "o": 2}}


@pytest.mark.parametrize(
    ("expression", "left"),
    [
        (".m", {"a": ITEM["a"]}),
        ('.m["k.l"]', {**ITEM, "m": {"o": 2}}),
        ('.m."k.l"', {**ITEM, "m": {"o": 2}}),
        (".m | .o", {**ITEM, "m": {"k.l": 1}}),
        (".m[]", {**ITEM, "m": {}}),
        (".a[].v", {**ITEM, "a": [{"n": "x"}, {"n": "y"}]}),
        (".a[0]", {**ITEM, "a": [{"n": "y", "v": 2}]}),
        (".a[-1].v", {**ITEM, "a": [{"n": "x", "v": 1}, {"n": "y"}]}),
        ('.a[] | select(.n == "y") | .v', {**ITEM, "a": [{"n": "x", "v": 1}, {"n": "y"}]}),
        ('.a[]|select(.n!="y")', {**ITEM, "a": [{"n": "y", "v": 2}]}),
        (".a[] | select(.v == 1)", {**ITEM, "a": [{"n": "y", "v": 2}]}),
        (".b.c", ITEM),
        (".a[9]", ITEM),
        (".b[]?.c", ITEM),
        (".a[].n.deep?", ITEM),
        (".a[] | select(.nope == null) | .n", {**ITEM, "a": [{"v": 1}, {"v": 2}]}),
    ],
)
def test_a_path_deletes_the_values_that_it_finds(expression: str, left: Json) -> None:
    assert parse_path(expression) is not None
    assert delete_path(ITEM, expression) == left


@pytest.mark.parametrize("expression", [".b[]", ".a.x", ".m[0]", ".a[].n.deep", '.a[] | select(.n.z == "y")', "."])
def test_a_value_of_a_wrong_type_prevents_the_deletion(expression: str) -> None:
    assert delete_path(ITEM, expression) == ITEM


@pytest.mark.parametrize(
    "expression",
    ["", ".a,.m", ".a[1:2]", "..", "recurse", ".a[] | select(.n | test(1))", ".a[] | select(.n == y)", "a.b", ".a |"],
)
def test_other_forms_are_not_read(expression: str) -> None:
    assert parse_path(expression) is None
    assert delete_path(ITEM, expression) == ITEM
