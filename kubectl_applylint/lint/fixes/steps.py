"""The fix of a finding as steps: what is edited in a file, what is typed, what the reader decides or waits for."""

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
    (regex(r"kubectl (?:delete (?!.*--cascade=orphan)|replace .*--force)"), "downtime"),
    (regex(r"kubectl rollout restart "), "restart"),
    (regex(r"kubectl delete namespaces?/"), "every object in it"),
    (regex(r"kubectl delete customresourcedefinitions?[./]"), "every object of its kind"),
    (regex(r"kubectl delete persistentvolumeclaims?/"), "its data, unless the volume is retained"),
)
GRAVE: Final = frozenset(words for _, words in _LOSSES[3:])
"""What a reader may not expect to be lost with the object that a command names."""
_LONGEST: Final = 300
"""Characters of new text that are shown; more would hide what the fix is."""


class FixStepKind(StrEnum):
    """Who does a step, and where."""

    EDIT = "edit"
    """A file is edited, and its result is proven."""
    COMMAND = "command"
    """A command is typed."""
    WAIT = "wait"
    """A command is typed that returns when something has happened."""
    DECISION = "decision"
    """The reader decides, looks or edits something that nobody else can."""


@dataclass(frozen=True, slots=True)
class FixStep:
    """One step. ``loses`` is what is lost on the way: ``downtime``, ``orphaned pods``, ``restart``, and what
    is ``GRAVE``."""

    kind: FixStepKind
    text: str
    edits: tuple[Edit, ...] = ()
    loses: tuple[str, ...] = ()
    proof: Proof | None = None
    """What comes of it, and of the commands before it."""


def fix_steps(finding: Finding) -> tuple[FixStep, ...]:
    """Return the steps of a fix: the proven edits first, then what the rule says, in its order."""
    edits = [
        FixStep(
            FixStepKind.EDIT, "\n".join(edit_lines(finding)), finding.edits, _losses_of_edits(finding), finding.proof
        )
    ]
    proofs = dict(finding.command_proofs)
    typed = (replace(step, proof=proofs.get(number)) for number, step in enumerate(map(fix_step, parts(finding.fix))))
    return (*(edits if finding.edits else ()), *typed)


def grave_losses(part: str) -> tuple[str, ...]:
    """Return what else a part of a fix deletes."""
    return tuple(loss for loss in fix_step(part).loses if loss in GRAVE)


def _losses_of_edits(finding: Finding) -> tuple[str, ...]:
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
    """Yield a line for each edit: which lines of which file are deleted, replaced or added."""
    for edit in finding.edits:
        span = edit.location.span
        last = span.end_line if span.end_column > 1 else span.end_line - 1
        lines = f"line {span.line}" if last <= span.line else f"lines {span.line} to {last}"
        written = " / ".join(line.strip() for line in edit.text.splitlines())
        if last < span.line:
            yield f"in {edit.location.file} add above line {span.line}: {written}"
        elif len(written) > _LONGEST:
            yield f"in {edit.location.file} {lines}: change it as `applylint check --fix --diff` shows"
        elif written:
            yield f"in {edit.location.file} {lines}: write {written}"
        else:
            yield f"in {edit.location.file}: delete {lines}"
