"""Computes the files that ``--fix`` writes, with the proven edits of all findings of a file, or none of them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from typing import TypeAlias

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.fixes.field_edits import FieldEdit, NotEditableError
from kubectl_applylint.lint.fixes.proving import Prover
from kubectl_applylint.lint.model import Finding, Proof, Rule, Subject
from kubectl_applylint.run.edits.proofs import subject_positions
from kubectl_applylint.run.loaded_units import LoadedUnit, LoadedUnits
from kubectl_applylint.sources.text.text_edits import edited_text, is_as_written

_AppliedObject: TypeAlias = tuple[LoadedUnit, Subject, int]
"""A unit that applies an object, its subject there, and the position of the subject."""


@dataclass(frozen=True, slots=True)
class FileFix:
    """A file before and after the edits of some of its findings."""

    file: str
    before: str
    after: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Unfixed:
    """A file that is not fixed, with the reason."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class _FixContext:
    """The loaded units, the rules, and whether edits are made that are proven for some cases only."""

    runs: LoadedUnits
    rules: Sequence[Rule]
    silent: Sequence[Rule]
    is_unsafe: bool

    def accepts(self, proof: Proof | None) -> bool:
        """Return whether edits with this proof are made."""
        return proof is not None and (self.is_unsafe or not proof.cases)


def file_fixes(
    runs: LoadedUnits,
    findings: Sequence[Finding],
    rules: Sequence[Rule],
    silent: Sequence[Rule] = (),
    *,
    is_unsafe: bool,
) -> tuple[FileFix | Unfixed, ...]:
    """Return the fix of each file with a proven edit, or the reason why it is not fixed; sorted by file.

    With ``is_unsafe``, edits that are proven for some cases only are made as well. The edits of one object are proven
    again together, in every unit that applies the file. Some are valid only together, for example those of two fields
    that the server rejects. Files that a kustomization or a chart changes are not edited.
    """
    context = _FixContext(runs, rules, silent, is_unsafe)
    rendered = {one.document.file for one in runs.subjects if not is_as_written(one.document)}
    wanting = [one for one in findings if one.wanted and one.location.file not in rendered]
    by_file = groupby(sorted(wanting, key=lambda one: one.location.file), key=lambda one: one.location.file)
    every = (_fix_file(file, list(some), context) for file, some in by_file if file in runs.texts)
    return tuple(one for one in every if one is not None)


def _fix_file(file: str, findings: Sequence[Finding], context: _FixContext) -> FileFix | Unfixed | None:
    before = after = context.runs.texts[file]
    made: list[Finding] = []
    try:
        for ref in dict.fromkeys(finding.ref for finding in findings):
            found = list(_applied_in(context.runs, file, ref))
            own = _compatible_findings([finding for finding in findings if finding.ref == ref], found, context)
            if own:
                after = edited_text(after, file, found[0][1].document.index, _edits(own))
                made += own
    except NotEditableError as fault:
        return Unfixed(file, str(fault))
    return FileFix(file, before, after, tuple(made)) if made else None


def _compatible_findings(
    findings: Sequence[Finding], found: Sequence[_AppliedObject], context: _FixContext
) -> Sequence[Finding]:
    """Return the findings of one object whose edits are proven together: all, or else those that are proven alone.

    Each gets the common proof. Raises ``NotEditableError`` if no common proof exists.
    """
    alone = [finding for finding in findings if context.accepts(finding.proof)]
    for some in (findings, alone):
        proof = _proof(some, found, context) if some else None
        if proof:
            return [replace(finding, proof=proof) for finding in some]
    if alone:
        raise NotEditableError("the edits do not hold together")
    return ()


def _proof(findings: Sequence[Finding], found: Sequence[_AppliedObject], context: _FixContext) -> Proof | None:
    """Return the proof of the edits of findings in every unit, ``None`` without one."""
    if not found or not all(_is_editable(run, subject, findings) for run, subject, _ in found):
        return None
    edits = _edits(findings)
    proofs = [
        Prover(run.input.whole, context.rules, context.silent).prove(
            subject, at, _expected_removals(findings, run), edits
        )
        for run, subject, at in found
        if run.input.whole
    ]
    return proofs[0] if all(map(context.accepts, proofs)) else None


def _is_editable(run: LoadedUnit, subject: Subject, findings: Sequence[Finding]) -> bool:
    document = subject.document
    try:
        edited_text(run.input.texts[document.file], document.file, document.index, _edits(findings))
    except NotEditableError:
        return False
    return True


def _edits(findings: Sequence[Finding]) -> Sequence[FieldEdit]:
    every: list[FieldEdit] = []
    for edit in chain.from_iterable(finding.wanted for finding in findings):
        every += [] if edit in every else [edit]
    return every


def _applied_in(runs: LoadedUnits, file: str, ref: ObjectRef) -> Iterator[_AppliedObject]:
    """Yield the units that apply an object of a file, with the subject and its position."""
    for run in runs.each:
        at = subject_positions(run.input.subjects).get((file, ref))
        if at is not None:
            yield run, run.input.subjects[at], at


def _expected_removals(findings: Sequence[Finding], run: LoadedUnit) -> Counter[str]:
    """Return how many findings of each rule the edits must remove from a unit."""
    return Counter(one.rule for one in findings if not one.units or (run.unit and run.unit.shown in one.units))
