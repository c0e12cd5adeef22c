"""Fields that Flux takes over from kubectl."""

import pytest

from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.merge.fieldset import of_paths
from kubectl_applylint.merge.server_side import APPLY, UPDATE, Identity, Owned
from kubectl_applylint.tools.flux.cleanup import cleanup, take_over_fields

FLUX = "kustomize-controller"
A, B, C = (Owned(of_paths([(f"f:{name}",)]), version) for name, version in (("a", "v1"), ("b", "v2"), ("c", "v1")))
OWN = Identity(FLUX, APPLY, "")


def test_all_that_a_kubectl_owns_goes_to_flux() -> None:
    edit, apply = Identity("kubectl-edit", UPDATE, "v1"), Identity("kubectl", APPLY, "")

    assert take_over_fields({edit: A, OWN: B, apply: C}, FLUX) == {OWN: Owned(A.fields | B.fields | C.fields, "v2")}


def test_the_first_kubectl_becomes_flux_where_flux_owns_nothing_yet() -> None:
    first, old = Identity("before-first-apply", UPDATE, "v1"), Identity(FLUX, UPDATE, "v2")

    assert take_over_fields({first: A, old: B}, FLUX) == {OWN: Owned(A.fields | B.fields, "v1")}


@pytest.mark.parametrize(
    "other",
    [
        Identity("kubectl", UPDATE, "v1", "scale"),
        Identity("helm", UPDATE, "v1"),
        Identity("before-first-apply", APPLY, ""),
    ],
    ids=str,
)
def test_others_stay(other: Identity) -> None:
    assert take_over_fields({other: A, OWN: B}, FLUX) == {other: A, OWN: B}
    assert cleanup({"metadata": {"name": "a"}}, FLUX) is None


def test_annotations_and_labels_of_former_tools_are_removed() -> None:
    metadata = {"annotations": {LAST_APPLIED: "{}", "a": "1"}, "labels": {"fluxcd.io/sync-gc-mark": "x"}}
    patch = cleanup({"metadata": metadata}, FLUX)
    wanted: list[JsonObject] = [
        {"op": "remove", "path": "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration"},
        {"op": "remove", "path": "/metadata/labels/fluxcd.io~1sync-gc-mark"},
    ]

    assert patch is not None
    assert patch.body == wanted
