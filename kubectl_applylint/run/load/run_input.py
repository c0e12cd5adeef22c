"""The input of an evaluation: manifests and live objects, as subjects with their predicted apply."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.core.documents import Document, InCluster
from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import ClusterView, Identity, ObjectRef, Present, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine import transition
from kubectl_applylint.engine.cluster_diff import ClusterDiff
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.engine.set_apply import SetApply, apply_set
from kubectl_applylint.engine.transition import EarlierRevision
from kubectl_applylint.engine.undo import Stage
from kubectl_applylint.lint import applicability, unapplied
from kubectl_applylint.lint.hiding.suppress import Extent
from kubectl_applylint.lint.model import OtherUnit, Report, Subject
from kubectl_applylint.lint.relations import index_query
from kubectl_applylint.lint.subjects import no_base, place, subjects
from kubectl_applylint.run.compare.base import Base
from kubectl_applylint.run.compare.last_applied_base import with_last_applied_base
from kubectl_applylint.run.compare.live_source import LiveSource, no_live_source
from kubectl_applylint.run.load.cluster_before import ClusterBefore, EarlierApply, cluster_before_and_reading
from kubectl_applylint.run.load.excuses import without_extra_files
from kubectl_applylint.run.load.holes import hole_notes, hole_problems, holes_between, with_doubtful_removals
from kubectl_applylint.run.load.other_units import other_units
from kubectl_applylint.run.load.parents import with_parent
from kubectl_applylint.run.load.prediction import check_predictor, predictor
from kubectl_applylint.run.load.reading import Reading, UndecodableObject, make_reading
from kubectl_applylint.run.load.unit_policies import (
    read_by_program,
    with_live_state,
    with_renamed_objects,
    without_own_inputs,
)
from kubectl_applylint.run.notes import NO_GAPS, Gaps, gaps_of, remarks
from kubectl_applylint.schema.types import Gvk
from kubectl_applylint.secrets.secret_places import is_secret
from kubectl_applylint.sources.files import files
from kubectl_applylint.sources.text.manifests import Input, join

_NO_SOURCE = no_live_source()


@dataclass(frozen=True, slots=True)
class RunInput:
    """The subjects of one apply, with the problems and notes of loading them."""

    subjects: tuple[Subject, ...] = ()
    documents: Sequence[Document] = field(default=(), repr=False)
    """The documents that were read, including those without a subject."""
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    """Lines about skipped or unknown input."""
    holes: tuple[Hole, ...] = ()
    """The parts that were not rendered, with those of the earlier revision alone."""
    gaps: Gaps = NO_GAPS
    """The notes that are joined for all units of a run."""
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The input files by name."""
    origin: str = ""
    """The origin and age of the live state; empty if it is unknown."""
    whole: SetApply | None = field(default=None, repr=False)
    """The apply of all manifests; ``None`` without manifests."""
    others: tuple[Document, ...] = field(default=(), repr=False)
    """Documents that are not applied and whose objects may exist: of an earlier revision, or not selected."""
    unread: tuple[UndecodableObject, ...] = field(default=(), repr=False)
    """The objects that kubectl cannot decode and leaves out."""
    past: tuple[Document, ...] = field(default=(), repr=False)
    """The documents of the earlier revision, if there is one."""
    renamed: Mapping[Identity, ObjectRef] = field(default_factory=dict, repr=False)
    """The earlier names of renamed objects."""
    unapplied: Callable[[], Iterable[Subject]] = field(default=tuple, repr=False)
    """Returns the live objects that are not applied, for the rules about these."""
    stages: Callable[[], Sequence[Stage]] = field(default=tuple, repr=False)
    """Returns the commits in between, if they are requested."""
    shows_kind: Callable[[Gvk], bool] = field(default=lambda _: True, repr=False)
    """Returns whether the earlier revision contains objects of a kind."""
    is_unreachable: bool = False
    """Whether the state that the manifests should be compared with could not be read at all."""
    is_unit: bool = False
    """Whether it is one unit of a repository; then other units may contain objects that are missing here."""
    extent: Extent = Extent.PART
    """The extent of the named files: whole directories, or a part."""
    earlier_apply: EarlierApply | None = field(default=None, repr=False)
    """The result of the earlier manifests; ``None`` if there are none."""

    @property
    def unapplied_outcomes(self) -> tuple[tuple[Document, Outcome], ...]:
        """The outcomes of objects that are not applied: pruned, kept, not served or not decodable."""
        if self.whole is None:
            return ()
        refused = ((one.document, _undecodable_outcome(one, self.whole)) for one in self.unread)
        return (
            *_unserved_outcomes(self.whole, self.subjects),
            *refused,
            *unapplied.outcomes_of(self.whole, self.others),
        )

    def complete(self, report: Report) -> Report:
        """Return the report on the subjects with the problems, notes and holes of loading them."""
        found = replace(report, problems=self.problems + report.problems, notes=self.notes + report.notes)
        return with_doubtful_removals(found, self.holes, self.documents) if self.holes else found

    def with_former_names(self, outcomes: Iterable[tuple[Document, Outcome]]) -> Iterator[tuple[Document, Outcome]]:
        """Yield the outcomes with the earlier names of their objects."""
        for document, outcome in outcomes:
            yield document, replace(outcome, renamed_from=self.renamed.get(outcome.ref.identity))

    @property
    def objects(self) -> Iterator[JsonObject]:
        """The manifests of both revisions, their live objects, and all other known Secrets: also of pruned objects,
        whose values others may repeat.
        """
        yield from (document.object for document in (*self.documents, *self.past, *self.others))
        yield from (one.document.object for one in self.unread)
        for subject in self.subjects:
            if isinstance(subject.state.live, Present):
                yield subject.state.live.object
        if self.whole is None:
            return
        if not self.whole.cluster.simulated:
            # Only objects that were read from a cluster may have no document; finding them predicts the whole unit.
            yield from (document.object for document, _ in self.unapplied_outcomes)
        yield from (item for item in self.whole.cluster.objects if is_secret(ref_of(item)))


