"""The objects in the files of a side that configure installations of Argo CD."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import JsonObject, text_at
from kubectl_applylint.run.sides.renders import is_rendered, render_unit
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.sources.text.classify import is_kustomization
from kubectl_applylint.tools.argocd.declarations import ARGO_GROUP
from kubectl_applylint.units.model import Installation, Unit

PROJECT_KIND: Final = "AppProject"
_DEFAULT_PROJECT: Final = "default"
_GLOBAL: Final = "globalProjects"
"""The setting that merges projects into others."""
_SECRETS: Final = "argocd.argoproj.io/secret-type"
"""The label of Secrets with clusters and repositories, which permit these if they name a project."""
_NAMED_PROJECT: Final = regex(rb"(?m)^[ \t-]*[\"']?project[\"']?[ \t]*:")


def installation_finder(side: Side, units: Sequence[Unit] = ()) -> Callable[[JsonObject], Installation]:
    """Return a function that finds what configures the Argo CD of an Application.

    Objects that kustomizations change or charts make are read from the ``units`` that render them, others as they are
    written. No project is found if a kustomization that changes projects cannot be rendered, if projects are merged, or
    if Secrets add to them. Settings that have several values in the files are not known.
    """

    @cache
    def projects() -> Sequence[Document]:
        texts = _manifests(side, PROJECT_KIND)
        if _manifests(side, _GLOBAL) or any(map(_NAMED_PROJECT.search, _manifests(side, _SECRETS).values())):
            return ()
        rendered = _rendered_objects(side, units, texts, _is_project)
        rest = texts.keys() - rendered.files
        if any(map(is_kustomization, rest)):
            return ()
        plain = sorted(path for path in rest if b"{{" not in texts[path])
        written = side.read(plain).documents if plain else ()
        return [*rendered.documents, *(one for one in written if _is_project(one.ref))]

    @cache
    def settings(namespace: str) -> tuple[str, tuple[str, ...]]:
        # Only repositories with Applications need these modules.
        from kubectl_applylint.run.sides.argo_settings import WORDS, settings_in  # noqa: PLC0415  15 ms
        from kubectl_applylint.tools.argocd.settings import SETTINGS, merged_data  # noqa: PLC0415  15 ms

        texts = _manifests(side, *WORDS)
        named = {path: text for path, text in texts.items() if SETTINGS.encode() in text}
        rendered = _rendered_objects(side, units, named, lambda ref: ref.name == SETTINGS)
        made = {f"rendered {number}": _json_text(one) for number, one in enumerate(rendered.documents)}
        written = {path: text for path, text in texts.items() if path not in rendered.files}
        data, differing = merged_data(settings_in({**written, **made}, namespace))
        return json.dumps(data, sort_keys=True, default=str) if data else "", differing

    def installation_of(application: JsonObject) -> Installation:
        found = settings(text_at(application, "metadata", "namespace"))
        return Installation(tuple(_projects_of(application, projects())), *found)

    return installation_of


@dataclass(frozen=True, slots=True)
class _RenderedObjects:
    """Objects of units that are rendered, and the files among some that these units consist of."""

    documents: Sequence[Document]
    files: frozenset[str]


def _rendered_objects(
    side: Side, units: Iterable[Unit], texts: Mapping[str, bytes], is_wanted: Callable[[ObjectRef], bool]
) -> _RenderedObjects:
    """Return the objects that kustomizations change or charts make, according to the texts that mention them."""
    changing = {path for path, text in texts.items() if is_kustomization(path) or b"{{" in text}
    found, files = list[Document](), frozenset[str]()
    for unit in units:
        if not changing.isdisjoint(unit.files) and is_rendered(unit):
            made = [one for one in render_unit(side, unit).documents if is_wanted(one.ref)]
            found += made
            files |= unit.files.intersection(texts) if made else frozenset()
    return _RenderedObjects(found, files)


def _is_project(ref: ObjectRef) -> bool:
    return (ref.group, ref.kind) == (ARGO_GROUP, PROJECT_KIND)


def _json_text(document: Document) -> bytes:
    return json.dumps(document.object, default=str).encode()


def _projects_of(application: JsonObject, projects: Sequence[Document]) -> Iterator[str]:
    """Yield the projects with the name that an Application has, in its namespace or in none."""
    name = text_at(application, "spec", "project") or _DEFAULT_PROJECT
    namespace = text_at(application, "metadata", "namespace")
    for one in projects:
        if one.ref.name == name and (one.ref.namespace in ("", namespace) or not namespace):
            yield json.dumps({"metadata": {"name": name}, "spec": one.object.get("spec")}, sort_keys=True, default=str)


def _manifests(side: Side, *words: str) -> dict[str, bytes]:
    """Return the texts of the YAML and JSON files that contain one of some words."""
    return dict(side.contents([path for path in side.mentioning(words) if path.endswith(EXTENSIONS)]))
