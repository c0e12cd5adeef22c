"""States of live objects by their managers."""

import pytest

from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.ownership.apply_mode import CLIENT_SIDE, apply_outcome
from kubectl_applylint.ownership.object_state import ObjectState, has_changes, state_of
from tests.stories import MANIFEST, client_side, pause, scale, server_side, subject_of

OTHER: JsonObject = {**MANIFEST, "spec": {**MANIFEST["spec"], "replicas": 5}}
APPLIED = client_side(MANIFEST)


def annotated_object(live: JsonObject, text: str | None) -> JsonObject:
    """Return the object with another last-applied annotation, or without."""
    rest = {key: value for key, value in live["metadata"].get("annotations", {}).items() if key != LAST_APPLIED}
    annotations = rest if text is None else {**rest, LAST_APPLIED: text}
    return {**live, "metadata": {**live["metadata"], "annotations": annotations}}


def made_by(*managers: str, saved: bool = False) -> JsonObject:
    """Return the Deployment as these managers made it."""
    live = APPLIED if saved else annotated_object(APPLIED, None)
    (entry,) = live["metadata"]["managedFields"]
    return {
        **live,
        "metadata": {**live["metadata"], "managedFields": [{**entry, "manager": name} for name in managers]},
    }


@pytest.mark.parametrize(
    ("live", "state"),
    [
        pytest.param(None, ObjectState.ABSENT, id="absent"),
        pytest.param(made_by("kubectl-run"), ObjectState.IMPERATIVE, id="run"),
        pytest.param(made_by("kubectl-create", "kubectl-autoscale"), ObjectState.IMPERATIVE, id="autoscale"),
        pytest.param(made_by("kubectl-create"), ObjectState.CREATED, id="create"),
        pytest.param(made_by("kubectl-replace"), ObjectState.CREATED, id="replace"),
        pytest.param(made_by("helm"), ObjectState.FOREIGN, id="helm"),
        pytest.param(made_by(), ObjectState.FOREIGN, id="nobody"),
        pytest.param(made_by("kubectl-client-side-apply"), ObjectState.LOST, id="applied and replaced"),
        pytest.param(annotated_object(APPLIED, "{"), ObjectState.UNREADABLE, id="junk"),
        pytest.param(made_by("kubectl-create", saved=True), ObjectState.SAVED, id="create --save-config"),
        pytest.param(scale(APPLIED, 7), ObjectState.STALE, id="scaled"),
        pytest.param(pause(APPLIED), ObjectState.CLIENT_SIDE, id="something else edited"),
        pytest.param(APPLIED, ObjectState.CLIENT_SIDE, id="applied"),
        pytest.param(made_by(saved=True), ObjectState.CLIENT_SIDE, id="applied, managers unknown"),
        pytest.param(server_side(MANIFEST), ObjectState.SERVER_SIDE, id="server-side"),
        pytest.param(client_side(OTHER, server_side(MANIFEST)), ObjectState.MIXED, id="both"),
    ],
)
def test_an_object_state_depends_on_its_managers(live: JsonObject | None, state: ObjectState) -> None:
    assert state_of(subject_of(MANIFEST, live), live) is state


@pytest.mark.parametrize(
    ("live", "state"),
    [
        (server_side(MANIFEST, client_side(MANIFEST)), ObjectState.SERVER_SIDE),
        (client_side(MANIFEST, server_side(MANIFEST, manager="team")), ObjectState.MIXED),
    ],
    ids=["migrated", "mixed with another"],
)
def test_both_modes_are_distinguished_by_managers(live: JsonObject, state: ObjectState) -> None:
    assert state_of(subject_of(MANIFEST, live), live) is state


def test_groups_of_states() -> None:
    assert [state.key for state in ObjectState if state.is_client_side] == ["saved", "stale", "client_side"]
    assert [state.key for state in ObjectState if state.has_no_annotation] == [
        "imperative",
        "created",
        "foreign",
        "lost",
    ]


@pytest.mark.parametrize(
    ("manifest", "changes"),
    [
        (MANIFEST, False),
        (OTHER, True),
        ({**MANIFEST, "spec": {**MANIFEST["spec"], "replicas": -1}}, True),
    ],
    ids=["same", "changed", "refused"],
)
def test_an_apply_has_changes(manifest: JsonObject, changes: bool) -> None:
    assert has_changes(apply_outcome(subject_of(manifest, APPLIED), CLIENT_SIDE)) is changes
