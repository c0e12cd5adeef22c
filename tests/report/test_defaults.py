import json
from importlib import resources

import jsonschema
import pytest

from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.paths import parse
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.defaults import Defaulted, DefaultsReport, defaults_json, defaults_yaml
from kubectl_applylint.server.defaults.explain import Default

SCHEMA = json.loads(resources.files("kubectl_applylint.report").joinpath("schemas/defaults-v1.json").read_text())
PROBLEM = Problem("web.yaml:9:1", "no YAML")


def default(path: str, value: Json, *sources: str, replaces: Json | Missing = MISSING) -> Default:
    return Default(parse(path), value, tuple(map(parse, sources)), replaces)


def item(spec: JsonObject, *defaults: Default, custom: bool = False) -> Defaulted:
    obj = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": spec}
    return Defaulted(ref_of(obj), Location("web.yaml", Span(1, 1, 5, 1)), obj, defaults, custom)


def spec_lines(found: Defaulted) -> list[str]:
    lines = defaults_yaml(DefaultsReport((found,)), Context()).splitlines()
    return lines[lines.index(next(line for line in lines if line.startswith("spec:"))) :]


@pytest.mark.parametrize(
    ("found", "lines"),
    [
        (item({"type": "ClusterIP"}, default("spec.type", "ClusterIP")), ["  type: ClusterIP  # default"]),
        (
            item({"ports": [{"port": 1, "to": 1}]}, default("spec.ports[0].to", 1, "spec.ports[0].port")),
            ["  ports:", "  - port: 1", "    to: 1  # default from port"],
        ),
        (
            item({"a": {"b": 1}, "c": 2}, default("spec.a.b", 1, "spec.c", "spec.d.e")),
            ["  a:  # default from c, d.e", "    b: 1  # default from c, d.e", "  c: 2"],
        ),
        (
            item({"a": {"b": 1, "c": 2}, "d": 1}, default("spec.a.b", 1), default("spec.a.c", 2, "spec.d")),
            ["  a:  # default", "    b: 1  # default", "    c: 2  # default from d", "  d: 1"],
        ),
        (
            item({"a": [{"b": 1}], "c": 1}, default("spec.a", [{"b": 1}])),
            ["  a:  # default", "  - b: 1  # default", "  c: 1"],
        ),
        (
            item({"a": 2, "b": 1}, default("spec.a", 2, replaces=0)),
            ["  a: 2  # set by the server instead of 0", "  b: 1"],
        ),
        (
            item({"a": 2, "b": 1}, default("spec.a", 2), custom=True),
            ["  a: 2  # default of the custom resource definition", "  b: 1"],
        ),
    ],
    ids=["constant", "derived", "nested", "block of several", "list", "replaced", "custom"],
)
def test_every_default_is_marked(found: Defaulted, lines: list[str]) -> None:
    assert spec_lines(found)[1:] == lines


def test_objects_are_documents_of_one_stream() -> None:
    text = defaults_yaml(DefaultsReport((item({}), item({}))), Context())

    assert text.count("---\n") == 1
    assert not text.startswith("---")


def test_comments_are_dimmed_for_a_terminal() -> None:
    report = DefaultsReport((item({"type": "ClusterIP"}, default("spec.type", "ClusterIP")),))

    assert "type: ClusterIP  \x1b[2m# default\x1b[0m\n" in defaults_yaml(report, Context(color=True))


def test_programs_get_paths_values_and_sources() -> None:
    found = item({"port": 1, "to": 1}, default("spec.to", 1, "spec.port"))
    payload = json.loads(defaults_json(DefaultsReport((found,), (PROBLEM,), ("a note",)), Context(version="1.2.3")))

    assert payload["objects"][0]["defaults"] == [{"path": "spec.to", "value": 1, "from": ["spec.port"]}]
    assert payload["problems"] == [{"where": "web.yaml:9:1", "message": "no YAML", "advice": ""}]
    jsonschema.Draft202012Validator(SCHEMA).validate(payload)
    assert set(SCHEMA["properties"]) == set(payload)
    assert set(SCHEMA["$defs"]["object"]["properties"]) == set(payload["objects"][0])
