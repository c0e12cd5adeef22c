"""The CustomResourceDefinitions in the files of a repository, parsed on demand by kind."""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.state import Identity
from kubectl_applylint.core.values import JsonObject, dig, items, mapping, text_at
from kubectl_applylint.engine.cluster_model import CRD_KIND, is_definition
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.schema.types import Gvk
from kubectl_applylint.sources.files.files import EXTENSIONS

Definitions = Callable[[Collection[Gvk]], tuple[tuple[Identity, JsonObject], ...]]
"""Returns the definitions of kinds, each with its identity."""


def definition_finder(side: Side) -> Definitions:
    """Return a finder of definitions in a repository; templates are ignored.

    Only files whose text contains the requested group and kind are parsed.
    """

    @cache
    def candidates() -> tuple[tuple[str, bytes], ...]:
        paths = [path for path in sorted(side.mentioning([CRD_KIND])) if path.endswith(EXTENSIONS)]
        texts = side.contents(paths)
        return tuple((path, texts[path]) for path in paths if path in texts and b"{{" not in texts[path])

    @cache
    def mentioning(group: str, kind: str) -> frozenset[str]:
        return frozenset(path for path, text in candidates() if _mentions(text, group, kind))

    @cache
    def read(path: str) -> tuple[tuple[Identity, JsonObject], ...]:
        documents = side.read([path]).documents
        return tuple((one.ref.identity, one.object) for one in documents if is_definition(one.ref))

    def found(kinds: Collection[Gvk]) -> tuple[tuple[Identity, JsonObject], ...]:
        wanted = {(version.partition("/")[0], kind) for version, kind in kinds if "/" in version}
        named = frozenset[str]().union(*(mentioning(*names) for names in wanted))
        paths = [path for path, _ in candidates() if path in named]
        every = (one for path in paths for one in read(path))
        return tuple(_first_definitions(every, wanted))

    return found


def definitions_in(side: Side) -> tuple[Document, ...]:
    """Return the definitions in the files of a repository that are no templates."""
    texts = side.contents([path for path in sorted(side.mentioning([CRD_KIND])) if path.endswith(EXTENSIONS)])
    paths = [path for path, text in texts.items() if b"{{" not in text]
    return tuple(document for document in side.read(paths).documents if is_definition(document.ref))


def api_versions_of(definitions: Iterable[Document]) -> tuple[str, ...]:
    """Return the API versions that definitions add, as charts ask for them: with and without the kind."""
    found: set[str] = set()
    for one in definitions:
        spec = one.object.get("spec")
        group, kind = text_at(spec, "group"), text_at(spec, "names", "kind")
        served = (item for item in items(dig(spec, "versions")) if mapping(item).get("served") is True)
        names = [f"{group}/{text_at(item, 'name')}" for item in served]
        found.update(names, (f"{name}/{kind}" for name in names))
    return tuple(sorted(found))


def _mentions(text: bytes, group: str, kind: str) -> bool:
    return group.encode() in text and kind.encode() in text


def _first_definitions(
    every: Iterator[tuple[Identity, JsonObject]], wanted: Collection[tuple[str, str]]
) -> Iterator[tuple[Identity, JsonObject]]:
    """Yield the first definition of each requested kind."""
    seen: set[Identity] = set()
    for name, definition in every:
        group, kind = dig(definition, "spec", "group"), dig(definition, "spec", "names", "kind")
        if (group, kind) in wanted and name not in seen:
            seen.add(name)
            yield name, definition
