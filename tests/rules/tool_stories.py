"""Rule cases of other appliers than kubectl as runs over a unit that such a program applies."""

import base64
import gzip
import json
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.cli.parsing.arguments import parse
from kubectl_applylint.core.documents import Document, in_namespace
from kubectl_applylint.core.state import Absent, Present, ref_of
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.engine.cluster_diff import ClusterUnits, FormerUnit
from kubectl_applylint.lint.model import OtherUnit, Subject
from kubectl_applylint.lint.subjects import place
from kubectl_applylint.run.compare.base import Base
from kubectl_applylint.run.compare.live_source import source_of_base
from kubectl_applylint.run.compare.snapshot_source import in_snapshot
from kubectl_applylint.run.discover.unit_tasks import UnitTask
from kubectl_applylint.run.load.load_unit import unit_input
from kubectl_applylint.run.load.other_units import competing_holder
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.load.unit_tools import applier_of
from kubectl_applylint.run.request import Request
from kubectl_applylint.run.sides.named_sources import absences
from kubectl_applylint.sources.store.absence import Absence
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind
from kubectl_applylint.sources.text.manifests import Input, join, read_text
from kubectl_applylint.tools.flux.helm_release import release_settings
from kubectl_applylint.tools.flux.kustomization import GROUP
from kubectl_applylint.units.model import Applied, Form, HelmOptions, Installation, Unit
from tests import libyaml
from tests.cases.tool_cases import HELMS, NAME, NAMESPACE, ToolCase
from tests.cluster.argocd_program import PROJECT_NAME, SERVER, SOURCE, operation_of
from tests.cluster.flux_program import health_checks_of, ignore_of
from tests.fidelity.helm_controller_stories import helm_release
from tests.rules.stories import SCHEMA, document

_OTHER = "other"
_TOOLS = {
    Applier.HELM3: "helm",
    Applier.HELM4: "helm",
    Applier.HELM_CONTROLLER: "flux",
    Applier.FLUX: "flux",
    Applier.ARGOCD: "argocd",
}


def run_of(case: ToolCase, folder: Path, namespace: str = NAMESPACE) -> RunInput:
    """Return the run that a case is about in a namespace; a snapshot is written into ``folder``."""
    flags = parse("applylint", ["check", "--applier", case.applier, "--against", "dir:before", "after"]).apply
    request = Request(flags=flags, kubernetes_version=case.record.kubernetes if case.record else "")
    given = _input_of(list(libyaml.load_all(case.manifest)), case.manifest, "after.yaml")
    now = _with_release_labels(case, given, namespace)
    return unit_input(request, _task(case, now, folder, namespace))


def _task(case: ToolCase, now: Input, folder: Path, namespace: str) -> UnitTask:
    if case.has_snapshot:
        file = folder / "snapshot.json"
        file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": list(_snapshot(case, namespace))}))
        source = in_snapshot(str(file))
        is_first = case.applier is Applier.KAPP and not (case.record and case.record.memory)
        # A snapshot without the ConfigMap of an app has less information than a cluster without it.
        return UnitTask(_unit(case, namespace), replace(source, age_seconds=None) if is_first else source, now)
    past = case.base.objects if case.base else ()
    given = _input_of(past, "\n---\n".join(map(libyaml.dump, past)), "before.yaml")
    given = _with_release_labels(case, given, namespace)
    base = Base("the earlier manifests", given, later=lambda *_: now, definitions=lambda: case.crds)
    return UnitTask(_unit(case, namespace), source_of_base(base), is_new=case.base is None)


def _input_of(objects: list[JsonObject] | tuple[JsonObject, ...], text: str, file: str) -> Input:
    """Return what the text of some objects holds; definitions of a chart lie in ``crds``."""
    if not any(item["kind"] == "CustomResourceDefinition" for item in objects):
        return read_text(text, file)
    parts = (read_text(libyaml.dump(item), _file(item, number, file)) for number, item in enumerate(objects))
    return join(list(parts))


def _with_release_labels(case: ToolCase, given: Input, namespace: str) -> Input:
    """Return the objects with the labels of their HelmRelease, if they are those of one."""
    if case.applier is not Applier.HELM_CONTROLLER:
        return given
    item = helm_release(namespace, case.flags)
    settings = release_settings(ref_of(item), item)
    labelled = (replace(one, object=settings.with_metadata(one.object)) for one in given.documents)
    return replace(given, documents=tuple(labelled))


def _file(item: JsonObject, number: int, file: str) -> str:
    return f"{'crds' if item['kind'] == 'CustomResourceDefinition' else 'templates'}/{number}-{file}"


def _kustomization(flags: Collection[str], namespace: str, name: str) -> JsonObject:
    spec = {
        "prune": "prune" in flags,
        "force": "force" in flags,
        "ignore": list(ignore_of(flags)),
        "healthChecks": list(health_checks_of(flags)),
    }
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": f"{GROUP}/v1", "kind": "Kustomization", "metadata": metadata, "spec": spec}


def _application(flags: Collection[str], namespace: str, name: str) -> JsonObject:
    asked = operation_of(name, namespace, flags)
    policy = {"automated": {"prune": asked.prunes}, "syncOptions": list(asked.options)}
    spec = {
        "destination": {"server": SERVER, "namespace": namespace},
        "source": {"repoURL": SOURCE},
        "project": PROJECT_NAME if asked.project is not None else "default",
        "syncPolicy": policy,
        "ignoreDifferences": list(asked.ignored),
    }
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": {"name": name}, "spec": spec}


