"""Objects of kustomizations that only list files, read without starting kustomize.

Kustomize changes nothing but the order of such objects. Wherever it might do more, or fail, the result is ``None``: it
reads YAML 1.2, where kubectl reads YAML 1.1, so values that the two read differently count as such a case. So do
duplicates, objects without a name, annotations for kustomize, and references that get a namespace.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from yaml.events import AliasEvent, MappingEndEvent, MappingStartEvent, ScalarEvent, SequenceEndEvent

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json, JsonObject, dig, items, mapping, text_at
from kubectl_applylint.sources.render.kustomization import Folders, kustomization_in
from kubectl_applylint.sources.render.kustomize_positions import FilePositions
from kubectl_applylint.sources.text.classify import KUSTOMIZATION_FILES, is_kustomization
from kubectl_applylint.sources.text.manifests import Input, first_document, read_text
from kubectl_applylint.sources.text.yaml_events import YamlError, events
from kubectl_applylint.sources.text.yaml_scalars import plain

_FIELDS: Final = frozenset({"apiVersion", "kind", "resources"})
_HEADERS: Final = (("kustomize.config.k8s.io/v1beta1", "Kustomization"), ("", ""))
_SPECIAL: Final = regex(
    rb"^(?:%|\.\.\.|---[^\r\n]*[^\s])|\r|\t|config\.kubernetes\.io|config\.k8s\.io/|\$patch|\bkind[\"']?\s*:\s*[\"']?\w*List\b",
    re.MULTILINE,
)
"""Matches directives, texts after separators, and what kustomize may treat in another way than other values."""
_SEPARATOR: Final = regex(r"^---[ ]*$", re.MULTILINE)
_INTEGER: Final = regex(r"0|-?[1-9][0-9]{0,14}")
_NUMBER_LIKE: Final = regex(r"[-+.0-9][-+.,:_0-9a-fA-FoOxXtTzZ ]*")
"""Matches what some version of YAML may read as a number or a date."""
_WORDS: Final = frozenset({"true", "false", "null", "~", ""})
"""The words for booleans and null that all versions of YAML read alike."""
_ORDER: Final = (
    *("Namespace", "ResourceQuota", "StorageClass", "CustomResourceDefinition", "ServiceAccount", "PodSecurityPolicy"),
    *("Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding", "ConfigMap", "Secret", "Endpoints", "Service"),
    *("LimitRange", "PriorityClass", "PersistentVolume", "PersistentVolumeClaim", "Deployment", "StatefulSet"),
    *("CronJob", "PodDisruptionBudget"),
)
"""The kinds that kustomize prints first, in their order (``legacySortOptions``)."""
_LAST: Final = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")


@dataclass(frozen=True, slots=True)
class PlainObjects:
    """The objects that kustomize would print, and the file of each."""

    found: Input
    paths: tuple[str, ...] = field(repr=False)


def plain_objects(path: str, where: Folders) -> PlainObjects | None:
    """Return the objects of a kustomization that only lists files, or ``None`` for any other."""
    files = _listed_files(path, where, ())
    if not files:
        return None
    every = [(file, one) for file in files for one in _documents(file, where)]
    documents = [one for _, one in every if one]
    names = {(one.ref.api_version, one.ref.kind, one.ref.name) for one in documents}
    if len(names) < len(every) or not _are_kept([one.object for one in documents]):
        return None
    pairs = sorted(((file, one) for file, one in every if one), key=lambda pair: _rank(pair[1].ref))
    printed = (_as_printed(one, number) for number, (_, one) in enumerate(pairs))
    return PlainObjects(Input(tuple(printed)), tuple(file for file, _ in pairs))


def _listed_files(path: str, where: Folders, above: tuple[str, ...]) -> list[str] | None:
    """Return the files that a kustomization and those in it list, or ``None`` if one of them does anything else."""
    folder = posixpath.dirname(path)
    names = [name for name in KUSTOMIZATION_FILES if where.has(posixpath.join(folder, name))]
    text = where.read(path)
    if not path or path in above or len(names) > 1 or _SPECIAL.search(text.replace(_HEADERS[0][0].encode(), b"")):
        return None
    document = _only_value(text)
    header = (document.get("apiVersion", ""), document.get("kind", ""))
    listed = document.get("resources")
    if not document.keys() <= _FIELDS or header not in _HEADERS or not isinstance(listed, list):
        return None
    found: list[str] = []
    for one in listed:
        inner = _inner_files(one, folder, where, (*above, path))
        if inner is None:
            return None
        found += inner
    return found


def _inner_files(entry: Json, folder: str, where: Folders, above: tuple[str, ...]) -> list[str] | None:
    """Return the files of an entry of ``resources``."""
    if not isinstance(entry, str) or not entry or posixpath.isabs(entry):
        return None
    inner = posixpath.normpath(posixpath.join(folder, entry))
    if where.has(inner):
        # Kustomize reads no file outside of the folder, and builds folders wherever they are.
        is_inside = not folder or inner.startswith(f"{folder}/")
        return [inner] if is_inside and not is_kustomization(inner) else None
    return _listed_files(kustomization_in("" if inner == "." else inner, where), where, above)


def _only_value(text: bytes) -> JsonObject:
    """Return the value of a text with one plain document, else an empty one."""
    try:
        decoded = text.decode()
    except UnicodeDecodeError:
        return {}
    values = [one for one in _SEPARATOR.split(decoded) if one.strip()]
    if len(values) != 1 or not _is_plain(values[0]):
        return {}
    return mapping(first_document(text))


def _documents(file: str, where: Folders) -> Iterator[Document | None]:
    """Yield the objects of a file; ``None`` if kustomize may read another value than kubectl, or fail."""
    content = where.read(file)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        yield None
        return
    # Without a newline at the end, parsers read different texts in a literal block.
    is_plain = content.endswith(b"\n") and not _SPECIAL.search(content) and all(map(_is_plain, _SEPARATOR.split(text)))
    found = read_text(text, file) if is_plain else Input()
    if not found.documents or found.problems or found.skipped:
        yield None
    yield from (one if one.ref.name else None for one in found.documents)


def _is_plain(text: str) -> bool:
    """Return whether all versions of YAML read the same values in a document, with texts as keys."""
    if text.lstrip().startswith("{"):
        return False
    try:
        return _are_plain(events(text))
    except YamlError:
        return False


def _are_plain(every: Iterable[Any]) -> bool:
    maps: list[_Around] = [_Around(is_map=False)]
    for event in every:
        if type(event) in (MappingEndEvent, SequenceEndEvent):
            maps.pop()
            continue
        is_key = maps[-1].next_is_key()
        if type(event) is AliasEvent or event.anchor or event.tag or (is_key and not maps[-1].adds(event)):
            return False
        if type(event) is not ScalarEvent:
            maps.append(_Around(is_map=type(event) is MappingStartEvent))
        elif not (_is_short(event) and (not event.implicit[0] or _is_same(event.value, is_key=is_key))):
            return False
    return True


@dataclass(slots=True)
class _Around:
    """The map or list around an event, with its keys."""

    is_map: bool
    keys: set[str] = field(default_factory=set)
    is_at_key: bool = False

    def next_is_key(self) -> bool:
        """Return whether the next event is a key of a map."""
        self.is_at_key = self.is_map and not self.is_at_key
        return self.is_at_key

    def adds(self, event: Any) -> bool:
        """Add a key; return whether it is a new text."""
        size = len(self.keys)
        self.keys.add(event.value if type(event) is ScalarEvent else "")
        return type(event) is ScalarEvent and len(self.keys) > size


def _is_short(event: Any) -> bool:
    """Return whether a scalar is a literal block or in one line: parsers of YAML fold lines in different ways."""
    return bool(event.style == "|" or event.start_mark.line == event.end_mark.line)


def _is_same(text: str, *, is_key: bool) -> bool:
    """Return whether all versions of YAML read the same value in a plain scalar, and a text in a key."""
    if text in _WORDS or _INTEGER.fullmatch(text):
        return not is_key
    return text != "<<" and isinstance(plain(text), str) and not _NUMBER_LIKE.fullmatch(text)


def _are_kept(objects: Sequence[JsonObject]) -> bool:
    """Return whether kustomize leaves references among objects as they are.

    A reference to a ServiceAccount or a Service by name alone gets the namespace of that object.
    """
    targets = {
        kind: {text_at(one, "metadata", "name") for one in objects if one.get("kind") == kind}
        for kind in ("ServiceAccount", "Service")
    }
    return all(
        isinstance(reference, dict)
        and isinstance(reference.get("name"), str)
        and ("namespace" in reference or reference["name"] not in targets[kind])
        for one in objects
        for kind, reference in _references(one)
    )


def _references(item: JsonObject) -> Iterator[tuple[str, Json]]:
    """Yield the references of an object that have a namespace, each with the kind that it names."""
    subjects = item.get("subjects")
    if subjects is not None:
        yield from (("ServiceAccount", one) for one in (subjects if isinstance(subjects, list) else [None]))
    others = (mapping(item.get("parameters")).get("secretRef"), dig(item, "spec", "configSource", "configMap"))
    yield from (("", None) for one in others if isinstance(one, dict))
    for hook in items(item.get("webhooks")):
        service = mapping(mapping(hook).get("clientConfig")).get("service")
        if service is not None:
            yield "Service", service


def _rank(ref: ObjectRef) -> tuple[int, str, str]:
    """Return the place of an object in what kustomize prints (``legacyIDSorter``)."""
    first = _ORDER.index(ref.kind) - len(_ORDER) if ref.kind in _ORDER else 0
    number = _LAST.index(ref.kind) + 1 if ref.kind in _LAST else first
    version = ref.api_version.rpartition("/")[2]
    return number, f"{ref.group or '~G'}_{version}_{ref.kind}", f"{ref.namespace or '~X'}|{ref.name}"


def _as_printed(document: Document, number: int) -> Document:
    return replace(document, index=number, object=mapping(_in_key_order(document.object)), positions=FilePositions())


def _in_key_order(value: Json) -> Json:
    """Return a value with its keys in order, as kustomize prints them."""
    match value:
        case dict():
            return {key: _in_key_order(value[key]) for key in sorted(value)}
        case list():
            return [*map(_in_key_order, value)]
        case _:
            return value
