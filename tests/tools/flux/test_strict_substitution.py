"""Versions of Flux that fail at variables without a value."""

import pytest

from kubectl_applylint.tools.flux.strict_substitution import gates_in, is_strict_controller, is_strict_distribution


@pytest.mark.parametrize(
    ("text", "is_strict"),
    [
        (b"image: ghcr.io/fluxcd/kustomize-controller:v1.8.4\n", False),
        (b"image: ghcr.io/fluxcd/kustomize-controller:v0.35.1@sha256:00\n", False),
        (b"image: ghcr.io/fluxcd/kustomize-controller:v1.9.0\n", True),
        (b"image: ghcr.io/fluxcd/kustomize-controller:v1.10.2\n", True),
        (b"image: ghcr.io/fluxcd/kustomize-controller@sha256:00\n", None),
        (b"name: kustomize-controller\n", None),
    ],
)
def test_the_gate_is_on_by_default_since_1_9(text: bytes, is_strict: bool | None) -> None:
    assert is_strict_controller(text) is is_strict


@pytest.mark.parametrize(
    ("wanted", "is_strict"),
    [
        ("2.8.1", False),
        ("v2.9.0", True),
        ("2.8.x", False),
        ("2.x", True),
        (">=2.6 <2.9", False),
        ("~2.12.0", True),
        ("*", True),
        ("", None),
        ("${FLUX}", None),
    ],
)
def test_a_range_is_strict_if_it_allows_a_strict_version(wanted: str, is_strict: bool | None) -> None:
    assert is_strict_distribution(wanted) is is_strict


def test_the_gate_is_read_from_arguments() -> None:
    text = b"- --feature-gates=DisableStatusPollerCache=true,StrictPostBuildSubstitutions=false\n"

    assert [*gates_in([b"args: []", text])] == [False]
