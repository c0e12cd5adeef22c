"""Small valid objects, and what is said of them when something else stands in them."""

import json
from typing import Final

from kubectl_applylint.core.outcome import FieldError, Write
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing
from kubectl_applylint.merge import json_merge
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.decode import decode
from kubectl_applylint.server.defaults import apply_defaults
from kubectl_applylint.server.validate import validate
from kubectl_applylint.server.validate.field_context import Constraint, FieldContext, Occasion, Table
from kubectl_applylint.server.validate.walk import plan, walk
from kubectl_applylint.server.write import JSON_BODY, Refused, Server, answer

CONTAINER = {"name": "c", "image": "i"}
LABELS = {"app": "a"}
PATH: Final[JsonObject] = {
    "path": "/",
    "pathType": "Prefix",
    "backend": {"service": {"name": "web", "port": {"number": 80}}},
}
INGRESS: Final[JsonObject] = {
    "apiVersion": "networking.k8s.io/v1",
    "kind": "Ingress",
    "metadata": {"name": "x", "namespace": "default"},
    "spec": {"rules": [{"host": "a.example.com", "http": {"paths": [PATH]}}]},
}
RULE: Final[JsonObject] = {
    "apiGroups": ["apps"],
    "apiVersions": ["v1"],
    "operations": ["CREATE"],
    "resources": ["deployments"],
}
POLICY: Final[JsonObject] = {
    "apiVersion": "admissionregistration.k8s.io/v1",
    "kind": "ValidatingAdmissionPolicy",
    "metadata": {"name": "x"},
    "spec": {"matchConstraints": {"resourceRules": [RULE]}, "validations": [{"expression": "true"}]},
}
HOOK: Final[JsonObject] = {
    "name": "a.example.com",
    "rules": [RULE],
    "clientConfig": {"url": "https://a.example.com/b"},
    "admissionReviewVersions": ["v1"],
    "sideEffects": "None",
}
WEBHOOKS: Final[JsonObject] = {
    "apiVersion": "admissionregistration.k8s.io/v1",
    "kind": "ValidatingWebhookConfiguration",
    "metadata": {"name": "x"},
    "webhooks": [HOOK],
}
LAMP_VERSION: Final[JsonObject] = {
    "name": "v1",
    "served": True,
    "storage": True,
    "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object"}}}},
}
LAMPS: Final[JsonObject] = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "lamps.example.com"},
    "spec": {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"plural": "lamps", "singular": "lamp", "kind": "Lamp", "listKind": "LampList"},
        "versions": [LAMP_VERSION],
    },
}


def a(api_version: str, kind: str, spec: Json = None, **rest: Json) -> JsonObject:
    """Return an object of a kind; ``metadata`` among ``rest`` come on top of name and namespace."""
    metadata = {"name": "x", "namespace": "default", **rest.pop("metadata", {})}
    body = {"spec": spec} if spec is not None else {}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **body, **rest}


def pod(*, metadata: Json = None, container: Json = None, **spec: Json) -> JsonObject:
    """Return a pod with one container; ``container`` comes on top of that, ``spec`` on top of the spec."""
    containers = [{**CONTAINER, **(container or {})}]
    return a("v1", "Pod", {"containers": containers, **spec}, metadata=metadata or {})


def template(*, container: Json = None, metadata: Json = None, **spec: Json) -> JsonObject:
    """Return a template of pods like ``pod``."""
    containers = [{**CONTAINER, **(container or {})}]
    return {"metadata": {"labels": LABELS, **(metadata or {})}, "spec": {"containers": containers, **spec}}


def workload(kind: str, *, pods: Json = None, **spec: Json) -> JsonObject:
    """Return a Deployment, DaemonSet, ReplicaSet or StatefulSet; ``pods`` is its template, if not ``template()``."""
    return a("apps/v1", kind, {"selector": {"matchLabels": LABELS}, "template": pods or template(), **spec})


