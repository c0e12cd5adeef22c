"""Definitions of the configuration and of the catalogue, for kinds that nothing else defines."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema import catalogue
from kubectl_applylint.schema.configured_definitions import (
    NOT_CONFIGURED,
    ConfiguredDefinitions,
    further_definitions,
    minor_of_version,
)

CERTIFICATE = ("cert-manager.io/v1", "Certificate")
LAMP: JsonObject = {"spec": {"group": "x.io", "names": {"kind": "Lamp"}}}
OWN: JsonObject = {"spec": {"group": "cert-manager.io", "names": {"kind": "Certificate"}}}
BUNDLED = catalogue.projects()["cert-manager"].version
MINOR = minor_of_version(BUNDLED)


def test_a_kind_of_the_catalogue_has_a_bundled_definition() -> None:
    found = further_definitions([CERTIFICATE, ("x.io/v1", "Lamp")], NOT_CONFIGURED, set())

    assert [name for name, _ in found.bundled] == [f"cert-manager {BUNDLED}"]
    assert found.certain == ()


def test_a_declared_kind_has_none() -> None:
    assert further_definitions([CERTIFICATE], NOT_CONFIGURED, {("cert-manager.io", "Certificate")}).bundled == ()


@pytest.mark.parametrize(
    ("version", "is_certain", "name"),
    [(f"v{MINOR}", True, ""), (f"{MINOR}.99", True, ""), ("v0.1", False, f"cert-manager {BUNDLED}, not v0.1")],
    ids=["minor", "patch", "another minor"],
)
def test_a_pinned_minor_version_is_certain(version: str, is_certain: bool, name: str) -> None:
    found = further_definitions([CERTIFICATE], ConfiguredDefinitions({"cert-manager": version}), set())

    assert len(found.certain) == is_certain
    assert [each for each, _ in found.bundled] == [name][is_certain:]


def test_files_of_the_configuration_come_before_the_catalogue_and_after_known_definitions() -> None:
    configured = ConfiguredDefinitions({}, (LAMP, OWN))

    assert further_definitions([CERTIFICATE], configured, set()).certain == (LAMP, OWN)
    assert further_definitions([CERTIFICATE], configured, set()).bundled == ()
    assert further_definitions([CERTIFICATE], configured, {("x.io", "Lamp")}).certain == (OWN,)


@pytest.mark.parametrize(
    ("version", "minor"), [("v1.21.2", "1.21"), ("26.7.0-rc1", "26.7"), ("edge-26.8.3", ""), ("v1", "")]
)
def test_a_version_has_a_minor(version: str, minor: str) -> None:
    assert minor_of_version(version) == minor
