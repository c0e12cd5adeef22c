import pytest

from kubectl_applylint.units.order import in_order
from tests.units.documents import documents

OBJECTS = documents("""\
{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: shop}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: shop}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: b}}
---
{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: c}}
""")


@pytest.mark.parametrize("tool", ["kubectl", "skaffold"])
def test_kubectl_applies_as_files_have_it(tool: str) -> None:
    assert in_order(OBJECTS, tool) == tuple(OBJECTS)


@pytest.mark.parametrize("tool", ["flux", "argocd", "fleet", "helm"])
def test_other_tools_apply_first_what_others_need(tool: str) -> None:
    assert [one.ref.name for one in in_order(OBJECTS, tool)] == ["shop", "c", "a", "b"]
