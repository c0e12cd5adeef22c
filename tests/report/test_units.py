import json
from dataclasses import replace
from pathlib import Path

import jsonschema

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.units import ListedUnit, units_details, units_json, units_text

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


def test_units_with_the_same_name_are_listed_with_their_clusters() -> None:
    units = [declared_unit("Kustomization/apps", "apps", cluster) for cluster in ("prod", "test")]
    text = units_text([*units, declared_unit("Kustomization/web", "web")], Context())

    assert [line.rpartition("   ")[2] for line in text.splitlines()[1:-1]] == [
        "declared in prod: Kustomization flux/apps (a.yaml:1)",
        "declared in test: Kustomization flux/apps (a.yaml:1)",
        "Kustomization flux/web (a.yaml:1)",
    ]


def test_json_follows_its_schema() -> None:
    document = json.loads(units_json(UNITS, Context()))

    jsonschema.validate(document, json.loads(SCHEMA.read_text()))
    assert [unit["root"] for unit in document["units"]] == ["apps", "."]
    assert document["units"][0]["files"] == 4


def test_a_hostile_name_stays_on_its_line() -> None:
    text = units_text([ListedUnit(UnitReport("a\nb\x1b[31m", "folder", "kubectl"), 1)], Context())

    assert text.count("\n") == 3
    assert "\x1b" not in text


def declared_unit(
    name: str, root: str, cluster: str = "prod", declaring: int | None = None, reason: str = ""
) -> ListedUnit:
    kind, _, rest = name.partition("/")
    ref = ObjectRef("x/v1", kind, "flux", rest)
    unit = UnitReport(root, "kustomization", "flux", origin=f"{kind} flux/{rest} (a.yaml:1)", declared_by=ref)
    return ListedUnit(replace(unit, cluster=cluster, reason=reason), 1, declaring)


def test_details_show_which_unit_declares_which() -> None:
    units = [
        declared_unit("Kustomization/apps", "apps", declaring=1),
        declared_unit("Kustomization/root", "clusters/prod"),
        declared_unit("HelmRelease/web", "HelmRelease/flux/web", declaring=0, reason="suspended"),
        declared_unit("Kustomization/root", "clusters/test", "test"),
        declared_unit("HelmRelease/loose", "HelmRelease/flux/loose", ""),
        UNITS[1],
    ]

    assert units_details(units, ["a note"]) == (
        "\ndeclared\n"
        "  HelmRelease flux/loose (a.yaml:1)\n"
        "\ndeclared in prod\n"
        "  Kustomization flux/root (a.yaml:1): clusters/prod\n"
        "    Kustomization flux/apps (a.yaml:1): apps\n"
        "      HelmRelease flux/web (a.yaml:1): suspended\n"
        "\ndeclared in test\n"
        "  Kustomization flux/root (a.yaml:1): clusters/test\n"
        "\nnotes\n"
        "  a note\n"
    )


def test_units_that_declare_each_other_are_shown_once() -> None:
    units = [declared_unit("Kustomization/a", "a", declaring=1), declared_unit("Kustomization/b", "b", declaring=0)]

    assert units_details(units, ()).splitlines()[1:] == [
        "declared in prod",
        "  Kustomization flux/a (a.yaml:1): a",
        "    Kustomization flux/b (a.yaml:1): b",
    ]
