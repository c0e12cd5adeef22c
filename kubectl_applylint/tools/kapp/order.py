"""The order of writes and deletions in kapp: change groups and change rules.

Mirrors ``pkg/kapp/diffgraph`` of kapp 0.64.
"""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject, text_at, texts_at
from kubectl_applylint.tools.kapp.defaults import GROUP
from kubectl_applylint.tools.kapp.matchers import KappError, is_for
from kubectl_applylint.tools.kapp.paths import annotations_of
from kubectl_applylint.tools.kapp.rules import KappRules, description

_CRD: Final = ("apiextensions.k8s.io", "CustomResourceDefinition")
_PLACEHOLDER: Final = regex(r"\{.+?\}")
_FIRST_WEIGHT: Final = 100
_Others: TypeAlias = dict[int, None]
"""The indexes of other steps, in the order in which kapp found them."""


@dataclass(frozen=True, slots=True)
class KappChangeStep:
    """One change of a deploy: a write or a deletion."""

    item: JsonObject
    is_deletion: bool = False


@dataclass(frozen=True, slots=True)
class _OrderRule:
    """A change rule of one step: it comes before or after the steps of a group."""

    step: int
    is_before: bool
    is_for_deletions: bool
    group: str
    weight: int
    is_optional: bool


def dependencies(steps: Sequence[KappChangeStep], rules: KappRules) -> tuple[frozenset[int], ...]:
    """Return for each step the steps that kapp waits for; raise ``KappError`` with kapp's text for a cycle."""
    groups = [frozenset(_groups(step.item, rules)) for step in steps]
    found = [rule for place, step in enumerate(steps) for rule in _rules(place, step, rules)]
    waits: list[_Others] = [{} for _ in steps]
    for is_optional in (False, True):
        for rule in sorted(found, key=lambda rule: -rule.weight):
            if rule.is_optional is is_optional:
                _add(
                    waits,
                    rule,
                    [place for place in range(len(steps)) if _applies_to(rule, steps[place], groups[place])],
                )
        if not is_optional:
            _check(waits, steps)
    return tuple(map(frozenset, waits))


def round_numbers(waits: Sequence[frozenset[int]]) -> tuple[int, ...]:
    """Return the round of each step, counted from 0."""
    found: dict[int, int] = {}
    while len(found) < len(waits):
        ready = [place for place, others in enumerate(waits) if place not in found and others <= found.keys()]
        found |= {place: max((found[other] + 1 for other in waits[place]), default=0) for place in ready}
    return tuple(found[place] for place in range(len(waits)))


def _add(waits: Sequence[_Others], rule: _OrderRule, others: Sequence[int]) -> None:
    """Add the dependencies of one rule; an optional rule is ignored if it would close a cycle."""
    for other in others:
        first, second = (rule.step, other) if rule.is_before else (other, rule.step)
        if not rule.is_optional or not (first == second or second in _transitive_dependencies(waits, first)):
            waits[second][first] = None


def _transitive_dependencies(waits: Sequence[_Others], step: int) -> set[int]:
    """Return all steps that a step waits for, directly or indirectly."""
    seen: set[int] = set()
    pending = [step]
    while pending:
        for other in waits[pending.pop()].keys() - seen:
            seen.add(other)
            pending.append(other)
    return seen


def _check(waits: Sequence[_Others], steps: Sequence[KappChangeStep]) -> None:
    """Raise ``KappError`` if the dependencies have a cycle."""
    done: set[int] = set()
    for place in range(len(steps)):
        if place not in done and (cycle := _cycle(waits, place, done)):
            names = [description(steps[each].item) for each in cycle]
            shown = " -> ".join(f"[{name}]" for name in names)
            raise KappError(f"Detected cycle while ordering changes: {shown} (found repeated: {names[-1]})")


def _cycle(waits: Sequence[_Others], first: int, done: set[int]) -> tuple[int, ...]:
    """Return the first path from a step back into itself in depth-first order, or ``()``.

    ``done`` are steps without a cycle; the function adds those it finds.
    """
    way, pending = [first], [iter(waits[first])]
    while way:
        other = next(pending[-1], None)
        if other is None:
            done.add(way.pop())
            pending.pop()
        elif other in way:
            return (*way, other)
        elif other not in done:
            way.append(other)
            pending.append(iter(waits[other]))
    return ()


def _applies_to(rule: _OrderRule, step: KappChangeStep, groups: frozenset[str]) -> bool:
    return rule.group in groups and rule.is_for_deletions is step.is_deletion


def _groups(item: JsonObject, rules: KappRules) -> Iterator[str]:
    """Yield the change groups of an object."""
    for _, text in _annotation_texts(item, "change-group"):
        yield _fill_placeholders(text, item)
    for binding in rules.section("changeGroupBindings"):
        if is_for(binding.get("resourceMatchers"), item):
            yield _fill_placeholders(text_at(binding, "name"), item)


def _rules(place: int, step: KappChangeStep, rules: KappRules) -> Iterator[_OrderRule]:
    """Yield the change rules of one step, those in its annotations first."""
    own = [(text, 0, False) for _, text in _annotation_texts(step.item, "change-rule")]
    for number, binding in enumerate(rules.section("changeRuleBindings")):
        if is_for(binding.get("resourceMatchers"), step.item):
            is_optional = bool(binding.get("ignoreIfCyclical"))
            own += [(text, _FIRST_WEIGHT + number, is_optional) for text in texts_at(binding, "rules")]
    for text, weight, is_optional in own:
        words = _fill_placeholders(text, step.item).split(" ")
        _check_rule(words, step.item)
        action, order, target, group = words
        if (action == "delete") is step.is_deletion:
            yield _OrderRule(place, order == "before", target == "deleting", group, weight, is_optional)


def _check_rule(words: Sequence[str], item: JsonObject) -> None:
    """Raise ``KappError`` for a malformed change rule."""
    known = ({"upsert", "delete"}, {"before", "after"}, {"upserting", "deleting"})
    if len(words) != len(known) + 1:
        expected = "(upsert|delete) (before|after) (upserting|deleting) (change-group)"
        raise KappError(
            f"Resource {description(item)}: Expected change rule annotation value to have format '{expected}', but was"
            f" '{' '.join(words)}'"
        )
    names = ("Action", "Order", "TargetAction")
    wrong = next((name for name, word, some in zip(names, words, known, strict=False) if word not in some), None)
    if wrong:
        raise KappError(f"Resource {description(item)}: Unknown change rule {wrong}")


def _annotation_texts(item: JsonObject, name: str) -> Iterator[tuple[str, str]]:
    """Yield annotations with a name, or with a name and a suffix, and their texts."""
    key = f"{GROUP}/{name}"
    found = annotations_of(item)
    return ((one, str(text)) for one, text in found.items() if one == key or one.startswith(f"{key}."))


def _fill_placeholders(text: str, item: JsonObject) -> str:
    """Return the name of a group with its placeholders replaced."""
    ref = ref_of(item)
    is_crd = (ref.group, ref.kind) == _CRD
    values = {
        "{api-group}": ref.group,
        "{kind}": ref.kind,
        "{name}": ref.name,
        "{namespace}": ref.namespace,
        "{crd-kind}": text_at(item, "spec", "names", "kind") if is_crd else "",
        "{crd-group}": text_at(item, "spec", "group") if is_crd else "",
    }
    for found in _PLACEHOLDER.findall(text):
        if not values.get(found):
            raise KappError(f"Placeholder {found} does not have a value for target resource")
    return _PLACEHOLDER.sub(lambda found: values[found[0]], text)
