"""The objects in the files of a side that configure installations of Argo CD."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject, text_at
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.sources.text.classify import is_kustomization
from kubectl_applylint.tools.argocd.declarations import ARGO_GROUP
from kubectl_applylint.units.model import Installation

PROJECT_KIND: Final = "AppProject"
_DEFAULT_PROJECT: Final = "default"
_GLOBAL: Final = "globalProjects"
"""The setting that merges projects into others."""
_SECRETS: Final = "argocd.argoproj.io/secret-type"
"""The label of Secrets with clusters and repositories, which permit these if they name a project."""
_NAMED_PROJECT: Final = regex(rb"(?m)^[ \t-]*[\"']?project[\"']?[ \t]*:")


def installation_finder(side: Side) -> Callable[[JsonObject], Installation]:
    """Return a function that finds what configures the Argo CD of an Application.

    Projects are found as they are written. None is found if a kustomization patches projects, if projects are merged,
    or if Secrets add to them. Settings that have several values in the files are not known.
    """

    @cache
    def projects() -> Sequence[Document]:
        texts = _manifests(side, PROJECT_KIND)
        if any(map(is_kustomization, texts)) or _manifests(side, _GLOBAL):
            return ()
        if any(map(_NAMED_PROJECT.search, _manifests(side, _SECRETS).values())):
            return ()
        plain = sorted(path for path, text in texts.items() if b"{{" not in text)
        documents = side.read(plain).documents if plain else ()
        return [one for one in documents if (one.ref.group, one.ref.kind) == (ARGO_GROUP, PROJECT_KIND)]

    @cache
    def settings(namespace: str) -> tuple[str, tuple[str, ...]]:
        # Only repositories with Applications need these modules.
        from kubectl_applylint.run.sides.argo_settings import WORDS, settings_in  # noqa: PLC0415  15 ms
        from kubectl_applylint.tools.argocd.settings import merged_data  # noqa: PLC0415  15 ms

        data, differing = merged_data(settings_in(_manifests(side, *WORDS), namespace))
        return json.dumps(data, sort_keys=True, default=str) if data else "", differing

    def installation_of(application: JsonObject) -> Installation:
        found = settings(text_at(application, "metadata", "namespace"))
        return Installation(tuple(_projects_of(application, projects())), *found)

    return installation_of


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
