"""Rule cases of other appliers than kubectl: stories of Helm, Flux, Argo CD or kapp, with the findings expected.

Such a case is a file in ``rules/<family>/<rule>/cases/`` that names the program::

    summary: one sentence
    applier: helm3               # or helm4, helm-controller, flux, argocd, kapp
    crds: [{…}]                  # custom resource definitions that exist before
    steps:                       # what happens before the run that is judged, in order
      - run: [{…}]               # the program applies a set: an install or upgrade, a reconciliation, a sync, a deploy
        flags: [prune]           # as below; `name: other` for another release, Kustomization, Application or app
        killed: true             # Helm is killed while it waits for the objects that it has written
      - patch: {…}               # what others write, as in a case of kubectl
      - delete: {apiVersion: v1, kind: ConfigMap, name: web}
    flags: [prune, force]        # of the run that is judged
    other-unit: [{…}]            # objects of another unit of the repository with the same target, and of its cluster
    former-unit: [{…}]           # objects of a unit that the change removes there; `former: flux` is its program
    absent: [{…}]                # answers of sources that they do not have something: kind, url, chart, version, hint,
                                 # asked; `tag`, `whole` and `private` where they are true. They are not recorded
    manifest: |                  # the set of that run, one or more documents
    fixed: |                     # a bad- case: the set after the reader's decision (`fixed.py`)
    fix_leaves: one sentence     # why the finding stays after its fix, used sparingly
    findings:                    # none in an ok- case
      - object: deployment/web   # where the set has several, optional
        path: spec.replicas
        message: a part of it, optional

``flags`` are, for Flux, ``force`` and ``prune`` of the Kustomization, ``ignore=`` before a path of its ``spec.ignore``,
and ``health-check=`` before the JSON of an entry of its ``spec.healthChecks``, which is not recorded; for Argo CD
``prune``, the sync options of the Application, ``ignore=`` before the JSON of an entry of its
``spec.ignoreDifferences``, and ``project=`` before that of ``spec`` of its AppProject; for Helm those of ``helm
upgrade`` (``--take-ownership``), for helm-controller fields of the HelmRelease (``upgrade.force=true``), for kapp those
of ``kapp deploy``, which are not predicted. The namespace is ``NAMESPACE``.

A single earlier run (for Helm and helm-controller: without flags) represents the revision of ``--against``. Otherwise
the objects before the judged run, and the program's stored state, represent a snapshot.

The recorder appends below ``MARKER`` the versions, whether the run failed, the program's output (``said``), the fate of
each object, and the objects before it (in a case with a snapshot) and after it.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from kubectl_applylint.appliers.request import TOOL_APPLIERS, Applier
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from tests.cases.case_steps import (
    LIST,
    OBJECT,
    TEXT,
    CaseWrite,
    Faults,
    faults_at,
    faults_of_each,
    object_faults,
    read_step,
    record_faults,
    step_faults,
)
from tests.cases.case_text import load, repeated_keys
from tests.cases.cases import FINDING_KEYS, Expected, name_faults, read_expected
from tests.cases.fixed import FixEntry, fixed_faults, read_fixed

NAMESPACE: Final = "shop"
"""The namespace of every case."""
NAME: Final = "app"
"""The name of the release, the Kustomization, the Application or the app."""
HELMS: Final = (Applier.HELM3, Applier.HELM4)
"""The appliers that upgrade releases at the command line."""
_RELEASERS: Final = (*HELMS, Applier.HELM_CONTROLLER)
_APPLIERS: Final = (*TOOL_APPLIERS, Applier.HELM_CONTROLLER)


@dataclass(frozen=True, slots=True)
class ToolRun:
    """One run of the program."""

    objects: tuple[JsonObject, ...]
    flags: tuple[str, ...] = ()
    name: str = NAME
    is_killed: bool = False


@dataclass(frozen=True, slots=True)
class ToolDeletion:
    """An object that another client deletes."""

    target: ObjectRef


@dataclass(frozen=True, slots=True)
class ToolRecord:
    """The recorded results of the real program in the judged run."""

    kubernetes: str
    program: str
    """The version of the program."""
    date: str
    failed: bool
    said: str
    """The error message of the program, empty on success."""
    became: Mapping[str, str]
    """The fate of each object: ``created``, ``changed``, ``same`` or ``deleted``."""
    after: tuple[JsonObject, ...] = field(repr=False)
    """The objects afterwards, without managedFields."""
    before: tuple[JsonObject, ...] = field(default=(), repr=False)
    """The objects before, in a case with a snapshot."""
    memory: Json = field(default=None, repr=False)
    """The program's stored state before, in a case with a snapshot."""


