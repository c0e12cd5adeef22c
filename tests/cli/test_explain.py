from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.cli.explain import coverage_text, explain_text, rules_text
from kubectl_applylint.lint.model import Need, Severity
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.japanese import PHRASES
from kubectl_applylint.rulebook.catalogue import Coverage, CoverageKind
from kubectl_applylint.rulebook.examples import Example, examples_of
from kubectl_applylint.rulebook.families import Family
from tests.report.samples import RULE

CASE = """\
summary: a label is added to the selector
steps:
  - apply-server-side: {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}
    manager: ci
  - patch: {spec: {replicas: 5}}
peers:
  - {apiVersion: v1, kind: Service, metadata: {name: web}}
flags: [--server-side]
manifest: |
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web}
findings:
  - path: spec.selector
  - path: ""
verified: {kubernetes: 1.36.3, kubectl: 1.36.3, date: 2026-11-20}
verdict: rejected
"""


def examples(folder: Path, text: str) -> tuple[Example, ...]:
    """Return the examples of a rule with one case."""
    (folder / "cases").mkdir()
    (folder / "cases" / "bad-one.yaml").write_text(text)
    return examples_of(replace(RULE, folder=str(folder)))


def test_a_rule_is_explained_with_its_examples(tmp_path: Path) -> None:
    assert explain_text(RULE, examples(tmp_path, CASE), Context()) == (
        "selector-changed: error, confidence high, since 0.1.0\n"
        "A selector changes where it cannot\n"
        "\n"
        "What happens\n"
        "  A selector is fixed when {a: b} is made.\n"
        "\n"
        "What to do\n"
        "  kubectl delete <object> --cascade=orphan\n"
        "\n"
        "Bad: a label is added to the selector\n"
        "  first kubectl apply --server-side by ci\n"
        "    | apiVersion: apps/v1\n"
        "    | kind: Deployment\n"
        "    | metadata: {name: web}\n"
        "  first patch of deployment.apps/web\n"
        "    | spec: {replicas: 5}\n"
        "  in the same run\n"
        "    | apiVersion: v1\n"
        "    | kind: Service\n"
        "    | metadata: {name: web}\n"
        "  now kubectl apply --server-side\n"
        "    | apiVersion: apps/v1\n"
        "    | kind: Deployment\n"
        "    | metadata: {name: web}\n"
        "  found: selector-changed at spec.selector\n"
        "  found: selector-changed at the object\n"
        "  actual result: rejected (kubectl 1.36.3, Kubernetes 1.36.3, 2026-11-20)\n"
        "\n"
        "See also\n"
        "  https://kubernetes.io/docs/concepts/workloads/controllers/deployment/\n"
    )


def test_long_lines_are_wrapped_in_each_section() -> None:
    words = "The selector of a workload is fixed when it is created. " * 2
    page = explain_text(replace(RULE, why=words, fix=f"# {words}"), [], Context(width=60))

    assert "\\n" not in page
    assert "\n  The selector of a workload is fixed when it is created.\n  The selector" in page
    assert "\n  # The selector of a workload is fixed when it is created.\n  # The selector" in page


def test_an_example_without_a_replay_has_no_actual_result(tmp_path: Path) -> None:
    found = examples(tmp_path, CASE.partition("verified")[0])

    assert "actual result" not in explain_text(RULE, found, Context())


def test_an_example_of_another_program_names_it(tmp_path: Path) -> None:
    one = "{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}"
    text = f"""
summary: a key leaves
applier: flux
steps:
  - run: [{one}]
    flags: [prune]
  - delete: {{apiVersion: v1, kind: ConfigMap, name: old}}
  - patch: {{data: {{a: x}}}}
    target: {{apiVersion: v1, kind: ConfigMap, name: web}}
flags: [prune]
manifest: |
  {one}
findings: [{{path: data.a}}]
verified: {{kubernetes: 1.36.3, program: flux 2, date: 2026-11-25}}
became: {{configmap/web: changed}}
"""
    example = (
        "Bad: a key leaves\n"
        "  first flux prune\n"
        "    | - apiVersion: v1\n"
        "    |   kind: ConfigMap\n"
        "    |   metadata: {name: web}\n"
        "  first kubectl delete configmap/old\n"
        "  first patch of configmap/web\n"
        "    | data: {a: x}\n"
        "  now flux prune\n"
        "    | {apiVersion: v1, kind: ConfigMap, metadata: {name: web}}\n"
        "  found: selector-changed at data.a\n"
        "  actual result: configmap/web changed (flux 2, Kubernetes 1.36.3, 2026-11-25)\n"
    )
    assert example in explain_text(RULE, examples(tmp_path, text), Context())


def test_the_explanation_of_a_rule_says_that_it_cannot_be_ignored() -> None:
    assert "since 0.1.0, cannot be ignored\n" in explain_text(replace(RULE, ignorable=False), [], Context())


