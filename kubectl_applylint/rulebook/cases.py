"""Rule cases: small stories of writes that end in an apply, with the findings expected of it.

A case is one YAML file in ``rules/<family>/<rule>/cases/``: ``bad-*.yaml`` (the rule speaks up) or ``ok-*.yaml`` (it
keeps quiet)::

    summary: one sentence
    steps:                       # the writes that lead to the live state, in order; or `live`; or neither: a new object
      - apply: {…}               # kubectl apply; also apply-server-side, create, replace: {the object}
        manager: ci              # every step: the field manager; `force: true` with apply-server-side
      - patch: {spec: {replicas: 5}}
        type: merge              # or strategic, json
        target: {apiVersion: apps/v1, kind: Deployment, name: web}   # of a patch; the object of `manifest` if left out
        subresource: scale       # of a patch or a replace, rarely needed
    crds: [{…}]                  # custom resource definitions that are there before
    peers: [{…}]                 # other objects of the same run, applied before `manifest`
    later: [{…}]                 # and those that are applied after it
    other-unit: [{…}]            # what another unit of the repository has for the same target
    base: [{…}]                  # instead of steps: what an earlier run applied; what is not applied now left the files
    kustomize: {source: {…}, kustomization: {…}}   # of what `kubectl kustomize` makes `manifest`
    flags: [--server-side]       # of the `kubectl apply` that is judged
    manifest: |                  # what is applied now, as text: findings point to its lines
      apiVersion: apps/v1
    findings:                    # none in an ok- case
      - path: spec.replicas      # as findings render it
        message: scales          # a part of the message, optional
        rule: other-rule         # the rule whose folder it is if left out
    fixed: |                     # a bad- case: the manifest after the reader's decision (`rulebook.fixed`)
    fix_leaves: one sentence     # why the finding stays after its fix, used sparingly

A replay on a real API server appends ``verified``, ``verdict``, ``live`` and ``after`` below ``MARKER``, ``said``,
what kubectl printed, where the apply was refused, and ``gone``, the objects of ``base`` that are not there afterwards.
A sync by Metacontroller (``flags: [--applier=metacontroller, --update-method=InPlace]``) is not replayed.
"""

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import TypeAlias

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Absent, Knowledge, ObjectRef, Present, Unknown, ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.rulebook.case_text import load, repeated_keys
from kubectl_applylint.rulebook.fixed import Fixed, fixed_faults, read_fixed

MARKER = "# recorded by tests/cluster/replay.py"
"""The comment line below which a case file is written by the replay."""

Faults: TypeAlias = Iterator[str]


class Action(StrEnum):
    """How a step writes."""

    APPLY = "apply"
    APPLY_SERVER_SIDE = "apply-server-side"
    CREATE = "create"
    REPLACE = "replace"
    PATCH = "patch"


class PatchType(StrEnum):
    """How the server reads the body of a patch."""

    MERGE = "merge"
    STRATEGIC = "strategic"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class CaseWrite:
    """One write before the apply. ``manager`` is empty where the writer's own default holds."""

    action: Action
    body: Json
    """The object, or the patch: an object, a list of operations for ``PatchType.JSON``."""
    target: ObjectRef
    manager: str = ""
    force: bool = False
    patch_type: PatchType = PatchType.MERGE
    subresource: str = ""


@dataclass(frozen=True, slots=True)
class Expected:
    """One finding that the case expects; ``path`` as it is rendered, ``message`` a part of the words, maybe empty."""

    rule: str
    path: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Verified:
    """Which programs the story was replayed with, and on which day."""

    kubernetes: str
    kubectl: str
    date: str


@dataclass(frozen=True, slots=True)
class Case:
    """One story. ``live`` and ``after`` are ``Unknown`` as long as only a replay can tell."""

    file: str
    summary: str
    manifest: str
    ref: ObjectRef
    """The object that ``manifest`` describes."""
    steps: tuple[CaseWrite, ...]
    live: Knowledge
    crds: tuple[JsonObject, ...]
    peers: tuple[JsonObject, ...]
    later: tuple[JsonObject, ...]
    other_unit: tuple[JsonObject, ...]
    base: tuple[JsonObject, ...]
    flags: tuple[str, ...]
    findings: tuple[Expected, ...]
    verified: Verified | None
    verdict: Verdict | None
    after: Knowledge
    said: str
    """What kubectl printed when the apply was refused, empty where it was not."""
    gone: tuple[str, ...]
    """The objects of ``base`` that the apply has deleted, sorted."""
    kustomize: JsonObject
    """What the manifest is rendered of: ``source``, an object, and ``kustomization``; empty where it is not."""
    fixed: tuple[Fixed | None, ...] = ()
    """What the reader writes in each of the alternatives of the fix; ``None`` for one without anything to write."""
    fix_leaves: str = ""
    """Why the finding is still there after the fix; empty where it is gone."""

    @property
    def server_side(self) -> bool:
        """Whether the apply that is judged is a server-side one."""
        return "--server-side" in self.flags

    @property
    def is_synced(self) -> bool:
        """Whether Metacontroller syncs the object: then there is nothing to replay, and ``live`` is given."""
        return "--applier=metacontroller" in self.flags

    @property
    def force_conflicts(self) -> bool:
        """Whether it takes over the fields of others."""
        return "--force-conflicts" in self.flags

    @property
    def field_manager(self) -> str | None:
        """The manager that it names, ``None`` where kubectl's default holds."""
        named = (flag.removeprefix("--field-manager=") for flag in self.flags if flag.startswith("--field-manager="))
        return next(named, None)


