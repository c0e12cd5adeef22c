"""Proves the fixes of findings, edits and commands, by predicting the apply after each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from posixpath import basename

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.fixes.alternatives import fix_alternatives
from kubectl_applylint.lint.fixes.commands import Command, NoChange, command
from kubectl_applylint.lint.fixes.field_edits import NotEditableError
from kubectl_applylint.lint.fixes.playing import Simulation
from kubectl_applylint.lint.fixes.proving import Harm, Prover
from kubectl_applylint.lint.fixes.steps import FixStep, FixStepKind, fix_step
from kubectl_applylint.lint.model import Finding, Proof, Report, Rule, Severity, Subject
from kubectl_applylint.run.load.prediction import predictor
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.sources.text.text_edits import edited_text, hunks, is_as_written


def prove_fixes(
    found: RunInput,
    report: Report,
    rules: Sequence[Rule],
    silent: Sequence[Rule] = (),
    *,
    lightest: Severity | None = Severity.INFO,
) -> Report:
    """Return the report of a run with the proven edits of its findings, and the proofs of commands.

    Findings of a severity below ``lightest``, ``None`` for all, are skipped: a proof takes as long as the check of an
    object.
    """
    if found.whole is None or not any(_is_severe_enough(finding, lightest) for finding in report.findings):
        return report
    prover = Prover(found.whole, rules, silent)
    at = subject_positions(found.subjects)
    manual_lines = {rule.id: rule.by_hand for rule in rules}
    found_before: dict[tuple[ObjectRef, str, str, str], Finding] = {}

    def with_edits(one: Finding) -> Finding:
        # Many equal findings may want the same edit, which is proven once.
        key = (one.ref, one.location.file, one.rule, repr(one.wanted))
        if key not in found_before:
            found_before[key] = _with_edits(one, found, prover, at)
        same = found_before[key]
        return _without_proven_steps(replace(one, edits=same.edits, proof=same.proof), manual_lines.get(one.rule, 0))

    edited = (with_edits(one) if one.wanted and _is_severe_enough(one, lightest) else one for one in report.findings)
    every = (
        _with_command_proofs(one, found, prover, at) if _is_severe_enough(one, lightest) else one for one in edited
    )
    return replace(report, findings=tuple(every))


def _without_proven_steps(finding: Finding, lines: int) -> Finding:
    """Return a finding without the manual steps of its fix if its edits are proven for every case."""
    if finding.proof is None or finding.proof.cases:
        return finding
    return replace(finding, fix="\n".join(finding.fix.splitlines()[lines:]))


def _is_severe_enough(finding: Finding, lightest: Severity | None) -> bool:
    return lightest is not None and finding.severity.rank <= lightest.rank


def subject_positions(subjects: Sequence[Subject]) -> Mapping[tuple[str, ObjectRef], int]:
    """Return the positions of the subjects by file and object, without objects that a file contains twice."""
    numbers = Counter((subject.document.file, subject.ref) for subject in subjects)
    every = enumerate(subjects)
    return {key: at for at, one in every if numbers[key := (one.document.file, one.ref)] == 1}


def _with_edits(
    finding: Finding, found: RunInput, prover: Prover, positions: Mapping[tuple[str, ObjectRef], int]
) -> Finding:
    at = positions.get((finding.location.file, finding.ref))
    if at is None:
        return finding
    subject = found.subjects[at]
    text = found.texts.get(subject.document.file)
    if text is None or not is_as_written(subject.document):
        return finding
    try:
        after = edited_text(text, subject.document.file, subject.document.index, finding.wanted)
    except NotEditableError:
        return finding
    proof = prover.prove(subject, at, Counter([finding.rule]), finding.wanted)
    return replace(finding, edits=hunks(subject.document.file, text, after), proof=proof) if proof else finding


def _with_command_proofs(
    finding: Finding, found: RunInput, prover: Prover, positions: Mapping[tuple[str, ObjectRef], int]
) -> Finding:
    """Return a finding with the proofs of the commands of its fix, without alternatives that do harm."""
    at = positions.get((finding.location.file, finding.ref))
    if at is None or found.whole is None:
        return finding
    subject = found.subjects[at]
    simulation = Simulation(subject, found.whole, at, partial(predictor, subject.schema))
    kept: list[str] = []
    proofs: list[tuple[int, Proof]] = []
    for alternative in fix_alternatives(finding.fix):
        commands = _commands([*map(fix_step, alternative.parts)], finding)
        result = prover.prove_commands(simulation, finding.rule, [*commands.values()]) if commands else None
        if isinstance(result, Proof):
            last = max(number for number, one in commands.items() if not isinstance(one, NoChange))
            proofs.append((len(kept) + last, result))
        if kept and isinstance(result, Harm):
            continue
        kept += alternative.parts
    return replace(finding, fix="\n".join(kept), command_proofs=tuple(proofs))


def _commands(steps: Sequence[FixStep], finding: Finding) -> Mapping[int, Command]:
    """Return the commands of an alternative by step number; none if one is unknown or if the file has to be edited."""
    file = basename(finding.location.file)
    if any(file in step.text for step in steps if step.kind is FixStepKind.DECISION):
        return {}
    read = {n: command(step.text, finding.ref) for n, step in enumerate(steps) if step.kind is FixStepKind.COMMAND}
    known = {number: one for number, one in read.items() if one is not None}
    return known if len(known) == len(read) else {}
