"""Charts that Helm upgrades: what is stored of them is what the earlier revision renders."""

import json
from functools import partial
from pathlib import Path
from typing import Final

import pytest
import yaml

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.compare.against import Against, AgainstKind
from kubectl_applylint.run.compare.live_source import LiveSource
from kubectl_applylint.run.compare.snapshot_source import in_snapshot
from kubectl_applylint.run.loaded_units import LoadedUnits
from kubectl_applylint.run.request import Request
from kubectl_applylint.tools.helm.method import Method
from kubectl_applylint.tools.helm.release import Release
from kubectl_applylint.tools.helm.unit import upgrade_from_cluster, upgrade_of
from kubectl_applylint.tools.helm.upgrade import HelmAction, HelmUnit
from tests.engine.test_set_apply import CRD, config
from tests.rules.stories import document
from tests.run.compare.test_history import settings
from tests.run.running import load_units, plan
from tests.sources.cluster.test_helm_releases import secret
from tests.sources.render.test_kustomize import program
from tests.sources.repositories import Repo, create
from tests.stories import SCHEMA

HELM = r"""
for folder in "$@"; do :; done
cd "$folder" && for file in templates/*.yaml templates/crds/*.yaml; do
  if [ -f "$file" ]; then echo ---; echo "# Source: shop/$file"; cat "$file"; fi
done
"""
"""A program that prints the templates as they are, and definitions in a directory of their own."""
RELEASE: Final = HelmUnit(Release("app", "shop"))
PAST = [document(config("a"))]


@pytest.mark.parametrize(("is_helm4", "method"), [(False, Method.PATCH), (True, Method.APPLY)])
def test_the_stored_release_is_that_of_the_earlier_revision(is_helm4: bool, method: Method) -> None:
    found = upgrade_of(RELEASE, PAST, is_helm4=is_helm4)

    assert (found.release, found.action, found.method) == (Release("app", "shop"), HelmAction.UPGRADE, method)
    assert (found.originals, found.migrates) == ((PAST[0].object,), False)


def test_a_new_chart_is_installed() -> None:
    found = upgrade_of(RELEASE, [], is_helm4=True, is_new=True)

    assert (found.action, found.is_server_side) == (HelmAction.INSTALL, True)


def snapshot(folder: Path, *items: JsonObject) -> LiveSource:
    """Return what a snapshot with these objects knows."""
    file = folder / "snapshot.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    return in_snapshot(str(file))


STORED: Final = HelmUnit(Release("shop", "prod"))
by_helm4: Final = partial(upgrade_from_cluster, is_helm4=True)


def test_a_release_uses_its_stored_manifest(tmp_path: Path) -> None:
    source = snapshot(tmp_path, secret(1), secret(2, apply_method="ssa"))

    found, problems = by_helm4(STORED, source, SCHEMA)

    assert (found.action, found.is_server_side, problems) == (HelmAction.UPGRADE, True, ())
    assert [ref_of(item).namespace for item in found.originals] == ["prod"]


def test_a_release_that_nothing_has_stored_is_installed(tmp_path: Path) -> None:
    found, problems = by_helm4(HelmUnit(Release("shop", "other")), snapshot(tmp_path, secret()), SCHEMA)

    assert (found.action, found.unknown, problems) == (HelmAction.INSTALL, "", ())


def test_a_pending_release_is_rejected_as_in_progress(tmp_path: Path) -> None:
    source = snapshot(tmp_path, secret(1), secret(2, status="pending-upgrade"))

    assert "in progress" in by_helm4(STORED, source, SCHEMA)[0].refusal


def test_without_secrets_a_snapshot_says_nothing_of_releases(tmp_path: Path) -> None:
    found, problems = by_helm4(STORED, snapshot(tmp_path, config("a")), SCHEMA)

    assert found.unknown.endswith("has no Secrets, so what its Helm release has stored is not known")
    assert problems == ()


def test_a_damaged_release_is_not_known(tmp_path: Path) -> None:
    found, (problem,) = by_helm4(STORED, snapshot(tmp_path, secret(1, "%")), SCHEMA)

    assert found.unknown == "what its Helm release has stored could not be read"
    assert "not base64" in problem.message


