"""The one assembly of a run, for program, hooks and library: manifests, flags and a live source in, reports out."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from shlex import quote
from typing import Any, Final, TypeAlias

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Confidence, Level, Outcome, PredictionError, Verdict
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.engine.predictions import attempted
from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.lint.hiding.suppress import NO_POLICY, Extent, Policy
from kubectl_applylint.lint.model import Report, Rule, Scenario, Subject
from kubectl_applylint.lint.run import Spread, lint_by, unpredicted, way_out
from kubectl_applylint.run.against import NOTHING, Against, AgainstKind
from kubectl_applylint.run.files import RunInput, run_of_files
from kubectl_applylint.run.live import run_of_applied
from kubectl_applylint.run.live_source import LiveSource
from kubectl_applylint.run.places import Place
from kubectl_applylint.sources.cluster.discovery import is_segment
from kubectl_applylint.units.accepted import AcceptedGap
from kubectl_applylint.units.configured import Configured
from kubectl_applylint.units.shards import Shard

Watch: TypeAlias = Callable[[Sequence[Subject]], Iterable[Subject]]
"""Sees each subject as its turn comes."""

_NO_INPUT: Final = bytes
"""Standard input where there is none."""


SourceOf: TypeAlias = Callable[[Mapping[str, Any], LiveSource], LiveSource]
"""Gives what one unit is compared with, of its options and of what all others are compared with."""


def _shared(options: Mapping[str, Any], source: LiveSource) -> LiveSource:
    return source


def _no_gaps(content: bytes, file: str) -> Iterable[AcceptedGap]:
    return ()


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a run is about."""

    files: tuple[str, ...] = ()
    """Files, folders, patterns and URLs, ``-`` for standard input; without any, what the source has is examined."""
    named: tuple[str, ...] | None = None
    """Those of the files of which none is passed over; ``None`` for all."""
    recursive: bool = False
    flags: Flags = NO_FLAGS
    """How the manifests are applied, with the namespace of ``-n``."""
    against: Against = NOTHING
    kubernetes_version: str = ""
    """Empty for that of the cluster, or else the newest whose behaviour was recorded."""
    all_namespaces: bool = False
    """Whether live objects of all namespaces are examined, where no files are named."""
    stdin: Callable[[], bytes] = _NO_INPUT
    is_one_apply: bool = False
    """Whether all files are one apply, whatever units they belong to."""
    units: tuple[Configured, ...] = ()
    """The units that the configuration names."""
    source_of: SourceOf = _shared
    roots: tuple[str, ...] = ()
    """Patterns of the roots of the units that are looked at; without any, all are."""
    shard: Shard | None = None
    """Which part of the units is looked at; ``None`` for all."""
    keys: Collection[tuple[str, ...]] | None = None
    """Which units are looked at of those that are meant, by their keys; ``None`` for those of the shard."""
    timings: Mapping[str, float] = field(default_factory=dict)
    """How many seconds units took in an earlier run, by their roots: what shards are balanced by."""
    place: Place | None = None
    """Where the files lie, where that is known; what was read of it is not read again."""
    results_depend_on: tuple[object, ...] | None = None
    """What the findings of a unit depend on beside it and the fields above; ``None`` if they are not kept."""
    is_listed: bool = False
    """Whether a program has listed the files, so that some of them may be no manifests."""
    accepted: tuple[AcceptedGap, ...] = ()
    """The units that are accepted as incomplete."""
    accepted_in: Callable[[bytes, str], Iterable[AcceptedGap]] = _no_gaps
    """Gives the same of a configuration file of another revision, by its content and its name."""
    sets_aside: bool = False
    """Whether dependencies, test data and spare patches are passed over where they are not named."""


def assemble(request: RunRequest, source: LiveSource) -> RunInput:
    """Return all that a run looks at, with notes on what the manifests were compared with.

    Never raises for bad input: that is in ``problems``. Raises ``ValueError`` for what is no version.
    """
    run_input = _of_files(request, source) if request.files or source.base else _of_cluster(request, source)
    return replace(run_input, extent=extent_of(request), is_unreachable=not source.origin and bool(source.problems))


def extent_of(request: RunRequest) -> Extent:
    """Return how much of all there is was named: whole folders, or a part."""
    folders = bool(request.files) and all(map(os.path.isdir, request.files))
    is_whole = folders and not request.flags.selector and request.against.kind is not AgainstKind.GIT
    return Extent.WHOLE if is_whole else Extent.PART


def _of_files(request: RunRequest, source: LiveSource) -> RunInput:
    run_input = run_of_files(
        request.files,
        recursive=request.recursive,
        stdin=request.stdin,
        source=source,
        flags=replace(request.flags, given=_given(request)),
        kubernetes_version=request.kubernetes_version,
        explicit=request.named,
    )
    return (
        replace(run_input, notes=(f"compared with {run_input.origin}", *run_input.notes))
        if run_input.origin
        else run_input
    )


