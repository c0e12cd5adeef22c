"""Findings as reports of https://openreports.io (``openreports.io/v1alpha1``), to be applied to a cluster.

There is one Report for each namespace with the findings about its objects, and one ClusterReport with those about all
others and the problems. Infos are left out. A report contains a limited number of results, the most severe ones,
because etcd accepts no large objects; its summary counts them all. Nothing depends on the time.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.model import Finding, Report, Rule, Severity
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.text import problem_line
from kubectl_applylint.report.words import count, message_in_units

_API_VERSION: Final = "openreports.io/v1alpha1"
_NAME: Final = "applylint"
MOST_RESULTS: Final = 500
_LONGEST: Final = 2000
"""The maximum length of a message: with these limits a report stays below etcd's limit."""
_RESULTS: Final[Mapping[Severity, tuple[str, str]]] = {
    Severity.ERROR: ("fail", "high"),
    Severity.WARNING: ("warn", "medium"),
}
_ORDER: Final = ("fail", "error", "warn")
_STATUSES: Final = ("pass", "fail", "warn", "error", "skip")


def open_reports(report: Report, context: Context) -> str:
    """Return a List of reports; it always has a ClusterReport, without results if there are no findings."""
    shown = [finding for finding in report.findings if finding.severity in _RESULTS]
    namespaces = sorted({finding.ref.namespace for finding in shown} - {""})
    about = {
        name: [_result(each, context.rules) for each in shown if each.ref.namespace == name] for name in namespaces
    }
    others = [_result(each, context.rules) for each in shown if not each.ref.namespace]
    items = [
        _report("ClusterReport", {}, [*others, *map(_unread, report.problems)]),
        *(_report("Report", {"namespace": name}, results) for name, results in about.items()),
    ]
    listed = {"apiVersion": "v1", "kind": "List", "items": items}
    return json.dumps(listed, ensure_ascii=False, indent=2) + "\n"


def _report(kind: str, place: JsonObject, results: Sequence[JsonObject]) -> JsonObject:
    ordered = sorted(results, key=lambda result: _ORDER.index(result["result"]))
    left_out = len(ordered) - MOST_RESULTS
    statuses = [result["result"] for result in ordered]
    notes = {f"{_NAME}/left-out": count(left_out, "result")} if left_out > 0 else {}
    metadata = {"name": _NAME, **place, "labels": {"app.kubernetes.io/managed-by": _NAME}}
    return {
        "apiVersion": _API_VERSION,
        "kind": kind,
        "metadata": {**metadata, **({"annotations": notes} if notes else {})},
        "source": _NAME,
        "configuration": {"limits": {"maxResults": MOST_RESULTS}},
        "summary": {status: statuses.count(status) for status in _STATUSES},
        "results": ordered[:MOST_RESULTS],
    }


def _result(finding: Finding, rules: Mapping[str, Rule]) -> JsonObject:
    ref, (result, severity) = finding.ref, _RESULTS[finding.severity]
    named = {"apiVersion": ref.api_version, "kind": ref.kind, "namespace": ref.namespace, "name": ref.name}
    family = rules[finding.rule].family if finding.rule in rules else ""
    return {
        "policy": finding.rule,
        **({"category": family} if family else {}),
        "result": result,
        "severity": severity,
        "source": _NAME,
        "message": _truncate(message_in_units(finding)),
        "resources": [{key: text for key, text in named.items() if text}],
        "properties": dict(_properties(finding)),
    }


def _properties(finding: Finding) -> Iterable[tuple[str, Json]]:
    yield "place", str(finding.location)
    if finding.fingerprint:
        yield "fingerprint", finding.fingerprint
    if finding.units:
        yield "units", ", ".join(finding.units)


def _unread(problem: Problem) -> JsonObject:
    """Return a problem as a result, since findings about the unread input may be missing."""
    message = _truncate(problem_line(problem, Context()))
    return {"policy": "incomplete", "result": "error", "source": _NAME, "message": message}


def _truncate(text: str) -> str:
    """Return a text of at most the maximum length."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
