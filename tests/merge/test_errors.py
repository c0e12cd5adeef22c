"""The texts of kubectl and the server for patches that fail, with Go's spelling of values and types."""

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.merge.errors import MergeError, bad_format, bad_patch_type, bad_type, no_merge_key


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (
            no_merge_key({"b": None, "a": [1, "x"]}, "name"),
            500,
            "map: map[a:[1 x] b:<nil>] does not contain declared merge key: name",
        ),
        (
            bad_patch_type("remove", {"$patch": "remove", "name": "a"}),
            500,
            "unknown patch type: remove in map: map[$patch:remove name:a]",
        ),
        (bad_format("$retainKeys"), 400, "invalid patch format of $retainKeys"),
    ],
    ids=["no merge key", "unknown directive", "directive of the wrong form"],
)
def test_the_text_and_the_status_of_an_error(error: MergeError, status: int, message: str) -> None:
    assert (error.status, error.message, str(error)) == (status, message, message)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        pytest.param(None, "<nil>", id="null"),
        pytest.param({}, "map[string]interface {}", id="map"),
        pytest.param([], "[]interface {}", id="list"),
        pytest.param("1", "string", id="text"),
        pytest.param(True, "bool", id="boolean, which Python takes for an integer"),
        pytest.param(1, "int64", id="integer"),
        pytest.param(1.0, "float64", id="float"),
    ],
)
def test_a_type_is_named_as_in_go(value: Json, name: str) -> None:
    assert bad_type("list", value).message == f"expected a list, but received a {name}"
