"""The edits that a run offers: each is proven by the prediction, and fits the text of its file."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.field_edits import NotEditable
from kubectl_applylint.lint.model import Finding, Report, Rule, Severity, Subject
from kubectl_applylint.lint.proving import Prover
from kubectl_applylint.run.files import RunInput
from kubectl_applylint.sources.text_edits import edited_text, hunks, is_as_written


def proven(
    found: RunInput,
    report: Report,
    rules: Sequence[Rule],
    silent: Sequence[Rule] = (),
    *,
    lightest: Severity | None = Severity.INFO,
) -> Report:
    """Return the report of a run with the edits of its findings that are proven; all others have none.

    Findings that are lighter than ``lightest``, ``None`` for all, are not looked at: a proof takes as long as the check
    of an object.
    """
    if found.whole is None or not any(_is_meant(finding, lightest) for finding in report.findings):
        return report
    prover = Prover(found.whole, rules, silent)
    at = places(found.subjects)
    by_hand = {rule.id: rule.by_hand for rule in rules}
    found_before: dict[tuple[ObjectRef, str, str, str], Finding] = {}

    def with_edits(one: Finding) -> Finding:
        # Each of many equal entries wants the same removed, which is proven once.
        key = (one.ref, one.location.file, one.rule, repr(one.wanted))
        if key not in found_before:
            found_before[key] = _with_edits(one, found, prover, at)
        same = found_before[key]
        return _without_manual(replace(one, edits=same.edits, proof=same.proof), by_hand.get(one.rule, 0))

    every = (with_edits(one) if _is_meant(one, lightest) else one for one in report.findings)
    return replace(report, findings=tuple(every))


def _without_manual(finding: Finding, lines: int) -> Finding:
    """Return a finding whose fix does not say once more what its edits do in every case."""
    if finding.proof is None or finding.proof.cases:
        return finding
    return replace(finding, fix="\n".join(finding.fix.splitlines()[lines:]))


def _is_meant(finding: Finding, lightest: Severity | None) -> bool:
    return bool(finding.wanted) and lightest is not None and finding.severity.rank <= lightest.rank


def places(subjects: Sequence[Subject]) -> Mapping[tuple[str, ObjectRef], int]:
    """Return where the subjects stand by file and object; a file that has an object twice is left out."""
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
    except NotEditable:
        return finding
    proof = prover.prove(subject, at, Counter([finding.rule]), finding.wanted)
    return replace(finding, edits=hunks(subject.document.file, text, after), proof=proof) if proof else finding
