"""The fix of a finding on pages: a block for each alternative, which is copied by itself."""

from collections.abc import Iterator, Sequence

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.lint.fixes.alternatives import fix_alternatives
from kubectl_applylint.lint.fixes.steps import grave_losses
from kubectl_applylint.lint.model import Finding
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.finding_groups import Group, common_fix
from kubectl_applylint.report.words import proof_words, translate


@dataclass(frozen=True, slots=True)
class FixBlock:
    """One alternative: its description, empty for the only one, and the lines to type."""

    title: str
    lines: tuple[str, ...]


def fix_blocks(group: Group, context: Context) -> Iterator[FixBlock]:
    """Yield the alternatives of the fix for a group, the safest first, with losses and results of commands."""
    finding, alternatives = group[0], fix_alternatives(common_fix(group, context))
    number = 0
    for alternative in alternatives:
        title = alternative.title if len(alternatives) > 1 else ""
        shown = alternative.parts[1:] if title else alternative.parts
        first = number + len(alternative.parts) - len(shown)
        lines = tuple(_lines(shown, first, finding, context))
        if title or lines:
            yield FixBlock(title, lines)
        number += len(alternative.parts)


def _lines(parts: Sequence[str], first: int, finding: Finding, context: Context) -> Iterator[str]:
    """Yield the lines of some parts of a fix; ``first`` is the number of the first part."""
    proofs = dict(finding.command_proofs)
    for number, part in enumerate(parts, start=first):
        for loss in grave_losses(part):
            yield f"# {translate('this also deletes {loss}', context, loss=translate(loss, context))}"
        yield from part.splitlines()
        if number in proofs:
            yield f"# {one_line(proof_words(proofs[number], context))}"