def input_of_files(
    names: Sequence[str],
    *,
    recursive: bool = False,
    stdin: Callable[[], bytes],
    source: LiveSource = _NO_SOURCE,
    flags: Flags = NO_FLAGS,
    kubernetes_version: str = "",
    explicit: Collection[str] | None = None,
) -> RunInput:
    """Return the input of an apply of the files ``names``; ``-`` is the content that ``stdin`` returns.

    No file of the ``explicit`` names, by default of all, is skipped. Objects without a namespace get that of the flags;
    as with kubectl's ``-n``, others must not have a different one. Without ``kubernetes_version``, that of the cluster
    is used. Never raises for invalid manifests: these are in ``problems``.
    """
    read = source.base.later if source.base else _read_files
    given = without_extra_files(read(names, recursive, stdin), names if explicit is None else explicit)
    return input_of_manifests(given, source=source, flags=flags, kubernetes_version=kubernetes_version)


def input_of_manifests(
    given: Input,
    *,
    source: LiveSource = _NO_SOURCE,
    flags: Flags = NO_FLAGS,
    kubernetes_version: str = "",
    known: EarlierApply | None = None,
) -> RunInput:
    """Return the input of an apply of manifests that were read, as ``input_of_files``.

    ``known`` is the result of the earlier manifests, if another input of the unit has it.
    """
    flags = with_parent(flags, source)
    source = _with_last_applied(source, given, flags, kubernetes_version)
    past, now = _read_revisions(given, source, flags, kubernetes_version)
    now = known.with_known_manifests(now) if known else now
    start, now = cluster_before_and_reading(source, past, now, flags, kubernetes_version, known=known)
    now = with_live_state(now, start.before.cluster)
    cluster = with_renamed_objects(start.before.cluster, now, source)
    is_complete = not (given.problems or now.elsewhere)
    predict = (known and known.predictor(now, flags)) or predictor(now.schema, flags, now.policy, source.recent)
    whole = _apply_set(now, start.cluster_view, flags, cluster, is_complete=is_complete, predict=predict)
    found = _run_input(given, source, past, now, flags=flags, start=start, whole=whole)
    stages = partial(_stages, source, past, start.cluster_view, flags, kubernetes_version)
    return _with_holes(replace(found, stages=stages), source, given)


