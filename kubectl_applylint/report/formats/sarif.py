"""SARIF 2.1.0 for code scanning: findings with rules, places, fixes and suppressions.

Written for the part of the standard that GitHub reads: only the first location of a result counts there, required texts
may not be empty, and a full description ends at 1,024 characters.
"""

import json
from posixpath import normpath
from urllib.parse import quote

from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.location import Location
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.fixes.steps import edit_lines
from kubectl_applylint.lint.model import Finding, Related, Remark, Report, Rule, Severity, Suppressed
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.finding_groups import Group, by_cause, merged_finding, other_places
from kubectl_applylint.report.words import help_uri, message_in_units, path_in_files, rule_words

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LONGEST_DESCRIPTION = 1024
_LINK = regex(r"\[([^\[\]]*)\]\(")
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_GITHUB_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}


def sarif(report: Report, context: Context) -> str:
    """Return the findings as one SARIF run, sorted and indented."""
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report, context)]}
    return json.dumps(log, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def _run(report: Report, context: Context) -> Json:
    rules = sorted(context.rules)
    shown = [_group_result(group, rules, context) for group in by_cause(report.findings)]
    hidden = [_result(item.finding, rules) | _suppressions(item) for item in report.suppressed]
    driver = {
        "name": "kubectl-applylint",
        "semanticVersion": context.version,
        "rules": [_rule(context.rules[name]) for name in rules],
    }
    return {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "automationDetails": {"id": "kubectl-applylint/"},
        "invocations": [
            {
                "executionSuccessful": not report.problems,
                "toolExecutionNotifications": [
                    *map(_notification, report.problems),
                    *(_hole(one) for one in report.holes if not one.is_changed),
                    *map(_remark, report.remarks),
                ],
            }
        ],
        "results": shown + hidden,
    }


def _rule(rule: Rule) -> Json:
    fix = rule_words(rule.fix, apply=rule.apply)
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.why[:_LONGEST_DESCRIPTION]},
        **({"helpUri": help_uri(rule)} if help_uri(rule) else {}),
        "help": {"text": f"{rule.why}\n\n{fix}", "markdown": f"{rule.why}\n\n```\n{fix}\n```"},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {
            "tags": ["kubernetes", "kubectl-apply", *([rule.family] if rule.family else [])],
            "precision": rule.confidence,
            "problem.severity": _GITHUB_LEVELS[rule.severity],
        },
    }


def _group_result(group: Group, rules: list[str], context: Context) -> dict[str, Json]:
    """Return the result for all findings of a cause, with the other places as related locations."""
    others = tuple(Related(one.location, f"also here: {one.ref}") for one in other_places(group))
    finding = merged_finding(group, context)
    related = [replace(one, location=path_in_files(one.location, context)) for one in (*finding.related, *others)]
    location = path_in_files(finding.location, context)
    return _result(replace(finding, location=location, related=tuple(related)), rules)


def _result(finding: Finding, rules: list[str]) -> dict[str, Json]:
    known = {"ruleIndex": rules.index(finding.rule)} if finding.rule in rules else {}
    return known | {
        "ruleId": finding.rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": _plain(f"{message_in_units(finding)}\n\n{finding.fix}".rstrip())},
        "locations": [_location(finding.location) | _logical(finding)],
        "relatedLocations": [
            _location(related.location) | {"id": number, "message": {"text": _plain(related.note)}}
            for number, related in enumerate(finding.related, start=1)
        ],
        **({"fixes": [_fix(finding)]} if finding.edits else {}),
        "partialFingerprints": {"primaryLocationLineHash": finding.fingerprint},
        "properties": {"confidence": finding.confidence, **({"units": [*finding.units]} if finding.units else {})},
    }


def _fix(finding: Finding) -> Json:
    """Return the edits of a finding as one fix (SARIF 2.1.0, 3.55), applied as a whole; they are of one file."""
    replacements = [
        {"deletedRegion": _region(edit.location), **({"insertedContent": {"text": edit.text}} if edit.text else {})}
        for edit in finding.edits
    ]
    uri = _uri(finding.edits[0].location.file)
    changes = [{"artifactLocation": {"uri": uri}, "replacements": replacements}]
    return {"description": {"text": _plain("; ".join(edit_lines(finding)))}, "artifactChanges": changes}


def _region(location: Location) -> Json:
    span = location.span
    return {"startLine": span.line, "startColumn": span.column, "endLine": span.end_line, "endColumn": span.end_column}


def _location(location: Location) -> dict[str, Json]:
    if not location.is_text:
        return {}
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(location.file)}, "region": _region(location)}}


def _uri(file: str) -> str:
    """Return a URI, relative to the folder of the run, or of the absolute path.

    Standard input gets a name that is not an option; bytes that are not UTF-8 are the bytes of the name.
    """
    path = "stdin" if file == "-" else normpath(file)
    try:
        name = path.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        name = path.encode(errors="surrogatepass")
    return f"file:///{quote(name.lstrip(b'/'))}" if path.startswith("/") else quote(name)


def _plain(text: str) -> str:
    """Return the text of a message without links for SARIF viewers (SARIF 2.1.0, 3.11.6)."""
    return _LINK.sub(r"\\[\1\\](", text)


def _logical(finding: Finding) -> dict[str, Json]:
    name = f"{finding.ref} {render(finding.path)}".rstrip()
    units = [{"fullyQualifiedName": unit, "kind": "module"} for unit in finding.units]
    return {"logicalLocations": [{"fullyQualifiedName": name, "kind": "object"}, *units]}


def _suppressions(item: Suppressed) -> dict[str, Json]:
    """Return the suppressions of a hidden finding."""
    kind = "inSource" if item.means in ("comment", "annotation") else "external"
    justification = {"justification": item.reason} if item.reason else {}
    return {"suppressions": [{"kind": kind, "status": "accepted", **justification}]}


def _notification(problem: Problem) -> Json:
    advice = f"; {problem.advice}" if problem.advice else ""
    level = "warning" if problem.is_hole else "error"
    return {"level": level, "message": {"text": _plain(f"{problem.where}: {problem.message}{advice}")}}


def _hole(hole: Hole) -> Json:
    return {"level": "note", "message": {"text": _plain(f"{hole.path}: not rendered: {hole.what}")}}


def _remark(remark: Remark) -> Json:
    located = _location(remark.location)
    places = {"locations": [located]} if located else {}
    return {"level": "note", "message": {"text": _plain(f"{remark.location}: {remark.message}")}, **places}