_NOT_REPLAYED = Unknown("the case has not been replayed yet")
_OBJECT, _LIST, _TEXT = (dict,), (list,), (str,)
_NULLABLE = (dict, type(None))
_WORDS: Mapping[type, str] = {dict: "a map", list: "a list", str: "text", bool: "true or false", type(None): "null"}
_CASE_KEYS: Mapping[str, tuple[type, ...]] = {
    "summary": _TEXT,
    "steps": _LIST,
    "live": _NULLABLE,
    "crds": _LIST,
    "peers": _LIST,
    "later": _LIST,
    "other-unit": _LIST,
    "base": _LIST,
    "kustomize": _OBJECT,
    "flags": _LIST,
    "manifest": _TEXT,
    "findings": _LIST,
    "verified": _OBJECT,
    "verdict": _TEXT,
    "after": _NULLABLE,
    "said": _TEXT,
    "gone": _LIST,
    "fixed": (str, list, dict),
    "fix_leaves": _TEXT,
}
_STEP_KEYS: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(Action, _OBJECT),
    "patch": (dict, list),
    "manager": _TEXT,
    "force": (bool,),
    "type": _TEXT,
    "target": _OBJECT,
    "subresource": _TEXT,
}
_FINDING_KEYS: Mapping[str, tuple[type, ...]] = {"rule": _TEXT, "path": _TEXT, "message": _TEXT}
_VERIFIED_KEYS: Mapping[str, tuple[type, ...]] = {"kubernetes": _TEXT, "kubectl": _TEXT, "date": _TEXT}
_ONLY_WITH: Mapping[str, tuple[Action, ...]] = {
    "force": (Action.APPLY_SERVER_SIDE,),
    "type": (Action.PATCH,),
    "target": (Action.PATCH,),
    "subresource": (Action.PATCH, Action.REPLACE),
}


def read_case(text: str, *, file: str, rule: str) -> Case:
    """Return the case that ``text`` holds; ``rule`` is the rule whose folder ``file`` lies in.

    Raises ``ValueError`` with the file and all that is wrong in it.
    """
    content = load(text, file)
    faults = [*repeated_keys(text), *_faults(content, file)]
    if faults:
        raise ValueError("\n".join(f"{file}: {fault}" for fault in faults))
    ref = ref_of(load(content["manifest"], file))
    steps = tuple(_step(item, ref) for item in content.get("steps", []))
    return Case(
        file=file,
        summary=content["summary"],
        manifest=content["manifest"],
        ref=ref,
        steps=steps,
        live=_known(content, "live", _NOT_REPLAYED if steps or "base" in content else Absent()),
        crds=tuple(content.get("crds", [])),
        peers=tuple(content.get("peers", [])),
        later=tuple(content.get("later", [])),
        other_unit=tuple(content.get("other-unit", [])),
        base=tuple(content.get("base", [])),
        flags=tuple(content.get("flags", [])),
        findings=tuple(_expected(item, rule) for item in content.get("findings", [])),
        verified=Verified(**content["verified"]) if "verified" in content else None,
        verdict=Verdict(content["verdict"]) if "verdict" in content else None,
        after=_known(content, "after", _NOT_REPLAYED),
        said=content.get("said", ""),
        gone=tuple(content.get("gone", [])),
        kustomize=content.get("kustomize", {}),
        fixed=read_fixed(content.get("fixed", [])),
        fix_leaves=content.get("fix_leaves", ""),
    )


def _known(content: JsonObject, key: str, otherwise: Knowledge) -> Knowledge:
    if key not in content:
        return otherwise
    return Absent() if content[key] is None else Present(content[key])


def _step(item: JsonObject, ref: ObjectRef) -> CaseWrite:
    action = next(action for action in Action if action in item)
    if action is Action.PATCH:
        target = ref_of({**item["target"], "metadata": item["target"]}) if "target" in item else ref
    else:
        target = ref_of(item[action])
    return CaseWrite(
        action=action,
        body=item[action],
        target=target,
        manager=item.get("manager", ""),
        force=item.get("force", False),
        patch_type=PatchType(item.get("type", "merge")),
        subresource=item.get("subresource", ""),
    )


