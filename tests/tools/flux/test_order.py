"""The stages of Flux, and the order in them."""

import pytest

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.tools.flux.order import place, rank, stage

CRD = ObjectRef("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "widgets.example.com")
SHOP = ObjectRef("v1", "Namespace", "", "shop")
CLASS = ObjectRef("storage.k8s.io/v1", "StorageClass", "", "fast")
CONFIG = ObjectRef("v1", "ConfigMap", "shop", "web")
WEB = ObjectRef("apps/v1", "Deployment", "shop", "web")
AGENT = ObjectRef("apps/v1", "DaemonSet", "shop", "agent")
WIDGET = ObjectRef("example.com/v1", "Widget", "shop", "w")
HOOK = ObjectRef("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", "h")
ORDER = [CRD, SHOP, CLASS, CONFIG, WEB, AGENT, WIDGET, HOOK]


@pytest.mark.parametrize(
    ("ref", "number"),
    [
        (CRD, 0),
        (SHOP, 0),
        (ObjectRef("rbac.authorization.k8s.io/v1", "ClusterRole", "", "r"), 0),
        (ObjectRef("example.com/v1", "Namespace", "", "n"), 2),
        (CLASS, 1),
        (CONFIG, 2),
    ],
)
def test_definitions_come_before_classes_and_the_rest(ref: ObjectRef, number: int) -> None:
    assert stage(ref) == number


def test_a_set_is_sorted_by_stage_kind_and_name() -> None:
    assert sorted([*ORDER[4:], *ORDER[:4]], key=place) == ORDER
    assert rank(CONFIG) < rank(ObjectRef("v1", "ConfigMap", "shop", "web2"))
