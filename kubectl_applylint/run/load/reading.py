"""Prepares the manifests of a revision as kubectl sends them: with namespaces, selection, labels and schema."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_applylint.appliers.applyset import ApplySet
from kubectl_applylint.appliers.flags import Flags, NamespaceUse, Policy
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.selector import parse, selects
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine import predict as engine
from kubectl_applylint.engine.cluster_model import defined_kind, is_definition
from kubectl_applylint.lint.subjects import as_served, namespace_problems, place, split_by_namespace
from kubectl_applylint.run.compare.live_source import LiveSource
from kubectl_applylint.run.load.parents import resolve_parent
from kubectl_applylint.run.load.target_namespace import in_target_namespace
from kubectl_applylint.schema import load
from kubectl_applylint.schema.configured_definitions import (
    NOT_CONFIGURED,
    ConfiguredDefinitions,
    FurtherDefinitions,
    further_definitions,
)
from kubectl_applylint.schema.types import Schema
from kubectl_applylint.sources.text.manifests import Input, Skipped

NEWEST_RECORDED: Final = engine.RECORDED[-1]
"""The newest Kubernetes version whose behaviour was recorded; the default if the version is unknown."""
_MINOR = regex(r"v?(1\.\d{1,3})\b")


@dataclass(frozen=True, slots=True)
class UndecodableObject:
    """An object that kubectl leaves out, with the error."""

    document: Document
    why: FieldError


@dataclass(frozen=True, slots=True)
class Reading:
    """The documents of one revision as kubectl sends them, with the schema at that time."""

    schema: Schema = field(repr=False)
    here: tuple[Document, ...]
    unselected: tuple[Document, ...]
    elsewhere: tuple[Document, ...]
    """The documents with another namespace than ``-n``."""
    definitions: tuple[JsonObject, ...]
    policy: Policy | None
    """The prune policy."""
    problems: tuple[Problem, ...]
    unread: tuple[UndecodableObject, ...]
    configs: tuple[Skipped, ...] = ()
    """The configurations of tools, which are not applied themselves."""


def make_reading(
    given: Input,
    source: LiveSource,
    flags: Flags,
    version: str,
    *,
    defined: Sequence[JsonObject] = (),
    is_past: bool = False,
    beside: Iterable[Document] = (),
) -> Reading:
    """Return the documents with their namespaces and, in an ApplySet, its label.

    ``defined`` are CustomResourceDefinitions that existed before. A kind without a definition is namespaced if one of
    these documents or of those ``beside`` them has a namespace. Documents of the past with a removed version get its
    successor, as their live objects have.
    """
    schema, problems = schema_of(version, source, given.documents, defined, flags.definitions)
    own = tuple(document.object for document in given.documents if is_definition(document.ref))
    is_asked = source.base is not None or bool(given.documents) or flags.sync is not None
    policy, unclear = resolve_parent(flags.policy, source, (*defined, *own)) if is_asked else (None, ())
    selector = parse(flags.selector)
    moved = _move_to_namespace(given.documents, flags)
    documents = [as_served(document, schema) if is_past else document for document in moved]
    scoped = _namespaced_kinds((*documents, *beside))
    placed = [place(document, schema, flags.namespace or source.namespace, scoped) for document in documents]
    required = flags.namespace if flags.namespace_use is NamespaceUse.REQUIRED else ""
    here, elsewhere = split_by_namespace(
        required, [document for document in placed if selects(selector, document.object)]
    )
    return Reading(
        schema,
        here=tuple(_with_applyset_label(document, policy) for document in here),
        unselected=tuple(document for document in placed if not selects(selector, document.object)),
        elsewhere=tuple(elsewhere),
        definitions=own,
        policy=policy,
        unread=tuple(_undecodable_objects(given, schema, flags.namespace or source.namespace)),
        problems=(*problems, *unclear, *namespace_problems(required, elsewhere)),
        configs=tuple(one for one in given.skipped if one.value),
    )


def with_unit_namespace(documents: Sequence[Document], schema: Schema, flags: Flags) -> Iterator[Document]:
    """Yield the documents of a unit with its namespace; without one, and in cluster-scoped kinds, as written."""
    moved = _move_to_namespace(documents, flags)
    scoped = _namespaced_kinds(moved)
    for document in moved:
        placed = place(document, schema, flags.namespace, scoped)
        yield placed if placed.ref.namespace else document


def _namespaced_kinds(documents: Iterable[Document]) -> frozenset[tuple[str, str]]:
    """Return the groups and kinds of documents that have a namespace."""
    return frozenset((one.ref.group, one.ref.kind) for one in documents if one.ref.namespace)


def _move_to_namespace(documents: Sequence[Document], flags: Flags) -> Sequence[Document]:
    is_moved = flags.namespace and flags.namespace_use is NamespaceUse.REPLACED
    return in_target_namespace(documents, flags.namespace) if is_moved else documents


def _with_applyset_label(document: Document, policy: Policy | None) -> Document:
    return replace(document, object=policy.with_label(document.object)) if isinstance(policy, ApplySet) else document


def _undecodable_objects(given: Input, schema: Schema, namespace: str) -> Iterator[UndecodableObject]:
    for problem in given.problems:
        if problem.document is not None:
            yield UndecodableObject(place(problem.document, schema, namespace), FieldError("", "", problem.message))


def schema_of(
    version: str,
    source: LiveSource,
    documents: Iterable[Document],
    defined: Sequence[JsonObject] = (),
    configured: ConfiguredDefinitions = NOT_CONFIGURED,
) -> tuple[Schema, tuple[Problem, ...]]:
    """Return the schema of a run with the custom kinds of the cluster and of the run, which take precedence.

    Of other kinds it has the ``configured`` or the bundled definition, unless a cluster that was asked does not serve
    them.
    """
    asked = version or _minor_version(source.version) or NEWEST_RECORDED
    kinds = dict.fromkeys((document.ref.api_version, document.ref.kind) for document in documents)
    own = (*defined, *(document.object for document in documents if is_definition(document.ref)))
    tables = load.load(asked, crds=own)
    unknown = [gvk for gvk in kinds if tables.kind(*gvk) is None]
    if not unknown:
        return tables, ()
    others = source.definitions(unknown)
    known = (*others.objects, *own)
    is_answered = source.is_cluster and not others.problems
    further = (
        FurtherDefinitions() if is_answered else further_definitions(unknown, configured, set(map(defined_kind, known)))
    )
    return load.load(asked, crds=(*further.certain, *known), bundled=further.bundled), others.problems


def _minor_version(version: str) -> str:
    match = _MINOR.match(version)
    return match[1] if match else ""
