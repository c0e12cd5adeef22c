"""What ``migrate`` prints."""

import json

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.ownership.migration import Side, migration
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.migration import mask_migration, migration_json, migration_text
from kubectl_applylint.report.secret_places import MASK
from tests.stories import MANIFEST, WITHOUT_REPLICAS, client_side, edited, scaled, server_side, subject_of, updated

SECRET: JsonObject = {
    "apiVersion": "v1",
    "kind": "Secret",
    "metadata": {"name": "token", "namespace": "shop"},
    "data": {"a": "cGFzc3dvcmQ="},
}


def page(live: JsonObject | None, manifest: JsonObject = MANIFEST, to: Side = Side.SERVER, **look: bool) -> list[str]:
    plan = migration(subject_of(manifest, live), live, to)
    return migration_text([plan], [], Context(**look)).splitlines()  # type: ignore[arg-type]  # only switches


def test_a_plan_in_words() -> None:
    assert page(client_side(MANIFEST)) == [
        "deployment.apps/web in shop: is applied client-side",
        "  1. kubectl apply --server-side -f web.yaml",
        "     serverside-applied",
        "     owners then: kubectl-last-applied (Apply) 1 field, kubectl (Apply) 7 fields, nobody 15 defaults of the"
        " server",
        "",
        "commands, in this order:",
        "  kubectl apply --server-side -f web.yaml",
        "check, prints nothing when all is done:",
        "  kubectl diff --server-side -f web.yaml",
        "the way back:",
        "  kubectl apply -f web.yaml",
        "  # after that two managers own the fields, kubectl (Apply) and kubectl-client-side-apply (Update):"
        " client-side apply does not remove the entry of a server-side apply",
    ]


def test_a_conflict_with_its_ways_out() -> None:
    lines = page(scaled(client_side(MANIFEST), 7))

    assert lines[2:7] == [
        "     conflict",
        "     conflict: spec.replicas belongs to kube-controller-manager with another value",
        "     to leave these fields to their owners take their lines out of the manifest, or write the live values",
        "     to take them over by force: kubectl apply --server-side --force-conflicts -f web.yaml",
        "     serverside-applied",
    ]
    assert "     takes spec.replicas from kube-controller-manager" in lines
    assert "commands, once what is refused above is settled:" in lines


def test_nothing_to_do() -> None:
    assert page(server_side(MANIFEST)) == [
        "deployment.apps/web in shop: is applied server-side, nothing to do",
        "",
        "check, prints nothing when all is done:",
        "  kubectl diff --server-side -f web.yaml",
    ]


def test_what_goes_although_nobody_asked() -> None:
    live = edited(client_side(MANIFEST))
    bare = {**live, "metadata": {key: value for key, value in live["metadata"].items() if key != "managedFields"}}

    assert "     deletes spec.paused: true, which the manifest does not have" in page(bare)
    assert "     sets spec.replicas from 3 to 1, which the manifest does not have" in page(
        server_side(MANIFEST), WITHOUT_REPLICAS, Side.CLIENT
    )


def test_a_refusal_with_its_field() -> None:
    negative = {**MANIFEST, "spec": {**MANIFEST["spec"], "replicas": -1}}
    wrong = {**MANIFEST, "spec": {**MANIFEST["spec"], "repl": 1}}

    assert any(line.startswith("     refused: spec.replicas: Invalid value: -1") for line in page(None, negative))
    assert any(line.startswith("     refused: failed to create typed patch object") for line in page(None, wrong))


def test_long_lists_are_cut_unless_asked_for() -> None:
    labelled = {**MANIFEST, "metadata": {**MANIFEST["metadata"], "labels": {"a": "b", "c": "d"}}}
    live = server_side(labelled)
    bare = {key: value for key, value in live["metadata"].items() if key != "managedFields"}
    empty = {**live, "metadata": {key: value for key, value in bare.items() if key != "labels"}, "spec": {}}
    shared = server_side(labelled, updated(empty, {**live, "metadata": bare}, "kubectl-create"))

    short, long = page(shared), page(shared, verbose=True)

    assert any("and 1 more (-v names them)" in line for line in short), short
    assert not any("(-v names them)" in line for line in long)


def test_verbose_names_the_fields_of_every_owner() -> None:
    assert any(line.startswith("     kubectl: spec.replicas, ") for line in page(client_side(MANIFEST), verbose=True))


def test_secrets_are_masked() -> None:
    live = updated(
        client_side(SECRET), {**client_side(SECRET), "data": {"a": "eA==", "b": "eQ=="}}, "kubectl-client-side-apply"
    )
    plan = mask_migration(migration(subject_of(SECRET, live), live, Side.SERVER), [SECRET, live])

    text = migration_text([plan], [], Context()) + migration_json([plan], [])

    assert f'deletes data.b: "{MASK}"' in text
    assert "eQ==" not in text


def test_json() -> None:
    live = scaled(client_side(MANIFEST), 7)
    plan = migration(subject_of(MANIFEST, live), live, Side.SERVER)

    told = json.loads(migration_json([plan], [Problem("a", "b")]))

    (item,) = told["objects"]
    assert (told["version"], item["stage"], item["to"]) == ("migrate-v1", "client", "server")
    assert told["commands"] == ["kubectl apply --server-side -f web.yaml"]
    assert item["steps"][0]["conflicts"] == [{"path": "spec.replicas", "manager": "kube-controller-manager"}]
    assert item["steps"][0]["owners"] == []
    assert item["forced"]["taken"] == [{"path": "spec.replicas", "from": ["kube-controller-manager"]}]
    assert item["forced"]["owners"][1]["manager"] == "kubectl"
    assert item["back"] == ["kubectl apply -f web.yaml"]
