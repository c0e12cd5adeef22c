"""What ``adopt`` prints."""

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import Present, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.ownership.adoption import adoption
from kubectl_applylint.report.adoption import adoption_json, adoption_text, mask_adoption
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.secret_places import MASK
from tests.stories import MANIFEST, beside, client_side, edited, scaled, subject_of, updated

LABELLED: JsonObject = {**MANIFEST, "metadata": {**MANIFEST["metadata"], "labels": {"app": "web"}}}
SECRET: JsonObject = {
    "apiVersion": "v1",
    "kind": "Secret",
    "metadata": {"name": "token", "namespace": "shop"},
    "data": {"a": "cGFzc3dvcmQ=", "b": "c2VjcmV0"},
}


def created(live: JsonObject) -> JsonObject:
    """Return the object as kubectl create leaves it."""
    managers = [{**entry, "manager": "kubectl-create"} for entry in live["metadata"]["managedFields"]]
    return {**live, "metadata": {**live["metadata"], "managedFields": managers, "annotations": {}}}


def page(live: JsonObject | None, manifest: JsonObject = MANIFEST) -> list[str]:
    return adoption_text([adoption(subject_of(manifest, live), live, ClusterModel())], [], Context()).splitlines()


def test_the_way_of_a_created_object() -> None:
    live = edited(scaled(created(client_side(MANIFEST)), 7))

    assert page(live) == [
        "deployment.apps/web in shop: was made by kubectl create or replace, which leave no last-applied annotation",
        "  1. kubectl apply set-last-applied --create-annotation -f web.yaml",
        "     kubectl is to remember what the file says: this writes its annotation, and nothing else; give it the"
        " file as it was when the object was made, and the apply removes what has left it since",
        "  2. kubectl diff -f web.yaml",
        "     shows what the apply changes",
        "  3. kubectl apply -f web.yaml",
        "     from now on write what it says only by this",
        "     configured",
        "     sets spec.replicas from 7, which kube-controller-manager/scale wrote, to 3; to keep it write it into"
        " web.yaml:1:1, or leave it to its writer: kubectl applylint handover deployment.apps/web spec.replicas --to"
        " kube-controller-manager -f web.yaml",
        "     stays from kubectl-edit, though the file does not say so: spec.paused",
        "  or kubectl replace --save-config -f web.yaml",
        "     to keep nothing but what the file says: this replaces the object as a whole, and writes the annotation",
        "     configured",
        "     deletes spec.paused: true",
        "  to delete it later: kubectl delete -f web.yaml",
        "     its pods are stopped",
    ]


def test_an_edit_and_nothing_more_to_do() -> None:
    lines = page(client_side(MANIFEST), {**MANIFEST, "status": {"replicas": 3}})

    assert lines[1:5] == [
        "  1. edit web.yaml:1:1",
        "     it was exported from the cluster: take out what is not yours to say: status",
        "  2. done",
        "     the next apply changes nothing",
    ]


def test_what_stays_is_told_even_where_nothing_is_to_be_done() -> None:
    lines = page(edited(client_side(MANIFEST)))

    assert lines[1:4] == [
        "  1. done",
        "     the next apply changes nothing",
        "     stays from kubectl-edit, though the file does not say so: spec.paused",
    ]


def test_a_value_that_nobody_is_known_to_have_written() -> None:
    live = client_side(MANIFEST)
    bare = {**live, "metadata": {**live["metadata"], "managedFields": []}, "spec": {**live["spec"], "replicas": 7}}

    assert any(line.startswith("     sets spec.replicas from 7, which somebody wrote, to 3") for line in page(bare))


def test_what_a_prune_deletes_besides() -> None:
    applied, twin = client_side(LABELLED), client_side({**LABELLED, "metadata": {**LABELLED["metadata"], "name": "b"}})
    settings: JsonObject = {**SECRET, "metadata": {**LABELLED["metadata"], "name": "x"}}
    subject = beside(subject_of(LABELLED, applied), settings, file="other.yaml")
    cluster = ClusterModel({ref_of(item).identity: Present(item) for item in (applied, twin)})
    found = adoption(subject, applied, cluster)

    assert adoption_text([found], [], Context()).splitlines()[-2:] == [
        "  or take its manifest out of the folder, and prune: kubectl apply --prune -l app=web"
        " --prune-allowlist=apps/v1/Deployment -f .",
        "     that deletes as well: deployment.apps/b",
    ]


def test_an_export_is_all_that_is_told_without_a_file() -> None:
    live = client_side(MANIFEST)
    found = adoption(subject_of(MANIFEST, live, known=False), live, ClusterModel())

    assert adoption_text([found], [Problem("a", "b")], Context()) == (
        "deployment.apps/web in shop: is managed by kubectl apply\n"
        "  1. kubectl apply view-last-applied deployment.apps/web -n shop -o yaml > deployment_web.yaml\n"
        "     no file has it: this writes what was applied last to deployment_web.yaml; then run adopt -f"
        " deployment_web.yaml\n"
        "\n"
        "a: problem: b\n"
    )


def test_what_secrets_hold_is_masked() -> None:
    live = client_side(SECRET)
    drifted = updated(live, {**live, "data": {"a": "b2xk", "b": "c2VjcmV0"}}, "kubectl-edit")
    manifest = {**SECRET, "data": {"a": "cGFzc3dvcmQ="}}
    found = mask_adoption(adoption(subject_of(manifest, drifted), drifted, ClusterModel()), [manifest, drifted])
    printed = adoption_text([found], [], Context()) + adoption_json([found], [])
    made = created(drifted)
    other = mask_adoption(adoption(subject_of(manifest, made), made, ClusterModel()), [manifest, made])
    printed += adoption_text([other], [], Context()) + adoption_json([other], [])

    assert MASK in printed
    assert [secret for secret in ("cGFzc3dvcmQ=", "b2xk", "c2VjcmV0") if secret in printed] == []
