"""Loads live objects without manifests: the named ones, or those that client-side apply created."""

from collections.abc import Sequence
from typing import Final

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Present, ref_of
from kubectl_applylint.lint.subjects import subjects
from kubectl_applylint.run.compare.last_applied_base import last_applied_document
from kubectl_applylint.run.compare.live_source import LiveSource
from kubectl_applylint.run.load.prediction import predictor
from kubectl_applylint.run.load.reading import schema_of
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.notes import gaps_of, remarks
from kubectl_applylint.schema.names import ObjectArgument
from kubectl_applylint.sources.cluster.read_results import Neighbours, Objects
from kubectl_applylint.sources.text.manifests import Input

_NOTHING: Final = Neighbours()


def input_of_applied_objects(
    source: LiveSource,
    *,
    namespace: str = "",
    selector: str = "",
    kubernetes_version: str = "",
    flags: Flags = NO_FLAGS,
) -> RunInput:
    """Return the input with the live objects that client-side apply created, in a namespace or (empty) all namespaces.

    The last-applied configuration is the manifest of each; without it, the object has no manifest.
    """
    found = source.applied(namespace, selector)
    neighbours = source.cluster_view({ref_of(live): Present(live) for live in found.objects})
    return _input_of_objects(source, found, kubernetes_version, flags, neighbours)


def input_of_named_objects(
    source: LiveSource, names: Sequence[ObjectArgument], *, namespace: str = "", kubernetes_version: str = ""
) -> RunInput:
    """Return the input with the named live objects, as ``input_of_applied_objects`` does; a missing one is a problem.

    Objects of namespaced kinds are read from ``namespace``, or else from that of the source.
    """
    searched_namespace = namespace or source.namespace
    answers = {name: source.named(name, searched_namespace) for name in dict.fromkeys(names)}
    missing = [
        Problem(
            str(name),
            f"object not found in {source.origin or 'the live state'}",
            f"check the namespace (-n), now {searched_namespace}",
        )
        for name, answer in answers.items()
        if not answer.objects and not answer.problems and not source.problems
    ]
    objects = tuple(item for answer in answers.values() for item in answer.objects)
    problems = tuple(problem for answer in answers.values() for problem in answer.problems)
    return _input_of_objects(source, Objects(objects, (*problems, *missing)), kubernetes_version, NO_FLAGS)


def _input_of_objects(
    source: LiveSource, found: Objects, kubernetes_version: str, flags: Flags, neighbours: Neighbours = _NOTHING
) -> RunInput:
    documents = [last_applied_document(live) for live in found.objects]
    schema, missing = schema_of(kubernetes_version, source, documents)
    if source.version and not kubernetes_version:
        schema = replace(schema, discovered=frozenset((one.ref.api_version, one.ref.kind) for one in documents))
    states = {
        ref_of(live): replace(source.state(Present(live)), cluster_view=lambda: neighbours.surroundings)
        for live in found.objects
    }
    return RunInput(
        subjects=subjects(
            documents, schema=schema, state_of=states.__getitem__, predict=predictor(schema, flags), flags=flags
        ),
        documents=tuple(documents),
        problems=(*source.problems, *missing, *found.problems),
        notes=(*neighbours.notes, *remarks(Input(), schema, 0), *gaps_of(Input(), schema, documents).lines),
        origin=str(source),
    )
