"""Validation of services that extend the API when their group changes: kube-apiserver 1.36.3."""

from kubectl_applylint.core.values import Json
from tests.server.validate.objects import messages

SERVICE: Json = {
    "apiVersion": "apiregistration.k8s.io/v1",
    "kind": "APIService",
    "metadata": {"name": "v1.example.com"},
    "spec": {"group": "example.com", "version": "v1", "groupPriorityMinimum": 100, "versionPriority": 10},
}


def test_a_changed_group_must_match_the_name() -> None:
    changed = {**SERVICE, "spec": {**SERVICE["spec"], "group": "example.org"}}

    assert messages(SERVICE, SERVICE) == []
    assert messages(changed, SERVICE) == [
        'metadata.name: Invalid value: "v1.example.com": must be `spec.version+"."+spec.group`: "v1.example.org"'
    ]
