"""The Applications that an ``ApplicationSet`` of Argo CD generates and deletes.

Mirrors ``applicationset/utils`` and ``applicationset/controllers`` of Argo CD 3.6.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject, dig, items, mapping, text_at, texts_at
from kubectl_applylint.merge import json_merge
from kubectl_applylint.sources.text.manifests import first_document
from kubectl_applylint.tools.argocd.application_sources import has_unknown_parameters
from kubectl_applylint.tools.argocd.generators import (
    MOST_APPLICATIONS,
    TOO_MANY,
    GeneratorError,
    Parameters,
    RepositoryView,
    has_all_parameters,
    parameters,
    unknown_generators,
)
from kubectl_applylint.tools.argocd.parameter_tokens import with_tokens, without_tokens
from kubectl_applylint.tools.argocd.settings import set_policy
from kubectl_applylint.tools.argocd.templates import MissingName, RejectedNameError, has_actions, render
from kubectl_applylint.units.reading import boolean_at, is_too_deep
from kubectl_applylint.units.remotes import is_same_repository, revision_named

_FINALIZER: Final = "resources-finalizer.argocd.argoproj.io"
DELETING_FINALIZERS: Final = (_FINALIZER, f"{_FINALIZER}/foreground", f"{_FINALIZER}/background")
"""The finalizers of an Application that delete its objects with it."""
_DIRECTIVE: Final = "$patch"
_LONGEST_PATCH: Final = 64 * 1024
"""The characters of a ``templatePatch`` that is evaluated; a set may have a thousand Applications."""
_BLOCK: Final = regex(r"\{\{-?\s*(?:if|range|with|else|end|define|template|block)\b")
"""An action whose effect goes beyond its own text."""
_DELETING_POLICIES: Final = ("", "sync", "create-delete")
REJECTED_SET: Final = "Argo CD rejects its generators, and changes none of its Applications: "
"""Prefix of the reason that Argo CD generates nothing from a set."""
EQUAL_NAMES: Final = "Argo CD applies none of the Applications with equal names"
"""Prefix of the reason that an Application is not created or updated."""
_HIDDEN_VALUES: Final = "values of its generator are not evaluated"
_FAILING: Final = "missingkey=error"
"""The option of Go templates with which a name without a value is an error."""
_PATCHED: Final = regex(r"\b(?:sources?|destination)\b")


@dataclass(frozen=True, slots=True)
class GeneratedApplication:
    """An Application that a set generates, or the reason why it is not known."""

    application: JsonObject = field(repr=False)
    gap: str = ""
    unknown: tuple[tuple[str, Json], ...] = ()
    """The generators whose parameters are not known: names and settings."""
    assumed_revisions: tuple[str, ...] = ()
    """The revisions of git generators that are taken to be the examined one."""

    @property
    def unknown_names(self) -> str:
        """The names of the generators whose parameters are not known."""
        return ", ".join(dict.fromkeys(name for name, _ in self.unknown))


def generated_applications(document: Document, repo: RepositoryView) -> Iterator[GeneratedApplication]:
    """Yield the Applications of a set; if one of its generators is rejected, there is the reason alone."""
    spec = mapping(document.object.get("spec"))
    if is_too_deep(spec):
        yield GeneratedApplication({}, "it is nested too deeply")
        return
    try:
        # One error is enough for Argo CD to change nothing.
        every = [
            one for generator in items(spec.get("generators")) for one in _applications_of(document, generator, repo)
        ]
    except (GeneratorError, RejectedNameError) as error:
        every = [GeneratedApplication({}, f"{REJECTED_SET}{error}")]
    # A set that is not known as a whole is named with the most general reason, which comes first.
    yield from sorted(_name_equal(every), key=lambda one: one.gap != TOO_MANY)


def _name_equal(every: Sequence[GeneratedApplication]) -> Iterator[GeneratedApplication]:
    """Yield Applications; of those with equal names, Argo CD creates and updates none."""
    known = [one for one in every if not (one.gap or one.unknown)]
    names = Counter(text_at(one.application, "metadata", "name") for one in known)
    for one in every:
        name = text_at(one.application, "metadata", "name")
        is_equal = bool(name) and names[name] > 1 and not (one.gap or one.unknown or has_actions(name))
        yield replace(one, gap=f"{EQUAL_NAMES}: {name}") if is_equal else one


def _applications_of(document: Document, generator: Json, repo: RepositoryView) -> Iterator[GeneratedApplication]:
    """Yield the Applications of one generator of a set."""
    spec = mapping(document.object.get("spec"))
    is_go = spec.get("goTemplate") is True
    missing = MissingName.UNKNOWN
    if has_all_parameters(generator):
        is_rejected = _FAILING in texts_at(spec, "goTemplateOptions")
        missing = MissingName.REJECTED if is_rejected else MissingName.EMPTY
    unknown = tuple(unknown_generators(generator, repo))
    assumed = tuple(_assumed_revisions(generator, repo))
    template = _template(spec, generator)
    for number, values in enumerate(parameters(generator, repo, is_go=is_go)):
        if number == MOST_APPLICATIONS:
            yield GeneratedApplication({}, TOO_MANY)
            return
        fill = partial(render, is_go=is_go, missing=missing if values else MissingName.UNKNOWN)
        application = generated_application(mapping(fill(template, values)), document)
        patch = text_at(spec, "templatePatch")
        is_short = len(patch) <= _LONGEST_PATCH
        patch = str(fill(patch, values)) if is_short else patch
        patched = with_patch(application, patch) if is_short else None
        is_open = patched is None and (not is_short or _PATCHED.search(patch))
        gap = "its templatePatch is not evaluated" if is_open else ""
        # Argo CD also rejects values that no template uses.
        gap = _HIDDEN_VALUES if not gap and is_go and _has_hidden_values(values, patched or application) else gap
        yield GeneratedApplication(patched or application, gap, unknown, assumed)


def _has_hidden_values(values: Parameters, application: JsonObject) -> bool:
    """Return whether ``values`` of a generator are not evaluated, and the Application does not show it."""
    own = [text for name, text in values.items() if f".{name}".count(".values.") and isinstance(text, str)]
    return any(map(has_actions, own)) and not has_unknown_parameters(application)


def _assumed_revisions(generator: Json, repo: RepositoryView) -> Iterator[str]:
    """Yield the revisions of git generators that are taken to be the examined one."""
    git = mapping(dig(generator, "git"))
    revision = revision_named(text_at(git, "revision"))
    if git and is_same_repository(text_at(git, "repoURL"), repo.remotes) and repo.is_assumed(revision):
        yield revision
    for kind in ("matrix", "merge"):
        for one in items(dig(generator, kind, "generators")):
            yield from _assumed_revisions(one, repo)


def _template(spec: JsonObject, generator: Json) -> Json:
    """Return the template of a set, merged with the template of a generator."""
    own = [dig(value, "template") for value in mapping(generator).values()]
    template: Json = mapping(spec.get("template"))
    for one in own:
        template = _merge_templates(template, one) if isinstance(one, dict) else template
    return template


def _merge_templates(below: Json, above: Json) -> Json:
    """Return ``above`` merged over ``below``; empty values above keep the value below."""
    if isinstance(below, dict) and isinstance(above, dict):
        return {key: _merge_templates(below.get(key), above.get(key)) for key in {**below, **above}}
    return above or below


def generated_application(application: JsonObject, generator: Document) -> JsonObject:
    """Return an Application as its set creates it: in the namespace of the set, and with a finalizer."""
    metadata = {**mapping(application.get("metadata")), "namespace": generator.ref.namespace}
    is_preserved = boolean_at(generator.object, "spec", "syncPolicy", "preserveResourcesOnDeletion") is True
    if not is_preserved and not metadata.get("finalizers"):
        metadata = {**metadata, "finalizers": [_FINALIZER]}
    return {"apiVersion": generator.ref.api_version, "kind": "Application", **application, "metadata": metadata}


def with_patch(application: JsonObject, patch: str) -> JsonObject | None:
    """Return an Application with a rendered ``templatePatch``; ``None`` if that is not known.

    Of the fields of an Application, only the finalizers merge as a list. The project is never patched.
    """
    if _BLOCK.search(patch) or _DIRECTIVE in patch:
        return None
    text, actions = with_tokens(patch)
    change = without_tokens(first_document(str(text).encode()), actions)
    if not isinstance(change, dict) or is_too_deep(change):
        return None if patch.strip() else application
    merged = mapping(json_merge.merge(application, change))
    before, after = (mapping(one.get("metadata")).get("finalizers") for one in (application, merged))
    if before and after and before != after:
        metadata = {**mapping(merged.get("metadata")), "finalizers": [*dict.fromkeys((*items(before), *items(after)))]}
        merged = {**merged, "metadata": metadata}
    project = text_at(application, "spec", "project")
    return {**merged, "spec": {**mapping(merged.get("spec")), "project": project}} if project else merged


def deletes_applications(generator: JsonObject, settings: JsonObject) -> bool:
    """Return whether a set deletes the Applications that it no longer generates, under these settings."""
    own = text_at(generator, "spec", "syncPolicy", "applicationsSync")
    return set_policy(settings, own) in _DELETING_POLICIES