def _given(request: RunRequest) -> str:
    """Return what the caller named as kubectl apply is given it; empty where nothing was."""
    named = request.files if request.named is None else request.named
    if not named:
        return ""
    words = ["-R"] * request.recursive + [f"-f {quote(name)}" for name in named]
    return " ".join([*words, *([f"-n {quote(request.flags.namespace)}"] if request.flags.namespace else [])])


def _of_cluster(request: RunRequest, source: LiveSource) -> RunInput:
    namespace = "" if request.all_namespaces else request.flags.namespace or source.namespace
    run_input = run_of_applied(
        source,
        namespace=namespace,
        selector=request.flags.selector,
        kubernetes_version=request.kubernetes_version,
        flags=request.flags,
    )
    where = f"namespace {namespace}" if namespace else "all namespaces"
    notes = [f"checked the objects that kubectl apply created in {where} of {run_input.origin}", *run_input.notes]
    lost = sum(not document.has_manifest for document in run_input.documents)
    if lost:
        notes.append(f"the last-applied configuration of {lost} of these objects is unknown; check explains why")
    return replace(run_input, notes=tuple(notes)) if run_input.origin else run_input


def check(run_input: RunInput, rules: Dispatch, *, policy: Policy = NO_POLICY, spread: Spread = map) -> Report:
    """Return what the rules find in a run: in the objects that it applies, and in those that it does not.

    ``spread`` is that of ``lint_by``.
    """
    examined = (*run_input.subjects, *run_input.unapplied())
    bounded = within_extent(policy, run_input)
    return run_input.complete(lint_by(rules, examined, texts=run_input.texts, policy=bounded, spread=spread))


def within_extent(policy: Policy, run_input: RunInput) -> Policy:
    """Return the policy of a run with how much it has looked at, of which something can be said that it hides."""
    return replace(policy, extent=Extent.BROKEN if run_input.problems else run_input.extent)


def plan(run_input: RunInput, rules: Callable[[], Sequence[Rule]] = tuple, *, watch: Watch = iter) -> Report:
    """Return what a run does to each object.

    ``rules`` are read only where an apply is refused, for what helps against that.
    """
    known = [subject for subject in run_input.subjects if subject.document.has_manifest]
    predicted = [predict(subject) for subject in watch(known)]
    told = [
        (subject, item[0], _as_known(subject, item[1], run_input))
        for subject, item in zip(known, predicted, strict=True)
        if not isinstance(item, Problem)
    ]
    problems = tuple(item for item in predicted if isinstance(item, Problem))
    left = () if problems else run_input.left
    outcomes = (*run_input.named(_with_ways_out(told, rules)), *left)
    return run_input.complete(Report(outcomes=outcomes, problems=problems, checked=len(known)))


def predict(subject: Subject) -> tuple[Document, Outcome] | Problem:
    """Return what the apply does to one object, or the fault of the engine that kept it from telling."""
    found = attempted(partial(_with_changes, subject))
    return unpredicted(subject, found) if isinstance(found, PredictionError) else (subject.document, found)


def _with_changes(subject: Subject) -> Outcome:
    """Return the outcome of an apply with its changes, which a check need not know: a fault in them comes up here."""
    outcome = subject.predict(Scenario.APPLY)
    return replace(outcome, changes=tuple(outcome.changes))


def _as_known(subject: Subject, outcome: Outcome, run_input: RunInput) -> Outcome:
    """Return the outcome, or that it is unknown where somebody looked for the live object and could not read it.

    What kubectl itself refuses before it asks a server is refused all the same. Of a kind that nothing defines not even
    the scope is known, so that the server may take it where its namespace is missing.
    """
    if run_input.is_unit and subject.kind is None and not (outcome.refused and outcome.status is None):
        return _of_unknown_kind(subject, outcome)
    live, origin = subject.state.live, subject.state.origin
    is_sought = bool(origin) if run_input.origin else run_input.is_unreachable
    is_sure = outcome.refused and (outcome.status is None or not is_segment(subject.ref.name))
    if not isinstance(live, Unknown) or subject.state.simulated or not is_sought or is_sure:
        return outcome
    doubt = Confidence(Level.LOW, (f"the live object could not be read: {live.reason}",))
    return Outcome(outcome.ref, Verdict.UNKNOWN, warnings=outcome.warnings, confidence=doubt)


def _of_unknown_kind(subject: Subject, outcome: Outcome) -> Outcome:
    """Return the outcome of an object whose kind nothing here defines: what is installed elsewhere decides it."""
    kind = f"{subject.ref.kind} in {subject.ref.api_version}"
    doubt = Confidence(Level.LOW, (f"no definition of {kind} is in the repository", *outcome.confidence.reasons))
    return replace(outcome, verdict=Verdict.UNKNOWN, confidence=doubt)


def _with_ways_out(
    told: Sequence[tuple[Subject, Document, Outcome]], rules: Callable[[], Sequence[Rule]]
) -> Iterator[tuple[Document, Outcome]]:
    """Yield the outcomes, those of refusals with what helps."""
    known = rules() if any(outcome.refused for _, _, outcome in told) else ()
    for subject, document, outcome in told:
        remedy = outcome.remedy or way_out(subject, known) if outcome.refused else outcome.remedy
        yield document, replace(outcome, remedy=remedy)
