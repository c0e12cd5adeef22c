"""Input that is deep, long or endless: read as kubectl reads it, or refused in one message, and soon."""

from pathlib import Path

import pytest

from tests.limited import limited

REVISION = "apiVersion: apps/v1\nkind: ControllerRevision\nmetadata: {name: web-1}\nrevision: 1\ndata: "


@pytest.mark.parametrize("levels", [600, 1990])
def test_deep_objects_are_foretold(tmp_path: Path, levels: int) -> None:
    """kubectl and a server 1.36.3 create them, up to 9,999 levels."""
    (tmp_path / "web.yaml").write_text(REVISION + "{a: " * levels + "1.5" + "}" * levels)

    run = limited("plan", "--against", "none", "web.yaml", cwd=tmp_path)

    assert (run.returncode, "1 created" in run.stdout) == (0, True), run.stderr


@pytest.mark.parametrize("levels", [2_500, 100_000])
@pytest.mark.parametrize("name", ["web.yaml", "web.json"])
def test_deeper_objects_are_not_checked_and_that_is_said(tmp_path: Path, levels: int, name: str) -> None:
    brackets = '{"a": ' * levels + "1" + "}" * levels
    start = '{"apiVersion": "v1", "kind": "List", "items": ' if name == "web.json" else REVISION
    (tmp_path / name).write_text(start + brackets)

    run = limited("check", "--against", "none", name, cwd=tmp_path)

    assert run.returncode == 3
    assert "nested deeper than 2000 levels: this object and what follows it in the file are not checked" in run.stdout
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("hostile", ["a: " + "[" * 100_000, "a: &a [x, x]\n" + "b: &a [*a, *a]\n" * 60])
def test_hostile_rule_folders_and_kubeconfigs_are_wrong_use(tmp_path: Path, hostile: str) -> None:
    (tmp_path / "mine").mkdir()
    for name in ("mine/rule.yaml", "config"):
        (tmp_path / name).write_text(hostile)
    (tmp_path / "web.yaml").write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}")

    rules = limited("check", "--against", "none", "--rules", "mine", "web.yaml", cwd=tmp_path)
    live = limited("check", "--against", "live", "--kubeconfig", "config", "web.yaml", cwd=tmp_path)

    assert (rules.returncode, live.returncode) == (2, 2)
    assert "mine/rule.yaml:" in rules.stderr
    assert "config:" in live.stderr + live.stdout
