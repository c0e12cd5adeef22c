"""Helpers of the tests of all groups."""

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.defaults import apply_defaults

POD_SPEC: JsonObject = {
    "dnsPolicy": "ClusterFirst",
    "restartPolicy": "Always",
    "schedulerName": "default-scheduler",
    "securityContext": {},
    "terminationGracePeriodSeconds": 30,
}
"""The defaults of every pod spec, also in a template."""


def fields_with_defaults(api_version: str, kind: str, fields: JsonObject, version: str = "1.36") -> JsonObject:
    """Return ``fields`` of an object of a kind after defaulting."""
    found = load(version).kind(api_version, kind)
    assert found is not None
    return apply_defaults(fields, found, version)


def defaulted_spec(api_version: str, kind: str, spec: JsonObject, version: str = "1.36") -> JsonObject:
    """Return the spec of an object of a kind after defaulting."""
    result: JsonObject = fields_with_defaults(api_version, kind, {"spec": spec}, version)["spec"]
    return result
