"""Rules without Python: a JSONPath over the known and predicted data of an object.

The path starts with ``manifest``, ``base``, ``lastApplied``, ``live``, ``result``, ``patch`` or ``changes``. The last
three are those of the apply, or of a fresh install if the live state is unknown: the object afterwards, the body of
the last request, and a list of ``path``, ``before``, ``after`` and ``cause``.
"""

from collections.abc import Callable, Iterator, Mapping

from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.outcome import Outcome, plain
from kubectl_applylint.core.paths import Field, Index, Path, PathStep, render
from kubectl_applylint.core.patterns.linear import Invalid, Matcher, Unproven
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import last_applied, live_object
from kubectl_applylint.core.values import MISSING, Json, equal
from kubectl_applylint.lint.checks._jsonpath import JsonPathError, parse_path
from kubectl_applylint.lint.checks._patterns import compile_linear
from kubectl_applylint.lint.model import Hit, Hits, Need, Params, Rule, Scenario, Subject

_PART = regex(r"\$?\.?(?P<name>[A-Za-z]+)")
_NEEDS = {"base": Need.BASE, "lastApplied": Need.LAST_APPLIED, "live": Need.LIVE}
FACTS = frozenset({"value", "match"})
"""The facts that a message may use besides the common placeholders."""

_PARTS = ("manifest", "base", "lastApplied", "live", "result", "patch", "changes")
_PARAMS: Mapping[str, tuple[type, str]] = {
    "path": (str, "text"),
    "equals": (object, "a value"),
    "matches": (str, "text"),
    "exists": (bool, "true or false"),
}


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield every match of ``params["path"]`` that also matches ``equals`` or ``matches`` (a regular expression).

    With ``exists: false`` yield the object once if nothing matches. Facts: value, match (the path, with its part).
    """
    part = _part(params["path"])
    content = _CONTENT[part](subject)
    found = _find(params["path"], {} if content is MISSING else {part: content})
    fitting = [(path, value) for path, value in found if _fits(value, params)]
    if params.get("exists", True) is False:
        yield from () if fitting else (Hit((), {"value": "", "match": ""}),)
        return
    for path, value in fitting:
        shown = "***" if subject.ref.kind == "Secret" else value
        yield Hit(_place(path, subject), {"value": shown, "match": render(path)})


def faults(rule: Rule) -> Iterator[str]:
    """Yield the errors in the parameters of a rule."""
    yield from (f"unknown key {key!r}; known are {', '.join(_PARAMS)}" for key in rule.params if key not in _PARAMS)
    for key, (kind, word) in _PARAMS.items():
        if key in rule.params and not isinstance(rule.params[key], kind):
            yield f"{key}: not {word}"
    path, pattern = rule.params.get("path"), rule.params.get("matches", "")
    if path is None:
        yield "path is missing"
    elif isinstance(path, str):
        yield from _path_faults(path, rule)
    match compile_linear(pattern if isinstance(pattern, str) else ""):
        case Invalid(words):
            yield f"matches: not a regular expression: {words}"
        case Unproven(why):
            yield f"matches: this pattern might take forever: {why}"


def _path_faults(path: str, rule: Rule) -> Iterator[str]:
    part = _part(path)
    if part not in _PARTS:
        yield f"path: starts with none of {', '.join(_PARTS)}"
    elif part in _NEEDS and _NEEDS[part] not in rule.needs:
        yield f"path: reads {part}, so that needs has to name {_NEEDS[part]}"
    try:
        parse_path(path)
    except JsonPathError as fault:
        yield f"path: {fault}"


def _part(path: str) -> str:
    """Return the part of the data that a path starts with."""
    match = _PART.match(path)
    return match["name"] if match else ""


def _find(path: str, document: Json) -> list[tuple[Path, Json]]:
    """Return the matches of a path with their values."""
    import jsonpath_ng  # noqa: PLC0415  # 35 ms that only declarative rules pay

    def steps(node: Json) -> Iterator[PathStep]:
        if isinstance(node, jsonpath_ng.Child):
            yield from (*steps(node.left), *steps(node.right))
        elif isinstance(node, jsonpath_ng.Fields):
            yield from map(Field, node.fields)
        elif isinstance(node, jsonpath_ng.Index):
            yield from map(Index, node.indices)

    return [(tuple(steps(match.full_path)), match.value) for match in parse_path(path).find(document)]


def _fits(value: Json, params: Params) -> bool:
    """Return whether a value satisfies ``equals`` and ``matches``."""
    if "equals" in params and not equal(value, params["equals"]):
        return False
    if "matches" not in params:
        return True
    pattern = compile_linear(params["matches"])
    assert isinstance(pattern, Matcher), "see faults"
    found = pattern.is_match(value if isinstance(value, str) else encode(value))
    if isinstance(found, Unproven):
        raise ValueError(f"matches: {found.why}")
    return found


def _place(path: Path, subject: Subject) -> Path:
    """Return the path in the manifest for a match: the same path, the path of a change, or the whole object."""
    part = path[0].name if path and isinstance(path[0], Field) else ""
    if part == "changes" and len(path) > 1 and isinstance(path[1], Index):
        return subject.predict(Scenario.APPLY).changes[path[1].position].path
    return () if part == "patch" else path[1:]


def _outcome(subject: Subject) -> Outcome:
    """Return the outcome of the apply."""
    return subject.predict(Scenario.APPLY)


def _patch(subject: Subject) -> Json:
    """Return the body of the last request."""
    requests = _outcome(subject).requests
    return plain(requests[-1].body) if requests else MISSING


_CONTENT: Mapping[str, Callable[[Subject], Json]] = {
    "manifest": lambda subject: subject.manifest,
    "base": lambda subject: live_object(subject.base),
    "lastApplied": lambda subject: live_object(last_applied(subject.state.live)),
    "live": lambda subject: live_object(subject.state.live),
    "result": lambda subject: plain(_outcome(subject).result) or MISSING,
    "patch": _patch,
    "changes": lambda subject: _outcome(subject).to_json()["changes"],
}
