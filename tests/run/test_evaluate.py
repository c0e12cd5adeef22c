"""The reports of loaded objects: findings of rules, and predictions."""

import json
from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.core.documents import Documents, Peers
from kubectl_applylint.core.outcome import Outcome, PredictionError, Verdict
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import Absent, State
from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.lint.hiding.suppress import NO_POLICY
from kubectl_applylint.lint.model import Report, Rule, Scenario, Subject
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.run.compare.against import read_against
from kubectl_applylint.run.compare.open_source import open_source
from kubectl_applylint.run.evaluate import RenderEvaluation, check, plan, predict
from kubectl_applylint.run.load.load_apply import load_apply
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.loaded_units import LoadedUnit
from kubectl_applylint.run.request import Request
from kubectl_applylint.schema import catalogue
from kubectl_applylint.schema.configured_definitions import ConfiguredDefinitions
from kubectl_applylint.schema.load import load
from tests.cli.conftest import CONFIG_MAP, DEPLOYMENT, SELECTOR, live_deployment
from tests.report.samples import DOCUMENT

RULES = rulebook.built_in().rules


@pytest.fixture(name="files", autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("web.yaml").write_text(DEPLOYMENT)
    Path("settings.yaml").write_text(CONFIG_MAP)
    Path("prod.json").write_text(json.dumps({"kind": "List", "apiVersion": "v1", "items": [live_deployment()]}))


def run_of(*names: str, against: str = "none", flags: Flags = NO_FLAGS) -> RunInput:
    request = Request(names, flags=flags, against=read_against(against))
    with open_source(request.against) as source:
        return load_apply(request, source)


def rules_of(report: Report) -> list[str]:
    return [finding.rule for finding in report.findings]


def test_a_rendering_reports_the_problems_and_notes_of_loading() -> None:
    Path("broken.yaml").write_text("a: [")
    found = run_of("settings.yaml", "broken.yaml")

    report = RenderEvaluation()(LoadedUnit(None, found))
    assert (report.checked, report.problems, report.notes) == (1, found.problems, found.notes)
    assert len(report.problems) == 1


def test_rules_look_at_what_is_applied_and_at_what_is_not() -> None:
    found = run_of("settings.yaml", against="dir:.")

    left = check(found, Dispatch(RULES), policy=NO_POLICY)

    assert [subject.ref.name for subject in found.subjects] == ["settings"]
    assert "object-left-files-stays" in rules_of(left)
    assert SELECTOR in rules_of(check(run_of("web.yaml", against="snapshot:prod.json"), Dispatch(RULES)))


def test_a_plan_has_each_object_and_those_that_are_not_applied() -> None:
    report = plan(run_of("settings.yaml", against="dir:."))

    assert [(document.ref.name, outcome.verdict) for document, outcome in report.outcomes] == [
        ("settings", Verdict.UNCHANGED),
        ("web", Verdict.KEPT),
    ]
    assert report.checked == 1


def test_rules_are_read_only_after_a_rejection() -> None:
    def never() -> tuple[Rule, ...]:
        raise AssertionError("nothing is refused")

    plan(run_of("settings.yaml", against="snapshot:prod.json"), never)
    ((_, refused),) = plan(run_of("web.yaml", against="snapshot:prod.json"), lambda: RULES).outcomes

    assert refused.refused
    assert "applylint explain" in refused.remedy


@pytest.mark.parametrize(
    ("against", "is_unreachable", "verdict"),
    [
        ("none", False, Verdict.CREATED),
        ("snapshot:no.json", True, Verdict.UNKNOWN),
        ("snapshot:prod.json", False, Verdict.CREATED),
    ],
)
def test_an_object_is_unknown_if_no_live_state_is_read(against: str, is_unreachable: bool, verdict: Verdict) -> None:
    found = run_of("settings.yaml", against=against)
    ((_, outcome),) = plan(found).outcomes

    assert (found.is_unreachable, outcome.verdict) == (is_unreachable, verdict)


def test_an_object_that_the_engine_fails_on_is_a_problem_of_its_own() -> None:
    def fail(scenario: Scenario) -> Outcome:
        raise PredictionError(f"no {scenario}", is_fault=True)

    subject = Subject(
        DOCUMENT,
        State(Absent()),
        kind=None,
        schema=load("1.36"),
        peers=Peers(Documents((DOCUMENT,)), 0, DOCUMENT.ref),
        predict=fail,
    )

    assert predict(subject) == Problem(
        "web.yaml:1:1 deployment.apps/web", "not predicted: no apply", "please report it with the object"
    )


def test_a_rejection_that_rests_on_a_bundled_definition_is_a_warning_that_names_it() -> None:
    certificate = "apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: a, namespace: x}\n"
    Path("certificate.yaml").write_text(f"{certificate}spec: {{secretName: s}}\n")
    (finding,) = check(run_of("certificate.yaml"), Dispatch(RULES)).findings

    assert (finding.rule, finding.severity, finding.confidence) == ("required-field-missing-rejected", "warning", "low")
    assert finding.message.startswith("may be rejected (bundled definition of cert-manager v")
    assert "spec.issuerRef is missing" in finding.message


@pytest.mark.parametrize(
    ("flags", "rules"),
    [
        pytest.param(Flags(is_unit=True, may_be_patched=True), [], id="in a unit that may be patched"),
        pytest.param(
            Flags(is_unit=True), ["required-field-missing-rejected"] * 2, id="in a unit that an object declares"
        ),
        pytest.param(Flags(), ["required-field-missing-rejected"] * 2, id="a file"),
    ],
)
def test_a_kustomization_that_nothing_applies_may_be_completed(flags: Flags, rules: list[str]) -> None:
    header = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a, namespace: x}\n"
    Path("ks.yaml").write_text(f"{header}spec: {{path: ./app, sourceRef: {{kind: GitRepository, name: a}}}}\n")

    assert [finding.rule for finding in check(run_of("ks.yaml", flags=flags), Dispatch(RULES)).findings] == rules


def test_an_error_is_certain_if_the_configuration_names_the_bundled_version() -> None:
    certificate = "apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: a, namespace: x}\n"
    Path("certificate.yaml").write_text(f"{certificate}spec: {{secretName: s}}\n")
    pins = {"cert-manager": catalogue.projects()["cert-manager"].version}
    flags = Flags(definitions=ConfiguredDefinitions(pins))
    (finding,) = check(run_of("certificate.yaml", flags=flags), Dispatch(RULES)).findings

    assert (finding.rule, finding.severity, finding.confidence) == ("required-field-missing-rejected", "error", "high")
