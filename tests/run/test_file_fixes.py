from dataclasses import replace

from kubectl_applylint.lint.model import Finding
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.run import unit_reports
from kubectl_applylint.run.file_fixes import FileFix, Unfixed, file_fixes
from kubectl_applylint.run.files import run_of_input
from kubectl_applylint.run.unit_runs import Runs, UnitRun
from kubectl_applylint.sources.manifests import join, read_text

RULES = rulebook.built_in().rules
NULLS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, uid: x}\ndata:\n  b: c\n  d: null\n"
TWO = f"{NULLS}---\n{NULLS.replace('name: a', 'name: b')}"


def checked(*texts: str) -> tuple[Runs, tuple[Finding, ...]]:
    run = run_of_input(join(read_text(text, f"{n}.yaml") for n, text in enumerate(texts)))
    runs = Runs((UnitRun(None, run),))
    return runs, unit_reports.check(runs, RULES).findings


def fixed(*texts: str) -> tuple[FileFix | Unfixed, ...]:
    runs, findings = checked(*texts)
    return file_fixes(runs, findings, RULES, is_unsafe=False)


def test_all_findings_of_a_file_are_fixed_together() -> None:
    (one,) = fixed(TWO)

    assert isinstance(one, FileFix)
    assert one.after == TWO.replace(", uid: x", "").replace("  d: null\n", "")
    assert {finding.rule for finding in one.findings} == {"exported-version-blocks-apply", "null-never-settles"}
    assert fixed(one.after) == ()


def test_files_are_fixed_by_themselves() -> None:
    assert [one.file for one in fixed(NULLS, NULLS.replace("name: a", "name: b"))] == ["0.yaml", "1.yaml"]


def test_edits_that_do_not_hold_together_leave_the_file_alone() -> None:
    runs, findings = checked(NULLS)
    more = [replace(one, rule="null-never-settles") for one in findings]

    assert file_fixes(runs, more, RULES, is_unsafe=False) == (Unfixed("0.yaml", "the edits do not hold together"),)


def test_a_finding_without_a_proof_is_left_alone() -> None:
    runs, findings = checked(NULLS)

    assert file_fixes(runs, [replace(one, proof=None) for one in findings], RULES, is_unsafe=True) == ()