def job(*, pods: Json = None, status: Json = None, **spec: Json) -> JsonObject:
    """Return a Job whose pods are those of ``pods``, and which has the given selector."""
    labels = {"selector": {"matchLabels": LABELS}, "manualSelector": True}
    body = {**labels, "template": pods or template(restartPolicy="Never"), **spec}
    return a("batch/v1", "Job", body, **({"status": status} if status else {}))


def service(*, metadata: Json = None, **spec: Json) -> JsonObject:
    """Return a Service with an address."""
    addresses = {"clusterIP": "10.0.0.1", "clusterIPs": ["10.0.0.1"], "ipFamilies": ["IPv4"]}
    families = {"ipFamilyPolicy": "SingleStack", "type": "ClusterIP"}
    body = {**addresses, **families, "ports": [{"port": 80}], **spec}
    return a("v1", "Service", {key: value for key, value in body.items() if value is not None}, metadata=metadata or {})


def lamps(spec: JsonObject) -> JsonObject:
    """Return what patches ``LAMPS`` so that ``spec`` is the schema of the spec of a lamp."""
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    return {"spec": {"versions": [{**LAMP_VERSION, "schema": schema}]}}


def refusals(new: JsonObject, old: JsonObject | None = None, version: str = "1.36") -> tuple[FieldError, ...]:
    """Return what is said of a manifest, after defaults, on its creation or where another manifest is stored."""
    kind = _kind(new, version)
    before = _with_defaults(old, kind, version, creating=True) if old is not None else None
    return validate(_with_defaults(new, kind, version, creating=old is None), before, kind, version)


def fields(new: JsonObject, old: JsonObject | None = None, version: str = "1.36") -> list[str]:
    """Return the fields that are objected to, sorted."""
    return sorted(refusal.field for refusal in refusals(new, old, version))


def messages(new: JsonObject, old: JsonObject | None = None, version: str = "1.36") -> list[str]:
    """Return what is said, each after its field, sorted."""
    return sorted(f"{refusal.field}: {refusal.message}" for refusal in refusals(new, old, version))


def undeclared_reference(
    field: str, expression: str, name: str, *, shown: str = "", words: str = "compilation failed"
) -> list[str]:
    """Return the error of an expression of one line that uses ``name``; ``shown`` is its value, if another one."""
    column = expression.index(name)
    fault = f"ERROR: <input>:1:{column + 1}: undeclared reference to '{name}' (in container '')"
    place = f" | {expression}\n | {'.' * column}^"
    return [f"{field}: Invalid value: {shown or json.dumps(expression)}: {words}: {fault}\n{place}"]


def rejection_messages(base: JsonObject, patch: JsonObject) -> list[str]:
    """Return the errors of a server that creates ``base`` with a merge patch applied, with their fields, sorted."""
    manifest = json_merge.merge(base, patch)
    server = Server(_kind(manifest, "1.36"), "1.36", disabled_admission=frozenset({"ServiceAccount"}))
    given = answer(Write("POST", JSON_BODY, manifest), None, server)
    return sorted(f"{each.field}: {each.message}" for each in given.causes) if isinstance(given, Refused) else []


def errors_of(
    value: Json | Missing, *constraints: Constraint | Table, old: Json | Missing = MISSING, minor: int = 36
) -> list[str]:
    """Return what constraints say of the field ``a`` that holds a value; with ``old`` it is changed from that."""
    new = {} if value is MISSING else {"a": value}
    before = MISSING if old is MISSING else {"a": old}
    fld = FieldContext(new, before, occasion=Occasion(creating=old is MISSING, minor=minor))
    return [f"{each.field}: {each.message}" for each in walk(fld, plan({"a": list(constraints)}))]


def _kind(obj: JsonObject, version: str) -> Kind:
    kind = load(version).kind(obj["apiVersion"], obj["kind"])
    assert kind is not None
    return kind


def _with_defaults(obj: JsonObject, kind: Kind, version: str, *, creating: bool) -> JsonObject:
    return apply_defaults(decode(obj, kind, creating=creating), kind, version)


def rolling(**limits: Json) -> JsonObject:
    """Return a strategy of rolling updates."""
    return {"type": "RollingUpdate", "rollingUpdate": limits}
