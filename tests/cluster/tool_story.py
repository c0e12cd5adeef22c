"""Plays a rule case of another applier than kubectl on a real API server, with the real program."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from tests import libyaml
from tests.cases.tool_cases import NAMESPACE, ToolCase, ToolDeletion, ToolRecord, ToolRun
from tests.cluster.api import collection_path, discover, is_namespaced, kubeconfig
from tests.cluster.cluster import Cluster, write_kubeconfig
from tests.cluster.crds import install, uninstall
from tests.cluster.normal import after_form, live_form
from tests.cluster.story import Stage, is_gone, remove, take
from tests.cluster.tool_calls import MODULES, Said, Tool

_APP_LABEL: Final = 1_700_000_000_000_000_000
"""Stands for the label that kapp draws for the app of a story; those of others are higher by one each."""
_NO_NAMESPACE: Final = "default"
"""Of normal forms, in which nothing is put elsewhere: the namespace of the stories has a name of its own."""


@dataclass(frozen=True, slots=True)
class StoryRun:
    """A story up to the run that is judged: where it happens, and what the program remembers of each name."""

    case: ToolCase
    stage: Stage
    refs: Sequence[ObjectRef]
    tool: Tool
    judged: ToolRun
    memories: Mapping[str, Json]

    def run_of(self, manifest: str, flags: Sequence[str]) -> ToolRun:
        """Return a run with the same name for another set of objects."""
        return _inside(self.stage, ToolRun(tuple(_read(manifest)), tuple(flags), self.judged.name))

    def apply(self, asked: ToolRun) -> Said:
        """Let the program apply a set after the story."""
        return self.tool.apply(asked, self.memories.get(asked.name))

    def memory(self) -> Json:
        """Return what the program remembers now."""
        return self.tool.memory(self.judged, self.memories.get(self.judged.name))

    def live_objects(self, *beside: ObjectRef) -> dict[ObjectRef, JsonObject]:
        """Return the live objects of the story, and those in ``beside``."""
        return _live_objects(self.stage, list(dict.fromkeys((*self.refs, *beside))))

    def live(self, *beside: ObjectRef) -> tuple[JsonObject, ...]:
        """Return them as files have them."""
        return tuple(live_form(item, **_form(self.stage)) for item in self.live_objects(*beside).values())


def _read(manifest: str) -> list[JsonObject]:
    return [item for item in libyaml.load_all(manifest) if item]


@contextmanager
def run_story(cluster: Cluster, program: Path, case: ToolCase) -> Iterator[StoryRun]:
    """Play ``case`` up to the run that is judged, and leave nothing behind; ``Stuck`` where a step by others fails."""
    judged = ToolRun(tuple(_read(case.manifest)), case.flags)
    with _open_stage(cluster, case, judged) as (stage, refs):
        tool, memories = Tool(case.applier, program, stage.cluster, refs), dict[str, Json]()
        for number, step in enumerate(case.steps):
            if isinstance(step, ToolRun):
                memories[step.name] = tool.apply(_inside(stage, step), memories.get(step.name)).memory
            elif isinstance(step, ToolDeletion):
                remove(stage, _with_namespace(stage, step.target))
            else:
                take(stage, step, f"steps[{number}] ({step.action})")
        yield StoryRun(case, stage, refs, tool, _inside(stage, judged), memories)


def play_tool(cluster: Cluster, program: Path, case: ToolCase, today: str) -> ToolRecord:
    """Play ``case`` and leave nothing behind; raise ``Stuck`` where a step by others fails."""
    with run_story(cluster, program, case) as at:
        stage, judged = at.stage, at.judged
        before, snapshot = at.live_objects(), at.live() if case.has_snapshot else ()
        memory = at.memory()
        result = at.apply(judged)
        after = at.live_objects()
        record = ToolRecord(
            kubernetes=cluster.version,
            program=MODULES[case.applier],
            date=today,
            failed=bool(result.error),
            said=result.error,
            became={str(ref): word for ref in at.refs if (word := _word(before.get(ref), after.get(ref)))},
            after=tuple(
                _without_owners(after_form(item, **_form(stage))) for item in after.values() if not is_gone(item)
            ),
            before=snapshot,
            memory=memory if case.has_snapshot else None,
        )
        drawn = [
            label
            for name in dict.fromkeys((judged.name, *at.memories))
            if isinstance(label := mapping(at.tool.memory(replace(judged, name=name), memory)).get("labelValue"), str)
        ]
    return _with_fixed_labels(record, drawn)


def _inside(stage: Stage, asked: ToolRun) -> ToolRun:
    """Return a run whose objects name the namespace of the stories, as a ``targetNamespace`` of Flux makes them."""
    places = [{"namespace": _with_namespace(stage, ref_of(item)).namespace} for item in asked.objects]
    named = zip(asked.objects, places, strict=True)
    return replace(
        asked,
        objects=tuple(
            {**item, "metadata": {**item["metadata"], **own}} if own["namespace"] else item for item, own in named
        ),
    )


def _form(stage: Stage) -> Mapping[str, str]:
    return {"namespace": _NO_NAMESPACE, "since": stage.since}


def _word(before: JsonObject | None, after: JsonObject | None) -> str:
    """Return what became of an object, nothing of one that was never there."""
    old, new = (None if item is None or is_gone(item) else item for item in (before, after))
    if old is None or new is None:
        return "deleted" if old else "created" if new else ""
    if old["metadata"]["uid"] != new["metadata"]["uid"]:
        return "recreated"
    return "same" if _without_version(old) == _without_version(new) else "changed"


def _without_version(item: JsonObject) -> JsonObject:
    metadata = {key: value for key, value in item["metadata"].items() if key not in ("resourceVersion", "generation")}
    return {**item, "metadata": metadata}


def _without_owners(item: JsonObject) -> JsonObject:
    return {**item, "metadata": {key: value for key, value in item["metadata"].items() if key != "managedFields"}}


@contextmanager
def _open_stage(cluster: Cluster, case: ToolCase, judged: ToolRun) -> Iterator[tuple[Stage, Sequence[ObjectRef]]]:
    """Yield a stage with the definitions and the namespace of the case, and the refs of its objects."""
    path = f"/api/v1/namespaces/{cluster.make_namespace(NAMESPACE)}"
    since = cluster.get(path).json["metadata"]["creationTimestamp"]
    content = kubeconfig(cluster.api.url, cluster.api.token, str(cluster.authority or ""), namespace=NAMESPACE)
    inside = replace(cluster, kubeconfig=write_kubeconfig(cluster.folder, content))
    brought = [item for item in _objects(case, judged) if item["kind"] == "CustomResourceDefinition"]
    installed = install(cluster.api, case.crds)
    try:
        stage = Stage(inside, discover(cluster.api), NAMESPACE, since)
        refs = _refs(stage, case, judged)
        # Without controllers a namespace that was deleted comes back with what other tests have left in it.
        _sweep(stage, refs)
        try:
            yield stage, refs
        finally:
            _sweep(replace(stage, resources=discover(cluster.api)), refs)
    finally:
        uninstall(cluster.api, [*installed, *brought])
        cluster.drop_namespace(NAMESPACE)


def _objects(case: ToolCase, judged: ToolRun) -> Iterator[JsonObject]:
    runs = [step for step in case.steps if isinstance(step, ToolRun)]
    for each in (*runs, judged):
        yield from each.objects


def _refs(stage: Stage, case: ToolCase, judged: ToolRun) -> Sequence[ObjectRef]:
    """Return the objects that a case is about, each once, in their order, in the version of the run that is judged."""
    written = [step.target for step in case.steps if not isinstance(step, ToolRun)]
    every = (*map(ref_of, _objects(case, judged)), *written)
    placed = [_with_namespace(stage, ref) for ref in (*every, *map(ref_of, judged.objects)) if stage.serves(ref)]
    return list({ref.identity: ref for ref in placed}.values())


def _with_namespace(stage: Stage, ref: ObjectRef) -> ObjectRef:
    is_inside = stage.serves(ref) and is_namespaced(stage.resources, {"apiVersion": ref.api_version, "kind": ref.kind})
    return replace(ref, namespace=(ref.namespace or NAMESPACE) if is_inside else ref.namespace)


def _live_objects(stage: Stage, refs: Sequence[ObjectRef]) -> dict[ObjectRef, JsonObject]:
    return {ref: found for ref in refs if (found := stage.get(ref)) is not None}


def _sweep(stage: Stage, refs: Sequence[ObjectRef]) -> None:
    """Delete the objects of a story and all that its program has left: the next one has the same namespace."""
    for ref in refs:
        remove(stage, ref)
    kinds = {(ref.api_version, ref.kind) for ref in refs if ref.namespace}
    for version, kind in {*kinds, ("v1", "Secret"), ("v1", "ConfigMap")}:
        collection = ObjectRef(version, kind, NAMESPACE, "")
        found = stage.cluster.get(collection_path(stage.resources, collection))
        for item in found.json["items"] if found.ok else ():
            remove(stage, replace(collection, name=item["metadata"]["name"]))


def _with_fixed_labels(record: ToolRecord, drawn: Sequence[str]) -> ToolRecord:
    """Return the record with the same texts in every story for the labels that kapp has drawn for its apps."""
    parts = json.dumps([record.said, record.before, record.after, record.memory])
    for number, label in enumerate(drawn):
        parts = parts.replace(label, str(_APP_LABEL + number))
    message, before, after, memory = json.loads(parts)
    return replace(record, said=message, before=tuple(before), after=tuple(after), memory=memory)