BEFORE = {
    "shop/Chart.yaml": "name: shop\n",
    "shop/templates/one.yaml": settings("one"),
    "shop/templates/two.yaml": settings("two"),
    "plain/three.yaml": settings("three"),
    "plain/four.yaml": settings("four"),
}


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A chart and a folder, and a program that prints the templates as they are."""
    repo = create(tmp_path / "repo")
    repo.commit(BEFORE)
    repo.write({"shop/templates/one.yaml": settings("one", "c"), "plain/three.yaml": settings("three", "c")})
    repo.write({"shop/templates/two.yaml": None, "plain/four.yaml": None})
    monkeypatch.chdir(repo.folder)
    (tmp_path / "bin").mkdir()
    program(tmp_path, "helm", HELM)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return repo


def plan_change(helm: Applier | None) -> tuple[LoadedUnits, dict[str, Outcome]]:
    """Return the runs of a plan against the last commit, and the verdict of each object by its name."""
    request = Request(
        files=(".",), flags=Flags(asked=AskedApplier(helm) if helm else None), against=Against(AgainstKind.GIT, "HEAD")
    )
    runs = load_units(request)
    return runs, {outcome.ref.name: outcome for _, outcome in plan(runs).outcomes}


@pytest.mark.slow
@pytest.mark.parametrize("helm", [Applier.HELM3, Applier.HELM4])
def test_helm_deletes_objects_removed_from_the_chart_and_kubectl_does_not(repo: Repo, helm: Applier) -> None:
    runs, found = plan_change(helm)

    assert {name: outcome.verdict.value for name, outcome in found.items()} == {
        "one": "configured",
        "two": "pruned",
        "three": "configured",
        "four": "kept",
    }
    assert {name: managers(found[name]) for name in ("one", "three")} == {
        "one": {"helm"},
        "three": {"kubectl-client-side-apply"},
    }
    assert runs.notes[0].startswith(f"predicted as applied by Helm {helm[-1]}; ")


def managers(outcome: Outcome) -> set[str]:
    assert outcome.result is not None
    return {entry["manager"] for entry in outcome.result["metadata"]["managedFields"]}


@pytest.mark.slow
def test_without_helm_kubectl_applies_a_chart(repo: Repo) -> None:
    runs, found = plan_change(None)

    assert managers(found["one"]) == {"kubectl-client-side-apply"}
    assert not any("helm upgrade" in note for note in runs.notes)


@pytest.mark.slow
def test_after_a_rejected_object_helm_deletes_nothing(repo: Repo) -> None:
    repo.write({"shop/templates/one.yaml": settings("one").replace("  a:", "  a b:")})
    _, found = plan_change(Applier.HELM3)

    assert {name: found[name].verdict.value for name in ("one", "two")} == {"one": "rejected", "two": "kept"}


@pytest.mark.slow
def test_helm_installs_a_new_chart(repo: Repo) -> None:
    repo.write({"late/Chart.yaml": "name: late\n", "late/templates/five.yaml": settings("five")})
    _, found = plan_change(Applier.HELM4)

    assert (found["five"].verdict.value, managers(found["five"])) == ("created", {"helm"})
    assert found["five"].result["metadata"]["annotations"]["meta.helm.sh/release-name"] == "late"  # type: ignore[index]


@pytest.mark.slow
def test_a_chart_that_is_gone_is_not_upgraded(repo: Repo) -> None:
    """Its release stays until it is uninstalled."""
    repo.write({path: None for path in BEFORE if path.startswith("shop/")})
    _, found = plan_change(Applier.HELM3)

    assert {name: found[name].verdict.value for name in ("one", "two")} == {"one": "kept", "two": "kept"}


@pytest.mark.slow
def test_a_chart_that_renders_nothing_any_more_loses_its_objects(repo: Repo) -> None:
    repo.write({"shop/templates/one.yaml": "", "shop/templates/two.yaml": None})
    _, found = plan_change(Applier.HELM3)

    assert {name: found[name].verdict.value for name in ("one", "two")} == {"one": "pruned", "two": "pruned"}


@pytest.mark.slow
def test_definitions_in_their_own_directory_are_never_deleted(repo: Repo) -> None:
    crd = yaml.dump(CRD)
    repo.commit({"shop/templates/a.yaml": crd.replace("widgets", "gadgets"), "shop/templates/crds/b.yaml": crd})
    repo.write({"shop/templates/a.yaml": None, "shop/templates/crds/b.yaml": None})
    _, found = plan_change(Applier.HELM3)

    assert {name: outcome.verdict.value for name, outcome in found.items()} == {
        "gadgets.example.com": "pruned",
        "widgets.example.com": "kept",
    }


@pytest.mark.slow
def test_a_template_that_an_installed_chart_gets_is_created_by_its_upgrade(repo: Repo) -> None:
    repo.commit({})
    repo.write({"shop/templates/six.yaml": settings("six")})
    _, found = plan_change(Applier.HELM3)

    assert found["six"].verdict.value == "created"
