"""Families of rules: a folder with ``family.yaml`` and the folders of its rules, and the choice of rules by family."""

from collections.abc import Iterable, Mapping, Sequence

from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.model import Rule
from kubectl_applylint.rulebook.rule_file import LANGUAGES
from kubectl_applylint.rulebook.validators import Faults, keys, mapping_of, plain_text

FILE = "family.yaml"
"""The file that makes a folder a family of the rule folders in it."""


@dataclass(frozen=True, slots=True)
class Family:
    """A family of rules: the name of its folder, and one line on what its rules are about."""

    id: str
    summary: str
    translations: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)
    """``summary`` in other languages, by language (``ja``)."""

    def in_language(self, language: str) -> "Family":
        """Return the family with its summary in a language, in English where there is no translation."""
        return replace(self, summary=self.translations.get(language, {}).get("summary", self.summary))


def family_of(content: JsonObject, name: str) -> Family:
    """Return the family of a ``family.yaml`` without faults that lies in a folder called ``name``."""
    translations = {language: content[language] for language in LANGUAGES if language in content}
    return Family(name, content["summary"].strip(), translations)


def faults(content: Json, name: str, rules: Iterable[str]) -> Faults:
    """Name everything that is wrong with a ``family.yaml`` in a folder called ``name``, beside rules with these ids."""
    if not isinstance(content, dict):
        yield (), "not a mapping of family keys"
        return
    yield from keys(content, _KEYS, required=("summary",))
    if name in rules:
        yield (), f"{name!r} is the id of a rule; give the folder of the family another name"


_KEYS = {"summary": plain_text, **dict.fromkeys(LANGUAGES, mapping_of({"summary": plain_text}))}


@dataclass(frozen=True, slots=True)
class Choice:
    """Which rules run, by id."""

    running: frozenset[str]
    ignored: frozenset[str]
    """Selected ones that are ignored."""
    protected: tuple[str, ...]
    """Those of ignored families that run all the same, as nobody may ignore them; sorted."""


def choose(rules: Sequence[Rule], select: Sequence[str], ignore: Sequence[str], protected: frozenset[str]) -> Choice:
    """Return which of the ``rules`` run, if ``select`` (empty for all) and ``ignore`` name them or their families.

    The id of a rule in ``select`` counts for more than its family in ``ignore``.
    """
    selected = ids_of(select, rules) if select else frozenset(rule.id for rule in rules)
    ignored = (ids_of(ignore, rules) & selected) - (set(select) - set(ignore))
    return Choice(selected - (ignored - protected), ignored - protected, tuple(sorted(ignored & protected)))


def ids_of(names: Iterable[str], rules: Sequence[Rule]) -> frozenset[str]:
    """Return the ids of the rules that are named by their id or by their family."""
    wanted = frozenset(names)
    return frozenset(rule.id for rule in rules if rule.id in wanted or rule.family in wanted)
