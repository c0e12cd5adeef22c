"""Objects of ResourceSets with inputs in the files."""

import json
from pathlib import Path

import pytest

from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.named_objects import NamedObjects
from kubectl_applylint.run.sides.renders import render_unit
from kubectl_applylint.run.sides.resource_sets import set_inputs, set_objects
from kubectl_applylint.tools.flux.declarations import resource_set_unit
from tests.run.running import write
from tests.run.sides.test_release_units import PROVIDER, SET
from tests.units.documents import documents


def test_inputs_of_the_same_unit_come_before_those_of_files(tmp_path: Path) -> None:
    write(tmp_path, {"provider.yaml": PROVIDER % "Static"})
    objects = NamedObjects(sides.of_folder(str(tmp_path)))
    own = (PROVIDER % "Static").replace("tenant: b", "tenant: own")
    (found,) = documents(SET % "inputsFrom: [{name: tenants}]")

    assert [one["tenant"] for one in set_inputs(found, documents(own), objects).sets] == ["own"]
    assert [one["tenant"] for one in set_inputs(found, (), objects).sets] == ["b"]


@pytest.mark.parametrize(
    ("spec", "names"),
    [("inputs: [{tenant: a}]", ["web-a"]), ("inputs: [{}]", []), ("inputsFrom: [{name: tenants}]", [])],
)
def test_a_set_without_known_objects_has_none(tmp_path: Path, spec: str, names: list[str]) -> None:
    (found,) = documents(SET % spec)

    assert [one.ref.name for one in set_objects(found, (), NamedObjects(sides.of_folder(str(tmp_path))))] == names


def test_the_unit_of_a_set_is_rendered(tmp_path: Path) -> None:
    side = sides.of_folder(str(tmp_path))
    (found,) = documents(SET % "inputs: []", "apps.yaml")

    given = render_unit(side, resource_set_unit(found, "prod", json.dumps([{"tenant": "a"}]), ""))
    assert [one.ref.name for one in given.documents] == ["web-a"]
    (problem,) = render_unit(side, resource_set_unit(found, "prod", "[{}]", "")).problems
    assert problem.message == "ResourceSet/flux-system/apps is not rendered: inputs.tenant is not set"
    assert problem.where == "apps.yaml:1"
