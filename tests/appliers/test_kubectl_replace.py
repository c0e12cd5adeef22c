"""``kubectl replace --save-config``; the real server does the same in ``tests/cluster/test_adoption.py``."""

from kubectl_applylint import api
from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import JsonObject

SCHEMA = api.load_schema("1.36")
LIVE: JsonObject = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "x", "namespace": "shop", "resourceVersion": "7"},
    "data": {"a": "1", "b": "2"},
}


def predict_replace(live: JsonObject | None, **metadata: str) -> JsonObject:
    manifest = {**LIVE, "metadata": {"name": "x", "namespace": "shop", **metadata}, "data": {"a": "3"}}
    return api.predict(manifest, schema=SCHEMA, live=live, applier="kubectl-replace").to_json()


def test_the_whole_object_is_written_with_the_version_that_is_live() -> None:
    found = predict_replace(LIVE)
    (write,) = found["requests"]

    assert (found["verdict"], found["result"]["data"]) == ("configured", {"a": "3"})
    assert (write["method"], write["body"]["metadata"]["resourceVersion"]) == ("PUT", "7")
    assert LAST_APPLIED in found["result"]["metadata"]["annotations"]
    assert {change["path"]: change["cause"]["why"] for change in found["changes"] if "after" not in change} == {
        "data.b": "removed because the manifest leaves it out"
    }


def test_an_old_version_is_rejected() -> None:
    assert (
        predict_replace(LIVE, resourceVersion="6")["verdict"],
        predict_replace(LIVE, resourceVersion="6")["status"],
    ) == (
        "conflict",
        409,
    )


def test_a_live_object_without_a_version_gets_none() -> None:
    bare = {**LIVE, "metadata": {"name": "x", "namespace": "shop"}}

    assert "resourceVersion" not in predict_replace(bare)["requests"][0]["body"]["metadata"]


def test_a_missing_object_cannot_be_replaced() -> None:
    found = predict_replace(None)

    assert (found["verdict"], found["status"], found["requests"]) == (Verdict.REJECTED, 404, [])
    assert found["causes"][0]["message"] == 'configmaps "x" not found'
