"""The fields that name files: complete, as the Go types of kustomize say, and found however they are written."""

from fnmatch import fnmatchcase

import pytest

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.values import Json
from kubectl_applylint.sources.render.kustomize_fields import KUSTOMIZATION, PLUGINS, Use, references
from tests.sources.go_types import kustomize, leaves, structs

# What names no file, without the brackets of lists. A new field of kustomize is in neither table.
_OPTIONS = ("behavior", "literals", "name", "namespace", "options.*", "type")
NO_PATHS = [
    *("apiVersion", "kind", "metadata.*", "buildMetadata", "commonAnnotations", "commonLabels", "namePrefix"),
    *("nameSuffix", "namespace", "generatorOptions.*", "sortOptions.*", "replicas.*", "vars.*", "labels.*"),
    *("images.*", "imageTags.*", "patches.options.*", "patches.patch", "patches.target.*"),
    *("patchesJson6902.options.*", "patchesJson6902.patch", "patchesJson6902.target.*"),
    *("replacements.source.*", "replacements.sourceValue", "replacements.targets.*"),
    *(f"{generator}.{name}" for generator in ("configMapGenerator", "secretGenerator") for name in _OPTIONS),
    # They mean nothing without charts.
    *("helmGlobals.chartHome", "helmGlobals.configHome"),
]
NO_PATHS_OF_PLUGINS = [
    *(
        "annotations",
        "labels",
        "fieldSpecs",
        "fieldSpecs.*",
        "metadata.*",
        "prefix",
        "suffix",
        "imageTag.*",
        "replica.*",
    ),
    *("cloud", "kubernetesService.*", "serviceAccount.*", "setRoleBindingSubjects", "unsetOnly", *_OPTIONS),
    *("target.*", "targets.*", "jsonOp", "patch", "patches", "value"),
    *("replacements.source.*", "replacements.sourceValue", "replacements.targets.*"),
]


def unknown_fields(fields: list[str], named: list[str], no_paths: list[str]) -> list[str]:
    # OpenAPI is a map whose keys are no fields.
    plain = [field.replace("[]", "").replace("openapi", "openapi.path") for field in fields]
    known = [field.replace("[]", "") for field in named]
    charts = tuple(f"{field.replace('[]', '')}." for field, use in KUSTOMIZATION.items() if use is Use.CHART)
    others = [field for field in plain if field not in known and not field.startswith(charts)]
    return [field for field in others if not any(fnmatchcase(field, pattern) for pattern in no_paths)]


def test_every_field_of_kustomizations_is_known() -> None:
    fields = sorted(set(leaves(structs(kustomize() / "types"), "Kustomization")))

    assert unknown_fields(fields, list(KUSTOMIZATION), NO_PATHS) == []
    known = {field.replace("openapi", "openapi.path") for field in fields}
    charts = {field for field, use in KUSTOMIZATION.items() if use is Use.CHART}
    assert KUSTOMIZATION.keys() - charts <= known
    assert all(any(field.startswith(chart) for field in fields) for chart in charts)


def test_every_built_in_plugin_is_known_with_its_fields() -> None:
    types, plugins = structs(kustomize() / "types"), structs(kustomize() / "internal" / "builtins")
    found = {name.removesuffix("Plugin"): name for name in plugins if name.endswith("Plugin")}
    text = (kustomize() / "internal/plugins/builtinhelpers/builtins.go").read_text()
    wired = text.partition("var GeneratorFactories")[2]
    kinds = {name for name in (*found, "PrefixSuffixTransformer") if f"\t{name}:" in wired}

    assert kinds == PLUGINS.keys()
    for kind in kinds & found.keys() - {"HelmChartInflationGenerator"}:
        fields = sorted(set(leaves({**types, **plugins}, found[kind])))
        assert (kind, unknown_fields(fields, list(PLUGINS[kind]), NO_PATHS_OF_PLUGINS)) == (kind, [])
        assert PLUGINS[kind].keys() <= set(fields)


@pytest.mark.parametrize(
    ("document", "found"),
    [
        pytest.param({"resources": ["a", "b"]}, {"resources[0]": "a", "resources[1]": "b"}, id="list"),
        pytest.param(
            {"RESOURCES": ["a"], "re\u017fources": ["b"]}, {"RESOURCES[0]": "a", "re\u017fources[0]": "b"}, id="case"
        ),
        pytest.param({"resources": "a"}, {"resources": "a"}, id="wrong shape"),
        pytest.param({"resources": [["a"], {"x": "b"}]}, {"resources[0][0]": "a", "resources[1].x": "b"}, id="deeper"),
        pytest.param({"patches": [{"path": "a", "patch": "no"}]}, {"patches[0].path": "a"}, id="one field of several"),
        pytest.param({"openapi": {"path": "a"}}, {"openapi.path": "a"}, id="map"),
        pytest.param({"helmCharts": [{"name": "x"}]}, {"helmCharts[0]": ""}, id="chart"),
        pytest.param({"resources": None, "images": [{"name": "a"}], "x": 1}, {}, id="none"),
        pytest.param("a", {}, id="no map"),
    ],
)
def test_references_are_found(document: Json, found: dict[str, str]) -> None:
    assert {render(one.path): one.text for one in references(document, KUSTOMIZATION)} == found
