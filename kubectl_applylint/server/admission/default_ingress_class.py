"""DefaultIngressClass: a new ingress that names no IngressClass gets the default one.

Mirrors ``plugin/pkg/admission/network/defaultingressclass``.
"""

from typing import Final

from kubectl_applylint.server.admission.attributes import AdmissionAttributes, Mutation
from kubectl_applylint.server.admission.default_class import DefaultClass, is_assumed, with_default_class
from kubectl_applylint.server.admission_inputs import INGRESS_CLASS

_INGRESS: Final = DefaultClass(
    kind=INGRESS_CLASS,
    marks=("ingressclass.kubernetes.io/is-default-class",),
    field="ingressClassName",
    older="kubernetes.io/ingress.class",
)


def mutate(attributes: AdmissionAttributes) -> Mutation:
    """Return an ingress with its class."""
    return with_default_class(attributes, _INGRESS)


def assumptions(attributes: AdmissionAttributes) -> tuple[str, ...]:
    """Return the assumption that no default class exists, if that is unknown."""
    return ("no IngressClass is the default",) if is_assumed(attributes, _INGRESS) else ()
