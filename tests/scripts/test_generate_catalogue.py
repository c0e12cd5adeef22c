"""The catalogue that the generator writes from a repository."""

import runpy
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GENERATOR = runpy.run_path(str(ROOT / "scripts" / "generate_catalogue.py"))
LAMP = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: lamps.x.io
  labels: {{ include "labels" . }}
spec:
  group: x.io
  names: {kind: Lamp, plural: lamps, shortNames: [lp]}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns: [{name: Color, type: string, jsonPath: .spec.color}]
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        description: A lamp.
        type: object
        properties:
          spec:
            type: object
            required: [color]
            properties:
              title: {type: string, description: Its title., title: Title, example: a, default: a}
              color: {type: string, enum: ["=", 2020-01-01]}
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, required: [name], properties: {name: {type: string}}}
          status: {type: object, properties: {on: {type: boolean}}}
  - {name: v0, served: false, storage: false}
"""
SPEC = {
    "type": "object",
    "required": ["color"],
    "properties": {
        "title": {"type": "string", "default": "a"},
        "color": {"type": "string", "enum": ["=", "2020-01-01"]},
        "parts": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            "items": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
        },
    },
}


@pytest.fixture(name="repositories")
def fixture_repositories(tmp_path: Path) -> Path:
    """Return a directory of repositories with one that defines a kind."""
    clone = tmp_path / "github.com" / "x" / "lamp.git"
    (clone / "crds").mkdir(parents=True)
    (clone / "crds" / "lamps.yaml").write_text(LAMP)
    (clone / "LICENSE").write_text("Apache License\nVersion 2.0\n")
    author = ("-c", "user.name=a", "-c", "user.email=a@x.io", "-c", "commit.gpgsign=false")
    for command in (("init", "-q"), ("add", "."), (*author, "commit", "-qm", "a"), ("tag", "v1.2.3")):
        subprocess.run(["git", "-C", str(clone), *command], check=True)
    return tmp_path


def _source(licence: str) -> tuple[str, ...]:
    source: tuple[str, ...] = GENERATOR["Source"](
        "lamp", "repository", "github.com/x/lamp", "v1.2.3", licence, "crds/*.yaml"
    )
    return source


def test_a_definition_is_reduced_to_its_structure(repositories: Path) -> None:
    files = GENERATOR["read"](_source("Apache-2.0"), repositories)
    (crd,) = GENERATOR["crds_of"](files)

    assert GENERATOR["slim"](crd) == {
        "group": "x.io",
        "names": {"kind": "Lamp", "plural": "lamps", "shortNames": ["lp"]},
        "scope": "Namespaced",
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "subresources": {"status": {}},
                "schema": {
                    "type": "object",
                    "properties": {
                        "spec": SPEC,
                        "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
                    },
                },
            }
        ],
    }


def test_a_project_with_another_licence_is_not_taken(repositories: Path) -> None:
    files = GENERATOR["read"](_source("Apache-2.0"), repositories)

    GENERATOR["check_licence"](_source("Apache-2.0"), files.texts)
    with pytest.raises(ValueError, match="MIT is not the licence"):
        GENERATOR["check_licence"](_source("MIT"), files.texts)


def test_a_schema_is_written_once() -> None:
    schema = {"type": "object", "properties": {"a": SPEC, "b": SPEC}, "additionalProperties": True}
    packed = GENERATOR["Schemas"]()

    assert packed.add(schema) == 6
    assert len(packed.every) == 7
    assert packed.every[6]["properties"] == {"a": 5, "b": 5}
    assert packed.every[6]["additionalProperties"] is True
