"""Families of rules: a folder with ``family.yaml`` and rule folders, and the selection of rules by family."""

from collections.abc import Iterable, Mapping, Sequence

from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.model import Rule
from kubectl_applylint.rulebook.rule_file import LANGUAGES
from kubectl_applylint.rulebook.validators import Faults, keys, mapping_of, plain_text

FILE = "family.yaml"
"""The file that marks a folder as a family of its rule folders."""


@dataclass(frozen=True, slots=True)
class Family:
    """A family of rules: the name of its folder, and a one-line summary of its rules."""

    id: str
    summary: str
    translations: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)
    """``summary`` in other languages, by language (``ja``)."""

    def in_language(self, language: str) -> "Family":
        """Return the family with its summary in a language, in English without a translation."""
        return replace(self, summary=self.translations.get(language, {}).get("summary", self.summary))


def family_of(content: JsonObject, name: str) -> Family:
    """Return the family of a valid ``family.yaml`` in a folder called ``name``."""
    translations = {language: content[language] for language in LANGUAGES if language in content}
    return Family(name, content["summary"].strip(), translations)


def faults(content: Json, name: str, rules: Iterable[str]) -> Faults:
    """Yield all errors in a ``family.yaml`` in a folder called ``name``; ``rules`` are the ids of all rules."""
    if not isinstance(content, dict):
        yield (), "not a mapping of family keys"
        return
    yield from keys(content, _KEYS, required=("summary",))
    if name in rules:
        yield (), f"{name!r} is the id of a rule; give the folder of the family another name"


_KEYS = {"summary": plain_text, **dict.fromkeys(LANGUAGES, mapping_of({"summary": plain_text}))}


@dataclass(frozen=True, slots=True)
class Choice:
    """The ids of the rules that run."""

    running: frozenset[str]
    ignored: frozenset[str]
    """Selected rules that are ignored."""
    protected: tuple[str, ...]
    """Rules of ignored families that still run because they cannot be ignored, sorted."""


def choose(rules: Sequence[Rule], select: Sequence[str], ignore: Sequence[str], protected: frozenset[str]) -> Choice:
    """Return the ``rules`` that run, given the rules and families in ``select`` (empty for all) and ``ignore``.

    The id of a rule in ``select`` takes precedence over its family in ``ignore``.
    """
    selected = ids_of(select, rules) if select else frozenset(rule.id for rule in rules)
    ignored = (ids_of(ignore, rules) & selected) - (set(select) - set(ignore))
    return Choice(selected - (ignored - protected), ignored - protected, tuple(sorted(ignored & protected)))


def ids_of(names: Iterable[str], rules: Sequence[Rule]) -> frozenset[str]:
    """Return the ids of the rules that are named by id or by family."""
    wanted = frozenset(names)
    return frozenset(rule.id for rule in rules if rule.id in wanted or rule.family in wanted)
