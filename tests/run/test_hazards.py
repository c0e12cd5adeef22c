import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.lint.hiding.suppress import NO_POLICY
from kubectl_applylint.lint.model import Finding
from kubectl_applylint.rulebook.rulebook import built_in
from kubectl_applylint.run.compare.snapshot_source import in_snapshot
from kubectl_applylint.run.evaluate import PlanEvaluation
from kubectl_applylint.run.hazards import HazardRules, finding_key
from kubectl_applylint.run.request import Request
from tests.report.samples import FINDING
from tests.run.running import DIR, WEB, evaluate_units, load_units, runs, write

SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: auth}\nstringData: {PASS: b}\n"
BEFORE = {
    "web.yaml": WEB.replace("replicas: 1", "replicas: 3"),
    "auth.yaml": SECRET.replace("PASS: b", "USER: a, PASS: b"),
}
NOW = {"web.yaml": WEB.replace("  replicas: 1\n", ""), "auth.yaml": SECRET}


APPLIED = {
    "apiVersion": "v1",
    "data": {"PASS": "Yg=="},
    "kind": "Secret",
    "metadata": {"annotations": {}, "name": "auth", "namespace": "default"},
}
LIVE = {
    "apiVersion": "v1",
    "kind": "Secret",
    "metadata": {
        "name": "auth",
        "namespace": "default",
        "annotations": {LAST_APPLIED: json.dumps(APPLIED, separators=(",", ":")) + "\n"},
    },
    "data": {"PASS": "Yg=="},
    "type": "Opaque",
}


@cache
def rules() -> HazardRules:
    return HazardRules(Dispatch(built_in().rules), NO_POLICY)


@pytest.fixture
def hazards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    monkeypatch.chdir(tmp_path)

    def find(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
        write(tmp_path / "before", before)
        write(tmp_path / "all", now)
        report = evaluate_units(runs("all", against=DIR), PlanEvaluation(hazard_rules=rules)).report
        return [finding.rule for finding in report.findings]

    return find


def test_removed_fields_that_get_a_default_or_stay_are_named(hazards: Callable[..., list[str]]) -> None:
    assert hazards(BEFORE, NOW) == ["string-data-key-stays", "replicas-removed-scales-to-one"]


def test_unchanged_objects_have_no_hazards(hazards: Callable[..., list[str]]) -> None:
    assert hazards(NOW, NOW) == []


def test_an_unchanged_live_object_has_the_warnings_of_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The values of a Secret are in its annotation, which no apply of the file changes."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "all", {"auth.json": json.dumps(APPLIED)})
    (tmp_path / "live.json").write_text(json.dumps(LIVE))
    found = load_units(Request(files=("all",)), in_snapshot("live.json"))

    report = evaluate_units(found, PlanEvaluation(hazard_rules=rules)).report

    assert [outcome.verdict for _, outcome in report.outcomes] == [Verdict.UNCHANGED]
    assert [finding.rule for finding in report.findings] == ["secret-copied-into-last-applied"]


def test_hazards_of_the_earlier_manifests_are_left_out(hazards: Callable[..., list[str]]) -> None:
    before = SECRET + "type: Opaque\n"

    assert hazards({"auth.yaml": before}, {"auth.yaml": before.replace("PASS: b", "PASS: c")}) == []


def test_rejected_and_orphaned_objects_have_their_verdict(hazards: Callable[..., list[str]]) -> None:
    assert hazards({"web.yaml": WEB}, {"web.yaml": WEB.replace("app: web", "app: other")}) == []
    assert hazards({"web.yaml": WEB}, {"auth.yaml": SECRET}) == []


def test_rules_are_read_only_if_something_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never() -> HazardRules:
        raise AssertionError

    monkeypatch.chdir(tmp_path)
    for folder in ("before", "all"):
        write(tmp_path / folder, NOW)

    assert evaluate_units(runs("all", against=DIR), PlanEvaluation(hazard_rules=never)).report.findings == ()


def test_sizes_in_messages_do_not_make_another_finding() -> None:
    def finding_of(number: int) -> Finding:
        return replace(FINDING, message=f"it has {number} bytes")

    assert finding_key(finding_of(1)) == finding_key(finding_of(2))