def _given_notes(given: Input, source: LiveSource, now: Reading) -> Iterator[str]:
    yield from random_notes(given, source)
    yield from remarks(given, now.schema, len(now.unselected))


def random_notes(given: Input, source: LiveSource) -> Iterator[str]:
    """Yield a note if random values of charts are compared with live ones, from which they always differ."""
    if given.is_random and given.documents and source.origin and source.base is None:
        words = "its charts make values at random, which differ from the live ones each time they are rendered"
        yield f"{given.documents[0].file}: {words}, unless the chart looks up the live values, which is not done here"


def _run_input(
    given: Input,
    source: LiveSource,
    past: Reading,
    now: Reading,
    *,
    flags: Flags,
    start: ClusterBefore,
    whole: SetApply,
) -> RunInput:
    """Return the input of an apply to the cluster before it, without the parts that were not rendered."""
    gaps = gaps_of(without_own_inputs(given, now.policy), now.schema, now.here)
    context = _related_documents(source, now, past, flags)
    others = _other_documents(past, now, source.base, context, given.problems)
    run = unapplied.cluster_diff(whole, context, _renames(start.before, others, now.here))
    run = replace(run, units=source.cluster_units, former_unit=source.former_unit, absent_sources=source.absent_sources)
    before, beside = start.before if source.base else None, other_units(source, now, flags)
    return RunInput(
        subjects=_subjects(now, whole, before, flags=flags, cluster_diff=run, context=context, other_units=beside),
        documents=given.documents,
        problems=(*given.problems, *source.problems, *now.problems, *start.problems),
        notes=(*start.notes, *_given_notes(given, source, now), *gaps.lines),
        gaps=gaps,
        texts=given.texts,
        origin=str(source),
        whole=whole,
        others=others,
        unread=now.unread,
        past=past.here,
        renamed=run.renamed,
        shows_kind=source.shows_kind,
        earlier_apply=EarlierApply(past, flags, start) if start.predict else None,
        unapplied=partial(
            unapplied.subjects_of, whole, others, now.unselected, cluster_diff=run, context=context, flags=flags
        ),
    )


def _with_holes(found: RunInput, source: LiveSource, given: Input) -> RunInput:
    """Return the input with the parts of the manifests that were not rendered, and what these mean."""
    holes = holes_between(source, given)
    if not holes:
        return found
    is_compared = source.base is not None
    return replace(
        found,
        holes=holes,
        problems=(*found.problems, *hole_problems(holes, is_compared=is_compared)),
        notes=(*found.notes, *hole_notes(holes, given.parts, is_compared=is_compared)),
        # Any object that is not applied may be in a changed part.
        unapplied=tuple if any(one.is_changed for one in holes) else found.unapplied,
    )


def _read_files(names: Sequence[str], recursive: bool, stdin: Callable[[], bytes]) -> Input:
    return files.read(names, recursive=recursive, stdin=stdin)


def _with_last_applied(source: LiveSource, given: Input, flags: Flags, version: str) -> LiveSource:
    if not source.uses_last_applied:
        return source
    asked = make_reading(given, source, flags, version)
    return with_last_applied_base(source, asked.here, asked.schema.without_bundled().custom.keys(), flags)


def _read_revisions(given: Input, source: LiveSource, flags: Flags, version: str) -> tuple[Reading, Reading]:
    """Return the earlier documents and the given ones, each prepared as they are sent."""
    before = join([source.base.moved, source.base.given]) if source.base else Input()
    is_past = source.base is None or source.base.is_of_any_age
    past = make_reading(before, source, flags, version, is_past=is_past, beside=given.documents)
    now = make_reading(given, source, flags, version, defined=past.definitions, beside=before.documents)
    return (past, now) if flags.unit_applier is None else read_by_program(flags.unit_applier, source, flags, past, now)


def _stages(
    source: LiveSource, past: Reading, cluster_view: ClusterView, flags: Flags, version: str
) -> Sequence[Stage]:
    steps = source.base.steps() if source.base else ()
    readings = [make_reading(step.given, source, flags, version, defined=past.definitions) for step in steps]
    return [
        Stage(step.name, partial(_apply_set, now, cluster_view, flags))
        for step, now in zip(steps, readings, strict=True)
    ]


