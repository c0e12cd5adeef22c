import pytest

from kubectl_applylint.values import MISSING, Json, dig, equal, mapping, without_nulls


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (1, 1, True),
        (1, 1.0, False),
        (1, True, False),
        (0, None, False),
        ({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]}, True),
        ({"a": None}, {}, False),
        ({"a": None}, {"b": None}, False),
        ([1], [True], False),
        ([1, 2], [1], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
    ],
)
def test_equal_tells_types_apart(left: Json, right: Json, same: bool) -> None:
    assert equal(left, right) is same
    assert equal(right, left) is same


def test_without_nulls_keeps_null_list_elements_and_emptied_maps() -> None:
    value = {"a": None, "b": {"c": None}, "d": [None, {"e": None, "f": 1}]}

    assert without_nulls(value) == {"b": {}, "d": [None, {"f": 1}]}
    assert value["a"] is None


@pytest.mark.parametrize(
    ("keys", "found"), [(("a", "b"), None), (("a", "c"), MISSING), (("a", "b", "c"), MISSING), (("x",), MISSING)]
)
def test_dig_tells_null_from_missing(keys: tuple[str, ...], found: Json) -> None:
    assert dig({"a": {"b": None}}, *keys) is found


def test_mapping_reads_anything_else_as_empty() -> None:
    assert [mapping(None), mapping([1]), mapping({"a": 1})] == [{}, {}, {"a": 1}]
