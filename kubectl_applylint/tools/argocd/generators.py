"""Generators of an ``ApplicationSet``: the template parameters that can be derived from the repository.

Parameters are values under the names that templates use (``path.basename``, ``path[0]``): texts, or with Go templates
what the files have. A generator that needs external data (clusters, pull requests) yields one empty set of parameters,
and one that Argo CD rejects raises ``GeneratorError``.
"""

import json
import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import Final, TypeAlias

from kubectl_applylint.core.gotext import as_go_decodes, show
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject, dig, items, mapping, text_at, texts_at
from kubectl_applylint.sources.text.manifests import first_document
from kubectl_applylint.sources.text.stream import pieces
from kubectl_applylint.sources.text.yaml_events import YamlError
from kubectl_applylint.tools.argocd.clusters import has_known_clusters, selected_clusters
from kubectl_applylint.tools.argocd.directory_globs import glob_matcher
from kubectl_applylint.tools.argocd.templates import LINE_ACTION, has_actions, render
from kubectl_applylint.units.reading import boolean_at, is_too_deep, matching
from kubectl_applylint.units.remotes import is_same_repository, revision_named

Parameters: TypeAlias = Mapping[str, Json]
_STARS: Final = regex(r"\*+")
_SPECIAL: Final = regex(r"[*?\[\\]")
_BRACES: Final = regex(r"[{}]")
_NOT_IN_NAMES: Final = regex(r"[^a-z0-9.-]+")
MOST_APPLICATIONS: Final = 1000
"""The maximum number of Applications per generator, since matrix generators multiply."""
TOO_MANY: Final = f"more than {MOST_APPLICATIONS} Applications are generated"
"""The reason why further Applications of a generator are not known."""
_DEEPEST: Final = 2
"""The maximum nesting of matrix generators, as in Argo CD."""
_KNOWN: Final = ("list", "git", "matrix", "merge")


class GeneratorError(Exception):
    """A generator that Argo CD rejects, so that nothing is generated from the whole set; the text is the reason."""


@dataclass(frozen=True, slots=True)
class RepositoryView:
    """The view of a git generator on the repository: files, folders, file contents, and remotes."""

    files: Collection[str]
    folders: Collection[str]
    read: Callable[[str], bytes]
    remotes: Collection[str]
    clusters: Collection[JsonObject] = ()
    """The Secrets of clusters; without any, no cluster is known."""
    is_here: Callable[[str], bool] = lambda _: True
    """Returns whether a revision is the examined one."""
    is_assumed: Callable[[str], bool] = lambda _: False
    """Returns whether a revision is taken to be the examined one, since no default branch is known."""
    has_unknown: bool = False
    """Whether template actions in a pattern are parameters that are not known; else they match themselves."""


def parameters(generator: Json, repo: RepositoryView, *, is_go: bool) -> Iterator[Parameters]:
    """Yield the parameter sets of one generator, without those that its selector leaves out.

    There is at most one more than ``MOST_APPLICATIONS``.
    """
    return islice(_selected_parameters(mapping(generator), repo, is_go=is_go, depth=0), MOST_APPLICATIONS + 1)


def _selected_parameters(
    generator: JsonObject, repo: RepositoryView, *, is_go: bool, depth: int
) -> Iterator[Parameters]:
    found = _generator_parameters(generator, repo, is_go=is_go, depth=depth)
    selector = mapping(generator.get("selector"))
    if not selector:
        return found
    every = ({} if _is_undecided(selector, values) else values for values in found)
    return (values for values in every if not values or _is_selected(selector, values))


def _is_undecided(selector: JsonObject, values: Parameters) -> bool:
    """Return whether a selector depends on a template action that is not evaluated."""
    keys = (text_at(one, "key") for one in items(selector.get("matchExpressions")))
    names = (*mapping(selector.get("matchLabels")), *keys)
    return any(has_actions(_text(values, name) or "") for name in names)


def _is_selected(selector: JsonObject, values: Parameters) -> bool:
    """Return whether parameters match a selector, as if they were labels."""
    labels = mapping(selector.get("matchLabels"))
    expressions = items(selector.get("matchExpressions"))
    has_labels = all(_text(values, name) == value for name, value in labels.items())
    return has_labels and all(_matches(mapping(one), values) for one in expressions)


def _text(values: Parameters, name: str) -> str | None:
    """Return a parameter as text, ``None`` if there is none of the name."""
    return show(values[name]) if name in values else None


def _matches(expression: JsonObject, values: Parameters) -> bool:
    value, listed = _text(values, text_at(expression, "key")), items(expression.get("values"))
    match text_at(expression, "operator"):
        case "In":
            return value in listed
        case "NotIn":
            return value not in listed
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
        case _:
            return False


