"""The earlier mode of applies, derived from the live object."""

import json

import pytest

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.ownership.apply_mode import (
    CLIENT_SIDE,
    SERVER_SIDE,
    ApplyMode,
    appliers_of,
    apply_outcome,
    mode_of,
)
from tests.stories import MANIFEST, WITHOUT_REPLICAS, client_side, pause, server_side, subject_of


def managed_object(*managers: tuple[str, str, str], text: str | None = None) -> JsonObject:
    """Return an object with managers (name, operation, subresource) and maybe a last-applied annotation."""
    entries = [
        {"manager": name, "operation": operation, "subresource": subresource, "fieldsType": "FieldsV1", "fieldsV1": {}}
        for name, operation, subresource in managers
    ]
    return {"metadata": {"managedFields": entries, "annotations": {} if text is None else {LAST_APPLIED: text}}}


@pytest.mark.parametrize(
    ("mode", "is_server_side", "flags"),
    [
        pytest.param(CLIENT_SIDE, False, "", id="client-side"),
        pytest.param(SERVER_SIDE, True, " --server-side", id="server-side"),
        pytest.param(
            ApplyMode(Applier.KUBECTL_SERVER, "a b", force=True),
            True,
            " --server-side --field-manager='a b' --force-conflicts",
            id="another manager, by force",
        ),
        pytest.param(
            ApplyMode(Applier.KUBECTL_CLIENT, "kubectl"),
            False,
            " --field-manager=kubectl",
            id="the name of the other way",
        ),
    ],
)
def test_the_flags_of_a_mode(mode: ApplyMode, is_server_side: bool, flags: str) -> None:
    assert (mode.is_server_side, mode.flags) == (is_server_side, flags)


def test_server_side_appliers_are_managers_that_apply() -> None:
    live = managed_object(
        ("kubectl-edit", "Update", ""),
        ("ci", "Apply", ""),
        ("hpa", "Apply", "scale"),
        ("kubectl-last-applied", "Apply", ""),
        ("argo", "Apply", ""),
    )

    assert appliers_of(live) == ("ci", "argo")
    assert appliers_of({}) == ()


@pytest.mark.parametrize(
    ("live", "mode"),
    [
        pytest.param({}, CLIENT_SIDE, id="never applied"),
        pytest.param(client_side(MANIFEST), CLIENT_SIDE, id="kubectl apply"),
        pytest.param(pause(client_side(MANIFEST)), CLIENT_SIDE, id="edited since"),
        pytest.param(server_side(MANIFEST), SERVER_SIDE, id="kubectl apply --server-side"),
        pytest.param(server_side(MANIFEST, client_side(MANIFEST)), SERVER_SIDE, id="first one, then the other"),
        pytest.param(
            managed_object(("ci", "Apply", "")), ApplyMode(Applier.KUBECTL_SERVER, "ci"), id="another manager"
        ),
        pytest.param(
            managed_object(("ci", "Apply", ""), text="{}"), CLIENT_SIDE, id="another manager beside kubectl apply"
        ),
        pytest.param(
            managed_object(("ci", "Apply", ""), text="{"),
            ApplyMode(Applier.KUBECTL_SERVER, "ci"),
            id="a broken annotation",
        ),
        pytest.param(
            managed_object(("ci", "Apply", ""), ("kubectl", "Apply", ""), text="{}"), SERVER_SIDE, id="kubectl too"
        ),
    ],
)
def test_the_mode_of_the_last_apply(live: JsonObject, mode: ApplyMode) -> None:
    assert mode_of(live) == mode


def test_the_next_apply_is_predicted_in_a_mode() -> None:
    subject = subject_of(MANIFEST, client_side(MANIFEST))

    assert apply_outcome(subject, CLIENT_SIDE).verdict is Verdict.UNCHANGED
    assert apply_outcome(subject, SERVER_SIDE).verdict is Verdict.SERVERSIDE_APPLIED


def test_another_manifest_or_another_object_can_be_asked_about() -> None:
    subject = subject_of(MANIFEST, client_side(MANIFEST))
    later = apply_outcome(subject, CLIENT_SIDE, manifest=WITHOUT_REPLICAS)
    elsewhere = apply_outcome(subject, CLIENT_SIDE, live=client_side(WITHOUT_REPLICAS))

    assert later.verdict is elsewhere.verdict is Verdict.CONFIGURED
    assert later.result is not None
    assert "replicas" not in json.loads(later.result["metadata"]["annotations"][LAST_APPLIED])["spec"]


def test_only_a_forced_mode_forces_a_conflict() -> None:
    live = server_side(MANIFEST, manager="ci")
    subject = subject_of({**MANIFEST, "spec": {**MANIFEST["spec"], "replicas": 9}}, live)

    assert apply_outcome(subject, SERVER_SIDE).verdict is Verdict.CONFLICT
    assert (
        apply_outcome(subject, ApplyMode(Applier.KUBECTL_SERVER, "kubectl", force=True)).verdict
        is Verdict.SERVERSIDE_APPLIED
    )
