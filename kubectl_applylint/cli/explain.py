"""The commands ``explain`` and ``rules``: pages about rules, and their list."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias, assert_never

import yaml

from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.show import has_color, phrases
from kubectl_applylint.cli.terminal.output import width, write
from kubectl_applylint.config.configuration import Config, ConfigError
from kubectl_applylint.config.hiding import configured_severities, rules_of_folders, unknown_rules
from kubectl_applylint.config.severities import OFF
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.hiding.former_ids import current_ids
from kubectl_applylint.lint.model import Need, Rule, Severity
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.words import join_lines, paint, rule_words, steps, translate, wrap
from kubectl_applylint.rulebook.catalogue import Coverage, CoverageKind, catalogue, coverage
from kubectl_applylint.rulebook.examples import Example, ExampleStep, examples_of
from kubectl_applylint.rulebook.families import Family

_WIDEST = 100
_NARROWEST = 40
"""The width below which the summary of a rule gets its own line."""
_SEVERITY = 7
"""The width of a severity column."""
_UNTOLD = (Need.MANIFEST, Need.FLAGS, Need.UNEXPLAINED)
"""Needs that every run meets."""
Severities: TypeAlias = Mapping[str, Severity | None]
"""The configured severities by rule id, ``None`` for hidden findings."""
_AS_DECLARED: Severities = {}
_HELD = {
    CoverageKind.RULE: "by rules",
    CoverageKind.PREDICTED: "predicted",
    CoverageKind.HIDDEN: "not visible to a tool",
    CoverageKind.NOTHING: "not covered",
}


def explain(program: str, arguments: Arguments, config: Config) -> int:
    """Print the pages of some rules."""
    book = rules_of_folders(config)
    rules, configured = {rule.id: rule for rule in book.rules}, configured_severities(config, book).each
    asked = current_ids(arguments.asked, rules)
    unknown = list(unknown_rules("explain", asked, rules))
    if unknown:
        raise ConfigError(unknown)
    try:
        page = partial(explain_text, context=_page(config), configured=configured)
        pages = [page(rules[name], examples_of(rules[name])) for name in asked]
    except ValueError as fault:
        raise ConfigError(str(fault).splitlines()) from None
    write("\n".join(pages), color=has_color(config))
    return 0


def rules(program: str, arguments: Arguments, config: Config) -> int:
    """Print one line per rule by family, or the coverage of each hazard."""
    book, page = rules_of_folders(config), _page(config)
    families = {family.id: family for family in book.families}
    unknown = list(unknown_rules("--family", arguments.families, families, "family"))
    if unknown:
        raise ConfigError(unknown)
    if arguments.coverage:
        text = coverage_text(coverage(book.rules, catalogue()), page)
    else:
        shown = [families[name] for name in sorted(arguments.families or families)]
        listed = [rule for rule in book.rules if not arguments.families or rule.family in arguments.families]
        text = rules_text(listed, shown, page, configured=configured_severities(config, book).each)
    write(text, color=page.color)
    return 0


def _page(config: Config) -> Context:
    return Context(color=has_color(config), width=width(), phrases=phrases(config.lang))


def rules_text(
    rules: Sequence[Rule], families: Sequence[Family], context: Context, *, configured: Severities = _AS_DECLARED
) -> str:
    """Return one line per rule of the families: id, severity, needs, summary.

    Rules without a family come first. In narrow terminals the summary is below the rest. A severity that the
    configuration changes is shown with the rule's own one.
    """
    widths = max((len(rule.id) for rule in rules), default=0), max((len(_needs(rule)) for rule in rules), default=0)
    lines: dict[str, list[str]] = {}
    for rule in rules:
        lines.setdefault(rule.family, []).append(_rule_line(rule, widths, context, configured))
    named = [
        "".join([f"{paint('place', family.id, context)}: {one_line(family.summary)}\n", *lines.get(family.id, ())])
        for family in families
    ]
    return "\n".join(["".join(lines[""]), *named] if "" in lines else named)


def _rule_line(rule: Rule, widths: tuple[int, int], context: Context, configured: Severities) -> str:
    word = _severity_word(rule, configured)
    severity = paint(_role(word), f"{word:{_SEVERITY}}", context)
    own = "" if word == rule.severity.value else f" ({rule.severity.value} by default)"
    start, summary = f"  {rule.id:{widths[0]}}  {severity}  {_needs(rule):{widths[1]}}", one_line(rule.summary) + own
    if context.width is None:
        return f"{start}  {summary}\n"
    taken = sum(widths) + _SEVERITY + 4 * len("  ")
    if context.width - taken < _NARROWEST:
        return f"{start.rstrip()}\n{wrap(f'    {summary}', context, indent='    ')}\n"
    lines = wrap(summary, replace(context, width=context.width - taken), indent="").split("\n")
    return f"{start}  " + f"\n{' ' * taken}".join(lines) + "\n"


def _severity_word(rule: Rule, configured: Severities) -> str:
    """Return the severity of a rule, as the configuration spells it."""
    found = configured.get(rule.id, rule.severity)
    return found.value if found else OFF


def _role(severity: str) -> str:
    return "quiet" if severity == OFF else severity


def _needs(rule: Rule) -> str:
    """Return the needs of a rule besides the manifest, as in ``rule.yaml``: ``needs last-applied, live``."""
    return f"needs {', '.join(need for need in rule.needs if need not in _UNTOLD) or Need.MANIFEST}"


def coverage_text(hazards: Sequence[Coverage], context: Context) -> str:
    """Return two lines per hazard, its title and coverage, followed by totals of hazards and issues."""
    lines = [line for hazard in hazards for line in _hazard(hazard, context)]
    issues = [hazard.held for hazard in hazards for _ in hazard.issues]
    counts = [
        _count_line([hazard.held for hazard in hazards], "hazards"),
        _count_line(issues, "issues that discuss them"),
    ]
    return "\n".join([*lines, *filter(None, counts), ""])


def _count_line(held: Sequence[CoverageKind], what: str) -> str:
    """Return the totals of hazards or issues by coverage."""
    numbers = Counter(held)
    summed = ", ".join(f"{numbers[one]} {words}" for one, words in _HELD.items() if numbers[one])
    return f"{len(held)} {what}: {summed}" if held else ""


def _hazard(hazard: Coverage, context: Context) -> Iterator[str]:
    """Yield the title and coverage of a hazard."""
    yield wrap(f"{paint('place', f'{hazard.hazard:4}', context)} {one_line(hazard.title)}", context, indent="     ")
    match hazard.held:
        case CoverageKind.RULE:
            words = f"rule{'s' * (len(hazard.rules) > 1)} {', '.join(hazard.rules)}"
        case CoverageKind.PREDICTED:
            words = f"predicted: {hazard.words}"
        case CoverageKind.HIDDEN:
            words = f"not visible to a tool, because {hazard.words}"
        case CoverageKind.NOTHING:
            words = "not covered"
        case _:
            assert_never(hazard.held)
    yield wrap(f"     {one_line(words)}", context, indent="     ")


def explain_text(
    rule: Rule, examples: Sequence[Example], context: Context, configured: Severities = _AS_DECLARED
) -> str:
    """Return the page of a rule: consequences, fix, examples, and links."""
    width = min(context.width or _WIDEST, _WIDEST)
    page = replace(context, width=width)
    paragraphs = [f"  {join_lines(text)}" for text in rule.why.split("\n\n")]
    parts = [
        _title(rule, page, configured),
        _section("What happens", [wrap(text, page, indent="  ") for text in paragraphs], page),
        _section("What to do", steps(rule_words(rule.fix, apply=rule.apply), page, first="  ", indent="  "), page),
        *("\n".join(_example_lines(example, page)) for example in examples),
        _section("See also", [f"  {place}" for place in rule.see], page),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _title(rule: Rule, context: Context, configured: Severities) -> str:
    """Return the heading of a rule with its severity and summary."""
    word, own = _severity_word(rule, configured), translate(rule.severity.value, context)
    severity = paint(_role(word), translate(word, context), context)
    if word != rule.severity.value:
        severity = translate("{severity} (configured; {own} by default)", context, severity=severity, own=own)
    level = translate("confidence {level}", context, level=translate(rule.confidence, context))
    since = translate(", since {version}", context, version=rule.since) if rule.since else ""
    weight = translate("{severity}, {level}", context, severity=severity, level=level)
    hiding = "" if rule.ignorable else translate(", cannot be ignored", context)
    head = f"{paint('place', rule.id, context)}: {weight}{since}{hiding}"
    return f"{head}\n{wrap(one_line(rule.summary), context, indent='')}"


def _section(title: str, lines: Iterable[str], context: Context) -> str:
    """Return a titled section, or ``""`` if it is empty."""
    shown = [one_line(line) for wrapped in lines for line in wrapped.split("\n")]
    return "\n".join([paint("place", translate(title, context), context), *shown]) if shown else ""


def _example_lines(example: Example, context: Context) -> Iterator[str]:
    title = translate("Bad" if example.findings else "Good", context)
    title = paint("error" if example.findings else "good", title, context)
    yield wrap(f"{title}: {one_line(example.summary)}", context, indent="  ")
    for step in example.steps:
        yield f"  {_step_line(step, context)}"
        yield from () if step.body is None else _block(_yaml(step.body))
    for peer in example.peers:
        yield f"  {translate('in the same run', context)}"
        yield from _block(_yaml(peer))
    yield "  " + translate("now {command}", context, command=example.command)
    yield from _block(example.manifest)
    for rule, path in example.findings:
        place = path or translate("the object", context)
        yield paint("quiet", f"  {translate('found: {rule} at {place}', context, rule=rule, place=place)}", context)
    if record := example.record:
        result = translate("actual result: {verdict}", context, verdict=record.verdict)
        seen = f"{record.program}, Kubernetes {record.kubernetes}, {record.date}"
        yield paint("quiet", f"  {result} ({seen})", context)


def _step_line(step: ExampleStep, context: Context) -> str:
    """Return the line of an earlier write."""
    deed = translate("patch of {object}", context, object=step.patched) if step.patched else step.command
    by = translate(" by {manager}", context, manager=step.manager) if step.manager else ""
    return translate("first {deed}", context, deed=deed) + by


def _yaml(value: Json) -> str:
    return yaml.safe_dump(value, sort_keys=False, default_flow_style=None, allow_unicode=True, width=80)


def _block(text: str) -> Iterator[str]:
    """Yield the indented lines of a manifest."""
    return (f"    | {one_line(line)}" for line in text.splitlines())