def _generator_parameters(
    generator: JsonObject, repo: RepositoryView, *, is_go: bool, depth: int
) -> Iterator[Parameters]:
    """Return the parameter sets of one generator without the limit; one without a kind has none."""
    kinds = [name for name, one in generator.items() if isinstance(one, dict) and name != "selector"]
    if depth and len(kinds) != 1:
        raise GeneratorError(f"a generator of a matrix or a merge generator has {len(kinds)} kinds")
    if not kinds:
        return iter(())
    kind = next((name for name in _KNOWN if isinstance(generator.get(name), dict)), "")
    spec = mapping(generator.get(kind))
    if kind == "matrix" and depth < _DEEPEST:
        return _products(items(spec.get("generators")), repo, is_go=is_go, depth=depth)
    if kind == "merge" and depth < _DEEPEST:
        return _merged_parameters(spec, repo, is_go=is_go, depth=depth)
    if kind == "git":
        return _git_parameters(spec, repo, is_go=is_go)
    if has_known_clusters(generator, repo.clusters):
        return _of_clusters(mapping(generator["clusters"]), repo, is_go=is_go)
    return _elements(spec, is_go=is_go) if kind == "list" else iter([{}])


def has_all_parameters(generator: Json) -> bool:
    """Return whether all parameters of a generator are known, so that other names have no value."""
    found = {name: spec for name, spec in mapping(generator).items() if isinstance(spec, dict) and name != "selector"}
    inner = (one for name in ("matrix", "merge") for one in items(dig(found.get(name), "generators")))
    return found.keys() <= set(_KNOWN) and all(map(has_all_parameters, inner))


def _of_clusters(spec: JsonObject, repo: RepositoryView, *, is_go: bool) -> Iterator[Parameters]:
    more = dict(_flatten("values", spec.get("values"), is_go=is_go))
    for values in selected_clusters(repo.clusters, mapping(dig(spec, "selector", "matchLabels"))):
        named = {**values, "nameNormalized": _dns_label(show(values["name"]))} if "name" in values else values
        yield {**named, **mapping(render(more, named, is_go=is_go))}


def unknown_generators(generator: Json, repo: RepositoryView) -> Iterator[tuple[str, Json]]:
    """Yield the names of generators that need data from outside of the repository, each with its settings."""
    known = (*_KNOWN, "selector", *(["clusters"] if has_known_clusters(mapping(generator), repo.clusters) else []))
    for name, spec in mapping(generator).items():
        if isinstance(spec, dict) and name not in known:
            yield name, spec
    git = mapping(dig(generator, "git"))
    if other := _other_files(git, repo):
        yield f"git of {other}", git
    for one in items(dig(generator, "matrix", "generators")):
        yield from unknown_generators(one, repo)
    # Of merged generators, each may give what another one overrides.
    merged = dig(generator, "merge")
    names = [name for one in items(dig(merged, "generators")) for name, _ in unknown_generators(one, repo)]
    if names:
        yield ", ".join(dict.fromkeys(names)), merged


def _merged_parameters(spec: JsonObject, repo: RepositoryView, *, is_go: bool, depth: int) -> Iterator[Parameters]:
    """Yield the parameters of the first generator with those of the others that have the same merge keys."""
    every = [
        [*islice(_selected_parameters(mapping(one), repo, is_go=is_go, depth=depth + 1), MOST_APPLICATIONS + 1)]
        for one in items(spec.get("generators"))
    ]
    names = texts_at(spec, "mergeKeys")
    key_of = partial(_merge_key, names, is_go=is_go)
    if len(every) < 2:
        raise GeneratorError("a merge generator needs at least two generators")
    if not names:
        raise GeneratorError("a merge generator has no mergeKeys")
    if any({} in found for found in every):
        yield {}
        return
    if not all(_are_unique(found, key_of) for found in every):
        raise GeneratorError(f"several parameters of a generator have the same mergeKeys ({', '.join(names)})")
    others = [{key_of(one): one for one in found} for found in every[1:]]
    for values in every[0]:
        key = key_of(values)
        for one in (found[key] for found in others if key in found):
            values = _merge_parameters(one, values) if is_go else {**values, **one}
        yield values


def _are_unique(found: Sequence[Parameters], key_of: Callable[[Parameters], str]) -> bool:
    """Return whether all parameter sets have different merge keys."""
    return len(set(map(key_of, found))) == len(found)


def _merge_key(names: Sequence[str], values: Parameters, *, is_go: bool) -> str:
    """Return the values of merge keys; for Go templates, a key may be an object, and no field of one."""
    keys = {name: name[:1] + name[1:].partition(".")[0] if is_go else name for name in values}
    return json.dumps({name: values[name] for name in values if keys[name] in names}, sort_keys=True, default=str)


