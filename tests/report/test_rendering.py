import json
from dataclasses import replace
from importlib import resources

import jsonschema
import pytest
import yaml

from kubectl_applylint.core.problem import Compared, Problem
from kubectl_applylint.core.safe_text import Target, inert, page
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.rendering import RenderedUnit, RenderReport, object_yaml, render_json, render_yaml

SCHEMA = json.loads(resources.files("kubectl_applylint.report").joinpath("schemas/render-v1.json").read_text())
NAMESPACE = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
SETTINGS = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"port": "80", "on": "yes"}}
APPS = RenderedUnit(UnitReport("apps", "kustomization", "flux", "shop"), (NAMESPACE, SETTINGS))
EMPTY = RenderedUnit(UnitReport(".", "folder", "kubectl"), ())
PARTLY = RenderedUnit(UnitReport("part", "folder", "kubectl", compared=Compared.PARTLY, reason="a\nb"), (NAMESPACE,))
LOST = RenderedUnit(UnitReport("far", "chart", "helm", compared=Compared.NO, reason="not rendered: no helm"), ())
REPORT = RenderReport((APPS, EMPTY, PARTLY, LOST), (Problem("far", "not rendered: no helm", "install it"),), ("note",))


def test_yaml_has_the_objects_in_their_order_below_the_name_of_their_unit() -> None:
    assert render_yaml(REPORT, Context()) == (
        "# Source: apps (kustomization, applied by Flux)\n"
        "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n"
        "---\n"
        'apiVersion: v1\ndata:\n  "on": "yes"\n  port: "80"\n'
        "kind: ConfigMap\nmetadata:\n  name: a\n"
        "---\n"
        "# Source: part (folder, applied by kubectl), incomplete: a\\nb\n"
        "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n"
        "---\n"
        "# Source: far (chart, applied by Helm), incomplete: not rendered: no helm\n"
    )
    assert [one for one in yaml.safe_load_all(render_yaml(REPORT, Context())) if one] == [
        NAMESPACE,
        SETTINGS,
        NAMESPACE,
    ]


@pytest.mark.parametrize(
    "manifest",
    [
        pytest.param({"metadata": {"name": "---\n# Source: other"}}, id="a separator"),
        pytest.param({"data": {"a": "x\n---\nkind: Pod\n"}}, id="a separator in a block"),
        pytest.param({"---": {"# a": "\x1b[31m\u2028"}}, id="keys"),
    ],
)
def test_no_value_ends_its_document(manifest: JsonObject) -> None:
    assert [*yaml.safe_load_all(object_yaml(manifest))] == [manifest]


def test_the_comment_names_a_suspended_unit() -> None:
    suspended = RenderedUnit(UnitReport("apps", "kustomization", "flux", is_suspended=True), ())

    text = render_yaml(RenderReport((suspended,)), Context())
    assert text == "# Source: apps (kustomization, applied by Flux), suspended\n"


@pytest.mark.parametrize("text", ["::error::x", "a\n::error::x\n", "##[error]x", "\x1b[2J", "\u202ex", "a\tb\n"])
def test_no_text_acts_on_a_terminal_or_runner(text: str) -> None:
    manifest = {"kind": "ConfigMap", "data": {text: "a", "b": text}}
    written = page(object_yaml(manifest), Target.JSON)

    assert inert(written) == written
    assert yaml.safe_load(written) == manifest
    assert [*yaml.safe_load(written)] == ["data", "kind"]


def test_json_follows_its_schema() -> None:
    found = json.loads(render_json(REPORT, Context()))

    jsonschema.validate(found, SCHEMA)
    assert [unit["root"] for unit in found["units"]] == ["apps", ".", "part", "far"]
    assert [unit["compared"] for unit in found["units"]] == ["yes", "yes", "partly", "no"]
    assert found["units"][0]["objects"] == [NAMESPACE, SETTINGS]
    assert (found["notes"], [one["where"] for one in found["problems"]]) == (["note"], ["far"])


def test_json_of_a_change_has_the_earlier_objects() -> None:
    changed = replace(APPS, before=(NAMESPACE,))
    found = json.loads(render_json(RenderReport((changed, APPS), is_compared=True), Context()))

    jsonschema.validate(found, SCHEMA)
    assert [unit.get("before") for unit in found["units"]] == [[NAMESPACE], None]


@pytest.mark.parametrize(("before", "expected"), [({"a": 1}, False), ({"a": True}, True), (None, True)])
def test_a_unit_is_changed_if_its_objects_are_others(before: JsonObject | None, expected: bool) -> None:
    now = RenderedUnit(APPS.unit, ({"a": 1},), before=None if before is None else (before,))

    assert now.is_changed is expected
