"""Reads rule folders, ours and the users', and names every fault of a folder in one go.

A rule folder is named as its rule and holds ``rule.yaml``, the one source of all words of the rule, and ``cases/``.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from string import Formatter
from typing import TypeAlias

import yaml

from kubectl_applylint.core.outcome import Level
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.errors import ErrorText
from kubectl_applylint.lint import checks
from kubectl_applylint.lint.model import Need, Rule, Severity
from kubectl_applylint.lint.run import WORDS
from kubectl_applylint.sources.plain_yaml import load_with_nodes

LANGUAGES = ("ja",)
"""The languages, beside English, that a rule may be told in."""
FILE = "rule.yaml"
"""The file that makes a folder a rule folder."""

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+\Z")
_PLACEHOLDER = re.compile(r"[a-z][a-z0-9_]*\Z")

Trail: TypeAlias = tuple[str | int, ...]
"""Keys and positions that lead to a value of ``rule.yaml``."""
Fault: TypeAlias = tuple[Trail, str]
Faults: TypeAlias = Iterator[Fault]
Validator: TypeAlias = Callable[[Json], Faults]


@dataclass(frozen=True, slots=True, order=True)
class RuleProblem:
    """One fault of a rule folder; line and column count from 1."""

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rules that could be read, sorted by id, and all faults of the others."""

    rules: tuple[Rule, ...] = ()
    problems: tuple[RuleProblem, ...] = ()


COMPILED = "rules.json"
"""In a wheel, holds what all files of our rules say: a hundred of them take 0.1 s to read, and this takes 0.01 s."""


@cache
def built_in() -> Rulebook:
    """Return the rules that ship, read once a process."""
    parent = Path(__file__).parents[1] / "rules"
    try:
        contents = json.loads((parent / COMPILED).read_text(encoding="utf-8"))
    except FileNotFoundError:
        places = import_module("kubectl_applylint.rules").__path__
        return _book(_read(folder) for place in places for folder in _folders(Path(place)))
    return Rulebook(tuple(_rule(content, f"{parent}/{content['id']}") for content in contents))


def load(folders: Sequence[Path] = ()) -> Rulebook:
    """Return the rules that ship and those of ``folders``, each a rule folder or a folder of rule folders."""
    ours = built_in()
    return _book([(ours.rules, ours.problems), *_theirs(folders, taken={rule.id for rule in ours.rules})])


def _theirs(parents: Iterable[Path], taken: set[str]) -> Iterator["_Read"]:
    for parent in parents:
        folders = _folders(parent)
        if not folders:
            yield (), (RuleProblem(str(parent), 1, 1, f"no rule folder: nothing in it holds {FILE}"),)
        for folder in folders:
            rules, problems = _read(folder, taken=taken)
            taken = taken | {rule.id for rule in rules}
            yield rules, problems


_Read: TypeAlias = tuple[tuple[Rule, ...], tuple[RuleProblem, ...]]


def _book(reads: Iterable[_Read]) -> Rulebook:
    reads = list(reads)
    rules = sorted((rule for read, _ in reads for rule in read), key=lambda rule: rule.id)
    return Rulebook(tuple(rules), tuple(sorted(problem for _, problems in reads for problem in problems)))


def _folders(parent: Path) -> list[Path]:
    if not parent.is_dir():
        return []
    if (parent / FILE).is_file():
        return [parent]
    inner = (item for item in parent.iterdir() if item.is_dir() and (item / FILE).is_file())
    return sorted(inner, key=lambda item: item.name)


