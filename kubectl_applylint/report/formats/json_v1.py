"""The report for programs: JSON, described by ``schemas/json-v1.json``; fields may be added to it, never changed."""

import json
from collections.abc import Sequence

from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.fixes.alternatives import FixAlternative, fix_alternatives
from kubectl_applylint.lint.fixes.steps import FixStep, fix_step, fix_steps
from kubectl_applylint.lint.model import Finding, Proof, Report, Severity, Skip
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.change_class import conclusion
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.facts.facts_json import facts_json
from kubectl_applylint.report.finding_groups import by_cause
from kubectl_applylint.report.order import Apply, impact, places, unit_ranks
from kubectl_applylint.report.plan import last_applies
from kubectl_applylint.report.review.review import REVIEWED, review
from kubectl_applylint.report.review.review_json import review_json
from kubectl_applylint.report.units import examined_unit_json
from kubectl_applylint.report.words import CERTAINTY_PHRASES

VERSION = "json-v1"
_TOP = Span(1, 1, 1, 1)


def report_json(report: Report, context: Context) -> str:
    """Return the report as sorted, indented JSON with a newline at its end."""
    return json.dumps(payload(report, context), ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def payload(report: Report, context: Context) -> dict[str, Json]:
    """Return the report as a JSON value; ``objects`` has one entry an object."""
    unit_places = places(unit_ranks(report))
    by_unit = [
        (unit, last_applies(outcomes), place)
        for (unit, outcomes), place in zip(report.by_unit, unit_places, strict=True)
    ]
    every = [(apply, place) for _, applies, place in by_unit for apply in applies]
    every = every if report.units else [(apply, 0) for apply in last_applies(report.outcomes)]
    content = {
        "version": VERSION,
        "tool": {"name": "kubectl-applylint", "version": context.version},
        "command": context.command.partition(" ")[0],
        "notes": list(report.notes),
        "checked": report.checked,
        "findings": _findings(report.findings),
        "suppressed": [
            {"finding": _finding(s.finding), "reason": s.reason, "suppressedBy": s.means} for s in report.suppressed
        ],
        "ignoreWarnings": [{"location": location_json(r.location), "message": r.message} for r in report.remarks],
        "objects": _outcomes(every),
        "known": report.known,
        "fixed": report.fixed,
        "units": [_unit(report, unit, applies) | {"order": place} for unit, applies, place in by_unit],
        "skips": _skips(report.skips),
        "problems": [problem_json(problem) for problem in report.problems],
        "summary": {s.value: sum(finding.severity is s for finding in report.findings) for s in Severity},
    }
    if context.command not in REVIEWED:
        return content
    reviewed = review(report, context)
    found = reviewed.change_class
    classes = {"class": found.value, "conclusion": conclusion(found, context.conclusions).value} if found else {}
    facts = facts_json(reviewed.facts) if context.command == "plan" else {}
    return content | classes | facts | {"review": review_json(reviewed)}


def _outcomes(applies: Sequence[tuple[Apply, int]]) -> list[Json]:
    """Return the outcomes of applies, each with the position of its unit and its own, the worst first."""
    ranks = [(unit_place, impact(outcome).rank) for (_, outcome), unit_place in applies]
    return [
        outcome.to_json() | {"location": location_json(document.locate(())), "order": place}
        for ((document, outcome), _), place in zip(applies, places(ranks), strict=True)
    ]


def _skips(skips: Sequence[Skip]) -> list[Json]:
    """Return an entry for each rule and reason, with the number of objects and the first of them."""
    refs: dict[tuple[str, str], list[ObjectRef]] = {}
    for skip in skips:
        for rule in skip.rules:
            refs.setdefault((rule, skip.reason), []).append(skip.ref)
    return [
        {"rule": rule, "reason": reason, "object": _object(found[0]), "count": len(found)}
        for (rule, reason), found in refs.items()
    ]


def _unit(report: Report, unit: UnitReport, applies: Sequence[Apply]) -> dict[str, Json]:
    return {
        **examined_unit_json(unit),
        "checked": unit.checked,
        "findings": [finding.fingerprint for finding in report.findings if unit.root in finding.units],
        "objects": _outcomes([(apply, 0) for apply in applies]),
    }


def _findings(findings: Sequence[Finding]) -> list[Json]:
    """Return an entry for each finding, with the fingerprint of the first finding of the same cause."""
    causes = {id(one): group[0].fingerprint for group in by_cause(findings) for one in group}
    return [_finding(finding) | {"cause": causes[id(finding)]} for finding in findings]


def _finding(finding: Finding) -> dict[str, Json]:
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "confidence": finding.confidence,
        "object": _object(finding.ref),
        "path": render(finding.path),
        "location": location_json(finding.location),
        "message": finding.message,
        "fix": finding.fix,
        "alternatives": [
            {"title": one.title, "lines": [*one.lines], "loses": _losses(one)}
            for one in fix_alternatives(finding.fix)
            if one.parts
        ],
        "steps": [*map(_step, fix_steps(finding))],
        "related": [{"location": location_json(r.location), "note": r.note} for r in finding.related],
        "fingerprint": finding.fingerprint,
        "applies": [
            {
                "case": applicability.case.value,
                "certainty": CERTAINTY_PHRASES[applicability.sure],
                "condition": applicability.condition,
            }
            for applicability in finding.applies
        ],
    }


def _losses(alternative: FixAlternative) -> list[Json]:
    """Return the losses that the commands of an alternative cause."""
    return [*dict.fromkeys(loss for part in alternative.parts for loss in fix_step(part).loses)]


def _step(step: FixStep) -> dict[str, Json]:
    edits = [{"location": location_json(edit.location), "text": edit.text} for edit in step.edits]
    effect = {"effect": _effect(step.proof)} if step.proof else {}
    return {"kind": step.kind.value, "text": step.text, "edits": edits, "loses": [*step.loses], **effect}


def _effect(proof: Proof) -> Json:
    return {
        "verdict": proof.verdict.value,
        "settled": proof.is_settled,
        "changes": [*proof.changes],
        "cases": [case.value for case in proof.cases],
    }


def _object(ref: ObjectRef) -> Json:
    return {"apiVersion": ref.api_version, "kind": ref.kind, "namespace": ref.namespace, "name": ref.name}


def location_json(location: Location) -> Json:
    """Return a location in the form that all of our JSON has."""
    span = location.span if location.is_text else _TOP
    return {
        "file": location.file,
        "line": span.line,
        "column": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def problem_json(problem: Problem) -> Json:
    """Return a problem in the form that all of our JSON has."""
    return {"where": problem.where, "message": problem.message, "advice": problem.advice}
