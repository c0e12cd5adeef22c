from pathlib import Path

import pytest

from kubectl_applylint.config.configuration import ConfigError, load
from kubectl_applylint.run.compare.against import Against, AgainstKind
from kubectl_applylint.units.configured import Configured
from kubectl_applylint.units.model import Applied, Reason

YAML = ".applylint.yaml"


def units(folder: Path, text: str) -> tuple[Configured, ...]:
    (folder / YAML).write_text(text)
    return load({}, {}, folder, file=YAML).units


def test_an_entry_says_how_its_matches_are_applied(tmp_path: Path) -> None:
    text = """\
units:
  - path: clusters/*/apps
    tool: flux
    namespace: shop
    target: prod
    prune: true
    recursive: true
    against: live
    server-side: false
    field-manager: team
"""

    options = (("against", Against(AgainstKind.LIVE)), ("server_side", False), ("field_manager", "team"))
    applied = Applied(
        "flux",
        "shop",
        "prod",
        is_known_target=True,
        prune=True,
        reason=Reason("the configuration", YAML, 2),
        options=options,
    )
    assert units(tmp_path, text) == (Configured("clusters/*/apps", str(tmp_path), applied, is_recursive=True),)


def test_a_chart_has_flags_of_helm(tmp_path: Path) -> None:
    (one,) = units(tmp_path, "units: {path: charts/web, tool: helm3, flags: [--force, --take-ownership]}")

    assert (one.applied.tool, one.applied.options) == ("helm3", (("flags", ("--force", "--take-ownership")),))


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("units: apps", ["apps"]),
        ("units: [apps, {path: base}]", ["apps", "base"]),
        ("units: {path: base}", ["base"]),
        ("units: []", []),
        ("color: never", []),
    ],
)
def test_a_plain_value_is_a_path(tmp_path: Path, text: str, paths: list[str]) -> None:
    assert [one.path for one in units(tmp_path, text)] == paths


def test_a_variable_names_paths(tmp_path: Path) -> None:
    config = load({}, {"APPLYLINT_UNITS": "apps/*, base"}, tmp_path)

    assert [(one.path, one.applied.reason.file) for one in config.units] == [
        ("apps/*", "APPLYLINT_UNITS"),
        ("base", "APPLYLINT_UNITS"),
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("units: [{path: a, tool: flux, flags: --force}]", "1:9: flags only work with tool: helm, helm3, helm4"),
        (
            "units: [{path: a, tool: helm, flags: --atomic}]",
            "1:31: '--atomic' is not one of --force, --take-ownership,",
        ),
        ("units: [{tool: flux}]", "1:9: path is missing: which folder is the unit?"),
        ("units: [{path: a, tol: flux}]", "1:19: unknown key 'tol'; did you mean tool?"),
        (
            "units: [{path: a, tool: make}]",
            "1:19: 'make' is not one of kubectl, helm, helm3, helm4, flux, argocd, kapp, fleet, skaffold",
        ),
        ("units: [{path: a, prune: 1}]", "1:19: '1' is not one of true, false"),
        ("units: [{path: a, against: snapshot}]", "1:19: 'snapshot' is not one of none, live, last-applied,"),
        ("units: ['a[']", "1:1: 'a[' is not a pattern of paths: unclosed [ or trailing backslash"),
        ("units: ''", "1:1: an empty value"),
        ("units: [[a]]", "1:1: units takes a scalar or a list of scalars"),
    ],
)
def test_a_wrong_entry_is_named_with_its_place(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(ConfigError) as raised:
        units(tmp_path, text)

    (fault_text,) = raised.value.faults
    assert fault_text.startswith(f"{YAML}:{fault}")
