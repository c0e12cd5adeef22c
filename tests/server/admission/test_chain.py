"""The order of the plugins, and what they take for granted together."""

import pytest

from kubectl_applylint.core.state import ClusterView, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.admission.chain import PLUGINS, assumptions, mutate
from tests.server.admission.objects import namespaced_object, write_of

WITHOUT_ACCOUNT = frozenset({"ServiceAccount"})


def test_a_plugin_that_is_disabled_does_not_run() -> None:
    disabled = frozenset(plugin.name for plugin in PLUGINS)

    assert mutate(write_of("v1", "Pod", {"spec": {}}), disabled).object == {"spec": {}}


def test_the_first_rejection_counts_and_the_object_is_complete() -> None:
    pod = namespaced_object("v1", "Pod", "shop", spec={"priorityClassName": "x", "containers": []})
    known = ClusterView(whole=frozenset({("", "Namespace", ""), ("scheduling.k8s.io", "PriorityClass", "")}))
    mutation = mutate(write_of("v1", "Pod", pod, known=known), WITHOUT_ACCOUNT)

    assert mutation.denied is not None
    assert [cause.message for cause in mutation.denied.causes] == ['namespaces "shop" not found']
    assert isinstance(mutation.object["spec"]["priority"], Unknown)
    assert len(mutation.object["spec"]["tolerations"]) == 2


@pytest.mark.parametrize(
    ("api_version", "kind", "spec", "old", "expected"),
    [
        pytest.param(
            "v1", "PersistentVolumeClaim", {}, None, ("no StorageClass is the default of the cluster",), id="claim"
        ),
        pytest.param("v1", "PersistentVolumeClaim", {"storageClassName": ""}, None, (), id="class written"),
        pytest.param("v1", "PersistentVolumeClaim", {}, {"spec": {}}, (), id="existing claim"),
        pytest.param("networking.k8s.io/v1", "Ingress", {}, None, ("no IngressClass is the default",), id="ingress"),
        pytest.param("v1", "ConfigMap", {}, None, (), id="nothing to assume"),
        pytest.param(
            "v1", "Pod", {"priorityClassName": "x"}, None, ("no LimitRange of the namespace sets resources",), id="pod"
        ),
    ],
)
def test_assumptions_depend_on_the_kind(
    api_version: str, kind: str, spec: JsonObject, old: JsonObject | None, expected: tuple[str, ...]
) -> None:
    assert assumptions(write_of(api_version, kind, {"spec": spec}, old), WITHOUT_ACCOUNT) == expected


def test_nothing_is_assumed_of_what_is_known() -> None:
    claim = write_of("v1", "PersistentVolumeClaim", {"spec": {}})
    whole = ClusterView(whole=frozenset({("storage.k8s.io", "StorageClass", "")}))
    known = write_of("v1", "PersistentVolumeClaim", {"spec": {}}, known=whole)

    assert assumptions(claim, frozenset()) == ("no StorageClass is the default of the cluster",)
    assert assumptions(known, frozenset()) == ()
