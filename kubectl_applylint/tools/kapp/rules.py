"""The rules of a deploy: kapp's defaults, and those of the Configs in the set.

Mirrors ``pkg/kapp/config/{config,conf}.go`` of kapp 0.64.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject, items, mapping, text_at, texts_at
from kubectl_applylint.tools.kapp.defaults import CHANGE_GROUPS, CHANGE_RULES, DEFAULTS, GROUP, TEMPLATE_RULES
from kubectl_applylint.tools.kapp.matchers import KappError, is_for
from kubectl_applylint.tools.kapp.paths import PathError, RulePath, copy_at, path_text, read_path, remove_at

_NAMELESS: Final = "Applying ytt (overlayContractV1): Evaluating: struct has no .name field or method"
CONFIG_VERSION: Final = f"{GROUP}/v1alpha1"
_OWN: Final[Mapping[str, Sequence[JsonObject]]] = {
    **DEFAULTS,
    "changeGroupBindings": CHANGE_GROUPS,
    "changeRuleBindings": CHANGE_RULES,
    "templateRules": TEMPLATE_RULES,
}


@dataclass(frozen=True, slots=True)
class KappRules:
    """The Configs of a deploy in order."""

    configs: tuple[JsonObject, ...] = field(default=(), repr=False)

    def section(self, name: str) -> Iterator[JsonObject]:
        """Yield the rules in a section, kapp's defaults first."""
        yield from _OWN.get(name, ())
        for config in self.configs:
            yield from map(mapping, items(config.get(name)))

    @property
    def additional_labels(self) -> Mapping[str, Json]:
        """The labels that Configs add to all objects."""
        return {key: text for config in self.configs for key, text in mapping(config.get("additionalLabels")).items()}


def is_config(item: JsonObject) -> bool:
    """Return whether an object is a Config, which is not deployed."""
    return item.get("apiVersion") == CONFIG_VERSION


def read_rules(objects: Iterable[JsonObject]) -> KappRules:
    """Return the rules in the Configs among objects; raise ``KappError`` for an invalid one."""
    found = tuple(filter(is_config, objects))
    for config in found:
        if config.get("kind") != "Config":
            raise KappError(f"Expected kapp config to have kind 'Config', but was '{config.get('kind')}'")
        for place, rule in enumerate(map(mapping, items(config.get("rebaseRules")))):
            _check(rule, place)
    return KappRules(found)


def _check(rule: JsonObject, place: int) -> None:
    """Raise ``KappError`` for an invalid rebase rule."""
    if rule.get("ytt"):
        raise KappError("rebase rules of ytt are not predicted")
    has_one = [bool(rule.get(name)) for name in ("path", "paths")]
    expected = "only one of path or paths specified" if all(has_one) else "either path or paths to be specified"
    if has_one[0] == has_one[1]:
        raise KappError(f"Validating config: Validating rebase rule {place}: Expected {expected}")
    if rule.get("type") not in ("copy", "remove"):
        raise KappError(f"Unknown rebase rule type: {rule.get('type')} (supported: copy, remove)")


def paths_of(rule: JsonObject) -> Iterator[RulePath]:
    """Yield the paths of a rule."""
    listed = [rule["path"]] if rule.get("path") else items(rule.get("paths"))
    return (read_path(items(path)) for path in listed)


def rebase(item: JsonObject, live: JsonObject, rules: KappRules) -> JsonObject:
    """Return a manifest as kapp sends it, with fields copied from the live object by rebase rules."""
    result = item
    for rule in rules.section("rebaseRules"):
        for path in paths_of(rule):
            if is_for(rule.get("resourceMatchers"), result):
                result = _rebase_paths(result, path, rule, {"new": item, "existing": live})
    ref = ref_of(item)
    return _account(result, live) if (ref.api_version, ref.kind) == ("v1", "ServiceAccount") else result


def _account(item: JsonObject, live: JsonObject) -> JsonObject:
    """Return a ServiceAccount with the Secrets that the cluster added: tokens, and those of OpenShift."""
    name = text_at(live, "metadata", "name")
    for field_name, prefix in (("secrets", "-token-"), ("secrets", "-dockercfg-"), ("imagePullSecrets", "-dockercfg-")):
        listed = [mapping(each).get("name") for each in items(live.get(field_name))]
        if not all(isinstance(each, str) for each in listed):
            raise PathError(f"Applying rebase rule to {description(item)}: {_NAMELESS}")
        found = [each for each in listed if str(each).startswith(f"{name}{prefix}")][-1:]
        own = items(item.get(field_name))
        added = [{"name": each} for each in found if each not in [mapping(one).get("name") for one in own]]
        item = {**item, field_name: [*own, *added]} if added else item
    return item


def _rebase_paths(item: JsonObject, path: RulePath, rule: JsonObject, sources: Mapping[str, JsonObject]) -> JsonObject:
    """Return an object after one rebase rule at one path."""
    try:
        if rule.get("type") == "remove":
            return mapping(remove_at(item, path))
        chosen = [sources[name] for name in texts_at(rule, "sources") if name in sources]
        return mapping(copy_at(item, path, chosen, chosen))
    except PathError as fault:
        mod = "FieldRemoveMod" if rule.get("type") == "remove" else "FieldCopyMod"
        raise PathError(
            f"Applying rebase rule to {description(item)}: {mod} for path '{path_text(path)}' on resource"
            f" '{description(item)}': {fault}"
        ) from None


def without_excluded_fields(item: JsonObject, rules: KappRules, name: str) -> JsonObject:
    """Return an object without the fields that rules exclude from diffs; kapp ignores their matchers."""
    for rule in rules.section(name):
        for path in paths_of(rule):
            item = mapping(remove_at(item, path))
    return item


def description(item: JsonObject) -> str:
    """Return kapp's name for an object in messages."""
    version, kind, name = (text_at(item, "apiVersion"), text_at(item, "kind"), text_at(item, "metadata", "name"))
    namespace = text_at(item, "metadata", "namespace")
    where = f" namespace: {namespace}" if namespace else " cluster"
    return f"{kind.lower()}/{name} ({version}){where}"
