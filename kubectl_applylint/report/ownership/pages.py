"""The frame of the ownership commands' output: blocks and problems as text, or one versioned JSON object."""

import json
from collections.abc import Sequence

from kubectl_applylint import __version__
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.text import problem_line


def text_page(blocks: Sequence[str], problems: Sequence[Problem], context: Context) -> str:
    """Return blocks separated by blank lines, then one line for each problem."""
    lines = [problem_line(problem, context) for problem in problems]
    return "\n\n".join([*blocks, *(["\n".join(lines)] if lines else [])]) + "\n" if blocks or lines else ""


def json_page(form: str, objects: Sequence[Json], problems: Sequence[Problem], **more: Json) -> str:
    """Return the objects and problems of a command as JSON, in version 1 of a form with its own schema."""
    entries = [{"where": p.where, "message": p.message, "advice": p.advice or None} for p in problems]
    tool = {"name": "kubectl-applylint", "version": __version__}
    page = {"version": f"{form}-v1", "tool": tool, "objects": list(objects), "problems": entries, **more}
    return json.dumps(page, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def name_json(ref: ObjectRef) -> dict[str, Json]:
    """Return the name of an object in JSON; null means no namespace."""
    return {"apiVersion": ref.api_version, "kind": ref.kind, "namespace": ref.namespace or None, "name": ref.name}
