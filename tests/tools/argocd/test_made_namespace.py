"""The Namespace that a sync of Argo CD makes. Facts: ``controller/sync_namespace.go`` of Argo CD 3.6.1."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.argocd.application import ArgoApplication
from kubectl_applylint.tools.argocd.made_namespace import made_namespace

TRACKED = "argocd.argoproj.io/tracking-id"


def application(namespace: str = "shop", option: str = "CreateNamespace=true", managed: Json = None) -> JsonObject:
    policy: JsonObject = {"syncOptions": [option], **({} if managed is None else {"managedNamespaceMetadata": managed})}
    return {"spec": {"destination": {"namespace": namespace}, "syncPolicy": policy}}


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (application(), {"name": "shop"}),
        (application(option="CreateNamespace=false"), None),
        (application(namespace=""), None),
        (application(namespace="{{name}}"), None),
        (
            application(managed={"labels": {"a": "b"}, "annotations": {"c": "d"}}),
            {
                "name": "shop",
                "labels": {"a": "b"},
                "annotations": {"c": "d", "argocd.argoproj.io/sync-options": "ServerSideApply=true"},
            },
        ),
        (
            application(managed={}),
            {"name": "shop", "annotations": {"argocd.argoproj.io/sync-options": "ServerSideApply=true"}},
        ),
    ],
    ids=["made", "not asked for", "no namespace", "unknown", "managed", "managed without metadata"],
)
def test_a_sync_makes_its_namespace(item: JsonObject, expected: JsonObject | None) -> None:
    made = made_namespace(item)

    assert (made and made["metadata"]) == expected


def test_the_namespace_is_not_tracked() -> None:
    made = made_namespace(application()) or {}
    other = {**made, "metadata": {"name": "other"}}
    shop = ArgoApplication("web", "shop", made_namespace="shop")

    assert shop.with_tracking(made) is made
    assert TRACKED in shop.with_tracking(other)["metadata"]["annotations"]
