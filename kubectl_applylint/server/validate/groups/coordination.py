"""Lease and LeaseCandidate.

Mirrors ``pkg/apis/coordination/validation``.
"""

from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.server.validate import dsl as v

_OLDEST: Final = "OldestEmulationVersion"
_NUMBER: Final = "(?:0|[1-9][0-9]*)"
_SEMANTIC_VERSION: Final = regex(rf"({_NUMBER})\.({_NUMBER})\.({_NUMBER})(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?")


def _strategy(fld: v.FieldContext) -> v.FieldErrors:
    """Require one of Kubernetes' leader strategies or a qualified name; the path names the field twice."""
    text = fld.text()
    if "/" in text:
        return [fld.child("strategy").invalid(fault, text) for fault in v.qualified_name(text)]
    return () if text == _OLDEST else (fld.child("strategy").with_value(text).not_supported([_OLDEST]),)


def _numbers(text: str) -> tuple[int, ...] | None:
    found = _SEMANTIC_VERSION.fullmatch(text)
    return tuple(map(int, found.groups())) if found else None


def _versions(fld: v.FieldContext) -> v.FieldErrors:
    """Require an emulation version that is not newer than the binary version; ``fld`` is the spec."""
    own, played = _numbers(fld.text("binaryVersion")), _numbers(fld.text("emulationVersion"))
    if own is not None and played is not None and own < played:
        yield fld.child("binaryVersion").invalid("must be greater than or equal to `emulationVersion`")
    if fld.text("strategy") == _OLDEST and not any(played or ()):
        words = "must be specified when `strategy` is 'OldestEmulationVersion'"
        yield fld.child("emulationVersion").required(words)


_LEASE: Final[v.Table] = {
    "spec.leaseDurationSeconds": [v.at_least(1, "must be greater than 0")],
    "spec.leaseTransitions": [v.at_least(0)],
    "spec.strategy": [_strategy],
    "spec.preferredHolder": [
        v.when(
            lambda fld: fld.text() != "" and not fld.parent.text("strategy"),
            v.forbidden("may only be specified if `strategy` is defined"),
        )
    ],
}
_VERSION: Final = v.must(
    lambda fld: not fld.text() or _numbers(fld.text()) is not None, "must be a valid semantic version"
)
_LEASE_CANDIDATE: Final[v.Table] = {
    "spec": [v.struct, _versions],
    "spec.leaseName": [v.required(), v.unchangeable],
    "spec.emulationVersion": [_VERSION],
    "spec.binaryVersion": [v.required(), _VERSION],
    "spec.strategy": [v.required(), _strategy],
}

KINDS: Final[v.Group] = {
    ("coordination.k8s.io", "Lease"): v.Rules(_LEASE),
    ("coordination.k8s.io", "LeaseCandidate"): v.Rules(_LEASE_CANDIDATE, name=v.config_key),
}
