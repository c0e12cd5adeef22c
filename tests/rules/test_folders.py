"""A rule is one folder: in a copy of this tree one is added and one is removed, and no other file is edited.

The rule that is removed shares its check and its hazards with others; a check that no rule uses has to go as well, and
of a hazard that nothing holds the catalogue has to say why.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tree import copy_tree

pytestmark = pytest.mark.slow

ADDED, REMOVED = "replicas-of-thirteen-bring-bad-luck", "pdb-empty-selector-covers-namespace"
RULE = f"""\
id: {ADDED}
summary: Thirteen replicas
severity: info
since: 0.1.0
needs: [manifest]
applies_to:
  appliers: [all]
check: jsonpath
params:
  path: manifest.spec.replicas
  equals: 13
message: "{{object}} asks for {{value}} replicas"
why: |
  Some people do not like the number.
fix: |
  {{apply}} {{from}}
see: [https://kubernetes.io/docs/concepts/workloads/controllers/deployment/]
hazards: [C1]
ja:
  summary: レプリカ数が13である
  message: "{{object}} のレプリカ数は {{value}} です"
  why: |
    この数を好まない人がいます。
  fix: |
    {{apply}} {{from}}
"""
CASE = """\
summary: {summary}
manifest: |
  apiVersion: apps/v1
  kind: Deployment
  metadata: {{name: web}}
  spec:
    replicas: {replicas}
    selector: {{matchLabels: {{app: web}}}}
    template:
      metadata: {{labels: {{app: web}}}}
      spec: {{containers: [{{name: web, image: "nginx:1.27"}}]}}
"""
FINDINGS = "findings:\n- {path: spec.replicas, message: asks for 13 replicas}\n"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of this tree with another rule in one family, and without a rule of another."""
    copy = copy_tree(tmp_path_factory.mktemp("tree"))
    folder = copy / "rules" / "drift" / ADDED
    (folder / "cases").mkdir(parents=True)
    (folder / "rule.yaml").write_text(RULE, encoding="utf-8")
    (folder / "cases" / "bad-thirteen.yaml").write_text(CASE.format(summary="thirteen", replicas=13) + FINDINGS)
    (folder / "cases" / "ok-twelve.yaml").write_text(CASE.format(summary="twelve", replicas=12))
    shutil.rmtree(copy / "rules" / "pods" / REMOVED)
    # The package has its rules inside, as in a wheel.
    (copy / "kubectl_applylint" / "rules").symlink_to(copy / "rules", target_is_directory=True)
    (copy / "web.yaml").write_text(
        CASE.format(summary="", replicas=13).partition("manifest: |\n")[2].replace("\n  ", "\n")[2:]
    )
    return copy


def ask(tree: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    command = [sys.executable, "-m", *argv]
    return subprocess.run(command, cwd=tree, env=environment, capture_output=True, encoding="utf-8", check=False)


def test_the_program_lists_the_rules_of_its_folders(tree: Path) -> None:
    listed = ask(tree, "kubectl_applylint", "rules").stdout

    assert f"  {ADDED} " in listed
    assert REMOVED not in listed


def test_the_program_finds_and_explains(tree: Path) -> None:
    found = ask(tree, "kubectl_applylint", "check", "--select", ADDED, "web.yaml")
    explained = ask(tree, "kubectl_applylint", "explain", ADDED)

    assert f"deployment/web asks for 13 replicas [{ADDED}]" in " ".join(found.stdout.split())
    assert (explained.returncode, explained.stdout.count("\nGood: ")) == (0, 1)


def test_the_program_does_not_know_what_is_gone(tree: Path) -> None:
    done = ask(tree, "kubectl_applylint", "check", "--ignore", REMOVED, "web.yaml")

    assert done.returncode == 2
    assert f"--ignore: unknown rule or family '{REMOVED}'" in done.stderr


def test_tests_of_rules_still_pass(tree: Path) -> None:
    tests = ["tests/rules/test_cases.py", "tests/test_words.py", "tests/rulebook", "tests/test_pitfalls.py"]
    others = f"{ADDED} or not (test_a_case_finds or test_a_server_side_apply or test_predicted_deletions)"
    options = ["-k", others, "-q", "-x", "-p", "no:cacheprovider", "-m", "not slow and not cluster"]

    done = ask(tree, "pytest", *options, *tests)

    assert done.returncode == 0, done.stdout[-2000:]
    assert ADDED in ask(tree, "pytest", *options, "--collect-only", "tests/rules/test_cases.py").stdout