def _products(generators: list[Json], repo: RepositoryView, *, is_go: bool, depth: int) -> Iterator[Parameters]:
    """Yield the combined parameters of two generators; the second may use parameters of the first."""
    if len(generators) != 2:
        raise GeneratorError(f"a matrix generator needs two generators, and has {len(generators)}")
    first, second = map(mapping, generators)
    inner = replace(repo, has_unknown=True) if any(unknown_generators(first, repo)) else repo
    for values in islice(_selected_parameters(first, repo, is_go=is_go, depth=depth + 1), MOST_APPLICATIONS + 1):
        filled = mapping(render(second, values, is_go=is_go))
        for more in _selected_parameters(filled, inner, is_go=is_go, depth=depth + 1):
            yield _merge_parameters(values, _without_nulls(more)) if is_go else _combine_parameters(values, more)


def _merge_parameters(values: Parameters, others: Parameters) -> Parameters:
    """Return parameters of Go templates as one set; ``values`` override others, also those inside of them."""
    whole = set(map(_field, values))
    above = {one for name in whole for one in _starts(name)}
    fields = ((_field(name), name) for name in others)
    rest = [name for field, name in fields if field not in above and whole.isdisjoint(_starts(field))]
    return {**{name: others[name] for name in rest}, **values}


def _without_nulls(values: Parameters) -> Parameters:
    """Return parameters without nulls in objects, which a merge into new ones leaves out."""
    nulls = [name for name, value in values.items() if value is None and "." in name]
    objects = {f"{name.rpartition('.')[0]}.": "" for name in nulls}
    return {**{name: value for name, value in values.items() if name not in nulls}, **objects} if nulls else values


def _field(name: str) -> str:
    """Return the field of a parameter; ``path[0]`` is an element of ``path.segments``."""
    return f"{name.partition('[')[0]}.segments" if name.endswith("]") else name


def _starts(name: str) -> Iterator[str]:
    """Yield a dotted name and the names of all objects that it is in."""
    while name:
        yield name
        name = name.rpartition(".")[0]


def _combine_parameters(values: Parameters, others: Parameters) -> Parameters:
    """Return parameters as one set; raise ``GeneratorError`` if they contradict each other."""
    for name in sorted(values.keys() & others.keys()):
        if values[name] != others[name]:
            raise GeneratorError(f"both generators of a matrix have the parameter {name}, with different values")
    return {**values, **others}


def _elements(spec: JsonObject, *, is_go: bool) -> Iterator[Parameters]:
    """Yield the parameters of a list generator, one empty set if those of ``elementsYaml`` are not known."""
    text = text_at(spec, "elementsYaml")
    added = first_document(text.encode()) if text and is_go and not has_actions(text) else None
    if "elementsYaml" in spec and (not isinstance(added, list) or is_too_deep(added)):
        return iter([{}])
    own = items(spec.get("elements"))
    for element in own:
        _reject_element(element, is_go=is_go)
    return (dict(_flatten("", element, is_go=is_go)) for element in (*own, *items(added)))


def _reject_element(element: Json, *, is_go: bool) -> None:
    """Raise ``GeneratorError`` for an element that Argo CD cannot read; without Go templates, all values are texts."""
    if not isinstance(element, dict):
        raise GeneratorError("an element of a list is not an object")
    if is_go:
        return
    inner = mapping(element.get("values"))
    for name, value in (*element.items(), *((f"values.{name}", value) for name, value in inner.items())):
        if not isinstance(value, str) and not (name == "values" and isinstance(value, dict)):
            raise GeneratorError(f"{name} in an element of a list is not a string, which goTemplate: true would permit")


def _git_parameters(spec: JsonObject, repo: RepositoryView, *, is_go: bool) -> Iterator[Parameters]:
    if _other_files(spec, repo):
        yield {}
        return
    more = dict(_flatten("values", spec.get("values"), is_go=is_go))
    prefix = text_at(spec, "pathParamPrefix")
    start = f"{prefix}.path" if prefix else "path"
    for values in chain(
        _folder_parameters(spec, repo, start, is_go=is_go), _file_parameters(spec, repo, start, is_go=is_go)
    ):
        yield {**values, **mapping(render(more, values, is_go=is_go))}


def _other_files(spec: JsonObject, repo: RepositoryView) -> str:
    """Return the other repository or revision that a git generator reads, empty if it reads the examined files."""
    url, revision = text_at(spec, "repoURL"), revision_named(text_at(spec, "revision"))
    if not is_same_repository(url, repo.remotes):
        return url
    return "" if repo.is_here(revision) else revision


