"""Reports on all applies together: findings and outcomes of each unit, and effects of a change."""

from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.config.configuration import Config
from kubectl_applylint.config.hiding import all_rules
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.problem import Compared, Problem
from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.lint.hiding.suppress import NO_POLICY, Extent
from kubectl_applylint.lint.model import Report
from kubectl_applylint.run.collect import UnitResult, collect, join_reports, policy_with_extent, unit_report
from kubectl_applylint.run.evaluate import RuleEvaluation
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.loaded_units import LoadedUnit, LoadedUnits
from kubectl_applylint.sources.text.manifests import read_text
from kubectl_applylint.units.model import Applied, Form, Reason, Unit
from tests.run.running import DIR, WEB, evaluate_units, plan, runs, write

RULES = RuleEvaluation(Dispatch(all_rules(Config())))
BROKEN = "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [{port: 1}, {port: 1}]}\n"


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder, outside of git, with two environments below ``all``."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"all/dev/web.yaml": WEB, "all/prod/web.yaml": WEB, "before/dev/web.yaml": WEB})
    return tmp_path


def test_a_report_has_a_part_for_each_unit() -> None:
    report = plan(runs())

    assert [(unit.root, unit.applies) for unit in report.units] == [("dev", 1), ("prod", 1)]
    assert [len(outcomes) for _, outcomes in report.by_unit] == [1, 1]


def test_findings_name_their_units(folder: Path) -> None:
    write(folder, {"all/prod/service.yaml": BROKEN})
    report = evaluate_units(runs(), RULES).report

    assert {root for finding in report.findings if finding.ref.kind == "Service" for root in finding.units} == {"prod"}
    assert report.checked == 3


def test_a_unit_with_the_same_finding_twice_is_named_once(folder: Path) -> None:
    write(folder, {"all/prod/service.yaml": BROKEN})

    assert {
        finding.units for finding in evaluate_units(runs(), RULES).report.findings if finding.ref.kind == "Service"
    } == {("prod",)}


def test_a_finding_of_one_file_in_two_units_is_reported_once() -> None:
    (one,) = runs("all/dev").each
    assert one.unit is not None
    twice = LoadedUnits((one, replace(one, unit=replace(one.unit, root="again"))))
    alone, both = (evaluate_units(found, RULES).report for found in (LoadedUnits((one,)), twice))

    assert len(both.findings) == len(alone.findings)
    assert {finding.units for finding in both.findings} <= {("dev", "again")}


@pytest.mark.parametrize("shows_known", [False, True])
def test_findings_from_before_the_change_are_only_counted(folder: Path, shows_known: bool) -> None:
    write(
        folder,
        {
            "before/dev/service.yaml": BROKEN,
            "all/dev/service.yaml": BROKEN.replace("{name: s}", "{name: s, labels: {a: b}}"),
        },
    )
    report = evaluate_units(runs("all", against=DIR, roots=("dev",)), replace(RULES, shows_known=shows_known)).report

    assert bool(report.known) != shows_known
    assert bool([each for each in report.findings if each.ref.kind == "Service"]) == shows_known


def test_a_text_that_is_too_long_as_before_was_there_before(folder: Path) -> None:
    definition = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: long}\ndata: {text: %s}\n"
    write(
        folder,
        {
            "before/dev/long.yaml": definition % ("a" * 300_000),
            "all/dev/long.yaml": definition % ("a" * 310_000),
        },
    )
    report = evaluate_units(runs("all", against=DIR, roots=("dev",)), RULES).report

    assert [each.rule for each in report.findings] == []
    assert (report.known, report.fixed) == (1, 0)


def test_findings_that_the_change_fixes_are_counted(folder: Path) -> None:
    write(
        folder,
        {
            "before/dev/service.yaml": BROKEN,
            "all/dev/service.yaml": BROKEN.replace("{port: 1}, {port: 1}", "{port: 1}"),
        },
    )

    assert evaluate_units(runs("all", against=DIR, roots=("dev",)), RULES).report.fixed > 0


@pytest.mark.parametrize(
    ("inputs", "extent"),
    [
        pytest.param((RunInput(extent=Extent.WHOLE),), Extent.WHOLE, id="one apply"),
        pytest.param((RunInput(extent=Extent.WHOLE),) * 2, Extent.PART, id="several"),
        pytest.param(
            (RunInput(extent=Extent.WHOLE, problems=(Problem("a", "b"),)),), Extent.BROKEN, id="with a problem"
        ),
    ],
)
def test_the_extent_of_a_report_is_that_of_its_units(inputs: tuple[RunInput, ...], extent: Extent) -> None:
    assert policy_with_extent(NO_POLICY, LoadedUnits(tuple(LoadedUnit(None, each) for each in inputs))).extent is extent


def test_a_report_describes_its_unit() -> None:
    unit = Unit("", Form.FOLDER, frozenset(), Applied("flux", "shop", "prod", reason=Reason("Kustomization a", "b", 3)))
    report = unit_report(unit)

    assert (report.root, report.form, report.tool) == (".", "folder", "flux")
    assert (report.namespace, report.target, report.origin) == ("shop", "prod", "Kustomization a (b:3)")
    assert plan(LoadedUnits(())) == Report()


@pytest.mark.parametrize(
    ("failures", "compared"),
    [
        ([False], Compared.NO),
        ([True], Compared.YES),
        ([True, False], Compared.NO),
    ],
)
def test_a_unit_that_fails_as_before_is_compared(failures: list[bool], compared: Compared) -> None:
    problems = [Problem("a", f"problem {number}", is_unchanged=one) for number, one in enumerate(failures)]
    unit = unit_report(Unit("a", Form.KUSTOMIZATION, frozenset()))
    report = join_reports([UnitResult((), unit, Report(problems=tuple(problems)))], ())

    assert [(one.compared, one.reason) for one in report.units] == [(compared, "problem 0")]


def test_notes_on_results_are_among_those_of_the_run() -> None:
    loaded = runs()
    results = [(Report(notes=(*one.input.notes, "it is rejected")), 0.0) for one in loaded.each]
    notes = collect(loaded, results, RULES).report.notes

    assert notes.count("it is rejected") == 1
    assert len(notes) == len(set(notes))


@pytest.mark.parametrize(
    ("flags", "is_noted"), [(NO_FLAGS, True), (Flags(asked=AskedApplier(Applier.ARGOCD, is_supposed=True)), False)]
)
def test_orphaned_objects_have_a_note_if_kubectl_is_predicted(flags: Flags, is_noted: bool) -> None:
    unit = Unit("app", Form.FOLDER, frozenset(), Applied("argocd"))
    (web,) = read_text(WEB, "app/web.yaml").documents
    report = Report(outcomes=((web, Outcome(web.ref, Verdict.KEPT)),))

    found = collect(LoadedUnits((LoadedUnit(unit, RunInput()),)), [(report, 0.0)], RULES, flags)

    assert any("deletes them if it prunes" in note for note in found.report.notes) is is_noted
