"""Declarations of paths without further settings: each tool reads its own objects."""

from collections.abc import Callable, Iterable

import pytest

from kubectl_applylint.tools.argocd import declarations as argocd
from kubectl_applylint.tools.flux import declarations as flux
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.model import Applied, Reason
from tests.units.documents import documents

APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web}
spec: {source: {path: a}}
"""
KUSTOMIZATION = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: web}
spec: {path: ./a, prune: false}
"""


def test_a_path_alone_is_applied_by_kubectl_to_one_folder_of_this_repository() -> None:
    bare = Declared("a", Applied())

    assert (bare.is_recursive, bare.source) == (False, "")
    assert (bare.applied.tool, bare.applied.prune, bare.applied.reason) == ("kubectl", None, Reason(""))


@pytest.mark.parametrize(
    ("read", "is_one_unit", "prune"),
    [
        pytest.param(
            lambda: argocd.declarations(documents(APPLICATION), (), lambda path: b"", ()), False, None, id="Argo CD"
        ),
        pytest.param(lambda: flux.declarations(documents(KUSTOMIZATION)), True, False, id="Flux"),
    ],
)
def test_flux_applies_subfolders_as_one_unit(
    read: Callable[[], Iterable[Declared]], is_one_unit: bool, prune: bool | None
) -> None:
    (found,) = read()

    assert (found.path, found.is_one_unit, found.applied.prune, found.source) == ("a", is_one_unit, prune, "")
