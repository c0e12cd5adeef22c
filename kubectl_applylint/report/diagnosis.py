"""Explanations of past errors: as text for users, as JSON for programs."""

import json
from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import one_line, visible_lines
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.errors.diagnose import Diagnosis, Explanation
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.words import count, paint, steps, wrap
from kubectl_applylint.secrets.credential_forms import without_forms

VERSION: Final = "diagnosis-v1"
_INDENT: Final = "    "
_WIDEST: Final = 120
"""The columns of a page; longer lines of prose are hard to read."""


def diagnosis_text(found: Sequence[Diagnosis], context: Context) -> str:
    """Return a block for every error, and a summary line."""
    blocks = ["\n".join(_block(diagnosis, context)) for diagnosis in found]
    return "\n\n".join([*blocks, _summary(found, context)]) + "\n"


def diagnosis_json(found: Sequence[Diagnosis], context: Context) -> str:
    """Return the errors as ``schemas/diagnosis-v1.json`` describes it."""
    payload = {
        "version": VERSION,
        "tool": {"name": "kubectl-applylint", "version": context.version},
        "errors": [_error_json(diagnosis) for diagnosis in found],
    }
    return json.dumps(payload, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def mask_diagnosis(diagnosis: Diagnosis) -> Diagnosis:
    """Return an error without passwords in URLs and private keys; values of Secrets do not occur in it."""
    explanations = tuple(
        replace(each, fix=without_forms(each.fix), remedy=without_forms(each.remedy)) for each in diagnosis.explanations
    )
    return replace(diagnosis, said=tuple(map(without_forms, diagnosis.said)), explanations=explanations)


def _block(diagnosis: Diagnosis, context: Context) -> Iterator[str]:
    """Yield the lines of one error with its explanations."""
    for number, explanation in enumerate(diagnosis.explanations):
        if number:
            yield f"{_INDENT}{paint('quiet', 'another possible cause:', context)}"
        yield _headline(diagnosis, explanation, context)
        if not number:
            yield from _message_lines(diagnosis, context)
        yield from _explanation_lines(explanation, context)
    if not diagnosis.explanations:
        yield wrap(f"{_object(diagnosis, context)}: {paint('problem', 'unknown', context)}", context, indent="  ")
        yield from _message_lines(diagnosis, context)
        yield f"{_INDENT}no rule explains this message"


def _headline(diagnosis: Diagnosis, explanation: Explanation, context: Context) -> str:
    rule = explanation.rule
    severity = paint(rule.severity.value, rule.severity.value, context)
    name = paint("quiet", f"[{rule.id}]", context)
    return wrap(f"{_object(diagnosis, context)}: {severity}: {one_line(rule.summary)} {name}", context, indent="  ")


def _object(diagnosis: Diagnosis, context: Context) -> str:
    failure = diagnosis.failure
    name = "/".join(filter(None, (failure.kind.lower(), failure.name))) or f"line {failure.line}"
    return paint("place", one_line(f"{name} in {failure.namespace}" if failure.namespace else name), context)


def _message_lines(diagnosis: Diagnosis, context: Context) -> Iterator[str]:
    """Yield the messages of an error."""
    for said in diagnosis.said:
        yield wrap(f"{_INDENT}{paint('quiet', f'message: {one_line(said)}', context)}", context, indent=f"{_INDENT}  ")


def _explanation_lines(explanation: Explanation, context: Context) -> Iterator[str]:
    """Yield the reason and the fix of an explanation."""
    page = replace(context, width=min(context.width or _WIDEST, _WIDEST))
    for paragraph in explanation.rule.why.split("\n\n"):
        yield wrap(f"{_INDENT}{' '.join(visible_lines(paragraph).split())}", page, indent=_INDENT)
    yield from steps(visible_lines(explanation.fix), context, first=f"{_INDENT}fix: ", indent=f"{_INDENT}     ")


def _summary(found: Sequence[Diagnosis], context: Context) -> str:
    if not found:
        return paint("good", "no error found", context)
    unknown = sum(not diagnosis.known for diagnosis in found)
    words = count(len(found), "message")
    return f"{words}, all explained" if not unknown else f"{words}, {unknown} unknown"


def _error_json(diagnosis: Diagnosis) -> Json:
    failure = diagnosis.failure
    return {
        "line": failure.line,
        "warning": failure.warning,
        "object": {"kind": failure.kind, "namespace": failure.namespace, "name": failure.name},
        "file": failure.file,
        "messages": list(diagnosis.said),
        "fields": list(diagnosis.fields),
        "explanations": [_explanation_json(explanation) for explanation in diagnosis.explanations],
    }


def _explanation_json(explanation: Explanation) -> Json:
    rule = explanation.rule
    return {
        "rule": rule.id,
        "severity": rule.severity.value,
        "summary": rule.summary,
        "why": rule.why,
        "fix": explanation.fix,
        "remedy": explanation.remedy or None,
        "references": list(rule.see),
    }
