"""Rendering the roots of a comparison: each once, several at a time."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest

from kubectl_applylint.run import renders, sides
from kubectl_applylint.sources import network
from kubectl_applylint.sources.manifests import Input
from kubectl_applylint.units.model import Applied, Form, Unit

KUSTOMIZATION = "kustomization.yaml"


def unit(root: str, form: Form = Form.KUSTOMIZATION) -> Unit:
    return Unit(root, form, frozenset((f"{root}/{KUSTOMIZATION}",)))


def side(folder: Path, texts: Mapping[str, str]) -> sides.Side:
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return sides.of_folder(str(folder))


def test_roots_are_rendered_together_and_with_what_the_caller_allows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renders, "cores", lambda: 1)
    both = Barrier(2, timeout=5)
    seen = []

    def render(folder: str) -> Input:
        both.wait()
        seen.append((folder, network.is_allowed()))
        return Input()

    found = replace(side(tmp_path, dict.fromkeys((f"a/{KUSTOMIZATION}", f"b/{KUSTOMIZATION}"), "")), render=render)
    with network.allowed(True):
        renders.prepare((found, one) for one in (unit("a"), unit("b"), unit("c", Form.FOLDER), None))

    assert sorted(seen) == [("a", True), ("b", True)]


def test_what_is_elsewhere_is_not_rendered(tmp_path: Path) -> None:
    def render(folder: str) -> Input:
        pytest.fail(f"{folder} is rendered")

    far = side(tmp_path, {f"a/{KUSTOMIZATION}": "resources: ['https://example.com/x']\n"})
    renders.prepare([(replace(far, render=render), unit("a"))])


def test_a_chart_that_is_not_rendered_makes_nothing(tmp_path: Path) -> None:
    found = replace(side(tmp_path, {}), charts=lambda unit: "no luck")

    assert renders.rendered(found, unit("a", Form.CHART)) == Input()


def test_charts_are_for_the_namespace_and_version_that_are_asked_for() -> None:
    own = replace(unit("own", Form.CHART), applied=Applied(namespace="own", options=(("kubernetes_version", "1.30"),)))
    other = unit("other", Form.CHART)
    asked = renders.as_asked([own, other, unit("k")], "shop", "1.36")

    assert [one.applied.namespace for one in asked] == ["shop", "shop", ""]
    assert [one.applied.options for one in asked] == [
        (("kubernetes_version", "1.30"),),
        (("kubernetes_version", "1.36"),),
        (),
    ]
    assert renders.as_asked([own, other], "", "") == (own, other)
