"""Rule cases: small stories of writes that end in an apply, with the findings expected of it.

A case is one YAML file in ``rules/<family>/<rule>/cases/``: ``bad-*.yaml`` (the rule has findings) or ``ok-*.yaml`` (it
has none)::

    summary: one sentence
    steps:                       # the writes that lead to the live state, in order; or `live`; or neither: a new object
      - apply: {…}               # kubectl apply; also apply-server-side, create, replace: {the object}
        manager: ci              # every step: the field manager; `force: true` with apply-server-side
      - patch: {spec: {replicas: 5}}
        type: merge              # or strategic, json
        target: {apiVersion: apps/v1, kind: Deployment, name: web}   # of a patch; the object of `manifest` if left out
        subresource: scale       # of a patch or a replace, rarely needed
    crds: [{…}]                  # custom resource definitions that exist before
    peers: [{…}]                 # other objects of the same run, applied before `manifest`
    later: [{…}]                 # and those that are applied after it
    other-unit: [{…}]            # objects of another unit of the repository with the same target
    base: [{…}]                  # instead of steps: what an earlier run applied; what is not applied now was removed
    kustomize: {source: {…}, kustomization: {…}}   # of what `kubectl kustomize` makes `manifest`
    flags: [--server-side]       # of the `kubectl apply` that is judged
    manifest: |                  # what is applied now, as text: findings point to its lines
      apiVersion: apps/v1
    findings:                    # none in an ok- case
      - path: spec.replicas      # as findings render it
        message: scales          # a part of the message, optional
        rule: other-rule         # the rule whose folder it is if left out
    fixed: |                     # a bad- case: the manifest after the reader's decision (`fixed.py`)
    fix_leaves: one sentence     # why the finding stays after its fix, used sparingly

A replay on a real API server appends ``verified``, ``verdict``, ``live`` and ``after`` below ``MARKER``, ``said``,
kubectl's output if the apply was rejected, and ``gone``, the objects of ``base`` that do not exist afterwards.
A sync by Metacontroller (``flags: [--applier=metacontroller, --update-method=InPlace]``) is not replayed.
"""

from collections.abc import Mapping

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Absent, Knowledge, ObjectRef, Present, Unknown, ref_of
from kubectl_applylint.core.values import Json, JsonObject
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
from tests.cases.fixed import FixEntry, fixed_faults, read_fixed

MARKER = "# recorded by tests/cluster/replay.py"
"""The comment line below which a case file is written by the replay."""


@dataclass(frozen=True, slots=True)
class Expected:
    """One expected finding; ``path`` as rendered, ``message`` a part of the text, maybe empty."""

    rule: str
    path: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Verified:
    """The versions and the date of a replay."""

    kubernetes: str
    kubectl: str
    date: str


@dataclass(frozen=True, slots=True)
class Case:
    """One rule case. ``live`` and ``after`` are ``Unknown`` until it is replayed."""

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
    """kubectl's output if the apply was rejected, else empty."""
    gone: tuple[str, ...]
    """The objects of ``base`` that the apply has deleted, sorted."""
    kustomize: JsonObject
    """The inputs of a rendered manifest: ``source``, an object, and ``kustomization``; else empty."""
    fixed: tuple[FixEntry | None, ...] = ()
    """The reader's input for each alternative of the fix; ``None`` for one without input."""
    fix_leaves: str = ""
    """The reason why the finding remains after the fix; empty if it disappears."""

    @property
    def server_side(self) -> bool:
        """Whether the judged apply is a server-side one."""
        return "--server-side" in self.flags

    @property
    def is_synced(self) -> bool:
        """Whether Metacontroller syncs the object: then there is no replay, and ``live`` is given."""
        return "--applier=metacontroller" in self.flags

    @property
    def force_conflicts(self) -> bool:
        """Whether the apply takes over the fields of others."""
        return "--force-conflicts" in self.flags

    @property
    def field_manager(self) -> str | None:
        """The manager of the apply, ``None`` for kubectl's default."""
        named = (flag.removeprefix("--field-manager=") for flag in self.flags if flag.startswith("--field-manager="))
        return next(named, None)


