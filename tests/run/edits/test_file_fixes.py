from dataclasses import replace

from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.lint.model import Finding, LiveAssumption
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.run.edits.file_fixes import FileFix, Unfixed, file_fixes
from kubectl_applylint.run.evaluate import RuleEvaluation
from kubectl_applylint.run.load.run_input import input_of_manifests
from kubectl_applylint.run.loaded_units import LoadedUnit, LoadedUnits
from kubectl_applylint.sources.text.manifests import join, read_text
from tests.cli.test_fix import TWINS
from tests.run.running import evaluate_units

RULES = rulebook.built_in().rules
NULLS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, uid: x}\ndata:\n  b: c\n  d: null\n"
TWO = f"{NULLS}---\n{NULLS.replace('name: a', 'name: b')}"


def check_texts(*texts: str) -> tuple[LoadedUnits, tuple[Finding, ...]]:
    run = input_of_manifests(join(read_text(text, f"{n}.yaml") for n, text in enumerate(texts)))
    runs = LoadedUnits((LoadedUnit(None, run),))
    return runs, evaluate_units(runs, RuleEvaluation(Dispatch(RULES))).report.findings


def fixes_of(*texts: str) -> tuple[FileFix | Unfixed, ...]:
    runs, findings = check_texts(*texts)
    return file_fixes(runs, findings, RULES, is_unsafe=False)


def test_all_findings_of_a_file_are_fixed_together() -> None:
    (one,) = fixes_of(TWO)

    assert isinstance(one, FileFix)
    assert one.after == TWO.replace(", uid: x", "").replace("  d: null\n", "")
    assert {finding.rule for finding in one.findings} == {"exported-version-blocks-apply", "null-never-settles"}
    assert fixes_of(one.after) == ()


def test_files_are_fixed_by_themselves() -> None:
    assert [one.file for one in fixes_of(NULLS, NULLS.replace("name: a", "name: b"))] == ["0.yaml", "1.yaml"]


def test_edits_that_do_not_hold_together_leave_the_file_alone() -> None:
    runs, findings = check_texts(NULLS)
    more = [replace(one, rule="null-never-settles") for one in findings]

    assert file_fixes(runs, more, RULES, is_unsafe=False) == (Unfixed("0.yaml", "the edits do not hold together"),)


def test_edits_that_hold_only_together_are_made_together() -> None:
    """Each of the two values alone gets the Service rejected."""
    service = "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  type: clusterip\n  ports:\n"
    runs, findings = check_texts(f"{service}  - {{port: 80, protocol: tcp}}\n")

    (one,) = file_fixes(runs, findings, RULES, is_unsafe=False)

    assert {finding.proof for finding in findings} == {None}
    assert isinstance(one, FileFix)
    assert one.after == f"{service}  - {{port: 80, protocol: TCP}}\n".replace("clusterip", "ClusterIP")


def test_an_edit_that_holds_in_some_cases_is_not_safe() -> None:
    runs, findings = check_texts(TWINS)

    assert file_fixes(runs, findings, RULES, is_unsafe=False) == ()
    (one,) = file_fixes(runs, findings, RULES, is_unsafe=True)
    assert isinstance(one, FileFix)
    assert [finding.proof and finding.proof.cases for finding in one.findings] == [(LiveAssumption.FRESH,)]


def test_a_rendered_object_is_left_alone() -> None:
    runs, findings = check_texts(NULLS)
    (run,) = runs.each
    (subject,) = run.input.subjects
    rendered = replace(subject, document=replace(subject.document, source={"kind": "ConfigMap"}))
    other = replace(runs, each=(replace(run, input=replace(run.input, subjects=(rendered,))),))

    assert file_fixes(other, [replace(one, proof=None) for one in findings], RULES, is_unsafe=True) == ()
