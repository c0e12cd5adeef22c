import json
from pathlib import Path

import jsonschema

from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.units import ListedUnit, units_json, units_text

UNITS = [
    ListedUnit(UnitReport("apps", "kustomization", "flux", "shop", "prod", "Kustomization apps (apps.yaml:3)"), 4),
    ListedUnit(UnitReport(".", "folder", "kubectl", origin="manifests of a folder"), 12),
]
SCHEMA = Path("kubectl_applylint/report/schemas/units-v1.json")


def test_units_are_a_table() -> None:
    assert units_text(UNITS, Context()) == (
        "ROOT   FORM            TOOL      NAMESPACE   TARGET   FILES   REASON\n"
        "apps   kustomization   flux      shop        prod     4       Kustomization apps (apps.yaml:3)\n"
        ".      folder          kubectl   -           -        12      manifests of a folder\n"
        "2 units\n"
    )


def test_json_follows_its_schema() -> None:
    told = json.loads(units_json(UNITS, Context()))

    jsonschema.validate(told, json.loads(SCHEMA.read_text()))
    assert [unit["root"] for unit in told["units"]] == ["apps", "."]
    assert told["units"][0]["files"] == 4


def test_a_hostile_name_stays_on_its_line() -> None:
    text = units_text([ListedUnit(UnitReport("a\nb\x1b[31m", "folder", "kubectl"), 1)], Context())

    assert text.count("\n") == 3
    assert "\x1b" not in text
