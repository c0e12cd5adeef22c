"""Rule cases, and manifests that tests make up, as subjects of the lint loop."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import yaml

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.cli.parsing.arguments import parse
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Span
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.state import Absent, Knowledge, ObjectRef, State, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import OtherUnit, Subject
from kubectl_applylint.lint.subjects import place, subjects
from kubectl_applylint.run.compare.base import Base
from kubectl_applylint.run.compare.live_source import source_of_base
from kubectl_applylint.run.load.prediction import predictor
from kubectl_applylint.run.load.reading import NEWEST_RECORDED
from kubectl_applylint.run.load.run_input import RunInput, input_of_files
from kubectl_applylint.schema.load import load
from kubectl_applylint.sources.text.manifests import read_text
from tests import libyaml
from tests.cases.cases import Case

SCHEMA = load(NEWEST_RECORDED)
ABSENT = Absent()


@dataclass(frozen=True)
class Nowhere:
    """Positions of an object that no file holds."""

    def key(self, path: Path) -> Span | None:
        return None

    def value(self, path: Path) -> Span | None:
        return None


def document(manifest: JsonObject, *, file: str = "web.yaml", index: int = 0) -> Document:
    return Document(file, index, manifest, ref_of(manifest), Nowhere())


def subject(
    manifest: JsonObject,
    *,
    live: Knowledge = ABSENT,
    peers: Sequence[JsonObject] = (),
    crds: Sequence[JsonObject] = (),
    flags: Flags = NO_FLAGS,
    version: str = NEWEST_RECORDED,
) -> Subject:
    """Return the subject of one manifest; ``peers`` are objects that the same run applies before it."""
    documents = [document(item, index=index) for index, item in enumerate((*peers, manifest))]
    schema = load(version, crds=crds) if crds or version != NEWEST_RECORDED else SCHEMA
    predict = predictor(schema, flags)
    return subjects(documents, schema=schema, state_of=_states(manifest, live), predict=predict, flags=flags)[-1]


def _states(manifest: JsonObject, live: Knowledge) -> Callable[[ObjectRef], State]:
    own = ref_of(manifest)
    return lambda ref: State(live if (ref.kind, ref.name) == (own.kind, own.name) else ABSENT)


def flags_of(case: Case) -> Flags:
    """Return how the apply of a case is called."""
    given = parse("applylint", ["check", *case.flags]).apply if case.flags else NO_FLAGS
    return replace(
        given,
        server_side=case.server_side,
        force_conflicts=case.force_conflicts,
        field_manager=case.field_manager or "",
    )


def version_of(case: Case) -> str:
    """Return the version of Kubernetes that a case was replayed with, the newest recorded one where it was not."""
    return case.verified.kubernetes if case.verified else NEWEST_RECORDED


def subject_of(case: Case) -> Subject:
    """Return the subject that a case is about."""
    if case.base:
        return _own(input_of_case(case), case)
    later = [step.body for step in case.steps if step.target.kind == "CustomResourceDefinition"]
    crds = {ref_of(definition).name: definition for definition in (*case.crds, *later)}
    manifest = yaml.load(case.manifest, yaml.CSafeLoader)
    found = subject(
        manifest,
        live=case.live,
        peers=(*case.peers, *case.later),
        crds=tuple(crds.values()),
        flags=flags_of(case),
        version=version_of(case),
    )
    others = tuple(OtherUnit("other", place(document(one), SCHEMA, "default")) for one in case.other_unit)
    return replace(found, document=replace(found.document, source=case.kustomize.get("source")), other_units=others)


def subjects_of(case: Case) -> tuple[Subject, ...]:
    """Return the subject that a case is about, and those of the objects that were removed from the files."""
    if not case.base:
        return (subject_of(case),)
    found = input_of_case(case)
    return (_own(found, case), *found.unapplied())


def _own(found: RunInput, case: Case) -> Subject:
    return next(one for one in found.subjects if replace(one.ref, namespace=case.ref.namespace) == case.ref)


def input_of_case(case: Case) -> RunInput:
    """Return the change of a case: the manifests that are applied now, compared with those of its base."""
    past = read_text(_text(*map(libyaml.dump, case.base)), "before.yaml")
    texts = (*map(libyaml.dump, case.peers), case.manifest, *map(libyaml.dump, case.later))
    now = read_text(_text(*texts), "after.yaml")
    base = Base("the earlier manifests", past, later=lambda *_: now, definitions=lambda: case.crds)
    version = version_of(case)
    return input_of_files(
        (), stdin=bytes, source=source_of_base(base), flags=flags_of(case), kubernetes_version=version
    )


def _text(*manifests: str) -> str:
    return "\n---\n".join(manifests)


def subject_in_file(case: Case, file: str) -> Subject:
    """Return the subject that a case without a base is about, with the places of its manifest in a file."""
    found = subject_of(case)
    (read,) = read_text(case.manifest, file).documents
    return replace(found, document=replace(found.document, file=file, index=0, positions=read.positions))
