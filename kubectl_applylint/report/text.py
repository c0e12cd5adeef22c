"""Findings for people: one greppable line each, the source below it, and what to type."""

from collections import Counter
from collections.abc import Iterator

from kubectl_applylint.model import Finding, Problem, Remark, Report, Severity
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.words import clean, count, paint, steps, strike_words, wrap

_INDENT = "    "
_LONGEST_EXCERPT = 120


def findings_text(report: Report, context: Context) -> str:
    """Return the findings, then problems, skipped rules and a line that sums up."""
    blocks = [_finding(finding, context) for finding in report.findings]
    return "\n\n".join([*blocks, "\n".join([*trouble(report, context), findings_summary(report, context)])]) + "\n"


def trouble(report: Report, context: Context) -> Iterator[str]:
    """Yield a line for every problem, and one for the rules that did not run (with -v one for each of these)."""
    for problem in report.problems:
        yield problem_line(problem, context)
    yield from _skips(report, context)
    yield from _suppressed(report, context)
    yield from (remark_line(remark, context) for remark in report.remarks)


def problem_line(problem: Problem, context: Context) -> str:
    """Return the one line that a problem is."""
    advice = f"; {problem.advice}" if problem.advice else ""
    where = paint("place", clean(problem.where), context)
    text = f"{where}: {paint('problem', 'problem', context)}: {clean(problem.message + advice)}"
    return wrap(text, context, indent="  ")


def remark_line(remark: Remark, context: Context) -> str:
    """Return the one line that a remark is."""
    where = paint("place", clean(str(remark.location)), context)
    return wrap(f"{where}: {paint('quiet', 'note', context)}: {clean(remark.message)}", context, indent="  ")


def _finding(finding: Finding, context: Context) -> str:
    return "\n".join(
        [
            _headline(finding, context),
            *excerpt(finding, context),
            *(wrap(f"{_INDENT}see {r.location}: {clean(r.note)}", context, indent=_INDENT) for r in finding.related),
            *steps(clean(finding.fix), context, first=f"{_INDENT}fix: ", indent=f"{_INDENT}     "),
            *_strikes(finding, context),
            *_doubt(finding),
        ]
    )


def _headline(finding: Finding, context: Context) -> str:
    severity = paint(finding.severity.value, finding.severity.value, context)
    rule = paint("quiet", f"[{finding.rule}]", context)
    place = paint("place", clean(str(finding.location)), context)
    return wrap(f"{place}: {severity}: {clean(finding.message)} {rule}", context, indent="  ")


def _strikes(finding: Finding, context: Context) -> Iterator[str]:
    words = strike_words(finding)
    if words:
        yield wrap(f"{_INDENT}strikes: {clean(words)}", context, indent=f"{_INDENT}  ")


def _doubt(finding: Finding) -> Iterator[str]:
    if finding.confidence != "high":
        yield f"{_INDENT}confidence: {finding.confidence}"


def excerpt(finding: Finding, context: Context) -> Iterator[str]:
    """Yield the source line of a finding and the marks below it, if the source is at hand and the line is no blank."""
    span = finding.location.span
    lines = context.sources.get(finding.location.file, ())
    if not 0 < span.line <= len(lines) or not lines[span.line - 1].strip():
        return
    line = clean(lines[span.line - 1].replace("\t", " "))
    end = span.end_column if span.end_line == span.line else len(line) + 1
    skipped = max(0, span.column - 1 - _LONGEST_EXCERPT // 2) if len(line) > _LONGEST_EXCERPT else 0
    shown = line[skipped : skipped + _LONGEST_EXCERPT]
    marks = "^" * max(1, min(end, skipped + len(shown) + 1) - span.column)
    yield f"{_INDENT}{paint('quiet', f'{span.line:4} |', context)} {shown}"
    if span.column - 1 <= skipped + len(shown):
        under = " " * (span.column - 1 - skipped) + paint(finding.severity.value, marks, context)
        yield f"{_INDENT}{paint('quiet', '     |', context)} {under}"


def _skips(report: Report, context: Context) -> Iterator[str]:
    objects = Counter((skip.rule, skip.reason) for skip in report.skips)
    if context.verbose:
        for (rule, reason), number in sorted(objects.items()):
            yield wrap(clean(f"skipped: {rule} on {count(number, 'object')}: {reason}"), context, indent="  ")
    elif objects:
        rules = len({rule for rule, _ in objects})
        reasons = "; ".join(sorted({reason for _, reason in objects}))
        line = f"skipped: {count(rules, 'rule')} that could not run: {reasons} (-v names them)"
        yield wrap(clean(line), context, indent="  ")


def _suppressed(report: Report, context: Context) -> Iterator[str]:
    if context.verbose:
        for item in report.suppressed:
            reason = f": {item.reason}" if item.reason else ""
            words = f"hidden by {item.means}: {item.finding.location}: {item.finding.rule}{reason}"
            yield wrap(clean(words), context, indent="  ")
    elif report.suppressed:
        numbers = Counter(item.means for item in report.suppressed)
        by = ", ".join(f"{numbers[means]} by {means}" for means in sorted(numbers))
        line = f"hidden: {count(len(report.suppressed), 'finding')}, {by} (-v names them)"
        yield wrap(line, context, indent="  ")


def findings_summary(report: Report, context: Context) -> str:
    """Return the line that sums up a check."""
    numbers = Counter(finding.severity for finding in report.findings)
    found = [paint(s.value, count(numbers[s], s.value, _plural(s)), context) for s in Severity if numbers[s]]
    words = ", ".join(found) or paint("good", "no findings", context)
    return f"{words} in {count(report.checked, 'object')}{incomplete(report)}"


def _plural(severity: Severity) -> str:
    return "infos" if severity is Severity.INFO else f"{severity.value}s"


def incomplete(report: Report) -> str:
    """Return the words that warn that the result is not whole, empty when it is."""
    return f"; incomplete: {count(len(report.problems), 'problem')}" if report.problems else ""
