"""Output of ``why``."""

import json

from kubectl_applylint.core.paths import parse
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.ownership.field_history import field_history
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.ownership.field_history import history_json, history_text, mask_history
from kubectl_applylint.secrets.secret_places import MASK
from tests.stories import MANIFEST, WITHOUT_REPLICAS, client_side, pause, scale, server_side, subject_of

SECRET: JsonObject = {
    "apiVersion": "v1",
    "kind": "Secret",
    "metadata": {"name": "token", "namespace": "shop"},
    "data": {"a": "cGFzc3dvcmQ="},
}


def page(live: JsonObject, path: str, manifest: JsonObject = MANIFEST) -> list[str]:
    found = field_history(subject_of(manifest, live), live, parse(path))
    return history_text([found], [], Context()).splitlines()


def test_a_field_whose_line_left() -> None:
    assert page(scale(client_side(MANIFEST), 7), "spec.replicas", WITHOUT_REPLICAS) == [
        "spec.replicas of deployment.apps/web in shop: 7",
        "  1. web.yaml does not set it",
        "  2. last-applied has it with 3: kubectl apply set it, and deletes it when its line is removed",
        "  3. kube-controller-manager/scale owns it: wrote it in apps/v1, last at 2026-01-02T03:02:00Z",
        "  4. the server's default is 1",
        "  5. the next kubectl apply changes it from 7 to 1 (defaulted by the server since its line was removed"
        " from the manifest)",
    ]


def test_a_conflict_names_the_other_manager() -> None:
    assert page(scale(server_side(MANIFEST), 7), "spec.replicas")[-1] == (
        "  5. the next kubectl apply --server-side is rejected: spec.replicas belongs to kube-controller-manager"
    )


def test_without_a_manifest_nothing_comes_next() -> None:
    live = client_side(MANIFEST)
    found = field_history(subject_of(MANIFEST, live, known=False), live, parse("spec.replicas"))

    assert history_text([found], [], Context()).splitlines()[-1] == "  3. the server's default is 1"
    assert json.loads(history_json([found], []))["objects"][0]["next"] is None


def test_a_derived_default() -> None:
    live = client_side(MANIFEST)

    assert page(live, "spec.template.spec.containers[0].imagePullPolicy")[1:] == [
        "  1. web.yaml does not set it",
        "  2. last-applied does not have it: kubectl apply does not delete it when its line is removed",
        "  3. kubectl-client-side-apply (kubectl apply) owns it: wrote it in apps/v1, last at 2026-01-02T03:01:00Z",
        '  4. its value is the server\'s default, since spec.template.spec.containers[0].image is "web:1"',
        "  5. the next kubectl apply leaves it as it is",
    ]


def test_fields_without_an_owner_are_explained() -> None:
    live = pause(server_side(MANIFEST))
    bare = {**live, "metadata": {**live["metadata"], "managedFields": []}}

    lines = page(bare, "spec.paused")

    assert lines[1:4] == [
        "  1. web.yaml does not set it",
        "  2. the object has no last-applied annotation, so client-side apply does not delete the field",
        "  3. no owner: any applier can set it without a conflict, and no apply removes it by leaving it out",
    ]


def test_a_removal_around_the_field() -> None:
    labelled = {**MANIFEST, "metadata": {**MANIFEST["metadata"], "labels": {"a": "b"}}}

    assert page(client_side(labelled), "metadata.labels.a")[-1] == (
        "  4. the next kubectl apply removes metadata.labels (deleted because last-applied had it)"
    )


def test_a_part_of_a_whole_and_a_rejection() -> None:
    other = json.loads(json.dumps(MANIFEST).replace('"app": "web"', '"app": "shop"'))

    lines = page(client_side(MANIFEST), "spec.selector.matchLabels.app", other)

    assert lines[1] == ("  1. spec.selector is owned as a whole: changing a part takes ownership of all of it")
    assert lines[-1] == "  5. the next kubectl apply is rejected"


def test_secrets_are_masked() -> None:
    live = client_side(SECRET)
    changed = {**SECRET, "data": {"a": "b3RoZXI="}}
    found = mask_history(field_history(subject_of(changed, live), live, parse("data.a")))

    text, document = history_text([found], [], Context()), history_json([found], [])

    assert MASK in text
    assert not any(value in text + document for value in ("cGFzc3dvcmQ=", "b3RoZXI="))


def test_a_value_of_a_secret_in_another_object_is_masked() -> None:
    written = {**MANIFEST, "metadata": {**MANIFEST["metadata"], "annotations": {"note": "is cGFzc3dvcmQ="}}}
    live = pause(client_side(written))
    found = field_history(subject_of(MANIFEST, live), live, parse("metadata.annotations.note"))
    masked = mask_history(found, [SECRET])

    text, page = history_text([masked], [], Context()), history_json([masked], [])

    assert f'"is {MASK}"' in text
    assert "cGFzc3dvcmQ=" not in text + page


def test_secrets_keep_their_defaults_masked_where_they_hold_them() -> None:
    live = client_side(SECRET)
    found = mask_history(field_history(subject_of(SECRET, live), live, parse("type")))

    assert '"Opaque"' in history_text([found], [], Context())


def test_json() -> None:
    live = scale(client_side(MANIFEST), 7)
    found = field_history(subject_of(MANIFEST, live), live, parse("spec.replicas"))

    document = json.loads(history_json([found], [Problem("x", "y")]))

    assert document["version"] == "why-v1"
    assert document["problems"] == [{"where": "x", "message": "y", "advice": None}]
    (item,) = document["objects"]
    assert item["next"] == {
        "flags": [],
        "verdict": "configured",
        "change": {"path": "spec.replicas", "before": 7, "after": 3, "why": "set by the manifest"},
    }
    assert (item["value"], item["lastApplied"], item["default"]) == (7, {"value": 3}, {"value": 1, "sources": []})