def test_rules_are_listed_one_a_line() -> None:
    assert rules_text((RULE,), (), Context()) == (
        "  selector-changed  error    needs live  A selector changes where it cannot\n"
    )
    assert rules_text((), (), Context()) == ""


@pytest.mark.parametrize(
    ("needs", "shown"),
    [
        ((Need.MANIFEST, Need.LIVE), "live"),
        ((Need.MANIFEST, Need.LAST_APPLIED, Need.LIVE, Need.FLAGS), "last-applied, live"),
        ((Need.MANIFEST,), "manifest"),
        ((Need.MANIFEST, Need.UNEXPLAINED), "manifest"),
        ((Need.UNAPPLIED, Need.PEERS), "unapplied, peers"),
    ],
    ids=["live", "both", "alone", "causes", "removed"],
)
def test_a_list_of_rules_shows_the_requirements_of_each(needs: tuple[Need, ...], shown: str) -> None:
    line = rules_text((replace(RULE, needs=needs),), (), Context()).splitlines()[0]

    assert line == f"  selector-changed  error    needs {shown}  A selector changes where it cannot"


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (100, ["  selector-changed  error    needs live  A selector changes where it cannot"]),
        (80, ["  selector-changed  error    needs live", "    A selector changes where it cannot"]),
        (81, ["  selector-changed  error    needs live  A selector changes where it cannot"]),
    ],
    ids=["wide", "narrow", "just"],
)
def test_a_list_of_rules_fits_the_terminal(width: int, lines: list[str]) -> None:
    assert rules_text((RULE,), (), Context(width=width)).splitlines() == lines


def test_a_long_summary_wraps_in_its_column() -> None:
    rule = replace(RULE, summary="A selector changes where it cannot be changed by anybody at all")

    assert rules_text((rule,), (), Context(width=85)).splitlines() == [
        "  selector-changed  error    needs live  A selector changes where it cannot be",
        "                                         changed by anybody at all",
    ]


def test_every_hazard_is_listed_with_what_holds_it() -> None:
    hazards = (
        Coverage("A1", "one thing", CoverageKind.RULE, rules=("rule-a", "rule-b"), issues=("a/b#1", "a/b#2")),
        Coverage("A2", "another", CoverageKind.PREDICTED, words="plan says so"),
        Coverage("K10", "a third", CoverageKind.HIDDEN, words="nobody knows"),
        Coverage("K11", "a fourth", CoverageKind.NOTHING),
    )

    assert coverage_text(hazards, Context()) == (
        "A1   one thing\n     rules rule-a, rule-b\n"
        "A2   another\n     predicted: plan says so\n"
        "K10  a third\n     not visible to a tool, because nobody knows\n"
        "K11  a fourth\n     not covered\n"
        "4 hazards: 1 by rules, 1 predicted, 1 not visible to a tool, 1 not covered\n"
        "2 issues that discuss them: 2 by rules\n"
    )


def test_a_rule_is_explained_in_japanese() -> None:
    rule = replace(RULE, translations={"ja": {"summary": "変更できない", "why": "作成時に\n決まる。\n変わらない。"}})
    text = explain_text(rule.in_language("ja"), [], Context(phrases=PHRASES))

    assert text.startswith(
        "selector-changed: エラー、確度 高、0.1.0 以降\n変更できない\n\n何が起こるか\n  作成時に 決まる。変わらない。\n"
    )
    assert "\n対処方法\n  kubectl delete <object> --cascade=orphan\n" in text


def test_rules_are_listed_by_family() -> None:
    families = [Family("empty", "None"), Family("names", "Names")]
    rules = [RULE, replace(RULE, id="a-b", family="names"), replace(RULE, id="c-d", family="names")]

    assert rules_text(rules, families, Context()) == (
        "  selector-changed  error    needs live  A selector changes where it cannot\n"
        "\n"
        "empty: None\n"
        "\n"
        "names: Names\n"
        "  a-b               error    needs live  A selector changes where it cannot\n"
        "  c-d               error    needs live  A selector changes where it cannot\n"
    )


@pytest.mark.parametrize(
    ("severity", "word"), [(Severity.WARNING, "warning"), (None, "off"), (Severity.ERROR, "error")], ids=str
)
def test_a_configured_severity_is_shown_with_the_own_one(severity: Severity | None, word: str) -> None:
    configured = {RULE.id: severity}
    heading, line = (
        explain_text(RULE, [], Context(), configured).partition("\n")[0],
        rules_text((RULE,), (), Context(), configured=configured),
    )

    is_own = severity is RULE.severity
    assert heading.startswith(f"{RULE.id}: {word}{'' if is_own else ' (configured; error by default)'}, confidence")
    assert line.split()[:2] == [RULE.id, word]
    assert line.endswith("where it cannot\n" if is_own else "where it cannot (error by default)\n")
