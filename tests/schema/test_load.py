"""Tables by version, and kinds that definitions declare."""

import pytest

from kubectl_applylint.schema import catalogue
from kubectl_applylint.schema.load import load


@pytest.mark.parametrize(
    ("version", "answers", "asked"),
    [
        ("1.36", "1.36", "1.36"),
        ("v1.36.3", "1.36", "1.36"),
        ("1.29.0", "1.29", "1.29"),
        ("v1.33.4-gke.1036000", "1.33", "1.33"),
        ("v1.30.14+k3s1", "1.30", "1.30"),
        ("1.21", "1.29", "1.21"),
        ("1.40", "1.37", "1.40"),
    ],
)
def test_a_version_is_answered_by_the_nearest_table(version: str, answers: str, asked: str) -> None:
    schema = load(version)

    assert (schema.version, schema.asked) == (answers, asked)


@pytest.mark.parametrize("version", ["", "1", "36", "latest", "2.0", "1.x", "1.36.", "1.36 ", "v1.36.3\n"])
def test_an_invalid_version_is_rejected(version: str) -> None:
    with pytest.raises(ValueError, match=r"not a Kubernetes version: .*; write it like 1\.36"):
        load(version)


def test_a_kind_that_a_version_does_not_serve_is_none() -> None:
    assert load("1.36").kind("extensions/v1beta1", "Deployment") is None


def test_units_share_the_kinds_of_a_definition() -> None:
    gvk = ("cert-manager.io/v1", "Certificate")
    entry = catalogue.find(gvk)
    assert entry is not None
    first, again = (load("1.36", crds=[catalogue.definition(entry)]).kind(*gvk) for _ in range(2))
    other = load("1.36", crds=[{**catalogue.definition(entry)}]).kind(*gvk)

    assert first is again
    assert first is not other
    assert load("1.35", crds=[catalogue.definition(entry)]).kind(*gvk) is not first