def _expected(item: JsonObject, rule: str) -> Expected:
    return Expected(rule=item.get("rule", rule), path=item["path"], message=item.get("message", ""))


def _faults(content: Json, file: str) -> Faults:
    faults = list(_record_faults(content, _CASE_KEYS, required=("summary", "manifest")))
    if faults:
        yield from faults
        return
    yield from _name_faults(content, file)
    yield from _manifest_faults(content["manifest"])
    for key in ("crds", "peers", "later", "other-unit", "base"):
        yield from _each(key, content, _object_faults)
    if "kustomize" in content:
        rendered = dict.fromkeys(("source", "kustomization"), _OBJECT)
        yield from _at("kustomize", _record_faults(content["kustomize"], rendered, required=tuple(rendered)))
    if "base" in content and ("steps" in content or _is_given(content)):
        yield "base cannot be used with steps or live"
    yield from _each("flags", content, _flag_faults)
    yield from _each("steps", content, _step_faults)
    yield from _each("findings", content, lambda item: _record_faults(item, _FINDING_KEYS, required=("path",)))
    yield from _at("fixed", fixed_faults(content.get("fixed", [])))
    if "verified" in content:
        record = content["verified"]
        yield from _at("verified", _record_faults(record, _VERIFIED_KEYS, required=tuple(_VERIFIED_KEYS)))
    if content.get("verdict", Verdict.CREATED) not in tuple(Verdict):
        yield f"verdict is not one of {', '.join(Verdict)}"


def _is_given(content: JsonObject) -> bool:
    """Tell whether a person wrote down the live object: a replay would have said so."""
    return "live" in content and "verified" not in content


def _each(key: str, content: JsonObject, faults_of: Callable[[Json], Faults]) -> Faults:
    for position, item in enumerate(content.get(key, [])):
        yield from _at(f"{key}[{position}]", faults_of(item))


def _at(place: str, faults: Faults) -> Faults:
    return (f"{place}: {fault}" for fault in faults)


def _name_faults(content: JsonObject, file: str) -> Faults:
    name = file.rpartition("/")[2]
    if name.startswith("ok-") and content.get("findings"):
        yield "an ok- case expects no findings"
    if name.startswith("bad-") and not content.get("findings"):
        yield "a bad- case expects at least one finding"


def _manifest_faults(text: str) -> Faults:
    try:
        yield from _at("manifest", _object_faults(load(text, "manifest")))
    except ValueError as error:
        yield str(error)


def _object_faults(value: Json) -> Faults:
    ref = ref_of(mapping(value))
    if not (ref.api_version and ref.kind and ref.name):
        yield "is not one object with apiVersion, kind and metadata.name"


def _flag_faults(flag: Json) -> Faults:
    if not isinstance(flag, str) or not flag.startswith("--"):
        yield "is not a flag of kubectl apply, such as --server-side or --field-manager=ci"


def _step_faults(item: Json) -> Faults:
    faults = list(_record_faults(item, _STEP_KEYS, required=()))
    if faults:
        yield from faults
        return
    actions = [action for action in Action if action in item]
    if len(actions) != 1:
        yield f"needs exactly one of {', '.join(Action)}"
        return
    action = actions[0]
    yield from (
        f"{key} cannot be used with {action}"
        for key, others in _ONLY_WITH.items()
        if key in item and action not in others
    )
    if "target" in item:
        yield from _at("target", _target_faults(item["target"]))
    if action is not Action.PATCH:
        yield from _at(action, _object_faults(item[action]))
    patch_type = item.get("type", "merge")
    if patch_type not in tuple(PatchType):
        yield f"type: {patch_type!r} is not one of {', '.join(PatchType)}"
    if action is Action.PATCH and isinstance(item["patch"], list) != (patch_type == PatchType.JSON):
        yield "a json patch is a list of operations, any other patch a map"


def _target_faults(target: JsonObject) -> Faults:
    required = ("apiVersion", "kind", "name")
    return _record_faults(target, dict.fromkeys((*required, "namespace"), _TEXT), required=required)


def _record_faults(item: Json, keys: Mapping[str, tuple[type, ...]], *, required: tuple[str, ...]) -> Faults:
    if not isinstance(item, dict):
        yield "is not a map"
        return
    yield from (f"{key} is missing" for key in required if key not in item)
    for key, value in item.items():
        if key not in keys:
            yield f"unknown key {key!r}; valid keys: {', '.join(keys)}"
        elif type(value) not in keys[key]:
            yield f"{key} is not {' or '.join(_WORDS[kind] for kind in keys[key])}"
