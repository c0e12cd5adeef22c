"""The findings of a check for the page: each once, with all of its places and its fix."""

from collections.abc import Iterator
from textwrap import dedent

from kubectl_applylint.lint.model import Finding
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.finding_groups import Group, other_places
from kubectl_applylint.report.fix_blocks import fix_blocks
from kubectl_applylint.report.html.values import FindingView
from kubectl_applylint.report.ownership.owners import object_title
from kubectl_applylint.report.text import excerpt
from kubectl_applylint.report.words import applies_words


def finding_view(group: Group, context: Context) -> FindingView:
    """Return one finding at all of its places."""
    finding = group[0]
    rule = context.rules.get(finding.rule)
    return FindingView(
        key=finding.severity.value,
        rule=finding.rule,
        summary=rule.summary if rule else "",
        message=finding.message,
        name=object_title(finding.ref),
        place=str(finding.location),
        others=tuple(f"{one.location} ({object_title(one.ref)})" for one in other_places(group)),
        excerpt=tuple(dedent("\n".join(excerpt(finding, context))).splitlines()),
        related=tuple(f"{related.location}: {related.note}" for related in finding.related),
        fixes=tuple(fix_blocks(group, context)),
        remarks=tuple(_remarks(finding, context)),
    )


def _remarks(finding: Finding, context: Context) -> Iterator[str]:
    words = applies_words(finding, context)
    if words:
        yield words
    if finding.confidence != "high":
        yield f"confidence: {finding.confidence}"
