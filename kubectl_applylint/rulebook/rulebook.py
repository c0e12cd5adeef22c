"""Reads rule folders, built-in ones and the users', and reports every error of a folder at once.

A rule folder has the name of its rule and contains ``rule.yaml``, the one source of all texts of the rule, and
``cases/``. A folder with ``family.yaml`` contains the rule folders of a family.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path

import yaml

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.model import Rule
from kubectl_applylint.rulebook import families, rule_file
from kubectl_applylint.rulebook.families import Family, family_of
from kubectl_applylint.rulebook.rule_file import FILE, faults_of_own, rule_of
from kubectl_applylint.rulebook.validators import Faults, duplicates, place
from kubectl_applylint.sources.text.config_yaml import load_with_nodes


@dataclass(frozen=True, slots=True, order=True)
class RuleProblem:
    """One error in a rule folder; line and column count from 1."""

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The valid rules and families, each sorted by id, and all errors of the others."""

    rules: tuple[Rule, ...] = ()
    families: tuple[Family, ...] = ()
    problems: tuple[RuleProblem, ...] = ()

    def in_language(self, language: str) -> "Rulebook":
        """Return the book with its texts in a language; untranslated texts stay English."""
        rules = tuple(rule.in_language(language) for rule in self.rules)
        return replace(self, rules=rules, families=tuple(family.in_language(language) for family in self.families))


COMPILED = "rules.json"
"""In a wheel, all files of our rules as one: a hundred files take 0.1 s to read, and this takes 0.01 s.

It maps each family to the content of its ``family.yaml`` (``family``) and those of its rules (``rules``).
"""


@cache
def built_in() -> Rulebook:
    """Return the built-in rules, read once per process."""
    parent = Path(__file__).parents[1] / "rules"
    try:
        contents = json.loads((parent / COMPILED).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return read_all([Path(folder) for folder in import_module("kubectl_applylint.rules").__path__])
    rules = (
        rule_of(content, f"{parent}/{name}/{content['id']}", name)
        for name, family in contents.items()
        for content in family["rules"]
    )
    known = (family_of(family["family"], name) for name, family in contents.items())
    return Rulebook(tuple(sorted(rules, key=_id)), tuple(sorted(known, key=_id)))


def read_all(parents: Iterable[Path]) -> Rulebook:
    """Return the rules of folders with the structure of the built-in one."""
    folders = [folder for parent in parents for folder in rule_folders(parent)]
    return _book([*map(_read, folders), *_families(folders, ())])


def load(parents: Sequence[Path] = ()) -> Rulebook:
    """Return the built-in rules and those of ``parents``.

    Each is a rule folder, or a folder of rule folders or of families with such folders. Their rules may join a built-in
    family.
    """
    ours = built_in()
    folders = [folder for parent in parents for folder in rule_folders(parent)]
    ids = {*(rule.id for rule in ours.rules), *(folder.name for folder in folders)}
    own = list(_own_rules(parents, {rule.id: rule for rule in ours.rules}, ids))
    return _book([*own, *_families(folders, ids), ours])


def _own_rules(parents: Iterable[Path], others: Mapping[str, Rule], ids: Collection[str]) -> Iterator[Rulebook]:
    """Yield the rules of users' folders."""
    for parent in parents:
        folders = rule_folders(parent)
        if not folders:
            yield Rulebook(problems=(RuleProblem(str(parent), 1, 1, f"not a rule directory: it contains no {FILE}"),))
        for folder in folders:
            read = _read(folder, partial(faults_of_own, others=others, ids=ids))
            others = {**others, **{rule.id: rule for rule in read.rules}}
            yield read


def _book(reads: Sequence[Rulebook]) -> Rulebook:
    """Return several books as one; of two families with one name the last counts."""
    known = {family.id: family for read in reads for family in read.families}
    return Rulebook(
        rules=tuple(sorted((rule for read in reads for rule in read.rules), key=_id)),
        families=tuple(sorted(known.values(), key=_id)),
        problems=tuple(sorted(problem for read in reads for problem in read.problems)),
    )


def _id(item: Rule | Family) -> str:
    return item.id


def rule_folders(parent: Path) -> tuple[Path, ...]:
    """Return the rule folders in a folder: itself, its children, or those in folders of families, sorted by name."""
    if (parent / FILE).is_file():
        return (parent,)
    inner = [item for item in _folders(parent) if not (item / FILE).is_file()]
    found = [item for folder in (parent, *inner) for item in _folders(folder) if (item / FILE).is_file()]
    return tuple(sorted(found, key=lambda item: item.name))


def _folders(parent: Path) -> list[Path]:
    return [item for item in parent.iterdir() if item.is_dir()] if parent.is_dir() else []


def _family(folder: Path) -> str:
    """Return the name of the family of a rule folder, empty if it has none."""
    above = folder.absolute().parent
    return above.name if (above / families.FILE).is_file() else ""


def _families(folders: Iterable[Path], ids: Iterable[str]) -> Iterator[Rulebook]:
    """Yield the families of rule folders; ``ids`` are those of all rules."""
    for parent in sorted({folder.parent for folder in folders if _family(folder)}):
        name = parent.absolute().name
        content, problems = _content(parent / families.FILE, partial(families.faults, name=name, rules=ids))
        yield Rulebook(families=() if problems else (family_of(content, name),), problems=problems)


def _read(folder: Path, faults_of_rule: Callable[[Rule], Faults] = lambda rule: iter(())) -> Rulebook:
    """Return the rule in one folder. ``faults_of_rule`` yields further errors of a valid rule; built-in ones are
    tested.
    """

    def faults(content: Json) -> Faults:
        found = list(rule_file.faults(content, folder.name))
        yield from found or faults_of_rule(rule_of(content, str(folder)))

    content, problems = _content(folder / FILE, faults)
    return Rulebook(() if problems else (rule_of(content, str(folder), _family(folder)),), problems=problems)


def _content(file: Path, faults: Callable[[Json], Faults]) -> tuple[Json, tuple[RuleProblem, ...]]:
    """Return the content of a file, and its errors with their places."""
    try:
        root, content = load_with_nodes(file.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        return None, (RuleProblem(str(file), 1, 1, "not UTF-8 text"),)
    except yaml.YAMLError as fault:
        return None, (_unreadable(str(file), fault),)
    found = (*duplicates(root), *faults(content))
    return content, tuple(RuleProblem(str(file), *place(root, trail), message) for trail, message in found)


def _unreadable(file: str, fault: yaml.YAMLError) -> RuleProblem:
    """Return the problem of a file that is not YAML."""
    mark = getattr(fault, "problem_mark", None)
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    return RuleProblem(file, line, column, f"not YAML: {getattr(fault, 'problem', None) or fault}")
