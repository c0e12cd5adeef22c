"""Charts that fail without values that nothing in the files gives them.

A template calls ``required`` or ``fail`` so that the chart is not installed with its own values alone. If no object and
no configuration declares the chart, no tool does so. A chart that others include gets its values from these. The values
of a chart that only an undeclared chart applies are assumed.
"""

import os
from collections.abc import Collection, Iterable
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.layout import INCLUDED_CHART
from kubectl_applylint.units.model import Form, Unit

_NOT_EXAMINED: Final = "not examined, as it fails with its own values, and no file gives it others"
_WITHOUT_VALUE: Final = regex(
    r"execution error at \([^()]*\): (?P<words>.*)"
    r"|(?P<null>at <[^<>]*>: (?:invalid value; expected|wrong type for value; expected \w+; got interface \{\}).*)"
)
"""What Helm reports for the functions ``required`` and ``fail``, and for a null where a function needs a value."""
_ANY: Final = regex(
    r"it cannot be rendered: (?!(?:Error: )?(?:unsupported chart version|validation: ))"
    r"(?:Error: )?(?:execution error at \([^()]*\): )?(?P<words>.*)"
)
"""The same of any other error, except those about the chart itself, which no values change."""


def has_required_values(problems: Iterable[Problem], notes: Iterable[str]) -> bool:
    """Return whether a result may be about such a failure, so that it depends on what the caller names."""
    is_problem = any(_ANY.search(one.message) for one in problems)
    return is_problem or any(_NOT_EXAMINED in note for note in notes)


def without_required_values(given: Input, unit: Unit, named: Collection[str]) -> Input:
    """Return the input of a chart with a remark instead of such a failure, unless the caller names the chart.

    ``named`` are the files and folders that the caller names.
    """
    is_declared = unit.form is not Form.CHART or unit.applied.helm or unit.applied.reason.file
    if is_declared and not unit.applied.has_assumed_values:
        return given
    pattern = _ANY if unit.applied.reason == INCLUDED_CHART else _WITHOUT_VALUE
    found = {one: match[match.lastgroup or 0] for one in given.problems if (match := pattern.search(one.message))}
    excused = {one: words for one, words in found.items() if not _is_named(one, named)}
    remarks = ((one.where, f"{_NOT_EXAMINED}: {words}") for one, words in excused.items())
    kept = tuple(one for one in given.problems if one not in excused)
    return replace(given, problems=kept, remarks=(*given.remarks, *remarks)) if excused else given


def _is_named(problem: Problem, named: Collection[str]) -> bool:
    where = os.path.normpath(problem.where)
    folders = (os.path.normpath(name) for name in named)
    return any(where == one or where.startswith(one + os.sep) for one in folders if one != os.curdir)
