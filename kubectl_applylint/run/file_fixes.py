"""What ``--fix`` makes of files: the proven edits of all findings of a file together, or none of them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, groupby

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.field_edits import NotEditable
from kubectl_applylint.lint.model import Finding, Rule, Subject
from kubectl_applylint.lint.proving import Prover
from kubectl_applylint.run.proofs import places
from kubectl_applylint.run.unit_runs import Runs, UnitRun
from kubectl_applylint.sources.text_edits import edited_text


@dataclass(frozen=True, slots=True)
class FileFix:
    """A file before and after the edits of some of its findings."""

    file: str
    before: str
    after: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Unfixed:
    """A file whose edits are not made, and why."""

    file: str
    reason: str


def file_fixes(
    runs: Runs, findings: Sequence[Finding], rules: Sequence[Rule], silent: Sequence[Rule] = (), *, is_unsafe: bool
) -> tuple[FileFix | Unfixed, ...]:
    """Return what becomes of each file with a proven edit, by name.

    With ``is_unsafe`` those edits count too that hold in some cases only. The edits of one object are proven once more
    together, in every unit that applies the file.
    """
    meant = [one for one in findings if one.proof and (is_unsafe or not one.proof.cases)]
    by_file = groupby(sorted(meant, key=lambda one: one.location.file), key=lambda one: one.location.file)
    return tuple(_fixed(file, tuple(some), runs, (rules, silent), is_unsafe=is_unsafe) for file, some in by_file)


def _fixed(
    file: str,
    findings: tuple[Finding, ...],
    runs: Runs,
    rules: tuple[Sequence[Rule], Sequence[Rule]],
    *,
    is_unsafe: bool,
) -> FileFix | Unfixed:
    before = after = runs.texts[file]
    refs = dict.fromkeys(finding.ref for finding in findings)
    try:
        for ref in refs:
            own = [finding for finding in findings if finding.ref == ref]
            edits = tuple(dict.fromkeys(chain.from_iterable(finding.wanted for finding in own)))
            found = list(_applied_in(runs, file, ref))
            proofs = [
                Prover(run.found.whole, *rules).prove(subject, at, _expected(own, run), edits)
                for run, subject, at in found
                if run.found.whole
            ]
            if not all(proof and (is_unsafe or not proof.cases) for proof in proofs):
                return Unfixed(file, "the edits do not hold together")
            after = edited_text(after, file, found[0][1].document.index, edits)
    except NotEditable as fault:
        return Unfixed(file, str(fault))
    return FileFix(file, before, after, findings)


def _applied_in(runs: Runs, file: str, ref: ObjectRef) -> Iterator[tuple[UnitRun, Subject, int]]:
    """Yield the units that apply an object of a file, with the subject and its position."""
    for run in runs.each:
        at = places(run.found.subjects).get((file, ref))
        if at is not None:
            yield run, run.found.subjects[at], at


def _expected(findings: Sequence[Finding], run: UnitRun) -> Counter[str]:
    """Return how many places of each rule have to be gone in a unit."""
    return Counter(one.rule for one in findings if not one.units or (run.unit and run.unit.shown in one.units))
