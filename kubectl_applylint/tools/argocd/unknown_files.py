"""Patterns of the files that Applications of a set may apply, if the set or their sources are not evaluated."""

from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject, dig, items, mapping, text_at, texts_at
from kubectl_applylint.tools.argocd.application_sources import sources_of
from kubectl_applylint.tools.argocd.templates import LINE_ACTION, has_actions
from kubectl_applylint.units.remotes import is_same_repository

_PATH: Final = regex(r"(?<![\w./:-])(?:[\w.-]+/)+")
"""Matches the names of folders at the begin of a path in a text."""
_URL: Final = regex(r"(?<!\w)\w{1,9}://\S*")


def files_of_set(item: JsonObject, remotes: Collection[str]) -> tuple[str, ...]:
    """Return patterns of the files of the repository that the Applications of a set may depend on."""
    spec = mapping(item.get("spec"))
    generators = [*_generators(items(spec.get("generators")))]
    templates = [spec.get("template"), *(dig(one, "template") for one in generators)]
    sources = chain.from_iterable(files_of_application(mapping(one), remotes) for one in templates)
    read = chain.from_iterable(_files_of_generator(one, remotes) for one in generators)
    patch = _URL.sub("", text_at(spec, "templatePatch"))
    return tuple(dict.fromkeys((*sources, *read, *(f"{path}**" for path in _PATH.findall(patch)))))


def files_of_application(application: JsonObject, remotes: Collection[str]) -> tuple[str, ...]:
    """Return patterns of the files of the repository that an Application may depend on.

    A source of a repository that is not known has none, nor has a path that is not known at all.
    """
    found: list[str] = []
    for source in sources_of(application):
        if has_actions(source.url) or not is_same_repository(source.url, remotes):
            continue
        found += _pattern(source.path, "/**")
    for name in chain.from_iterable(texts_at(one.options, "helm", "valueFiles") for one in sources_of(application)):
        first, _, rest = name.partition("/")
        found += _pattern(rest) if first.startswith("$") or not first else ()
    return tuple(found)


def _generators(every: Iterable[Json]) -> Iterator[JsonObject]:
    """Yield what each generator has under its kind, also inside of others."""
    for spec in chain.from_iterable(mapping(one).values() for one in every):
        yield mapping(spec)
        yield from _generators(items(dig(spec, "generators")))


def _files_of_generator(spec: JsonObject, remotes: Collection[str]) -> Iterator[str]:
    """Yield patterns of the files that a generator reads, and of those in the folders that it finds."""
    if not is_same_repository(text_at(spec, "repoURL"), remotes):
        return
    for key, rest in (("files", ""), ("directories", "/**")):
        for one in items(spec.get(key)):
            if dig(one, "exclude") is not True:
                yield from _pattern(text_at(one, "path"), rest)


def _pattern(path: str, rest: str = "") -> Iterator[str]:
    """Yield a path as a pattern, in which a parameter may be anything; none if it is a parameter."""
    name = path.removeprefix("./").strip("/")
    text = LINE_ACTION.sub(lambda action: "**" if "path" in action[0] else "*", name)
    if text.strip("*/."):
        yield f"{text}{rest}"
