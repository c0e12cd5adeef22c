"""Marks and revisions of Helm releases; messages are those of Helm 3.18.0 on a 1.36.3 server."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.helm.release import Release, ReleaseRevision, current_revision, is_kept

RELEASE = Release("app", "shop")
MARKS: JsonObject = {
    "labels": {"app.kubernetes.io/managed-by": "Helm"},
    "annotations": {"meta.helm.sh/release-name": "app", "meta.helm.sh/release-namespace": "shop"},
}
HEAD = 'ConfigMap "web" in namespace "shop" exists and cannot be imported into the current release'


def config(**metadata: JsonObject) -> JsonObject:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web", "namespace": "shop", **metadata}}


def test_the_marks_are_added_to_what_the_chart_says() -> None:
    marked = RELEASE.with_release_marks(
        config(labels={"a": "b", "app.kubernetes.io/managed-by": "me"}, annotations={"c": "d"})
    )

    assert marked["metadata"]["labels"] == {"a": "b", **MARKS["labels"]}
    assert marked["metadata"]["annotations"] == {"c": "d", **MARKS["annotations"]}


@pytest.mark.parametrize(
    ("live", "fault"),
    [
        pytest.param(config(**MARKS), "", id="its own"),
        pytest.param(
            config(),
            f'{HEAD}: invalid ownership metadata; label validation error: missing key "app.kubernetes.io/managed-by": '
            'must be set to "Helm"; annotation validation error: missing key "meta.helm.sh/release-name": must be set '
            'to "app"; annotation validation error: missing key "meta.helm.sh/release-namespace": must be set '
            'to "shop"',
            id="without marks",
        ),
        pytest.param(
            config(**{**MARKS, "annotations": {**MARKS["annotations"], "meta.helm.sh/release-name": "other"}}),
            f'{HEAD}: invalid ownership metadata; annotation validation error: key "meta.helm.sh/release-name" must '
            'equal "app": current value is "other"',
            id="of another release",
        ),
    ],
)
def test_only_what_carries_its_marks_is_taken_over(live: JsonObject, fault: str) -> None:
    assert RELEASE.import_fault(live) == fault


@pytest.mark.parametrize(("policy", "kept"), [("keep", True), ("delete", False)])
def test_the_annotation_resource_policy_keeps_an_object(policy: str, kept: bool) -> None:
    assert is_kept(config(annotations={"helm.sh/resource-policy": policy})) is kept


@pytest.mark.parametrize(
    ("statuses", "version"),
    [
        pytest.param((), None, id="no release"),
        pytest.param(("superseded", "deployed"), 2, id="the last one"),
        pytest.param(("superseded", "deployed", "failed"), 2, id="before a failure"),
        pytest.param(("failed",), 1, id="only a failure"),
        pytest.param(("deployed", "pending-upgrade"), None, id="another call is under way"),
        pytest.param(("uninstalled",), None, id="uninstalled"),
    ],
)
def test_an_upgrade_uses_the_newest_deployed_revision(statuses: tuple[str, ...], version: int | None) -> None:
    found = current_revision([ReleaseRevision(number, status, ()) for number, status in enumerate(statuses, 1)])

    assert (found and found.version) == version


def test_labels_and_annotations_that_are_null_are_sent_empty() -> None:
    """Recorded with Helm 3.18.0: ``app: null`` in a template left the label empty; kubectl removes it."""
    bare = {"name": "a", "labels": {"app": None}, "annotations": {"note": None}}
    metadata = Release("app", "shop").with_release_marks({"kind": "ConfigMap", "metadata": bare})["metadata"]

    assert (metadata["labels"]["app"], metadata["annotations"]["note"]) == ("", "")
