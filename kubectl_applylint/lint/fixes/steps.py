"""The fix of a finding as steps: edits of files, commands, waiting, and decisions of the reader."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.lint.fixes.alternatives import parts
from kubectl_applylint.lint.model import Edit, Finding, Proof

_WAITS: Final = ("kubectl wait ", "kubectl rollout status ")
_LOSSES: Final = (
    (regex(r"kubectl delete .*--cascade=orphan"), "orphaned pods"),
    (regex(r"(?:kubectl (?:delete (?!.*--cascade=orphan)|replace .*--force)|helm uninstall )"), "downtime"),
    (regex(r"kubectl rollout restart "), "restart"),
    (regex(r"kubectl delete namespaces?/"), "every object in it"),
    (regex(r"kubectl delete customresourcedefinitions?[./]"), "every object of its kind"),
    (regex(r"kubectl delete persistentvolumeclaims?/"), "its data, unless the volume is retained"),
)
UNEXPECTED_LOSSES: Final = frozenset(words for _, words in _LOSSES[3:])
"""Losses beyond the object in a command, which a reader may not expect."""
_MAX_SHOWN: Final = 300
"""The maximum length of new text that is shown; more would obscure the fix."""


class FixStepKind(StrEnum):
    """The kind of a step."""

    EDIT = "edit"
    """A file is edited, and its result is proven."""
    COMMAND = "command"
    """A command is typed."""
    WAIT = "wait"
    """A command is typed that returns after an event."""
    DECISION = "decision"
    """The reader decides, examines or edits something that cannot be automated."""


@dataclass(frozen=True, slots=True)
class FixStep:
    """One step of a fix.

    ``loses`` is what is lost on the way: ``downtime``, ``orphaned pods``, ``restart``, and what is in
    ``UNEXPECTED_LOSSES``.
    """

    kind: FixStepKind
    text: str
    edits: tuple[Edit, ...] = ()
    loses: tuple[str, ...] = ()
    proof: Proof | None = None
    """The result of this step and the commands before it."""


def fix_steps(finding: Finding) -> tuple[FixStep, ...]:
    """Return the steps of a fix: the proven edits first, then the parts of the rule's fix in order."""
    edits = [
        FixStep(
            FixStepKind.EDIT, "\n".join(edit_lines(finding)), finding.edits, _losses_of_edits(finding), finding.proof
        )
    ]
    proofs = dict(finding.command_proofs)
    typed = (replace(step, proof=proofs.get(number)) for number, step in enumerate(map(fix_step, parts(finding.fix))))
    return (*(edits if finding.edits else ()), *typed)


def grave_losses(part: str) -> tuple[str, ...]:
    """Return the losses beyond the object that a part of a fix causes."""
    return tuple(loss for loss in fix_step(part).loses if loss in UNEXPECTED_LOSSES)


def _losses_of_edits(finding: Finding) -> tuple[str, ...]:
    """Return the losses that edits cause: a restart, or none."""
    return ("restart",) if finding.proof and finding.proof.restarts else ()


def fix_step(part: str) -> FixStep:
    """Return a part of a fix as a step."""
    if part.startswith("#"):
        return FixStep(FixStepKind.DECISION, "\n".join(line[1:].strip() for line in part.splitlines()))
    is_typed = part.startswith(("kubectl ", "helm ", "flux ", "argocd ", "printf ", "skaffold ", "applylint ", "… | "))
    if not is_typed:
        return FixStep(FixStepKind.DECISION, part)
    kind = FixStepKind.WAIT if part.startswith(_WAITS) else FixStepKind.COMMAND
    return FixStep(kind, part, loses=tuple(words for pattern, words in _LOSSES if pattern.match(part)))


def edit_lines(finding: Finding) -> Iterator[str]:
    """Yield a line for each edit: the lines of a file to delete, replace or add."""
    for edit in finding.edits:
        span = edit.location.span
        last = span.end_line if span.end_column > 1 else span.end_line - 1
        lines = f"line {span.line}" if last <= span.line else f"lines {span.line} to {last}"
        written = " / ".join(line.strip() for line in edit.text.splitlines())
        if last < span.line:
            yield f"in {edit.location.file} add above line {span.line}: {written}"
        elif len(written) > _MAX_SHOWN:
            yield f"in {edit.location.file} {lines}: change it as `applylint check --fix --diff` shows"
        elif written:
            yield f"in {edit.location.file} {lines}: write {written}"
        else:
            yield f"in {edit.location.file}: delete {lines}"
