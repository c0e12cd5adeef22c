import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from kubectl_applylint.config.configuration import OPTIONS
from tests.cli.conftest import SELECTOR

Run = Callable[..., tuple[int, str, str]]


def rows(out: str) -> dict[str, tuple[str, str]]:
    """Return value and origin of each setting that has one line; columns stand two blanks apart."""
    parts = [[part.strip() for part in line.split("  ") if part.strip()] for line in out.splitlines()]
    return {name: (value, origin) for name, value, origin in parts}


def test_every_setting_is_shown_with_what_decides_it(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "pyproject.toml").write_text(
        f'[tool.applylint]\nfail-on = "info"\nnamespace = "a"\ncolor = "never"\nselect = ["{SELECTOR}"]\n'
    )
    monkeypatch.setenv("APPLYLINT_NAMESPACE", "b")
    monkeypatch.setenv("APPLYLINT_COLOR", "always")

    code, out, err = run("config", "show", "-n", "c", "--against", "snapshot:prod.json")

    found = rows(out)
    assert (code, err) == (0, f"applylint: configured by {folder.resolve() / 'pyproject.toml'}\n")
    assert list(found) == list(OPTIONS)
    assert {name: found[name] for name in ("against", "namespace", "color", "fail-on", "select", "exit-zero")} == {
        "against": ("snapshot:prod.json", "--against"),
        "namespace": ("c", "--namespace"),
        "color": ("always", "APPLYLINT_COLOR"),
        "fail-on": ("info", "pyproject.toml:2:1"),
        "select": (SELECTOR, "pyproject.toml:5:1"),
        "exit-zero": ("false", "default"),
    }


def test_each_entry_that_hides_something_has_a_line(run: Run, folder: Path) -> None:
    (folder / ".applylint.yaml").write_text(
        f"ignore:\n- port-taken-rejected\n- {{rule: {SELECTOR}, path: old, until: 2999-01-01}}\n"
    )

    _, out, _ = run("config", "show")

    assert [" ".join(line.split()) for line in out.splitlines() if line.startswith("ignore")] == [
        "ignore port-taken-rejected .applylint.yaml:1:1",
        f"ignore rule: {SELECTOR}; path: old; until: 2999-01-01 .applylint.yaml:3:3",
    ]


def test_each_unit_has_a_line(run: Run, folder: Path) -> None:
    (folder / ".applylint.yaml").write_text("units: [base, {path: apps/*, tool: flux}]\n")

    _, out, _ = run("config", "show")

    assert [" ".join(line.split()) for line in out.splitlines() if line.startswith("units")] == [
        "units base .applylint.yaml:1:1",
        "units path: apps/*; tool: flux .applylint.yaml:1:15",
    ]


def test_the_defaults_apply_without_a_file(run: Run) -> None:
    code, out, err = run("config", "show")

    assert (code, err) == (0, "applylint: no configuration file\n")
    assert {origin for _, origin in rows(out).values()} == {"default"}


def test_a_rule_of_ones_own_sees_who_owns_fields(run: Run, folder: Path) -> None:
    rule = (
        "id: our-owners\nsummary: s\nseverity: error\ncheck: jsonpath\nparams: {path: result.metadata.managedFields}\n"
    )
    (folder / "our-owners").mkdir()
    (folder / "our-owners/rule.yaml").write_text(f"{rule}message: m\nwhy: w\nfix: f\n")

    assert run("check", "settings.yaml", "--rules", "our-owners")[0] == 1


def test_faults_are_reported_instead(run: Run, folder: Path) -> None:
    (folder / ".applylint.yaml").write_text("select: [no-such]\n")

    assert run("config", "show")[0] == 2


def test_the_schema_knows_the_rules_of_the_configuration(run: Run, folder: Path) -> None:
    rule = "id: our-thing\nsummary: s\nseverity: info\ncheck: jsonpath\nparams: {path: manifest.a}\n"
    (folder / "our-thing").mkdir()
    (folder / "our-thing/rule.yaml").write_text(f"{rule}message: m\nwhy: w\nfix: f\n")
    (folder / ".applylint.yaml").write_text("rules: our-thing\n")

    code, out, err = run("config", "schema")

    assert (code, err) == (0, "")
    assert jsonschema.Draft7Validator(json.loads(out)).is_valid({"select": ["our-thing", SELECTOR]})


@pytest.mark.parametrize("argv", [("check", "web.yaml"), ("config", "show")], ids=" ".join)
def test_every_command_reports_ignored_configuration(run: Run, folder: Path, argv: tuple[str, ...]) -> None:
    (folder / ".applylint.yaml").write_text(f"color: never\noutput: json={folder / 'x'}\nexit-zero: true\n")
    _, _, err = run(*argv)

    assert (
        "applylint: not followed, as .applylint.yaml is not trusted: output (line 2: writes a file),"
        " exit-zero (line 3: disables the exit code); --config .applylint.yaml trusts it\n"
    ) in err
    assert not (folder / "x").exists()


def test_a_file_that_was_named_is_followed_and_shown(run: Run, folder: Path) -> None:
    (folder / "ours.yaml").write_text("output: json=x.json\n")
    code, out, err = run("config", "show", "--config", "ours.yaml")
    run("check", "settings.yaml", "--config", "ours.yaml")

    assert (code, err) == (0, "applylint: configured by ours.yaml\n")
    assert rows(out)["output"][1] == "ours.yaml:1:1"
    assert json.loads((folder / "x.json").read_text())["command"] == "check"
