"""The fix of a finding on pages: a block for each alternative, and for each command that deletes or restarts.

A block is copied by itself.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TypeAlias

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.lint.fixes.alternatives import fix_alternatives
from kubectl_applylint.lint.fixes.steps import fix_step, grave_losses
from kubectl_applylint.lint.model import Finding
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.finding_groups import Group, common_fix
from kubectl_applylint.report.words import proof_words, translate

_Part: TypeAlias = tuple[int, str]
"""A command or comment with its number in the fix."""


@dataclass(frozen=True, slots=True)
class FixBlock:
    """Lines of an alternative: one command that deletes or restarts, or all lines up to the next such command."""

    title: str
    """The description of the alternative, empty for the only one."""
    lines: tuple[str, ...]
    loses: tuple[str, ...] = ()
    """The losses that the command causes (``FixStep.loses``)."""
    continues: bool = False
    """Whether it belongs to the same alternative as the block before it."""

    @property
    def mark(self) -> str:
        """The effect of a command that does more than apply: ``deletes`` or ``restarts``, empty for others."""
        return "" if not self.loses else "restarts" if self.loses == ("restart",) else "deletes"


def fix_blocks(group: Group, context: Context) -> Iterator[FixBlock]:
    """Yield the alternatives of the fix for a group, the safest first, with losses and results of commands."""
    alternatives = fix_alternatives(common_fix(group, context))
    number = 0
    for alternative in alternatives:
        title = alternative.title if len(alternatives) > 1 else ""
        shown = alternative.parts[1:] if title else alternative.parts
        first = number + len(alternative.parts) - len(shown)
        blocks = [*_separate_losses(enumerate(shown, start=first))] or ([[]] if title else [])
        for position, block in enumerate(blocks):
            lines = tuple(chain.from_iterable(_lines(part, group[0], context) for part in block))
            yield FixBlock("" if position else title, lines, _losses(block), continues=position > 0)
        number += len(alternative.parts)


def _separate_losses(parts: Iterable[_Part]) -> Iterator[list[_Part]]:
    """Yield the parts in blocks; comments belong to the command below them, or to the last one."""
    block: list[_Part] = []
    comments: list[_Part] = []
    for part in parts:
        if part[1].startswith("#"):
            comments.append(part)
            continue
        if block and (_losses(block) or _losses([part])):
            yield block
            block = []
        block, comments = [*block, *comments, part], []
    if block or comments:
        yield [*block, *comments]


def _losses(block: Iterable[_Part]) -> tuple[str, ...]:
    """Return the losses that the commands of a block cause."""
    return tuple(loss for _, part in block for loss in fix_step(part).loses)


def _lines(numbered: _Part, finding: Finding, context: Context) -> Iterator[str]:
    """Yield the lines of a part of a fix."""
    number, part = numbered
    proofs = dict(finding.command_proofs)
    for loss in grave_losses(part):
        yield f"# {translate('this also deletes {loss}', context, loss=translate(loss, context))}"
    yield from part.splitlines()
    if number in proofs:
        yield f"# {one_line(proof_words(proofs[number], context))}"
