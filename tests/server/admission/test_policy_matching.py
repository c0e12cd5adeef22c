import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.admission.attributes import AdmissionAttributes
from kubectl_applylint.server.admission.policy_matching import matches
from tests.server.admission.objects import cluster_view, namespace, namespaced_object
from tests.server.stored import kind_of

MAP = namespaced_object("v1", "ConfigMap", "shop")
ROLE: JsonObject = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "x"}}
RULE = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}


def write(item: JsonObject, old: JsonObject | None = None) -> AdmissionAttributes:
    return AdmissionAttributes(item, old, kind_of(item), 36, cluster_view(namespace("shop", {"team": "a"})))


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        pytest.param({}, True, id="the rule"),
        pytest.param({"operations": ["*"], "resources": ["*/*"], "apiGroups": ["*"]}, True, id="all"),
        pytest.param({"operations": ["UPDATE", "DELETE"]}, False, id="other operations"),
        pytest.param({"apiGroups": ["apps"]}, False, id="other group"),
        pytest.param({"apiVersions": ["v2"]}, True, id="other version of the group"),
        pytest.param({"resources": ["pods", "configmaps/status"]}, False, id="other resources"),
        pytest.param({"scope": "Cluster"}, False, id="other scope"),
        pytest.param({"resourceNames": ["y"]}, False, id="other names"),
        pytest.param({"resourceNames": ["x", "y"]}, True, id="its name"),
    ],
)
def test_rules(rule: JsonObject, meant: bool) -> None:
    assert matches(write(MAP), {"resourceRules": [{**RULE, **rule}]}) is meant


def test_excluded_resources_do_not_match() -> None:
    assert matches(write(MAP), {"resourceRules": [RULE], "excludeResourceRules": [RULE]}) is False
    assert matches(write(MAP), {}) is True


def test_a_rule_may_want_its_version() -> None:
    other = {**RULE, "apiVersions": ["v2"]}

    assert matches(write(MAP), {"matchPolicy": "Exact", "resourceRules": [other]}) is False
    assert matches(write(MAP), {"matchPolicy": "Exact", "resourceRules": [RULE]}) is True


def test_an_object_matches_by_its_old_labels() -> None:
    labelled = {**MAP, "metadata": {**MAP["metadata"], "labels": {"a": "b"}}}
    criteria = {"objectSelector": {"matchLabels": {"a": "b"}}}

    assert matches(write(MAP), criteria) is False
    assert matches(write(MAP, labelled), criteria) is True


@pytest.mark.parametrize(
    ("item", "labels", "meant"),
    [
        pytest.param(MAP, {"team": "a"}, True, id="labels of its namespace"),
        pytest.param(MAP, {"team": "b"}, False, id="other labels"),
        pytest.param({**MAP, "metadata": {"name": "x", "namespace": "bar"}}, {"team": "a"}, None, id="not known"),
        pytest.param(ROLE, {"team": "b"}, True, id="outside of namespaces"),
        pytest.param(namespace("x", {"team": "b"}), {"team": "b"}, True, id="a namespace by its own"),
        pytest.param(namespace("x"), {"team": "b"}, False, id="a namespace by its own, not meant"),
    ],
)
def test_namespaces(item: JsonObject, labels: JsonObject, meant: bool | None) -> None:
    assert matches(write(item), {"namespaceSelector": {"matchLabels": labels}}) is meant
