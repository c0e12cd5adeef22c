"""The units of two sides, of which the second is read only where it differs."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from kubectl_applylint.run import sides
from kubectl_applylint.run.sides import Side
from kubectl_applylint.run.units_of import declarations, units_of
from kubectl_applylint.sources.manifests import Input

APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec: {source: {repoURL: https://example.com/repo, path: web}, destination: {namespace: shop}}
"""
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"


def side(folder: Path, application: str = APPLICATION) -> Side:
    (folder / "web").mkdir(parents=True)
    (folder / "apps.yaml").write_text(application)
    (folder / "web" / "a.yaml").write_text(CONFIG)
    (folder / "notes.yaml").write_text("see: argoproj.io\n")
    return sides.of_folder(str(folder))


def refusing(found: Side) -> Side:
    def read(paths: Sequence[str]) -> Input:
        raise AssertionError(paths)

    return replace(found, read=read)


def test_what_is_the_same_on_both_sides_is_read_once(tmp_path: Path) -> None:
    before, after = side(tmp_path / "before"), side(tmp_path / "after")
    known = declarations(before)
    again = declarations(refusing(after), known)

    assert known.keys() == again.keys() == {"apps.yaml", "notes.yaml"}
    assert [one.root for one in units_of(after, declared=again)] == [one.root for one in units_of(after)]
    assert again["apps.yaml"][0].file == after.label("apps.yaml")


def test_what_differs_is_read(tmp_path: Path) -> None:
    before, after = side(tmp_path / "before"), side(tmp_path / "after", APPLICATION.replace("shop", "other"))
    same = {path: found for path, found in declarations(before).items() if path != "apps.yaml"}

    (unit,) = (one for one in units_of(after, declared=declarations(after, same)) if one.root == "web")
    assert unit.applied.namespace == "other"
