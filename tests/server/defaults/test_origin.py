"""Sources of derived defaults."""

from dataclasses import replace

import pytest

from kubectl_applylint.core.paths import ByKey, Field, parse, render
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.defaults.origin import sources_of


def sources(api_version: str, kind: str, path: str, version: str = "1.36") -> list[str]:
    found = load(version).kind(api_version, kind)
    assert found is not None
    return [render(source) for source in sources_of(parse(path), found, version)]


@pytest.mark.parametrize(
    ("api_version", "kind", "path", "expected"),
    [
        pytest.param(
            "apps/v1",
            "Deployment",
            "spec.template.spec.containers[1].imagePullPolicy",
            ["spec.template.spec.containers[1].image"],
            id="beside it",
        ),
        pytest.param(
            "apps/v1",
            "Deployment",
            "spec.strategy.rollingUpdate.maxSurge",
            ["spec.strategy.type"],
            id="below the field that is derived",
        ),
        pytest.param("networking.k8s.io/v1", "NetworkPolicy", "spec.policyTypes[1]", ["spec.egress"], id="an element"),
        pytest.param(
            "v1",
            "Pod",
            "spec.containers[2].resources.requests.cpu",
            ["spec.containers[2].resources.limits"],
            id="in the same element of a list",
        ),
        pytest.param("v1", "Service", "spec.ports[0].targetPort", ["spec.ports[0].port"], id="by type"),
        pytest.param(
            "v1", "Service", "spec.externalTrafficPolicy", ["spec.type", "spec.externalIPs"], id="two sources"
        ),
        pytest.param("batch/v1", "Job", "metadata.labels.app", ["spec.template.metadata.labels"], id="elsewhere"),
        pytest.param("apps/v1", "Deployment", "spec.replicas", [], id="constant"),
        pytest.param("apps/v1", "Deployment", "spec.unknown.field", [], id="no such field"),
        pytest.param("v1", "ConfigMap", "data.key", [], id="no defaults"),
        pytest.param("batch/v1", "CronJob", "spec.jobTemplate.spec.backoffLimit", [], id="not at this place"),
    ],
)
def test_a_default_has_its_source_fields(api_version: str, kind: str, path: str, expected: list[str]) -> None:
    assert sources(api_version, kind, path) == expected


def test_elements_may_be_named_by_key() -> None:
    kind = load("1.36").kind("v1", "Pod")
    assert kind is not None
    container = (Field("spec"), Field("containers"), ByKey((("name", "web"),)))

    assert sources_of((*container, Field("imagePullPolicy")), kind, "1.36") == ((*container, Field("image")),)


def test_two_rules_with_one_source_name_it_once() -> None:
    path = "spec.updateStrategy.rollingUpdate.maxUnavailable"

    assert sources("apps/v1", "StatefulSet", path, "1.37") == ["spec.updateStrategy.type"]


def test_custom_resources_derive_nothing() -> None:
    kind = load("1.36").kind("apps/v1", "Deployment")
    assert kind is not None

    assert sources_of(parse("spec.strategy.rollingUpdate"), replace(kind, definition={"a": 1}), "1.36") == ()
