"""Defaults of API services, as kube-apiserver 1.36 sets them."""

from tests.server.defaults.support import fields_with_defaults


def test_the_port_of_an_api_service() -> None:
    assert fields_with_defaults("apiregistration.k8s.io/v1", "APIService", {"spec": {"service": {}}}) == {
        "spec": {"service": {"port": 443}}
    }
