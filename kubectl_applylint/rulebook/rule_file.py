"""Reads and validates ``rule.yaml``."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from kubectl_applylint.core.outcome import Level
from kubectl_applylint.core.spelling import meant
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.errors import ErrorText
from kubectl_applylint.lint import checks
from kubectl_applylint.lint.assumptions import Assumption
from kubectl_applylint.lint.fixes.text import CONDITIONAL
from kubectl_applylint.lint.fixes.wanted_edits import EDITS
from kubectl_applylint.lint.model import Need, Rule, Severity
from kubectl_applylint.lint.run import WORDS
from kubectl_applylint.rulebook.validators import (
    Faults,
    Validator,
    count,
    flag,
    keys,
    list_of,
    mapping_of,
    names_in,
    one_of,
    one_or_list_of,
    pattern,
    plain_text,
    rule_id,
    template,
)

LANGUAGES = ("ja",)
"""The languages, besides English, in which a rule may be written."""
_ALL = "all"
"""The word for all appliers, which is the same as no ``appliers``."""
FILE = "rule.yaml"
"""The file that marks a folder as a rule folder."""


def rule_of(content: JsonObject, folder: str, family: str = "") -> Rule:
    """Return the rule of a valid ``rule.yaml``, with its folder and family."""
    scope = content.get("applies_to", {})
    return Rule(
        id=content["id"],
        summary=content["summary"],
        severity=Severity(content["severity"]),
        confidence=content.get("confidence", Level.HIGH.value),
        since=content.get("since", ""),
        needs=tuple(Need(need) for need in content.get("needs", [Need.MANIFEST])),
        kinds=tuple(scope.get("kinds", ())),
        appliers=tuple(each for each in scope.get("appliers", ()) if each != _ALL),
        units=tuple(scope.get("units", ())),
        check=content.get("check", ""),
        params=content.get("params", {}),
        message=content["message"].strip(),
        why=content["why"].strip(),
        fix=content["fix"].strip(),
        see=tuple(content.get("see", ())),
        hazards=tuple(content.get("hazards", ())),
        folder=folder,
        refines=_list(content.get("refines", ())),
        family=family,
        errors=tuple(_error(error, scope.get("kinds", ())) for error in content.get("errors", ())),
        remedy=content.get("remedy", "").strip(),
        translations={language: _strip_all(content[language]) for language in LANGUAGES if language in content},
        ignorable=content.get("ignorable", True),
        is_once=content.get("once", False),
        edit=content.get("edit", ""),
        by_hand=content.get("by_hand", 0),
        assumes=tuple(content.get("assumes", ())),
        severity_in_unit=Severity(content["severity_in_unit"]) if "severity_in_unit" in content else None,
    )


def _list(value: Json) -> tuple[str, ...]:
    """Return one text or a list of texts as a tuple."""
    return (value,) if isinstance(value, str) else tuple(value)


def _strip_all(words: Mapping[str, str]) -> Mapping[str, str]:
    """Return texts without surrounding white space."""
    return {name: text.strip() for name, text in words.items()}


def _error(content: JsonObject, kinds: Sequence[str]) -> ErrorText:
    """Return an error pattern of a rule."""
    return ErrorText(
        field=content.get("field", ""),
        message=content.get("message", ""),
        kinds=tuple(content.get("kinds", ())) or tuple(kind.partition(".")[0] for kind in kinds),
        example=content.get("example", ""),
        follows=content.get("follows", False),
    )


def faults(content: Json, name: str) -> Faults:
    """Yield all errors in a ``rule.yaml`` in a folder called ``name``."""
    if not isinstance(content, dict):
        yield (), "not a map of rule keys"
        return
    yield from keys(content, _RULE_KEYS, required=_REQUIRED)
    if "check" not in content and "errors" not in content:
        yield (), "check is required; a rule without one must list the errors that it explains"
    yield from _translation_faults(content)
    if content.get("by_hand") and "edit" not in content:
        yield ("by_hand",), "by_hand counts the lines of fix that describe what edit does, and there is no edit"
    if isinstance(content.get("id"), str) and content["id"] != name:
        yield ("id",), f"the id is {content['id']!r} but its directory is named {name!r}; they must be the same"


def _translation_faults(content: JsonObject) -> Faults:
    """Yield translated texts whose placeholders differ from the English ones."""
    for language in LANGUAGES:
        words = content.get(language)
        for key, text in words.items() if isinstance(words, dict) else ():
            ours, theirs = _placeholders(content.get(key)), _placeholders(text)
            if _TRANSLATED.get(key) is template and ours != theirs:
                names = ", ".join(sorted(f"{{{name}}}" for name in ours ^ theirs))
                yield (
                    (language, key),
                    f"{language}: {key}: {names} is only in the translation or only in the English text",
                )


def _placeholders(text: Json) -> set[str]:
    """Return the names in braces; none in an invalid text, which other validators report."""
    if not isinstance(text, str) or any(True for _ in template(text)):
        return set()
    return names_in(text)


def faults_of_own(rule: Rule, others: Mapping[str, Rule], ids: Collection[str]) -> Faults:
    """Yield the errors of a user's rule that tests exclude for built-in ones.

    These are clashes with ``others`` by id, wrong parameters, and refined rules that are not among the ``ids``.
    """
    if rule.id in others:
        yield ("id",), f"{rule.id!r} is the id of another rule"
    for name in rule.refines:
        if name == rule.id:
            yield ("refines",), "refines: a rule cannot refine itself"
        elif name not in ids:
            words = meant(name, ids, otherwise="applylint rules lists all rules")
            yield ("refines",), f"refines: there is no rule {name!r}; {words}"
    yield from ((("params",), f"params: {message}") for message in checks.faults(rule))
    yield from _placeholder_faults(rule, others.values())


def _placeholder_faults(rule: Rule, others: Iterable[Rule]) -> Faults:
    """Yield placeholders without a value; a message with one could not be formatted."""
    given = WORDS | {name for error in rule.errors for text in (error.field, error.message) for name in names_in(text)}
    if rule.check:
        alike = (other for other in others if other.check == rule.check)
        given |= CONDITIONAL | checks.facts(rule.check) | {name for other in alike for name in _names_of(other)}
        for key, text in (("message", rule.message), ("fix", rule.fix), ("remedy", rule.remedy)):
            for name in sorted(names_in(text) - given):
                yield (key,), f"{key}: {{{name}}} is not set by the check {rule.check} nor by any rule"


def _names_of(rule: Rule) -> set[str]:
    """Return the placeholders in the texts of a rule."""
    return names_in(rule.message) | names_in(rule.fix) | names_in(rule.remedy)


def _error_text(value: Json) -> Faults:
    if not isinstance(value, dict):
        yield (), "not a map"
        return
    yield from keys(value, _ERROR_KEYS)
    if "field" not in value and "message" not in value:
        yield (), "field or message is required: without both it would explain every error"


def _params(value: Json) -> Faults:
    """Yield the errors in the parameters of a check."""
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        yield (), "not a map"


def _check(value: Json) -> Faults:
    """Yield the errors in the name of a check."""
    if not isinstance(value, str) or not checks.exists(value):
        yield (), f"unknown check {value!r}; jsonpath is the check for rules without Python"


_ERROR_KEYS: Mapping[str, Validator] = {
    "field": pattern,
    "message": pattern,
    "kinds": list_of(plain_text),
    "example": plain_text,
    "follows": flag,
}
_TRANSLATED: Mapping[str, Validator] = {
    "summary": plain_text,
    "message": template,
    "why": plain_text,
    "fix": template,
    "remedy": template,
}
_RULE_KEYS: Mapping[str, Validator] = {
    "id": rule_id,
    "summary": plain_text,
    "severity": one_of(*Severity),
    "confidence": one_of(*Level),
    "since": plain_text,
    "needs": list_of(one_of(*Need)),
    "refines": one_or_list_of(rule_id),
    "applies_to": mapping_of(dict.fromkeys(("kinds", "appliers", "units"), list_of(plain_text))),
    "check": _check,
    "params": _params,
    "message": template,
    "why": plain_text,
    "fix": template,
    "see": list_of(plain_text),
    "hazards": list_of(plain_text),
    "errors": list_of(_error_text),
    "remedy": template,
    "ignorable": flag,
    "once": flag,
    "edit": one_of(*EDITS),
    "by_hand": count,
    "severity_in_unit": one_of(*Severity),
    "assumes": list_of(one_of(*Assumption)),
    **dict.fromkeys(LANGUAGES, mapping_of(_TRANSLATED)),
}
_REQUIRED = ("id", "summary", "severity", "message", "why", "fix")
