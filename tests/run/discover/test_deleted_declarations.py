"""Applications that a change deletes."""

from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.run.discover.deleted_declarations import deletion_finder, is_replaced
from kubectl_applylint.run.discover.revisions import Revisions
from kubectl_applylint.run.sides.sides import of_folder
from kubectl_applylint.units.model import Applied, Form, Reason, Unit


def application(name: str, *finalizers: str) -> JsonObject:
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": name, "namespace": "argocd", "finalizers": [*finalizers]},
    }


def unit(item: JsonObject | None, tool: str = "argocd") -> Unit:
    return Unit("web", Form.FOLDER, frozenset(), Applied(tool, tool_object=item, reason=Reason("", "argo/web.yaml")))


def kustomization(name: str, **spec: Json) -> Unit:
    item: JsonObject = {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": name, "namespace": "flux-system"},
        "spec": spec,
    }
    return unit(item, "flux")


DELETING = unit(application("web", "resources-finalizer.argocd.argoproj.io"))


@pytest.mark.parametrize(
    ("earlier", "later", "expected"),
    [
        (DELETING, unit(application("site")), True),
        (DELETING, unit(application("web")), False),
        (unit(application("web", "other")), unit(application("site")), False),
        (DELETING, unit(None, "kubectl"), False),
        (DELETING, unit(None), False),
        (kustomization("web", prune=True), kustomization("site"), True),
        (kustomization("web"), kustomization("site"), False),
        (kustomization("web", prune=True, deletionPolicy="Orphan"), kustomization("site"), False),
        (kustomization("web", prune=True, suspend=True), kustomization("site"), False),
    ],
    ids=[
        "another name",
        "the same name",
        "no finalizer",
        "another tool",
        "a configured apply",
        "Flux",
        "without prune",
        "orphans",
        "suspended",
    ],
)
def test_a_declaring_object_is_replaced_by_one_of_another_name(earlier: Unit, later: Unit, expected: bool) -> None:
    assert is_replaced(earlier, later, lambda _: True) is expected
    assert not is_replaced(earlier, later, lambda _: False)


@pytest.mark.parametrize(("prunes", "expected"), [(True, True), (False, False)])
def test_an_application_is_deleted_by_what_prunes_its_file(tmp_path: Path, prunes: bool, expected: bool) -> None:
    side = of_folder(str(tmp_path))
    root = Unit("argo", Form.FOLDER, frozenset({"argo/web.yaml"}), Applied("argocd", prune=prunes))
    earlier = replace(DELETING, applied=replace(DELETING.applied, reason=Reason("", side.label("argo/web.yaml"))))
    found = Revisions(side, side, frozenset(), ((root, earlier), ()))

    assert deletion_finder(found)(earlier) is expected