def _apply_set(
    now: Reading,
    cluster_view: ClusterView,
    flags: Flags,
    cluster: ClusterModel,
    *,
    is_complete: bool = True,
    predict: Predict | None = None,
) -> SetApply:
    return apply_set(
        now.here,
        cluster,
        schema=now.schema,
        predict=predict or predictor(now.schema, flags, now.policy),
        check=check_predictor(now.schema, now.policy),
        policy=now.policy,
        is_one_by_one=flags.is_unit,
        unselected=now.unselected,
        is_complete=is_complete,
        cluster_view=cluster_view,
    )


def _subjects(
    now: Reading,
    whole: SetApply,
    before: EarlierRevision | None,
    *,
    flags: Flags,
    cluster_diff: ClusterDiff,
    context: Sequence[Document],
    other_units: Sequence[OtherUnit],
) -> tuple[Subject, ...]:
    """Return the subjects of a run; ``before`` is the earlier revision, if it compares with one."""
    found = subjects(
        now.here,
        schema=now.schema,
        state_of=whole.state,
        predict=whole.predict,
        outcome_of=whole.outcome,
        base_of=before.manifest if before else no_base,
        flags=flags,
        cluster_diff=cluster_diff,
        context=context,
        other_units=other_units,
    )
    return _with_earlier_cases(found, whole, before) if before else found


def _with_earlier_cases(found: Iterable[Subject], whole: SetApply, before: EarlierRevision) -> tuple[Subject, ...]:
    """Return the subjects of a change with other possible live states than the result of the earlier manifests."""
    return tuple(applicability.with_cases(subject, before.document(subject.ref), whole.predict) for subject in found)


def _related_documents(source: LiveSource, now: Reading, past: Reading, flags: Flags) -> tuple[Document, ...]:
    """Return the related objects that the run does not apply: live ones, or those of unchanged files."""
    taken = {document.ref.identity for document in now.here}
    found: dict[Identity, Document] = {}
    for document in source.context_of(index_query((*past.here, *now.here))):
        # Live objects have their namespace; a snapshot has thousands of objects.
        is_placed = isinstance(document.positions, InCluster) and document.ref.namespace
        placed = document if is_placed else place(document, now.schema, flags.namespace or source.namespace)
        identity = placed.ref.identity
        if identity not in taken:
            found.setdefault(identity, placed)
    return tuple(found.values())


def _other_documents(
    past: Reading, now: Reading, base: Base | None, context: Sequence[Document], problems: Sequence[Problem]
) -> tuple[Document, ...]:
    """Return the documents of objects that may exist and are not applied: unselected or earlier ones.

    Earlier ones are left out if their file was not read, or if they are in unchanged or undecodable documents now.
    """
    unread = base.unread(problems) if base else _never_unread
    if not past.here:
        return now.unselected
    moved = {document.file for document in base.moved.documents} if base else set()
    written = {document.ref.identity for document in (*context, *(one.document for one in now.unread))}
    gone = (each for each in past.here if each.file not in moved and each.ref.identity not in written)
    return (*(each for each in gone if not unread(each.file)), *now.unselected)


def _never_unread(file: str) -> bool:
    return False


def _undecodable_outcome(unread: UndecodableObject, whole: SetApply) -> Outcome:
    live = whole.cluster.state(unread.document.ref).live
    live_object = live.object if isinstance(live, Present) else None
    return Outcome(unread.document.ref, Verdict.REJECTED, result=live_object, errors=(unread.why,))


def _renames(
    before: EarlierRevision, gone: Sequence[Document], here: Sequence[Document]
) -> Mapping[Identity, ObjectRef]:
    later = {document.ref.identity for document in here}
    gone = [
        document
        for document in gone
        if document.ref.identity not in later and isinstance(before.cluster.state(document.ref).live, Present)
    ]
    return transition.renames(gone, [document for document in here if document.ref.identity not in before.documents])


def _unserved_outcomes(whole: SetApply, source: Sequence[Subject]) -> Iterator[tuple[Document, Outcome]]:
    """Yield the outcomes of unselected documents with which kubectl fails anyway, since their kind is not served."""
    for position in range(len(source), len(whole.documents.every)):
        yield whole.documents.every[position], whole.outcome(position)
