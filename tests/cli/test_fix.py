import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import PASSWORD

Run = Callable[..., tuple[int, str, str]]
NULLS = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: nulls
  creationTimestamp: null  # written by a generator
data:
  a: b
  # about c
  c: null
"""
FIXED = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: nulls
data:
  a: b
  # about c
"""
TWINS = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: web:1
        env:
        - {name: A, value: x}
        - {name: A, value: x}
"""
WRONG = "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  type: clusterip\n  ports: [{port: 80}]\n"


@pytest.fixture(name="nulls")
def _nulls(folder: Path) -> Path:
    file = folder / "nulls.yaml"
    file.write_text(NULLS)
    return file


def test_a_proven_edit_is_written_once(run: Run, nulls: Path) -> None:
    nulls.chmod(0o640)

    first = run("check", "--fix", "nulls.yaml")
    after = nulls.read_text()
    again = run("check", "--fix", "nulls.yaml")

    assert after == FIXED
    assert nulls.read_text() == FIXED
    assert stat.S_IMODE(nulls.stat().st_mode) == 0o640
    assert (first[0], first[1].splitlines()[0]) == (0, "no findings in 1 object")
    assert "fixed 1 finding in 1 file" in first[2]
    assert first[2].count("the live state is unknown") == 1
    assert "nothing to fix" in again[2]


def test_a_diff_writes_nothing(run: Run, nulls: Path) -> None:
    code, output, _ = run("check", "--fix", "--diff", "nulls.yaml")

    assert nulls.read_text() == NULLS
    assert output.startswith("--- a/nulls.yaml\n+++ b/nulls.yaml\n")
    assert "-  c: null\n" in output
    assert code == 0


@pytest.mark.slow
def test_the_exit_code_is_that_of_what_remains(run: Run, folder: Path) -> None:
    (folder / "wrong.yaml").write_text(WRONG)
    two = WRONG.replace("clusterip", "nothing").replace("name: a", "name: b")
    (folder / "both.yaml").write_text(f"{WRONG}---\n{two}")

    assert run("check", "wrong.yaml")[0] == 1
    assert run("check", "--fix", "--diff", "wrong.yaml")[0] == 0
    assert run("check", "--fix", "wrong.yaml")[0] == 0
    assert run("check", "--fix", "both.yaml")[0] == 1
    assert "type: ClusterIP" in (folder / "both.yaml").read_text()


@pytest.mark.slow
def test_an_edit_that_holds_in_some_cases_takes_a_flag_and_is_named(run: Run, folder: Path) -> None:
    file = folder / "twins.yaml"
    file.write_text(TWINS)

    assert "nothing to fix" in run("check", "--fix", "twins.yaml")[2]
    assert file.read_text() == TWINS

    err = run("check", "--fix", "--unsafe", "twins.yaml")[2]
    assert "entry-listed-twice-patches-wrong-one: after this: created; the finding is gone (only on a fresh" in err
    assert file.read_text() == TWINS.removesuffix("        - {name: A, value: x}\n")


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--fix"], "name the files or directories to edit"),
        (["--fix", "-"], "standard input cannot be edited"),
        (["--diff", "nulls.yaml"], "only work with --fix"),
        (["--unsafe", "nulls.yaml"], "only work with --fix"),
    ],
)
def test_contradictory_flags_are_usage_errors(run: Run, nulls: Path, argv: list[str], words: str) -> None:
    code, _, err = run("check", *argv)

    assert code == 2
    assert words in err


def test_a_link_out_of_the_tree_is_not_followed(
    run: Run, nulls: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "real.yaml"
    outside.write_text(NULLS)
    nulls.unlink()
    nulls.symlink_to(outside)

    err = run("check", "--fix", "-f", "nulls.yaml")[2]

    assert "nulls.yaml: not edited: it is outside of the working tree" in err
    assert outside.read_text() == NULLS


def test_a_link_inside_the_tree_stays_a_link(run: Run, nulls: Path) -> None:
    link = nulls.with_name("link.yaml")
    link.symlink_to("nulls.yaml")

    run("check", "--fix", "-f", "link.yaml")

    assert link.is_symlink()
    assert nulls.read_text() == FIXED


def test_ignored_findings_are_not_fixed(run: Run, nulls: Path) -> None:
    nulls.write_text(f"# applylint: ignore-file[null-never-settles] generated\n{NULLS}")

    run("check", "--fix", "nulls.yaml")

    assert nulls.read_text().endswith(NULLS)


def test_values_of_secrets_are_masked_in_a_diff(run: Run, folder: Path) -> None:
    secret = (
        f"apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\ndata:\n  new: null\nstringData: {{old: {PASSWORD}}}\n"
    )
    (folder / "s.yaml").write_text(secret)

    _, output, _ = run("check", "--fix", "--diff", "s.yaml")

    assert "-data:" in output
    assert PASSWORD not in output
    assert PASSWORD in run("check", "--fix", "--diff", "--show-secrets", "s.yaml")[1]


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everything")
def test_a_file_that_cannot_be_written_is_named(run: Run, nulls: Path) -> None:
    nulls.chmod(0o400)

    assert "nulls.yaml: not edited: it cannot be written" in run("check", "--fix", "nulls.yaml")[2]