_NOT_REPLAYED = Unknown("the case has not been replayed yet")
_NULLABLE = (dict, type(None))
_CASE_KEYS: Mapping[str, tuple[type, ...]] = {
    "summary": TEXT,
    "steps": LIST,
    "live": _NULLABLE,
    "crds": LIST,
    "peers": LIST,
    "later": LIST,
    "other-unit": LIST,
    "base": LIST,
    "kustomize": OBJECT,
    "flags": LIST,
    "manifest": TEXT,
    "findings": LIST,
    "verified": OBJECT,
    "verdict": TEXT,
    "after": _NULLABLE,
    "said": TEXT,
    "gone": LIST,
    "fixed": (str, list, dict),
    "fix_leaves": TEXT,
}
FINDING_KEYS: Mapping[str, tuple[type, ...]] = {"rule": TEXT, "path": TEXT, "message": TEXT}
"""The keys of an expected finding in a case."""
_VERIFIED_KEYS: Mapping[str, tuple[type, ...]] = {"kubernetes": TEXT, "kubectl": TEXT, "date": TEXT}


def read_case(text: str, *, file: str, rule: str) -> Case:
    """Return the case in ``text``; ``rule`` is the rule whose folder contains ``file``.

    Raises ``ValueError`` with the file and all errors in it.
    """
    content = load(text, file)
    faults = [*repeated_keys(text), *_faults(content, file)]
    if faults:
        raise ValueError("\n".join(f"{file}: {fault}" for fault in faults))
    ref = ref_of(load(content["manifest"], file))
    steps = tuple(read_step(item, ref) for item in content.get("steps", []))
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
        findings=tuple(read_expected(item, rule) for item in content.get("findings", [])),
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
    """Return the recorded value of a key: absent for null, ``otherwise`` without the key."""
    if key not in content:
        return otherwise
    return Absent() if content[key] is None else Present(content[key])


def read_expected(item: JsonObject, rule: str) -> Expected:
    """Return a finding that a case of ``rule`` expects."""
    return Expected(rule=item.get("rule", rule), path=item["path"], message=item.get("message", ""))


def _faults(content: Json, file: str) -> Faults:
    """Yield the errors in a case."""
    faults = list(record_faults(content, _CASE_KEYS, required=("summary", "manifest")))
    if faults:
        yield from faults
        return
    yield from name_faults(content, file)
    yield from _manifest_faults(content["manifest"])
    for key in ("crds", "peers", "later", "other-unit", "base"):
        yield from faults_of_each(key, content, object_faults)
    if "kustomize" in content:
        rendered = dict.fromkeys(("source", "kustomization"), OBJECT)
        yield from faults_at("kustomize", record_faults(content["kustomize"], rendered, required=tuple(rendered)))
    if "base" in content and ("steps" in content or _is_given(content)):
        yield "base cannot be used with steps or live"
    yield from faults_of_each("flags", content, _flag_faults)
    yield from faults_of_each("steps", content, step_faults)
    yield from faults_of_each("findings", content, lambda item: record_faults(item, FINDING_KEYS, required=("path",)))
    yield from faults_at("fixed", fixed_faults(content.get("fixed", [])))
    if "verified" in content:
        record = content["verified"]
        yield from faults_at("verified", record_faults(record, _VERIFIED_KEYS, required=tuple(_VERIFIED_KEYS)))
    if content.get("verdict", Verdict.CREATED) not in tuple(Verdict):
        yield f"verdict is not one of {', '.join(Verdict)}"


def _is_given(content: JsonObject) -> bool:
    """Return whether a person wrote the live object, rather than a replay."""
    return "live" in content and "verified" not in content


def name_faults(content: JsonObject, file: str) -> Faults:
    """Yield contradictions between the findings of a case and the name of its file."""
    name = file.rpartition("/")[2]
    if name.startswith("ok-") and content.get("findings"):
        yield "an ok- case expects no findings"
    if name.startswith("bad-") and not content.get("findings"):
        yield "a bad- case expects at least one finding"


def _manifest_faults(text: str) -> Faults:
    """Yield the errors in a manifest."""
    try:
        yield from faults_at("manifest", object_faults(load(text, "manifest")))
    except ValueError as error:
        yield str(error)


def _flag_faults(flag: Json) -> Faults:
    """Yield the errors in a flag."""
    if not isinstance(flag, str) or not flag.startswith("--"):
        yield "is not a flag of kubectl apply, such as --server-side or --field-manager=ci"
