"""Units that stand for ApplicationSets of Argo CD."""

from pathlib import Path

import pytest

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.run.discover.set_units import name_of_set, unit_of_set
from kubectl_applylint.units.model import Applied, Form, Unit
from tests.run.running import DIR, WEB, plan, runs, write

SET = ObjectRef("argoproj.io/v1alpha1", "ApplicationSet", "argocd", "all")
APPLICATION = ObjectRef("argoproj.io/v1alpha1", "Application", "argocd", "web")
TEMPLATE = """
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: all, namespace: argocd}
spec:
  STRATEGY
  generators: [{list: {elements: [{name: web}]}}]
  template:
    metadata: {name: '{{name}}'}
    spec: {source: {repoURL: '', path: 'apps/{{name}}'}, destination: {namespace: shop}}
"""


@pytest.mark.parametrize(
    ("applied", "name"),
    [
        (Applied("argocd", generated_by=SET, declared_by=APPLICATION), SET),
        (Applied("argocd", declared_by=SET), SET),
        (Applied("argocd", declared_by=APPLICATION), None),
        (Applied(), None),
    ],
)
def test_the_set_of_a_unit_generates_it_or_is_represented_by_it(applied: Applied, name: ObjectRef | None) -> None:
    assert name_of_set(Unit("apps/web", Form.FOLDER, frozenset(), applied)) == name


def test_a_unit_represents_a_set() -> None:
    found = unit_of_set(Unit("apps/web", Form.FOLDER, frozenset({"a"}), Applied("argocd", generated_by=SET)), SET)

    assert (found.root, found.form, found.files) == ("ApplicationSet/argocd/all", Form.RELEASE, frozenset())
    assert (found.applied.declared_by, found.applied.generated_by) == (SET, None)


@pytest.mark.parametrize(
    ("strategy", "files", "roots"),
    [
        ("", {}, []),
        ("strategy: {type: RollingSync}", {}, ["ApplicationSet/argocd/all", "argo"]),
        ("strategy: {type: RollingSync}", {"apps/web/web.yaml": WEB}, ["apps/web", "argo"]),
    ],
    ids=["the same", "no Application", "one Application"],
)
def test_a_changed_set_is_a_unit_if_it_changes_no_application(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strategy: str, files: dict[str, str], roots: list[str]
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    kept = {"apps/web/kept.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept}\n"}
    write(Path("before"), {**kept, "argo/set.yaml": TEMPLATE.replace("  STRATEGY\n", "")})
    write(Path("all"), {**kept, **files, "argo/set.yaml": TEMPLATE.replace("STRATEGY", strategy)})
    found = runs(against=DIR)

    assert sorted(run.unit.root for run in found.each if run.unit) == roots
    assert plan(found).problems == ()
