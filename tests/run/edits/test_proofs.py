from collections.abc import Sequence
from dataclasses import replace

from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.lint.fixes.alternatives import parts
from kubectl_applylint.lint.model import Edit, Finding, Proof, Report, Severity
from kubectl_applylint.lint.run import lint
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.run.compare.base import Base
from kubectl_applylint.run.compare.live_source import source_of_base
from kubectl_applylint.run.edits.proofs import prove_fixes
from kubectl_applylint.run.load.run_input import RunInput, input_of_files, input_of_manifests
from kubectl_applylint.sources.text.manifests import join, read_text

RULES = rulebook.built_in().rules
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  b: c\n  d: null\n"


def findings(*texts: str) -> Sequence[Finding]:
    return findings_of(input_of_manifests(join(read_text(text, f"{n}.yaml") for n, text in enumerate(texts))))


def findings_of(run: RunInput) -> Sequence[Finding]:
    return prove_fixes(run, lint(run.subjects, RULES), RULES).findings


def test_a_finding_has_the_edit_of_its_file_and_the_outcome() -> None:
    (finding,) = findings(MAP)

    assert finding.edits == (Edit(Location("0.yaml", Span(6, 1, 7, 1)), ""),)
    assert finding.proof == Proof(Verdict.CONFIGURED)


def test_a_file_that_cannot_be_edited_there_keeps_its_finding_without_an_edit() -> None:
    (finding,) = findings(MAP.replace("data:\n", "data: &d\n") + "other: *d\n".replace("other", "binaryData"))[:1]

    assert (finding.edits, finding.proof) == ((), None)


def test_an_object_that_its_file_has_twice_is_not_edited() -> None:
    every = findings(f"{MAP}---\n{MAP}")

    assert [finding.rule for finding in every if finding.edits] == []


def test_the_same_edits_are_proven_once() -> None:
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers: [{name: a, image: b}]\n"
    every = findings(pod + "  imagePullSecrets:\n" + "  - name: b\n" * 4)

    first, *others = [finding.edits for finding in every if finding.edits]
    assert len(others) == 2
    assert all(edits is first for edits in others)


def test_a_fix_does_not_say_by_hand_what_a_proven_edit_does() -> None:
    (finding,) = findings(MAP)
    (twice, *_) = findings(f"{MAP}---\n{MAP}")

    assert finding.fix == "kubectl apply -f 0.yaml"
    assert twice.fix.startswith("# delete the lines with null")


def test_rendered_objects_are_not_edited() -> None:
    run = input_of_manifests(read_text(MAP, "a.yaml"))
    (subject,) = run.subjects
    rendered = replace(subject, document=replace(subject.document, source={"kind": "ConfigMap"}))

    assert [finding.edits for finding in findings_of(replace(run, subjects=(rendered,)))] == [()]


def test_findings_below_the_severity_are_not_proven() -> None:
    run = input_of_manifests(read_text(MAP, "a.yaml"))
    report = lint(run.subjects, RULES)

    assert [one.proof for one in prove_fixes(run, report, RULES, lightest=Severity.WARNING).findings] == [None]


SET = """\
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: %s
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: "db:1"}]}
"""


def change_input(before: str, after: str) -> RunInput:
    base = Base("the earlier manifests", read_text(before, "db.yaml"), later=lambda *_: read_text(after, "db.yaml"))
    return input_of_files((), stdin=bytes, source=source_of_base(base))


def test_commands_are_printed_with_their_outcome() -> None:
    (finding,) = [one for one in findings_of(change_input(SET % "db", SET % "other")) if one.severity is Severity.ERROR]

    ((number, proof),) = finding.command_proofs
    assert list(parts(finding.fix))[number] == "kubectl apply -f db.yaml"
    assert proof == Proof(Verdict.CREATED, was=Verdict.REJECTED)


def test_a_way_that_does_harm_is_left_out() -> None:
    run = change_input(SET % "db", (SET % "db").replace("matchLabels: {app: db}", "matchLabels: {app: other}"))
    finding = next(one for one in lint(run.subjects, RULES).findings if one.severity is Severity.ERROR)
    first = "# best: restore it in db.yaml\nkubectl apply -f db.yaml"
    harmful = "# or replace it\nkubectl delete statefulset/db -n default\nkubectl apply -f db.yaml"

    (proven,) = prove_fixes(run, Report(findings=(replace(finding, fix=f"{first}\n{harmful}"),)), RULES).findings

    assert proven.fix == first
