"""The README keeps its word: every command in it runs, and prints what it is shown to print."""

import json
import os
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from kubectl_applylint import __version__
from kubectl_applylint.config.configuration import load
from kubectl_applylint.lint.hiding.waivers import in_comments
from kubectl_applylint.rulebook import rulebook
from tests.readme import README, ROOT, run, scripts, sessions
from tests.tree import copy_tree

pytestmark = pytest.mark.slow

TEXT = README.read_text(encoding="utf-8")
SESSIONS = sessions(TEXT)
INSTALL, PLUGIN, GATE, TESTS = scripts(TEXT)
LINKS = re.findall(r"\]\((?!https?:)([^)#]+)\)", TEXT)


@pytest.mark.parametrize(("command", "output"), SESSIONS.items(), ids=SESSIONS.keys())
def test_a_command_prints_what_is_shown(command: str, output: str) -> None:
    assert run(command).stdout == output, "python -m tests.readme writes what it prints now into the README"


def test_the_main_job_runs_as_written() -> None:
    done = run(INSTALL.rpartition("&& .venv/bin/")[2])

    assert (done.returncode, done.stderr) == (
        1,
        "applylint: compared with snapshot examples/snapshot.yaml (of today)\n",
    )


def test_the_tests_are_run_by_the_line_that_ci_runs() -> None:
    assert TESTS == "./scripts/test"
    assert os.access(ROOT / TESTS, os.X_OK)
    assert TESTS in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_what_hides_findings_is_written_as_shown(tmp_path: Path) -> None:
    units, comments, settings = re.findall(r"^```yaml\n(# .*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    (tmp_path / ".applylint.yaml").write_text(units + settings, encoding="utf-8")

    config, said = load({}, {}, tmp_path), in_comments(comments, "web.yaml")

    assert [str(unit) for unit in config.units] == ["clusters/*/crds", "clusters/*/apps"]
    assert [(waiver.rules, waiver.until) for waiver in config.waivers] == [(("hand-edit-stays",), date(2027, 1, 31))]
    assert [(waiver.rules, waiver.until) for waiver in said.waivers] == [
        (("last-applied-missing-keeps-fields",), date(2027, 1, 31)),
        (("replicas-set-back",), None),
    ]


def test_the_rules_that_nobody_may_hide_are_named() -> None:
    protected = [rule.id for rule in rulebook.built_in().rules if not rule.ignorable]

    assert [rule for rule in protected if f"`{rule}`" not in TEXT] == []


@pytest.mark.parametrize("link", LINKS)
def test_a_link_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


def test_the_gate_runs_as_written(tmp_path: Path) -> None:
    copy_tree(tmp_path)

    done = run(GATE, folder=tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads((tmp_path / "applylint.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"


@pytest.mark.cluster  # It needs a package registry, which CI has.
def test_the_plugin_is_installed_as_written(kubectl: Path, tmp_path: Path) -> None:
    pytest.importorskip("pipx")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "kubectl").symlink_to(kubectl)
    places = {"PIPX_HOME": str(tmp_path / "pipx"), "PIPX_BIN_DIR": str(programs), "PIPX_MAN_DIR": str(tmp_path / "man")}
    # Not the programs of this environment: what pipx installs has to be found, and only that.
    path = os.pathsep.join([str(programs), *os.environ["PATH"].split(os.pathsep)])

    done = run(
        PLUGIN.replace("pipx", f"{sys.executable} -m pipx", 1),
        folder=copy_tree(tmp_path / "clone"),
        environment={**places, "PATH": path},
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(f"kubectl applylint {__version__}\n")
    assert {path.name for path in programs.iterdir()} >= {"kubectl-applylint", "kubectl_complete-applylint"}


@pytest.mark.cluster  # It needs a package registry and half a minute, which CI has.
def test_the_first_line_works_in_a_fresh_clone(tmp_path: Path) -> None:
    copy_tree(tmp_path)

    done = subprocess.run(INSTALL, shell=True, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)

    assert done.returncode == 1, done.stderr
    assert "[replicas-removed-scales-to-one]" in done.stdout
