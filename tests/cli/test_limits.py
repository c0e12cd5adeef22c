"""Input that is deep, long or endless is read as kubectl reads it, or rejected soon with one message."""

from pathlib import Path

import pytest

from tests.limited import run_limited

REVISION = "apiVersion: apps/v1\nkind: ControllerRevision\nmetadata: {name: web-1}\nrevision: 1\ndata: "


@pytest.mark.slow
@pytest.mark.parametrize("levels", [600, 1990])
def test_deep_objects_are_predicted(tmp_path: Path, levels: int) -> None:
    """kubectl and a server 1.36.3 create them, up to 9,999 levels."""
    (tmp_path / "web.yaml").write_text(REVISION + "{a: " * levels + "1.5" + "}" * levels)

    run = run_limited("plan", "--against", "none", "web.yaml", cwd=tmp_path)

    assert (run.returncode, "1 created" in run.stdout) == (0, True), run.stderr


@pytest.mark.slow
@pytest.mark.parametrize("levels", [2_500, 100_000])
@pytest.mark.parametrize("name", ["web.yaml", "web.json"])
def test_deeper_objects_are_reported_as_not_checked(tmp_path: Path, levels: int, name: str) -> None:
    brackets = '{"a": ' * levels + "1" + "}" * levels
    start = '{"apiVersion": "v1", "kind": "List", "items": ' if name == "web.json" else REVISION
    (tmp_path / name).write_text(start + brackets)

    run = run_limited("check", "--against", "none", name, cwd=tmp_path)

    assert run.returncode == 3
    assert "nested deeper than 2000 levels: this object and the rest of the file are not checked" in run.stdout
    assert "Traceback" not in run.stderr


@pytest.mark.slow
@pytest.mark.parametrize("hostile", ["a: " + "[" * 100_000, "a: &a [x, x]\n" + "b: &a [*a, *a]\n" * 60])
def test_hostile_rule_folders_and_kubeconfigs_are_wrong_use(tmp_path: Path, hostile: str) -> None:
    (tmp_path / "mine").mkdir()
    for name in ("mine/rule.yaml", "config"):
        (tmp_path / name).write_text(hostile)
    (tmp_path / "web.yaml").write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}")

    rules = run_limited("check", "--against", "none", "--rules", "mine", "web.yaml", cwd=tmp_path)
    live = run_limited("check", "--against", "live", "--kubeconfig", "config", "web.yaml", cwd=tmp_path)

    assert (rules.returncode, live.returncode) == (2, 2)
    assert "mine/rule.yaml:" in rules.stderr
    assert "config:" in live.stderr + live.stdout


@pytest.mark.slow
def test_an_endless_error_is_read_up_to_a_limit(tmp_path: Path) -> None:
    error = 'The Deployment "web" is invalid: spec.selector: Invalid value: {"a":"b"}: field is immutable\n'

    run = run_limited("diagnose", cwd=tmp_path, stdin=error.encode() + b"[" * 3 * 2**20, mebibytes=512)

    assert run.returncode == 3
    assert "[selector-change-rejected]" in run.stdout
    assert run.stderr == "applylint: only the first 512 KiB were read: pass only the error messages\n"


@pytest.mark.slow
def test_standard_input_is_bounded(tmp_path: Path) -> None:
    run = run_limited("check", "--against", "none", "-", cwd=tmp_path, stdin=b"a" * 40 * 2**20, mebibytes=512)

    assert run.returncode == 3
    assert "-: problem: larger than the limit of 32 MiB" in run.stdout


@pytest.mark.slow
def test_one_long_string_takes_ten_times_its_size(tmp_path: Path) -> None:
    string = "x" * 10_000_000
    (tmp_path / "a.json").write_text(
        f'{{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {{"name": "a"}}, "data": {{"k": "{string}"}}}}'
    )

    run = run_limited("check", "--against", "none", "a.json", cwd=tmp_path, mebibytes=400)

    assert run.returncode == 1, run.stderr
    assert "Too long: may not be more than 1048576 bytes" in run.stdout


POD = """\
apiVersion: v1
kind: Pod
metadata: {{name: a}}
spec: {{containers: [{{name: a, image: b, resources: {}}}]}}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "resources",
    [
        "{limits: {cpu: 1e999999999}}",
        "{limits: {memory: '1'}, requests: {memory: '1e2147483647'}}",
        "{limits: {cpu: '" + "9" * 100_000 + "'}}",
    ],
    ids=["exponent", "comparison", "digits"],
)
def test_amounts_that_servers_take_minutes_for_are_not_predicted(tmp_path: Path, resources: str) -> None:
    """A server 1.36.3 answers that the request did not complete within its timeout, after 34 s."""
    for folder, name in (("before", "x"), ("after", "y")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "b.yaml").write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}")
        (tmp_path / folder / "a.yaml").write_text(POD.format(resources).replace("image: b", f"image: {name}"))

    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "b.yaml").write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {a: b}}")
    fresh = run_limited("plan", "--against", "none", "after", cwd=tmp_path)
    check = run_limited("check", "--against", "dir:before", "after", cwd=tmp_path)

    changed, revert, again = (
        run_limited(command, "--against", "dir:before", "after", cwd=tmp_path)
        for command in ("plan", "revert", "again")
    )
    back = run_limited("revert", "--against", "dir:before", "other", cwd=tmp_path)

    for run in (fresh, check, changed, revert, again, back):
        assert (run.returncode, run.stderr.count("bug in applylint")) == (3, 0), run.stderr
        assert "a.yaml:1:1 pod/a: problem: cannot be predicted: a quantity of more than 4000 digits: " in run.stdout
        assert "please report it" not in run.stdout


@pytest.mark.slow
@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 5_000], ids=["brackets", "digits"])
def test_a_baseline_that_cannot_be_read_is_wrong_use(tmp_path: Path, text: str) -> None:
    (tmp_path / "base.json").write_text(text)
    (tmp_path / "web.yaml").write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}")

    run = run_limited("check", "--against", "none", "--baseline", "base.json", "web.yaml", cwd=tmp_path)

    assert (run.returncode, "base.json:1:1: not readable: " in run.stderr) == (2, True), run.stderr
