"""Defaults of APIServices; mirrors defaults.go of kube-aggregator's v1."""

from typing import Final

from kubectl_applylint.server.default_rules import Defaults

API_REGISTRATION: Final = Defaults(
    package="io.k8s.kube-aggregator.pkg.apis.apiregistration", constant={"ServiceReference": {"port": 443}}
)
