"""The units that had an object before a change and delete it."""

from pathlib import Path

import pytest

from kubectl_applylint.engine.cluster_diff import FormerUnit
from tests.run.discover.test_cluster_units import APPS, KUSTOMIZATION, MAP, ROOT
from tests.run.running import DIR, runs, write

CONFIG = MAP.replace("web", "config") % 1
NEW = {"clusters/one/new.yaml": KUSTOMIZATION.format(name="new", path="new"), "new/other.yaml": MAP % 1}
MOVED = {"new/config.yaml": CONFIG}


def former_unit(
    folder: Path, monkeypatch: pytest.MonkeyPatch, before: dict[str, str], after: dict[str, str]
) -> FormerUnit | None:
    """Return the former unit of the ConfigMap ``config``, which the Kustomization ``new`` has after the change."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
    monkeypatch.chdir(folder)
    every = {**ROOT, **NEW}
    write(folder, {f"before/{path}": text for path, text in {**every, **before}.items()})
    write(folder, {f"all/{path}": text for path, text in {**every, **after}.items()})
    new = [run for run in runs(against=DIR).each if run.unit and run.unit.root == "new"]
    subjects = [subject for run in new for subject in run.input.subjects]
    (subject,) = (one for one in subjects if one.ref.name == "config")
    return subject.cluster_diff.former_unit(subject.ref)


def test_a_kustomization_deletes_an_object_that_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apps = {"clusters/one/apps.yaml": APPS, "apps/rest.yaml": MAP.replace("web", "rest") % 1}
    before = {**apps, "apps/config.yaml": CONFIG}

    found = former_unit(tmp_path, monkeypatch, before, {**apps, **MOVED})

    assert found is not None
    assert (found.root, found.program, found.document.ref.name) == ("apps", "flux", "config")


@pytest.mark.parametrize(
    ("apps", "kept"),
    [(APPS.replace("prune: true", "prune: false"), {}), (APPS, {"apps/config.yaml": CONFIG})],
    ids=["not pruned", "still there"],
)
def test_an_object_that_stays_has_no_former_unit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, apps: str, kept: dict[str, str]
) -> None:
    rest = {"clusters/one/apps.yaml": apps, "apps/rest.yaml": MAP.replace("web", "rest") % 1}
    changed = {"apps/rest.yaml": MAP.replace("web", "rest") % 2}

    found = former_unit(
        tmp_path, monkeypatch, {**rest, "apps/config.yaml": CONFIG}, {**rest, **changed, **MOVED, **kept}
    )

    assert found is None