def _read(folder: Path, taken: Iterable[str] | None = None) -> _Read:
    """Read one folder. ``taken`` are the ids of other rules, ``None`` for a folder that ships, which is tested."""
    file = str(folder / FILE)
    try:
        root, content = load_with_nodes((folder / FILE).read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        return (), (RuleProblem(file, 1, 1, "not UTF-8 text"),)
    except yaml.YAMLError as fault:
        return (), (_unreadable(file, fault),)
    faults = [*_duplicates(root), *_faults(content, folder.name)]
    if not faults and taken is not None:
        faults = list(_faults_of_theirs(_rule(content, str(folder)), taken))
    if faults:
        return (), tuple(RuleProblem(file, *_place(root, trail), message) for trail, message in faults)
    return (_rule(content, str(folder)),), ()


def _unreadable(file: str, fault: yaml.YAMLError) -> RuleProblem:
    mark = getattr(fault, "problem_mark", None)
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    return RuleProblem(file, line, column, f"not YAML: {getattr(fault, 'problem', None) or fault}")


def _rule(content: JsonObject, folder: str) -> Rule:
    scope = content.get("applies_to", {})
    return Rule(
        id=content["id"],
        summary=content["summary"],
        severity=Severity(content["severity"]),
        confidence=content.get("confidence", Level.HIGH.value),
        since=content.get("since", ""),
        needs=tuple(Need(need) for need in content.get("needs", [Need.MANIFEST])),
        kinds=tuple(scope.get("kinds", ())),
        appliers=tuple(scope.get("appliers", ())),
        check=content.get("check", ""),
        params=content.get("params", {}),
        message=content["message"].strip(),
        why=content["why"].strip(),
        fix=content["fix"].strip(),
        see=tuple(content.get("see", ())),
        hazards=tuple(content.get("hazards", ())),
        folder=folder,
        errors=tuple(_error(error, scope.get("kinds", ())) for error in content.get("errors", ())),
        remedy=content.get("remedy", "").strip(),
        translations={language: _stripped(content[language]) for language in LANGUAGES if language in content},
        ignorable=content.get("ignorable", True),
    )


def _stripped(words: Mapping[str, str]) -> Mapping[str, str]:
    return {name: text.strip() for name, text in words.items()}


def _error(content: JsonObject, kinds: Sequence[str]) -> ErrorText:
    return ErrorText(
        field=content.get("field", ""),
        message=content.get("message", ""),
        kinds=tuple(content.get("kinds", ())) or tuple(kind.partition(".")[0] for kind in kinds),
        example=content.get("example", ""),
        follows=content.get("follows", False),
    )


def _faults(content: Json, name: str) -> Faults:
    """Name everything that is wrong with a ``rule.yaml`` in a folder called ``name``."""
    if not isinstance(content, dict):
        yield (), "not a mapping of rule keys"
        return
    yield from _keys(content, _RULE_KEYS, required=_REQUIRED)
    if "check" not in content and "errors" not in content:
        yield (), "check is missing; a rule without one has to name errors that it explains"
    yield from _untold(content)
    if isinstance(content.get("id"), str) and content["id"] != name:
        yield ("id",), f"the id is {content['id']!r} but its folder is called {name!r}; they have to be the same"


def _untold(content: JsonObject) -> Faults:
    """Find translated words that leave out a value of the English ones, or name one that those do not have."""
    for language in LANGUAGES:
        words = content.get(language)
        for key, text in words.items() if isinstance(words, dict) else ():
            ours, theirs = _placeholders(content.get(key)), _placeholders(text)
            if _TRANSLATED.get(key) is _template and ours != theirs:
                names = ", ".join(sorted(f"{{{name}}}" for name in ours ^ theirs))
                yield (language, key), f"{language}: {key}: {names} stands only there or only in the English words"


def _placeholders(text: Json) -> set[str]:
    """Return the names in braces; none where the text is none, which others complain of."""
    if not isinstance(text, str) or any(True for _ in _template(text)):
        return set()
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def _faults_of_theirs(rule: Rule, taken: Iterable[str]) -> Faults:
    """Name the faults that our tests keep out of what ships: clashes of ids, and wrong parameters."""
    if rule.id in taken:
        yield ("id",), f"{rule.id!r} is the id of another rule; choose another"
    yield from ((("params",), f"params: {message}") for message in checks.faults(rule))
    yield from _ungiven(rule)


def _ungiven(rule: Rule) -> Faults:
    """Find placeholders that nothing gives a value to; a message with one could not be told."""
    given = WORDS | {name for error in rule.errors for text in (error.field, error.message) for name in _names(text)}
    if rule.check:
        alike = (ours for ours in built_in().rules if ours.check == rule.check)
        given |= checks.facts(rule.check) | {name for ours in alike for name in _names_of(ours)}
        for key, text in (("message", rule.message), ("fix", rule.fix), ("remedy", rule.remedy)):
            for name in sorted(_names(text) - given):
                yield (key,), f"{key}: {{{name}}} is given neither by the check {rule.check} nor by any rule"


def _names_of(rule: Rule) -> set[str]:
    return _names(rule.message) | _names(rule.fix) | _names(rule.remedy)


def _names(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def _keys(content: JsonObject, validators: Mapping[str, Validator], required: Iterable[str] = ()) -> Faults:
    for key in required:
        if key not in content:
            yield (), f"{key} is missing"
    for key, value in content.items():
        if key in validators:
            yield from (((key, *trail), f"{key}: {message}") for trail, message in validators[key](value))
        else:
            yield (key,), f"unknown key {key!r}; known are {', '.join(validators)}"


def _text(value: Json) -> Faults:
    if not isinstance(value, str):
        yield (), "not text"
    elif not value.strip():
        yield (), "empty"


def _id(value: Json) -> Faults:
    if not isinstance(value, str) or not _ID.match(value):
        yield (), "not words in lower case with hyphens between them, such as port-listed-twice"


def _template(value: Json) -> Faults:
    """Find words that cannot be filled in: only plain names stand in braces, other braces are doubled."""
    if not isinstance(value, str) or not value.strip():
        yield from _text(value)
        return
    try:
        names = [(name, spec, conversion) for _, name, spec, conversion in Formatter().parse(value) if name is not None]
    except ValueError as fault:
        yield (), f"{str(fault).lower()}; braces that are no placeholder are doubled: {{{{ }}}}"
        return
    for name, spec, conversion in names:
        if spec or conversion or not _PLACEHOLDER.match(name):
            yield (), f"{{{name}}} is no placeholder; braces that are none are doubled: {{{{ }}}}"


def _pattern(value: Json) -> Faults:
    """Find what is wrong with a text in which placeholders stand for the facts that are read out of it."""
    faults = list(_template(value))
    yield from faults
    names = [] if faults else [name for _, name, _, _ in Formatter().parse(value) if name]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield (), f"{{{name}}} stands there twice"


def _one_of(*words: str) -> Validator:
    def validate(value: Json) -> Faults:
        if value not in words:
            yield (), f"{value!r} is none of {', '.join(words)}"

    return validate


def _list_of(item: Validator) -> Validator:
    def validate(value: Json) -> Faults:
        if not isinstance(value, list):
            yield (), "not a list"
            return
        for position, inner in enumerate(value):
            yield from (((position, *trail), message) for trail, message in item(inner))

    return validate


def _mapping_of(validators: Mapping[str, Validator]) -> Validator:
    def validate(value: Json) -> Faults:
        return _keys(value, validators) if isinstance(value, dict) else iter([((), "not a mapping")])

    return validate


def _flag(value: Json) -> Faults:
    if not isinstance(value, bool):
        yield (), "neither true nor false"


def _error_text(value: Json) -> Faults:
    if not isinstance(value, dict):
        yield (), "not a mapping"
        return
    yield from _keys(value, _ERROR_KEYS)
    if "field" not in value and "message" not in value:
        yield (), "needs field or message: with neither it would explain everything"


def _params(value: Json) -> Faults:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        yield (), "not a mapping"


def _check(value: Json) -> Faults:
    if not isinstance(value, str) or not checks.exists(value):
        yield (), f"there is no check {value!r}; jsonpath is the one for rules without Python"


_ERROR_KEYS: Mapping[str, Validator] = {
    "field": _pattern,
    "message": _pattern,
    "kinds": _list_of(_text),
    "example": _text,
    "follows": _flag,
}
_TRANSLATED: Mapping[str, Validator] = {
    "summary": _text,
    "message": _template,
    "why": _text,
    "fix": _template,
    "remedy": _template,
}
_RULE_KEYS: Mapping[str, Validator] = {
    "id": _id,
    "summary": _text,
    "severity": _one_of(*Severity),
    "confidence": _one_of(*Level),
    "since": _text,
    "needs": _list_of(_one_of(*Need)),
    "applies_to": _mapping_of({"kinds": _list_of(_text), "appliers": _list_of(_text)}),
    "check": _check,
    "params": _params,
    "message": _template,
    "why": _text,
    "fix": _template,
    "see": _list_of(_text),
    "hazards": _list_of(_text),
    "errors": _list_of(_error_text),
    "remedy": _template,
    "ignorable": _flag,
    **dict.fromkeys(LANGUAGES, _mapping_of(_TRANSLATED)),
}
_REQUIRED = ("id", "summary", "severity", "message", "why", "fix")


def _duplicates(node: yaml.Node | None, trail: Trail = ()) -> Faults:
    """Find keys that are written twice at the top or one level below; YAML would silently keep the last one."""
    if not isinstance(node, yaml.MappingNode) or len(trail) > 1:
        return
    seen: set[str] = set()
    for key, value in node.value:
        if key.value in seen:
            yield (*trail, key.value), f"{key.value} is written twice"
        seen.add(key.value)
        yield from _duplicates(value, (*trail, key.value))


def _place(node: yaml.Node | None, trail: Trail) -> tuple[int, int]:
    """Return line and column of the key or list element at the end of ``trail``."""
    mark = node.start_mark if node else None
    for step in trail:
        for key, value in _children(node):
            if key == step:
                mark, node = value[0].start_mark, value[1]
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


def _children(node: yaml.Node | None) -> list[tuple[str | int, tuple[yaml.Node, yaml.Node]]]:
    if isinstance(node, yaml.MappingNode):
        return [(key.value, (key, value)) for key, value in node.value]
    if isinstance(node, yaml.SequenceNode):
        return [(position, (item, item)) for position, item in enumerate(node.value)]
    return []