@dataclass(frozen=True, slots=True)
class ToolExpected:
    """An expected finding and its object; empty for any."""

    finding: Expected
    object: str = ""


ToolStep: TypeAlias = ToolRun | ToolDeletion | CaseWrite


@dataclass(frozen=True, slots=True)
class ToolCase:
    """One rule case of a program."""

    file: str
    summary: str
    applier: Applier
    manifest: str
    steps: tuple[ToolStep, ...]
    crds: tuple[JsonObject, ...]
    flags: tuple[str, ...]
    other_unit: tuple[JsonObject, ...]
    findings: tuple[ToolExpected, ...]
    record: ToolRecord | None
    fixed: tuple[FixEntry | None, ...] = ()
    fix_leaves: str = ""
    former_unit: tuple[JsonObject, ...] = ()
    former: str = ""
    absent: tuple[JsonObject, ...] = ()

    @property
    def base(self) -> ToolRun | None:
        """The run that represents the earlier revision, ``None`` with a snapshot or without earlier runs."""
        first = self.steps[0] if len(self.steps) == 1 else None
        return first if isinstance(first, ToolRun) and first.name == NAME and not self._is_special(first) else None

    def _is_special(self, run: ToolRun) -> bool:
        """Return whether a run requires a snapshot."""
        return run.is_killed or (self.applier in _RELEASERS and bool(run.flags))

    @property
    def has_snapshot(self) -> bool:
        """Whether the live state before the judged run comes from a snapshot."""
        return bool(self.steps) and self.base is None


_CASE_KEYS: Mapping[str, tuple[type, ...]] = {
    "summary": TEXT,
    "applier": TEXT,
    "crds": LIST,
    "steps": LIST,
    "flags": LIST,
    "other-unit": LIST,
    "former-unit": LIST,
    "former": TEXT,
    "absent": LIST,
    "manifest": TEXT,
    "findings": LIST,
    "fixed": (str, list, dict),
    "fix_leaves": TEXT,
    "verified": OBJECT,
    "failed": (bool,),
    "said": TEXT,
    "became": OBJECT,
    "memory": (dict, list, type(None)),
    "before": LIST,
    "after": LIST,
}
_RUN_KEYS: Mapping[str, tuple[type, ...]] = {"run": LIST, "flags": LIST, "name": TEXT, "killed": (bool,)}
_ABSENT: Final = ("kind", "url", "version", "asked")
_ABSENT_KEYS: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys((*_ABSENT, "chart", "hint"), TEXT),
    **dict.fromkeys(("tag", "whole", "private"), (bool,)),
}
_VERIFIED_KEYS: Mapping[str, tuple[type, ...]] = {"kubernetes": TEXT, "program": TEXT, "date": TEXT}


def is_tool_case(text: str) -> bool:
    """Return whether the text of a case names another program than kubectl."""
    return any(line.startswith("applier:") for line in text.splitlines())


def case_files(folder: str, *, of_tools: bool = False) -> list[Path]:
    """Return the case files of the rule in ``folder``: those of kubectl, or else those of other programs."""
    files = sorted(Path(folder, "cases").glob("*.yaml"))
    return [file for file in files if is_tool_case(file.read_text(encoding="utf-8")) is of_tools]


