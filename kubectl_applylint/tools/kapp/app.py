"""kapp apps: the labels that mark their objects, and the annotation that identifies objects written by kapp.

Mirrors ``labeled_resources.go``, ``association_label.go`` and ``identity_annotation.go`` of kapp 0.64.
"""

import hashlib
from collections.abc import Mapping
from typing import Final

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.tools.kapp.defaults import GROUP
from kubectl_applylint.tools.kapp.matchers import is_for
from kubectl_applylint.tools.kapp.own_annotations import KAPP_IDENTITY
from kubectl_applylint.tools.kapp.paths import PathError, annotations_of, labels_of, path_text, remove_at, with_texts
from kubectl_applylint.tools.kapp.rules import KappRules, description, paths_of

APP_LABEL: Final = f"{GROUP}/app"
IS_APP_LABEL: Final = f"{GROUP}/is-app"
"""The label of the ConfigMaps that record apps."""
APP_SUFFIX: Final = ".apps.k14s.io"
"""The optional suffix of the ConfigMap of an app after the name of the app."""
UNKNOWN_LABEL: Final = "drawn-at-the-first-deploy"
"""A placeholder for the label value of an app if it is not known."""
IDENTITY: Final = KAPP_IDENTITY
_ASSOCIATION: Final = f"{GROUP}/association"


@dataclass(frozen=True, slots=True)
class KappApp:
    """An app: its name and namespace, and the contents of its ConfigMap."""

    name: str
    namespace: str
    label: str
    """The value of its label, which kapp generates at the first deploy."""
    kinds: frozenset[tuple[str, str]] | None = None
    """Group and kind of its objects, where kapp searches for them; ``None`` if unknown."""
    namespaces: frozenset[str] = frozenset()
    """The namespaces of its last deploy."""

    def owns(self, item: JsonObject) -> bool:
        """Return whether an object has the label of the app."""
        return labels_of(item).get(APP_LABEL) == self.label

    def is_recorded_first_in(self, item: JsonObject) -> bool:
        """Return whether an object is the ConfigMap that kapp creates for the app before its first deploy."""
        is_first = self.label == UNKNOWN_LABEL and self.kinds == frozenset()
        return is_first and ref_of(item) == ObjectRef("v1", "ConfigMap", self.namespace, self.name)

    def with_app_labels(self, item: JsonObject, rules: KappRules, *, is_scoped: bool = True) -> JsonObject:
        """Return a manifest with the app's labels in its metadata, pod templates and selectors.

        ``is_scoped``: whether kapp's own rules add labels to selectors. Raises ``PathError`` with kapp's text.
        """
        own = {APP_LABEL: self.label}
        labels = {**own, _ASSOCIATION: association(item), **rules.additional_labels}
        for rule in rules.section("ownershipLabelRules"):
            item = _with_rule_labels(item, rule, labels, makes=True)
        for rule in rules.section("labelScopingRules"):
            if is_scoped or not rule.get("isDefault"):
                item = _with_rule_labels(item, rule, own, makes=False)
        return item


def _with_rule_labels(item: JsonObject, rule: JsonObject, texts: Mapping[str, Json], *, makes: bool) -> JsonObject:
    """Return an object with texts added at the paths of a rule that matches it."""
    if not is_for(rule.get("resourceMatchers"), item):
        return item
    for path in paths_of(rule):
        try:
            item = mapping(with_texts(item, path, texts, makes=makes))
        except PathError as fault:
            where = f"StringMapAppendMod for path '{path_text(path)}' on resource '{description(item)}'"
            raise PathError(f"{where}: {fault}") from None
    return item


def unique_key(item: JsonObject, name: str = "") -> str:
    """Return the key by which kapp identifies an object in any version; ``name`` overrides its name."""
    ref = ref_of(item)
    return f"{ref.namespace}/{ref.group}/{ref.kind}/{name or ref.name}"


def association(item: JsonObject) -> str:
    """Return the label value that links related objects to an object."""
    return f"v1.{hashlib.md5(unique_key(item).encode(), usedforsecurity=False).hexdigest()}"


def with_identity(item: JsonObject) -> JsonObject:
    """Return an object with the annotation that identifies it as written by kapp."""
    text = f"v1;{unique_key(item)};{ref_of(item).api_version}"
    return mapping(with_texts(item, ("metadata", "annotations"), {IDENTITY: text}, makes=True))


def without_identity(item: JsonObject) -> JsonObject:
    """Return an object without the identity annotation."""
    return mapping(remove_at(item, ("metadata", "annotations", IDENTITY)))


def is_written_by_kapp(item: JsonObject) -> bool:
    """Return whether kapp has written this object; copies of its labels do not count."""
    text = annotations_of(item).get(IDENTITY)
    pieces = text.split(";") if isinstance(text, str) else []
    return len(pieces) == 3 and pieces[:2] == ["v1", unique_key(item)]


def as_compared(item: JsonObject, app: KappApp) -> JsonObject:
    """Return a live object as kapp compares it: without a matching identity annotation."""
    text = str(annotations_of(item).get(IDENTITY))
    is_plain = app.owns(item) and is_written_by_kapp(item) and text.endswith(f";{ref_of(item).api_version}")
    return without_identity(item) if is_plain else item


@dataclass(frozen=True, slots=True)
class KappWrite:
    """The settings for writing one object; its manifest has the labels of the app already."""

    app: KappApp
    rules: KappRules = field(default=KappRules(), repr=False)
    strategy: str = ""
    """The default update strategy."""
    by_memory: bool = True
    """Whether kapp compares with its last written manifest if no one has changed the object since."""
    is_new_version: bool = False
    """Whether the object is created as a new version, even if it exists."""
