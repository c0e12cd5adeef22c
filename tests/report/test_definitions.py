"""The list of known definitions."""

import json
from pathlib import Path

import jsonschema

from kubectl_applylint.report.context import Context
from kubectl_applylint.report.definitions import KnownDefinition, definitions_json, definitions_text
from kubectl_applylint.schema.catalogue import Project

PROJECT = Project("lamp", "github.com/x/lamp", "v1.2.3", "2026-09-10", "MIT")
KNOWN = [
    KnownDefinition("x.io", "Lamp", ("v1", "v1beta1"), "repository", "crds/lamp.yaml:1:1"),
    KnownDefinition("y.io", "Bulb", ("v1",), "catalogue", project=PROJECT, is_certain=False),
    KnownDefinition("y.io", "Socket", (), "catalogue", project=PROJECT),
]
SCHEMA = Path("kubectl_applylint/report/schemas/definitions-v1.json")


def test_definitions_are_a_table() -> None:
    assert definitions_text(KNOWN, Context()) == (
        "KIND     GROUP   VERSIONS     SOURCE                 DATE         LICENCE\n"
        "Lamp     x.io    v1,v1beta1   crds/lamp.yaml:1:1     -            -\n"
        "Bulb     y.io    v1           lamp v1.2.3            2026-09-10   MIT\n"
        "Socket   y.io    -            lamp v1.2.3 (pinned)   2026-09-10   MIT\n"
        "3 kinds\n"
    )


def test_json_follows_its_schema() -> None:
    content = json.loads(definitions_json(KNOWN, Context()))

    jsonschema.validate(content, json.loads(SCHEMA.read_text()))
    assert [one["certain"] for one in content["definitions"]] == [True, False, True]
    assert content["definitions"][1]["project"]["path"] == "github.com/x/lamp"


def test_a_hostile_name_stays_on_its_line() -> None:
    text = definitions_text([KnownDefinition("x.io", "a\nb\x1b[31m", ("v1",), "repository", "a:1")], Context())

    assert text.count("\n") == 3
    assert "\x1b" not in text
