"""Conversion of the texts of Secrets, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.kinds.secret import convert


@pytest.mark.parametrize(
    ("secret", "data"),
    [
        pytest.param({"stringData": {"a": "x"}}, {"a": "eA=="}, id="text"),
        pytest.param(
            {"stringData": {"a": "é"}, "data": {"a": "eQ==", "b": "eQ=="}}, {"a": "w6k=", "b": "eQ=="}, id="over data"
        ),
        pytest.param({"data": {"b": "eQ=="}}, {"b": "eQ=="}, id="data alone"),
        pytest.param({"stringData": {}}, None, id="empty"),
        pytest.param({}, None, id="nothing"),
    ],
)
def test_the_texts_of_a_secret_become_data(secret: JsonObject, data: JsonObject | None) -> None:
    result = convert(secret)

    assert (result.get("data"), "stringData" in result) == (data, False)
