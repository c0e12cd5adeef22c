"""Defaults of certificates.k8s.io; mirrors the markers of its types."""

from typing import Final

from kubectl_applylint.server.default_rules import Defaults

CERTIFICATES: Final = Defaults(
    package="io.k8s.api.certificates",
    versions=("v1", "v1beta1", "v1alpha1"),
    constant={"PodCertificateRequestSpec": {"maxExpirationSeconds": 86400}},
)
