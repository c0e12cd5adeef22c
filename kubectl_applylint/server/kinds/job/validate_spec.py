"""Validation of the spec of a Job, also in a CronJob.

Mirrors ``pkg/apis/batch/validation``.
"""

from typing import Final

from kubectl_applylint.server.kinds.job.validate_policies import POLICIES, policies
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.pods.spec import POD_TEMPLATE

_MOST_PARALLEL: Final = 100_000
_MOST_FAILED: Final = 100_000
_MANY_COMPLETIONS: Final = 100_000
_MOST_OF_MANY: Final = 10_000
_INDEXED: Final = "Indexed"
_MODES: Final = ("NonIndexed", _INDEXED)


def is_indexed(fld: v.FieldContext) -> bool:
    """Return whether a Job is indexed; ``fld`` is its spec."""
    return fld.text("completionMode") == _INDEXED


def _indexed_fields(fld: v.FieldContext) -> v.FieldErrors:
    """Reject fields of indexed Jobs in other Jobs; ``fld`` is the spec of a Job."""
    mode, failed = fld.get("completionMode"), fld.child("maxFailedIndexes")
    if failed.there and not fld.sets("backoffLimitPerIndex"):
        yield fld.child("backoffLimitPerIndex").required("when maxFailedIndexes is specified")
    if is_indexed(fld):
        yield from _numbers_of_indexed(fld)
        yield from _many_completions(fld)
    elif not fld.sets("completionMode") or mode == "NonIndexed":
        for name in ("backoffLimitPerIndex", "maxFailedIndexes"):
            if fld.sets(name):
                yield fld.child(name).invalid("requires indexed completion mode")


def _numbers_of_indexed(fld: v.FieldContext) -> v.FieldErrors:
    """Validate the numbers of an indexed Job."""
    completions, parallelism, failed = (fld.child(name) for name in ("completions", "parallelism", "maxFailedIndexes"))
    if not completions.there:
        yield completions.required("when completion mode is Indexed")
    if parallelism.number() > _MOST_PARALLEL:
        yield parallelism.invalid(f"must be less than or equal to {_MOST_PARALLEL} when completion mode is Indexed")
    if completions.there and failed.there and failed.number() > completions.number():
        yield failed.invalid("must be less than or equal to completions")
    if failed.number() > _MOST_FAILED:
        yield failed.invalid(f"must be less than or equal to {_MOST_FAILED}")


def _many_completions(fld: v.FieldContext) -> v.FieldErrors:
    """Limit parallelism and failures of Jobs with many completions and a backoff limit per index."""
    failed, parallelism = fld.child("maxFailedIndexes"), fld.child("parallelism")
    if fld.number("completions") <= _MANY_COMPLETIONS or not fld.sets("backoffLimitPerIndex"):
        return
    words = (
        f"must be less than or equal to {_MOST_OF_MANY} when completions are above {_MANY_COMPLETIONS} and used with "
        "backoff limit per index"
    )
    if not failed.there:
        yield failed.required(f"must be specified when completions is above {_MANY_COMPLETIONS}")
    yield from (number.invalid(words) for number in (parallelism, failed) if number.number() > _MOST_OF_MANY)


def _restart_policy(fld: v.FieldContext) -> v.FieldErrors:
    """Reject a restart policy with which the pods never end; ``fld`` is the spec of a Job."""
    policy = fld.at("template", "spec", "restartPolicy")
    if policy.text() in ("", "Always"):
        return (policy.required('valid values: "OnFailure", "Never"'),)
    if policy.value not in ("OnFailure", "Never"):
        return (policy.not_supported(("OnFailure", "Never")),)
    if fld.sets("podFailurePolicy") and policy.value != "Never":
        return (policy.invalid('only "Never" is supported when podFailurePolicy is specified'),)
    return ()


JOB_SPEC: Final[v.Table] = {
    "": [_indexed_fields, policies, _restart_policy],
    "parallelism": [v.at_least(0)],
    "completions": [v.at_least(0)],
    "activeDeadlineSeconds": [v.at_least(0)],
    "backoffLimit": [v.at_least(0)],
    "ttlSecondsAfterFinished": [v.at_least(0)],
    "backoffLimitPerIndex": [v.at_least(0)],
    "maxFailedIndexes": [v.at_least(0)],
    "managedBy": [v.if_set(v.required()), v.well_formed(v.domain_prefixed_path), v.no_longer_than(63)],
    "completionMode": [v.one_of(*_MODES)],
    **POLICIES,
    "podReplacementPolicy": [
        v.when(v.any_set("podFailurePolicy"), v.one_of("Failed")),
        v.unless(v.any_set("podFailurePolicy"), v.one_of("Failed", "TerminatingOrFailed")),
    ],
    "template": [v.struct, POD_TEMPLATE],
}
"""The constraints of the spec of a Job, also in a CronJob."""