def _folder_parameters(spec: JsonObject, repo: RepositoryView, start: str, *, is_go: bool) -> Iterator[Parameters]:
    """Yield the parameters of each matching folder; hidden folders never match.

    Patterns are those of Go's ``path.Match``, in which two stars match no more than one.
    """
    patterns = [
        {**mapping(one), "path": _STARS.sub("*", text_at(one, "path"))} for one in items(spec.get("directories"))
    ]
    folders = _matching_paths(patterns, repo.folders, has_unknown=repo.has_unknown)
    return (_path_parameters(folder, start, is_go=is_go) for folder in folders if folder and not _is_hidden(folder))


def _file_parameters(spec: JsonObject, repo: RepositoryView, start: str, *, is_go: bool) -> Iterator[Parameters]:
    """Yield the parameters of each matching file: its path and its contents."""
    for path in _matching_paths(spec.get("files"), repo.files, _matching_files, has_unknown=repo.has_unknown):
        folder, _, name = path.rpartition("/")
        folder = folder or "."
        named = {f"{start}.filename": name, f"{start}.filenameNormalized": _dns_label(name)}
        for one in _objects(path, repo.read(path)):
            yield {**dict(_flatten("", one, is_go=is_go)), **_path_parameters(folder, start, is_go=is_go), **named}


def _objects(path: str, text: bytes) -> Iterable[JsonObject]:
    """Return the object in a file, or those in its list; raise ``GeneratorError`` if it has something else."""
    try:
        content = next((piece.value for piece in pieces(text.decode())), None) if text.strip() else None
    except (YamlError, UnicodeDecodeError) as error:
        raise GeneratorError(f"{path} cannot be parsed") from error
    found = content if isinstance(content, list) else [content or {}]
    for one in found:
        if not isinstance(one, dict):
            raise GeneratorError(f"{path} has no object, and no list of objects")
        if is_too_deep(one):
            raise GeneratorError(f"{path} is nested too deeply")
    return found


def _matching_paths(
    patterns: Json,
    paths: Collection[str],
    find: Callable[[str, Collection[str]], Iterable[str]] = matching,
    *,
    has_unknown: bool,
) -> list[str]:
    """Return the sorted paths that match the patterns and no excluding pattern."""
    chosen: set[str] = set()
    left_out: set[str] = set()
    for pattern in items(patterns):
        text = text_at(pattern, "path").removeprefix("./")
        found = _matching_any(text, paths, find) if has_unknown and has_actions(text) else find(text, paths)
        (left_out if boolean_at(pattern, "exclude") else chosen).update(found)
    return sorted(chosen - left_out)


def _matching_any(
    pattern: str, paths: Collection[str], find: Callable[[str, Collection[str]], Iterable[str]]
) -> Iterable[str]:
    """Return the paths that match a pattern with some value for each parameter that is not known."""
    # No name has a slash, which a star matches in files.
    is_deep = "*" in pattern or any("path" in action for action in LINE_ACTION.findall(pattern))
    found = find(LINE_ACTION.sub("*", pattern), paths)
    return found if is_deep else (path for path in found if path.count("/") == pattern.count("/"))


def _matching_files(pattern: str, paths: Collection[str]) -> Iterable[str]:
    """Return the files that ``git ls-files`` lists for a pattern: a star matches slashes, and a folder its files."""
    folder = pattern.rstrip("/")
    if not _SPECIAL.search(pattern):
        return (path for path in paths if path == pattern or path.startswith(f"{folder}/"))
    return filter(glob_matcher(_BRACES.sub(r"\\\g<0>", pattern).replace("[^", "[!")), paths)


def _is_hidden(folder: str) -> bool:
    return folder.startswith(".") or "/." in folder


def _path_parameters(folder: str, start: str, *, is_go: bool) -> Parameters:
    name = posixpath.basename(folder)
    segments = {f"{start}[{number}]": part for number, part in enumerate(folder.split("/"))}
    named = {f"{start}.basename": name, f"{start}.basenameNormalized": _dns_label(name)}
    return {f"{start}.path" if is_go else start: folder, **named, **segments}


def _dns_label(name: str) -> str:
    return _NOT_IN_NAMES.sub("-", name.lower()).strip("-.")[:253]


def _flatten(start: str, value: Json, *, is_go: bool) -> Iterator[tuple[str, Json]]:
    """Yield the scalars in a value as texts with dotted names; the name of an empty object ends with a dot.

    For Go templates all values are kept as they are, and lists are not taken apart.
    """
    for name, one in mapping(value).items():
        whole = f"{start}.{name}" if start else name
        if isinstance(one, dict):
            yield from _flatten(whole, one, is_go=is_go) if one else [(f"{whole}.", "")]
        elif is_go:
            yield whole, as_go_decodes(one)
        elif isinstance(one, str | int):
            yield whole, str(one).lower() if isinstance(one, bool) else str(one)
