"""Numbers of more digits than Python reads, wherever input can hold them: read as Go does, never a fault of ours."""

from pathlib import Path

import pytest

from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core import paths
from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.state import Absent, Present, State
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine import errors
from kubectl_applylint.engine.predict import predict
from kubectl_applylint.merge import fieldset
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.quantity import QuantityError, parse
from kubectl_applylint.server.validate.blocks import parse_block
from kubectl_applylint.server.validate.portions import size_of
from tests.limited import run_limited

LONG = "9" * 5_000
DAEMON_SET: JsonObject = {
    "apiVersion": "apps/v1",
    "kind": "DaemonSet",
    "metadata": {"name": "a", "namespace": "b", "annotations": {"deprecated.daemonset.template.generation": LONG}},
    "spec": {
        "selector": {"matchLabels": {"a": "b"}},
        "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "a", "image": "b"}]}},
    },
}
NAMESPACE: JsonObject = {
    "apiVersion": "v1",
    "kind": "Namespace",
    "metadata": {"name": "a", "labels": {"pod-security.kubernetes.io/enforce-version": f"v1.{LONG}"}},
}


def test_no_path_is_that_long() -> None:
    with pytest.raises(ValueError, match="not a field path: no list is as long as 99999"):
        paths.parse(f"spec.containers[{LONG}]")


def test_an_error_names_no_such_place() -> None:
    assert errors.path_of_error(f"spec.containers[{LONG}].image", {"spec": {"containers": []}})


def test_no_owner_owns_that_element() -> None:
    assert fieldset.parse({"f:a": {f"i:{LONG}": {}}}) == fieldset.parse({"f:a": {}})


@pytest.mark.parametrize("text", [f"1e{LONG}", f"1e-{LONG}"])
def test_no_exponent_is_that_long(text: str) -> None:
    with pytest.raises(QuantityError):
        parse(text)


def test_portions_and_blocks() -> None:
    assert size_of(f"{LONG}%") == 0
    assert parse_block(f"10.0.0.0/{LONG}") is None


@pytest.mark.parametrize("manifest", [DAEMON_SET, NAMESPACE], ids=lambda manifest: str(manifest["kind"]))
def test_objects_are_predicted(manifest: JsonObject) -> None:
    first = predict(ApplyRequest(manifest, State(Absent()), load("1.36"), Applier.KUBECTL_SERVER))
    again = predict(ApplyRequest(manifest, State(Present(first.result or manifest)), load("1.36")))

    assert {first.verdict, again.verdict} <= {*Verdict}


@pytest.mark.slow
def test_an_error_of_long_numbers_is_reported(tmp_path: Path) -> None:
    error = f'The Deployment "web" is invalid: spec.template.spec.containers[{LONG}].image: Required value\n'

    run = run_limited("diagnose", cwd=tmp_path, stdin=error.encode())

    assert "bug in applylint" not in run.stderr
