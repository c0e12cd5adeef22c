"""Draws what other writers do to a live object between two applies of its author."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from kubectl_applylint.core.values import Json, JsonObject, dig, mapping
from tests.cluster.api import APPLY_PATCH, JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH
from tests.fidelity.edits import Donors, Place, edit, walk

KINDS: Mapping[str, int] = {
    "scale": 20,
    "label": 15,
    "edit": 25,
    "sidecar": 20,
    "ssa": 15,
    "jsonrm": 8,
    "status": 5,
}
"""How often each kind of write is drawn; one that does not fit the object becomes an edit."""


@dataclass(frozen=True, slots=True)
class Writing:
    """One request: ``suffix`` follows the object's own path."""

    said: str
    method: str
    suffix: str
    body: Json
    content_type: str = "application/json"


def another_writer(rng: Random, live: JsonObject, given: Donors) -> Writing:
    """Return what another writer writes to ``live``."""
    kind = rng.choices(tuple(KINDS), tuple(KINDS.values()))[0]
    manager = rng.choice(("kubectl-edit", "controller", "argocd", "hpa"))
    body: Json
    match kind:
        case "scale" if "replicas" in mapping(live.get("spec")):
            body = {"spec": {"replicas": rng.choice((0, 2, 6, 9))}}
            return Writing(kind, "PATCH", "?fieldManager=hpa", body, MERGE_PATCH)
        case "label":
            return Writing(kind, "PATCH", f"?fieldManager={manager}", _label(rng), MERGE_PATCH)
        case "sidecar" if _has_containers(live):
            body = {"spec": {"template": {"spec": _sidecar(rng, live)}}}
            return Writing(kind, "PATCH", f"?fieldManager={manager}", body, STRATEGIC_PATCH)
        case "ssa":
            body = _part(rng, live)
            query = f"?fieldManager={rng.choice(('gitops', 'other'))}&force=true"
            return Writing(kind, "PATCH", query, body, APPLY_PATCH)
        case "jsonrm" if places := _removable(live):
            place = rng.choice(places)
            body = [{"op": "remove", "path": _pointer(place)}]
            return Writing(f"jsonrm {place}", "PATCH", f"?fieldManager={manager}", body, JSON_PATCH)
        case "status":
            body = {"status": {"observedGeneration": 1}}
            return Writing(kind, "PATCH", "/status?fieldManager=ctrl", body, MERGE_PATCH)
    unmanaged = {key: value for key, value in live.items() if key != "status"}
    edited, description = edit(rng, unmanaged, given, count=1)
    return Writing(f"edit {description}", "PUT", f"?fieldManager={manager}", edited)


def _label(rng: Random) -> JsonObject:
    where = rng.choice(("labels", "annotations"))
    return {"metadata": {where: {rng.choice(("added", "team", "injected")): "live"}}}


def _has_containers(live: JsonObject) -> bool:
    return live["kind"] != "Widget" and "containers" in mapping(dig(live, "spec", "template", "spec"))


def _sidecar(rng: Random, live: JsonObject) -> JsonObject:
    """Return what an injector adds to a pod spec."""
    name = live["spec"]["template"]["spec"]["containers"][0]["name"]
    return rng.choice(
        (
            {"containers": [{"name": "side", "image": "side:1"}]},
            {"volumes": [{"name": "inj", "emptyDir": {}}]},
            {"containers": [{"name": name, "env": [{"name": "INJ", "value": "1"}]}]},
            {"containers": [{"name": name, "resources": {"limits": {"cpu": "3"}}}]},
            {"containers": [{"name": name, "ports": [{"containerPort": 7777, "name": "inj"}]}]},
            {"tolerations": [{"key": "inj", "operator": "Exists"}]},
            {"imagePullSecrets": [{"name": "inj"}]},
        )
    )


def _part(rng: Random, live: JsonObject) -> JsonObject:
    """Return the part of the object that another manager applies server-side."""
    head = {"apiVersion": live["apiVersion"], "kind": live["kind"]}
    name = {"name": live["metadata"]["name"]}
    if rng.random() < 0.5:
        return {**head, "metadata": {**name, "labels": {"ssa": "1"}}}
    if "replicas" in mapping(live.get("spec")):
        return {**head, "metadata": name, "spec": {"replicas": rng.choice((2, 3, 8))}}
    if live["kind"] == "ConfigMap" and isinstance(live.get("data"), dict):
        return {**head, "metadata": name, "data": {"a": "ssa", "z": "9"}}
    if live["kind"] == "Service":
        return {**head, "metadata": name, "spec": {"sessionAffinity": "ClientIP"}}
    return {**head, "metadata": {**name, "annotations": {"team": "ssa"}}}


def _removable(live: JsonObject) -> list[Place]:
    return [place for place, _ in walk(live) if len(place) > 1 and place[0] in ("spec", "data")]


def _pointer(place: Place) -> str:
    """Return ``place`` as a JSON pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in place)
