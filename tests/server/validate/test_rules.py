"""Rules of a kind without exceptions, as shown by kinds of the server."""

import pytest

from kubectl_applylint.server.validate.rules import Rules
from tests.server.validate.objects import a, fields, service


@pytest.mark.parametrize(
    ("name", "is_good"),
    [("a.b-1", True), ("1", True), ("A", False), ("a_b", False), ("a" * 254, False), ("", False)],
    ids=["subdomain", "digit", "upper case", "underscore", "too long", "empty"],
)
def test_a_name_is_a_subdomain(name: str, is_good: bool) -> None:
    assert (not Rules({}).name(name)) == is_good


def test_finalizers_without_a_domain_are_those_of_kubernetes() -> None:
    settings = a("v1", "ConfigMap", metadata={"finalizers": ["foregroundDeletion", "mine"]})

    assert Rules({}).standard_finalizers
    assert fields(settings) == ["metadata.finalizers[1]"]


def test_errors_of_first_checks_end_the_validation() -> None:
    """Of a Service these are the addresses that the server allocates before it looks at the rest."""
    both = service(clusterIP="10.0.0.1", clusterIPs=["10.0.0.2"], ports=None)

    assert not Rules({}).first
    assert fields(both) == ["spec.clusterIPs"]
    assert fields(service(ports=None)) == ["spec.ports"]