def _projects(flags: Collection[str]) -> tuple[str, ...]:
    project = operation_of(NAME, NAMESPACE, flags).project
    return () if project is None else (json.dumps({"metadata": {"name": PROJECT_NAME}, "spec": project}),)


def _helm_release(flags: Collection[str], namespace: str, name: str) -> JsonObject:
    return helm_release(namespace, tuple(flags), name)


_OF_OBJECTS = {Applier.FLUX: _kustomization, Applier.ARGOCD: _application, Applier.HELM_CONTROLLER: _helm_release}


def _unit(case: ToolCase, namespace: str, name: str = NAME) -> Unit:
    prunes, is_release = "prune" in case.flags, case.applier is Applier.HELM_CONTROLLER
    item = _OF_OBJECTS[case.applier](case.flags, namespace, name) if case.applier in _OF_OBJECTS else None
    applied = Applied(
        tool=_TOOLS.get(case.applier, "kubectl"),
        namespace=namespace,
        prune=(prunes or is_release) if case.applier in _OF_OBJECTS else None,
        options=(("flags", case.flags),) if case.applier in HELMS else (),
        helm=HelmOptions(release=name) if case.applier in HELMS else None,
        tool_object=item,
        declared_by=ref_of(item) if item and is_release else None,
        installation=Installation(_projects(case.flags) if case.applier is Applier.ARGOCD else ()),
        program=case.applier if is_release else "",
    )
    form = Form.RELEASE if is_release else Form.CHART if case.applier in HELMS else Form.FOLDER
    return Unit(name, form, frozenset({"after.yaml"}), applied)


def _snapshot(case: ToolCase, namespace: str) -> Iterator[JsonObject]:
    """Yield the objects of a snapshot: those of the story, and those in which the program remembers."""
    record = case.record
    assert record is not None
    yield from case.crds
    yield from record.before
    metadata: JsonObject = {"name": NAME, "namespace": namespace}
    match case.applier:
        case Applier.FLUX:
            status = {"inventory": {"entries": record.memory or []}}
            yield {"apiVersion": f"{GROUP}/v1", "kind": "Kustomization", "metadata": metadata, "status": status}
        case Applier.KAPP:
            if record.memory:
                yield {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": _data(record.memory)}
        case Applier.HELM3 | Applier.HELM4 | Applier.HELM_CONTROLLER:
            yield {"apiVersion": "v1", "kind": "Secret", "metadata": {**metadata, "name": "any"}}
            revisions = record.memory if isinstance(record.memory, list) else ()
            yield from (_release(revision, namespace) for revision in revisions)


def _data(memory: object) -> JsonObject:
    return {"spec": json.dumps(memory)}


def _release(revision: JsonObject, namespace: str) -> JsonObject:
    """Return the Secret in which Helm stores a revision."""
    manifest = "\n---\n".join(map(libyaml.dump, revision["manifest"]))
    content = {
        "name": NAME,
        "namespace": namespace,
        "version": revision["version"],
        "info": {"status": revision["status"]},
        "apply_method": revision["apply_method"],
        "manifest": manifest,
    }
    packed = base64.b64encode(base64.b64encode(gzip.compress(json.dumps(content).encode()))).decode()
    labels = {"owner": "helm", "name": NAME, "status": revision["status"], "version": str(revision["version"])}
    metadata = {"name": f"sh.helm.release.v1.{NAME}.v{revision['version']}", "namespace": namespace, "labels": labels}
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "type": "helm.sh/release.v1",
        "metadata": metadata,
        "data": {"release": packed},
    }


def subjects_of(case: ToolCase, found: RunInput) -> tuple[Subject, ...]:
    """Return the subjects of a run, those of objects that it does not apply too, with what another unit has."""
    others = [_in_default_namespace(document(mapping(item))) for item in case.other_unit]
    every = {one.ref: one for one in (*map(_in_default_namespace, found.documents), *others)}
    units = ClusterUnits(
        tuple(every.values()), "", lambda ref: Present(every[ref].object) if ref in every else Absent()
    )
    former = {
        one.ref: FormerUnit(_OTHER, case.former, one)
        for one in map(_in_default_namespace, map(document, case.former_unit))
    }
    return tuple(
        replace(
            one,
            other_units=tuple(_beside(case, one, each) for each in others if each.ref == one.ref),
            cluster_diff=replace(
                one.cluster_diff,
                units=lambda: units,
                former_unit=former.get,
                absent_sources=partial(absences, absence_of=_answers(case).get),
            ),
        )
        for one in (*found.subjects, *found.unapplied())
    )


def _answers(case: ToolCase) -> dict[ChartSource, Absence]:
    """Return the answers of sources that they do not have something."""
    return {
        ChartSource(
            SourceKind(one["kind"]), one["url"], one.get("chart", ""), one["version"], is_tag=one.get("tag", False)
        ): Absence(one.get("whole", False), one.get("hint", ""), "", one["asked"], is_private=one.get("private", False))
        for one in case.absent
    }


def _in_default_namespace(item: Document) -> Document:
    """Return a document in the namespace of all cases, if it has none and its kind is namespaced or not known."""
    placed = place(item, SCHEMA, NAMESPACE)
    return in_namespace(placed, NAMESPACE) if placed == item and not item.ref.namespace else placed


def _beside(case: ToolCase, subject: Subject, same: Document) -> OtherUnit:
    """Return the object in another unit that the program of the case applies to the same target."""
    other = applier_of(subject.flags, _unit(case, NAMESPACE, _OTHER), NAMESPACE)
    return OtherUnit(_OTHER, same, competing_holder(subject.flags.unit_applier, other, [subject.document], same))
