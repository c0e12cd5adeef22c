"""JSON patches: what lies between two values, and what operations make of one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.values import Json, JsonObject, equal
from kubectl_applylint.merge.json_patch import apply_operations, operations_between, pointer, pointer_steps

TREE: JsonObject = {"a": 1, "b": {"c/d": "x"}, "l": [1, {"k": 2}, 3]}
KEYS = st.sampled_from(["a", "b/c", "d~e", ""])
TREES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


@pytest.mark.parametrize("path", [(), ("a",), ("a/b", "c~d", "~1"), ("", "0")])
def test_a_pointer_names_its_steps(path: tuple[str, ...]) -> None:
    assert pointer_steps(pointer(path)) == path


@pytest.mark.parametrize(
    ("after", "operations"),
    [
        pytest.param(TREE, [], id="equal"),
        pytest.param({**TREE, "a": 2}, [{"op": "replace", "path": "/a", "value": 2}], id="another value"),
        pytest.param({**TREE, "b": {}}, [{"op": "remove", "path": "/b/c~1d"}], id="removed"),
        pytest.param({**TREE, "n": [0]}, [{"op": "add", "path": "/n", "value": [0]}], id="added"),
        pytest.param(
            {**TREE, "l": [1]}, [{"op": "remove", "path": "/l/2"}, {"op": "remove", "path": "/l/1"}], id="shorter list"
        ),
        pytest.param({**TREE, "l": [*TREE["l"], 4]}, [{"op": "add", "path": "/l/-", "value": 4}], id="longer list"),
        pytest.param(
            {**TREE, "l": [1, {"k": 9}, 3]}, [{"op": "replace", "path": "/l/1/k", "value": 9}], id="within a list"
        ),
        pytest.param({**TREE, "a": "1"}, [{"op": "replace", "path": "/a", "value": "1"}], id="another type"),
    ],
)
def test_operations_lead_from_one_value_to_another(after: Json, operations: list[JsonObject]) -> None:
    assert list(operations_between(TREE, after)) == operations
    assert apply_operations(TREE, operations) == after


@given(TREES, TREES)
def test_the_operations_between_two_values_make_one_of_the_other(before: Json, after: Json) -> None:
    assert equal(apply_operations(before, operations_between(before, after)), after)


@pytest.mark.parametrize("path", ["/none", "/none/x", "/a/x", "/l/3", "/l/x", "/l/1/none"])
def test_removing_a_missing_path_changes_nothing(path: str) -> None:
    assert apply_operations(TREE, [{"op": "remove", "path": path}]) == TREE
