"""Definitions of kinds anywhere in a repository."""

from pathlib import Path

import pytest

from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.definitions import Definitions, api_versions_of, definition_finder, definitions_in
from kubectl_applylint.schema.types import Gvk

DEFINITION = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: NAME}
spec:
  group: x.io
  scope: Namespaced
  names: {kind: KIND, plural: PLURALs}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
"""


def definition(kind: str) -> str:
    name = kind.lower()
    return DEFINITION.replace("NAME", f"{name}s.x.io").replace("KIND", kind).replace("PLURAL", name)


@pytest.fixture(name="found")
def _definitions(tmp_path: Path) -> Definitions:
    files = {
        "a/lamp.yaml": definition("Lamp"),
        "b/again.yaml": definition("Lamp").replace("Namespaced", "Cluster"),
        "chart/templates/shade.yaml": definition("Shade") + "# {{ .Values.x }}\n",
        "notes.txt": definition("Bulb"),
        "deep/er/two.yml": f"{definition('Plug')}---\n{definition('Cable')}",
        "c.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: CustomResourceDefinition, labels: {x.io: Fuse}}\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return definition_finder(sides.of_folder(str(tmp_path)))


@pytest.mark.parametrize(
    ("kinds", "names"),
    [
        pytest.param([("x.io/v1", "Lamp")], ["lamps.x.io"], id="once, though two files have it"),
        pytest.param([("x.io/v7", "Lamp")], ["lamps.x.io"], id="in whatever version"),
        pytest.param([("x.io/v1", "Cable")], ["cables.x.io"], id="the second of a file"),
        pytest.param([("x.io/v1", "Cable"), ("x.io/v1", "Plug")], ["plugs.x.io", "cables.x.io"], id="several"),
        pytest.param([("y.io/v1", "Lamp")], [], id="another group"),
        pytest.param([("x.io/v1", "Shade")], [], id="a template"),
        pytest.param([("x.io/v1", "Bulb")], [], id="no manifest by its name"),
        pytest.param([("x.io/v1", "Fuse")], [], id="only mentioned"),
        pytest.param([("v1", "Lamp")], [], id="the core group has none"),
        pytest.param([], [], id="nothing asked for"),
    ],
)
def test_the_definitions_of_kinds(found: Definitions, kinds: list[Gvk], names: list[str]) -> None:
    assert [one["metadata"]["name"] for _, one in found(kinds)] == names


def test_the_first_of_two_definitions_counts(found: Definitions) -> None:
    ((name, lamp),) = found([("x.io/v1", "Lamp")])

    assert name == ("apiextensions.k8s.io", "CustomResourceDefinition", "", "lamps.x.io")
    assert lamp["spec"]["scope"] == "Namespaced"


def test_the_api_versions_that_definitions_add(tmp_path: Path) -> None:
    text = (
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: lamps.x.io}\n"
        "spec:\n  group: x.io\n  names: {kind: Lamp}\n"
        "  versions: [{name: v1, served: true}, {name: v2, served: false}]\n"
    )
    (tmp_path / "lamp.yaml").write_text(text)

    assert api_versions_of(definitions_in(sides.of_folder(str(tmp_path)))) == ("x.io/v1", "x.io/v1/Lamp")
