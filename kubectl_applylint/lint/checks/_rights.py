"""Rights in RBAC rules, for the checks about growing rights."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, product
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Absent, Present
from kubectl_applylint.core.values import Json, JsonObject, items, mapping, texts_at
from kubectl_applylint.lint.checks._words import short_list
from kubectl_applylint.lint.model import Subject

ANY: Final = "*"
RBAC: Final = "rbac.authorization.k8s.io"
_SENSITIVE: Final = (
    (("", ANY), (ANY,), ()),
    (("", ANY), ("secrets",), ("get", "list", "watch", ANY)),
    (("", ANY), ("pods/exec", "pods/attach", "nodes/proxy", "serviceaccounts/token"), ()),
    (("", ANY), ("users", "groups", "serviceaccounts"), ("impersonate", ANY)),
    ((RBAC, ANY), ("roles", "clusterroles", ANY), ("escalate", "bind", ANY)),
)
"""API groups, resources and verbs (none: all) that allow privilege escalation."""
Rules: TypeAlias = Sequence[Json]
"""The ``rules`` of a role."""


@dataclass(frozen=True, slots=True)
class Right:
    """One verb on one resource. A URL that is no resource starts with a slash; an empty ``name`` means any object."""

    verb: str
    group: str
    resource: str
    name: str = ""

    @property
    def is_sensitive(self) -> bool:
        """Whether it leads to other rights: it reads every Secret, runs programs in pods, or grants rights."""
        return not self.name and any(
            self.group in groups and self.resource in resources and (not verbs or self.verb in verbs)
            for groups, resources, verbs in _SENSITIVE
        )

    @property
    def target(self) -> str:
        """The resource in kubectl's form: ``deployments.apps/scale``, ``secrets/token``, ``/metrics``."""
        if self.resource.startswith("/"):
            return self.resource
        kind, _, part = self.resource.partition("/")
        return "/".join(filter(None, (f"{kind}.{self.group}".rstrip("."), part, self.name)))


def earlier_rules(subject: Subject) -> Rules | None:
    """Return the rules of a role before the apply, ``None`` if unknown; a new object had none."""
    if isinstance(subject.state.live, Present):
        return items(subject.state.live.object.get("rules"))
    return [] if isinstance(subject.base, Absent) else None


def added_rights(before: Rules, after: Rules) -> list[Right]:
    """Return the rights that only the later rules allow, in the order of the rules."""
    return missing_rights(before, dict.fromkeys(_rights(after)))


def missing_rights(rules: Rules, rights: Iterable[Right]) -> list[Right]:
    """Return the rights that the rules do not allow."""
    known = [mapping(rule) for rule in rules]
    return [right for right in rights if not any(_allows(rule, right) for rule in known)]


def _rights(rules: Rules) -> Iterator[Right]:
    for rule in map(mapping, rules):
        verbs, names = texts_at(rule, "verbs"), texts_at(rule, "resourceNames") or ("",)
        places = product(texts_at(rule, "apiGroups"), texts_at(rule, "resources"), names)
        yield from (Right(verb, *place) for place in places for verb in verbs)
        yield from (Right(verb, "", url) for url in texts_at(rule, "nonResourceURLs") for verb in verbs)


def _allows(rule: JsonObject, right: Right) -> bool:
    """Return whether a rule allows a right, like the RBAC authorizer of the server."""
    if not _has(rule, "verbs", right.verb, ANY):
        return False
    if right.resource.startswith("/"):
        urls = texts_at(rule, "nonResourceURLs")
        return any(url == right.resource or (url[-1:] == ANY and right.resource.startswith(url[:-1])) for url in urls)
    _, slash, part = right.resource.partition("/")
    is_named = not texts_at(rule, "resourceNames") or _has(rule, "resourceNames", right.name)
    is_in_group = _has(rule, "apiGroups", right.group, ANY)
    return is_named and is_in_group and _has(rule, "resources", right.resource, ANY, f"*{slash}{part}")


def _has(rule: JsonObject, name: str, *wanted: str) -> bool:
    """Return whether a list of a rule contains one of some words."""
    return not {*wanted}.isdisjoint(texts_at(rule, name))


def rights_text(rights: Iterable[Right]) -> str:
    """Return rights as text, by verbs: ``create on pods/exec; get, list on pods, secrets``; a dash for none."""
    verbs: dict[str, list[str]] = {}
    for right in rights:
        verbs.setdefault(right.target, []).append(right.verb)
    ordered = sorted(verbs.items(), key=lambda entry: sorted(entry[1]))
    same = groupby(ordered, lambda entry: ", ".join(sorted(entry[1])))
    return "; ".join(f"{wanted} on {short_list([target for target, _ in group])}" for wanted, group in same) or "-"
