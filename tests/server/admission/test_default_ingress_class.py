"""The IngressClass of ingresses, as seen on Kubernetes 1.36.3."""

from kubectl_applylint.core.state import UNSEEN
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.admission.default_ingress_class import mutate
from tests.server.admission.objects import of_cluster, write_of

MARK = "ingressclass.kubernetes.io/is-default-class"


def test_the_class_of_an_ingress() -> None:
    known = UNSEEN.with_objects([of_cluster("networking.k8s.io/v1", "IngressClass", "nginx", {MARK: "true"})])
    noted: JsonObject = {"metadata": {"annotations": {"kubernetes.io/ingress.class": "x"}}, "spec": {}}
    new = write_of("networking.k8s.io/v1", "Ingress", {"spec": {}}, known=known)
    kept = write_of("networking.k8s.io/v1", "Ingress", noted, known=known)

    assert mutate(new).object == {"spec": {"ingressClassName": "nginx"}}
    assert mutate(kept).object == noted