def read_tool_case(text: str, *, file: str, rule: str) -> ToolCase:
    """Return the case in ``text``; ``rule`` is the rule whose folder contains ``file``.

    Raises ``ValueError`` with the file and all errors in it.
    """
    content = load(text, file)
    faults = [*repeated_keys(text), *_faults(content, file)]
    if faults:
        raise ValueError("\n".join(f"{file}: {fault}" for fault in faults))
    return ToolCase(
        file=file,
        summary=content["summary"],
        applier=Applier(content["applier"]),
        manifest=content["manifest"],
        steps=tuple(map(_step, content.get("steps", []))),
        crds=tuple(content.get("crds", [])),
        flags=tuple(content.get("flags", [])),
        other_unit=tuple(content.get("other-unit", [])),
        former_unit=tuple(content.get("former-unit", [])),
        former=content.get("former", ""),
        absent=tuple(content.get("absent", [])),
        findings=tuple(_expected_finding(item, rule) for item in content.get("findings", [])),
        record=_record(content) if "verified" in content else None,
        fixed=read_fixed(content.get("fixed", [])),
        fix_leaves=content.get("fix_leaves", ""),
    )


def _step(item: JsonObject) -> ToolStep:
    """Return a step."""
    if "run" in item:
        flags, name = tuple(item.get("flags", [])), item.get("name", NAME)
        return ToolRun(tuple(item["run"]), flags, name, item.get("killed", False))
    if "delete" in item:
        return ToolDeletion(ref_of({**item["delete"], "metadata": item["delete"]}))
    return read_step(item, ref_of(mapping(item.get("target"))))


def _expected_finding(item: JsonObject, rule: str) -> ToolExpected:
    """Return an expected finding."""
    return ToolExpected(read_expected(item, rule), item.get("object", ""))


def _record(content: JsonObject) -> ToolRecord:
    """Return the recorded results."""
    return ToolRecord(
        **content["verified"],
        failed=content.get("failed", False),
        said=content.get("said", ""),
        became=content.get("became", {}),
        after=tuple(content.get("after", [])),
        before=tuple(content.get("before", [])),
        memory=content.get("memory"),
    )


def _faults(content: Json, file: str) -> Faults:
    """Yield the errors in a case."""
    faults = list(record_faults(content, _CASE_KEYS, required=("summary", "applier", "manifest")))
    if faults:
        yield from faults
        return
    yield from name_faults(content, file)
    if content["applier"] not in _APPLIERS:
        yield f"applier is not one of {', '.join(_APPLIERS)}"
    for key in ("crds", "other-unit", "former-unit", "before", "after"):
        yield from faults_of_each(key, content, object_faults)
    yield from faults_of_each("steps", content, _step_faults)
    yield from faults_of_each("absent", content, lambda item: record_faults(item, _ABSENT_KEYS, required=_ABSENT))
    yield from faults_at("fixed", fixed_faults(content.get("fixed", [])))
    keys = {**FINDING_KEYS, "object": TEXT}
    yield from faults_of_each("findings", content, lambda item: record_faults(item, keys, required=("path",)))
    if "verified" in content:
        record = content["verified"]
        yield from faults_at("verified", record_faults(record, _VERIFIED_KEYS, required=tuple(_VERIFIED_KEYS)))


def _step_faults(item: Json) -> Faults:
    """Yield the errors in a step."""
    if "delete" in mapping(item):
        keys = dict.fromkeys(("apiVersion", "kind", "name"), TEXT)
        yield from faults_at("delete", record_faults(item["delete"], keys, required=tuple(keys)))
        return
    if "run" not in mapping(item):
        yield from _write_faults(item)
        return
    faults = list(record_faults(item, _RUN_KEYS, required=("run",)))
    yield from faults or faults_of_each("run", item, object_faults)


def _write_faults(item: Json) -> Iterator[str]:
    """Yield the errors in a write."""
    yield from step_faults(item)
    if "patch" in mapping(item) and "target" not in mapping(item):
        yield "a patch needs a target"
