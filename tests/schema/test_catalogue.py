"""The bundled definitions, and the files that they are read from."""

import re
from pathlib import Path

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.schema import catalogue, tables
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.validate import AGGREGATED

ROOT = Path(__file__).parents[2]
MOST_BYTES = 4_000_000
CERTIFICATE = ("cert-manager.io/v1", "Certificate")


def test_an_entry_names_project_version_licence_and_date() -> None:
    entry = catalogue.find(CERTIFICATE)

    assert entry is not None
    assert (entry.group, entry.kind, entry.versions) == ("cert-manager.io", "Certificate", ("v1",))
    assert str(entry.project) == f"cert-manager {entry.project.version}"
    assert entry.project.path == "github.com/cert-manager/cert-manager"
    assert entry.project.licence == "Apache-2.0"
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", entry.project.date)


@pytest.mark.parametrize(
    "gvk",
    [
        ("cert-manager.io/v1alpha1", "Certificate"),
        ("cert-manager.io/v1", "Cert"),
        ("zzz.example.com/v1", "Widget"),
        ("v1", "Certificate"),
        ("", ""),
    ],
    ids=["version not served", "unknown kind", "unknown group", "core group", "empty"],
)
def test_other_kinds_are_not_found(gvk: tuple[str, str]) -> None:
    assert catalogue.find(gvk) is None


@pytest.mark.parametrize(("is_exact", "preserves"), [(True, False), (False, True)], ids=["exact", "of some version"])
def test_fields_that_another_version_may_have_are_kept(is_exact: bool, preserves: bool) -> None:
    entry = catalogue.find(CERTIFICATE)
    assert entry is not None

    kind = load("1.36", crds=[catalogue.definition(entry, is_exact=is_exact)]).kind(*CERTIFICATE)

    assert kind is not None
    assert kind.namespaced
    assert kind.root.fields["spec"].preserve_unknown is preserves
    assert kind.root.fields["spec"].fields["secretName"].shape == "string"
    assert "issuerRef" in kind.root.fields["spec"].required


def test_the_catalogue_has_many_projects_and_no_kind_of_an_aggregated_api() -> None:
    entries = catalogue.entries()

    assert len(catalogue.projects()) >= 60
    assert len(entries) >= 400
    assert {entry.project.licence for entry in entries} <= {"Apache-2.0", "BSD-3-Clause", "MIT"}
    assert [entry.kind for entry in entries if entry.group in AGGREGATED] == ["RoleBindingRestriction"]
    assert not [entry for entry in entries if any(tables.kind(36, gvk) for gvk in _gvks(entry))]


def test_every_definition_is_structure_without_prose() -> None:
    for entry in catalogue.entries():
        crd = catalogue.definition(entry)
        schema = load("1.36", crds=[crd])

        assert [gvk for gvk in _gvks(entry) if schema.kind(*gvk) is None] == []
        assert {"scope", "names", "group"} <= crd["spec"].keys()
        for version in crd["spec"]["versions"]:
            assert _prose(version["schema"]["openAPIV3Schema"]) == []


def test_the_shipped_catalogue_is_small_and_of_the_listed_projects() -> None:
    folder = ROOT / "kubectl_applylint" / "schema" / "catalogue"
    _, *rows = (ROOT / "scripts" / "catalogue_sources.tsv").read_text().splitlines()
    listed = [(cells[0], cells[2], cells[3], cells[4]) for cells in (row.split("\t") for row in rows)]

    assert sum(file.stat().st_size for file in folder.iterdir()) < MOST_BYTES
    assert [(one.name, one.path, one.version, one.licence) for one in catalogue.projects().values()] == listed


def _gvks(entry: catalogue.CatalogueEntry) -> list[tuple[str, str]]:
    return [(f"{entry.group}/{version}", entry.kind) for version in entry.versions]


def _prose(schema: Json) -> list[str]:
    """Return the words of a schema that are prose, at any depth."""
    if not isinstance(schema, dict):
        return []
    inner = [*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")]
    own = [word for word in ("description", "title", "example", "externalDocs") if word in schema]
    return own + [word for each in inner for word in _prose(each)]


@pytest.mark.parametrize(("kind", "field"), [("Alert", "eventSources"), ("Receiver", "resources")])
def test_notifications_may_be_about_kinds_of_the_flux_operator(kind: str, field: str) -> None:
    for version in ("v1beta3", "v1"):
        entry = catalogue.find((f"notification.toolkit.fluxcd.io/{version}", kind))
        if entry is not None:
            versions = catalogue.definition(entry)["spec"]["versions"]
            schemas = [each["schema"]["openAPIV3Schema"]["properties"]["spec"] for each in versions]
            kinds = [each["properties"][field]["items"]["properties"]["kind"]["enum"] for each in schemas]
            assert all({"Kustomization", "FluxInstance", "ResourceSet"} <= set(each) for each in kinds)
