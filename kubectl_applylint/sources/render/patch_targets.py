"""Patches of a kustomization that match no object; kustomize ignores them silently.

A patch that names its object in its own text fails without a match; one with ``target`` does not (``PatchTransformer``
of kustomize). Selectors by labels and annotations are not examined.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.patterns.linear import Matcher, compile_linear
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import Json, JsonObject, items, mapping, text_at
from kubectl_applylint.lint.checks._names import name_without_hash

_FIELDS: Final = ("patches", "patchesJson6902")
_DELETION: Final = "$patch"
_EXTENSIONS: Final = (".yaml", ".yml", ".json")
_COMMENTS: Final = ("#", "---")
_WORDS: Final = ("group", "version", "kind", "name", "namespace")


def unmatched_patches(
    kustomization: Json, rendered: Sequence[Document], text_of: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    """Yield each patch that matches no object: its place (``patches[1]``), and its target in words.

    ``text_of`` returns the text of a file that the kustomization names. A patch that deletes its target counts as
    matching. None is yielded if a resource is an empty file: a program such as ``flux bootstrap`` writes it later.
    """
    if any(map(_is_placeholder, map(text_of, _resource_files(kustomization)))):
        return
    start, end = (text_at(kustomization, key) for key in ("namePrefix", "nameSuffix"))
    refs = [ref for document in rendered for ref in _names(document, start, end)]
    for field in _FIELDS:
        for position, patch in enumerate(items(mapping(kustomization).get(field))):
            target = mapping(mapping(patch).get("target"))
            words = text_at(patch, "patch") or text_of(text_at(patch, "path"))
            if target and _DELETION not in words and not any(_matches_target(target, ref) for ref in refs):
                named = ", ".join(f"{word}: {target[word]}" for word in _WORDS if target.get(word))
                yield f"{field}[{position}]", named


def _resource_files(kustomization: Json) -> Iterator[str]:
    listed = items(mapping(kustomization).get("resources"))
    yield from (one for one in listed if isinstance(one, str) and one.endswith(_EXTENSIONS))


def _is_placeholder(text: str) -> bool:
    """Return whether a text has nothing but comments."""
    return all(line.startswith(_COMMENTS) for line in map(str.strip, text.splitlines()) if line)


def _names(document: Document, start: str, end: str) -> Iterator[ObjectRef]:
    """Yield the names of an object: the final one, the one in its file, and the one before this kustomization added to
    it.
    """
    ref = document.ref
    yield ref
    if document.source is not None:
        yield ref_of(document.source)
    own = ref.name.removeprefix(start).removesuffix(end)
    yield from (replace(ref, name=name) for name in (own, name_without_hash(own).removesuffix(end)) if name)


def _matches_target(target: JsonObject, ref: ObjectRef) -> bool:
    """Return whether all parts of a target match, as anchored regular expressions of Go (``Selector``)."""
    version = ref.api_version.rpartition("/")[2]
    parts = {"group": ref.group, "version": version, "kind": ref.kind, "name": ref.name}
    return all(_matches(target[word], value) for word, value in parts.items() if text_at(target, word))


def _matches(pattern: str, value: str) -> bool:
    """Return whether a pattern matches; invalid patterns and those that might not end count as matching."""
    read = compile_linear(f"^(?:{pattern})$")
    return not isinstance(read, Matcher) or read.is_match(value) is not False
