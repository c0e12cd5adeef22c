"""Defaults of Jobs; mirrors pkg/apis/batch/v1/defaults.go. The job template of a CronJob gets none of them."""

from typing import Final

from kubectl_applylint.core.values import JsonObject, dig, mapping
from kubectl_applylint.server.default_rules import Defaults, Derived

_WITHOUT_LIMIT: Final = 2**31 - 1


def _completions(spec: JsonObject) -> JsonObject:
    """Default to one completion if neither completions nor parallelism is set; a work queue keeps it empty."""
    if spec.get("parallelism") is not None:
        return {}
    return {"parallelism": 1} if spec.get("completions") is not None else {"parallelism": 1, "completions": 1}


def _backoff_limit(spec: JsonObject) -> JsonObject:
    """Default to six retries, or to no limit if each index has its own."""
    if spec.get("backoffLimit") is not None:
        return {}
    return {"backoffLimit": 6 if spec.get("backoffLimitPerIndex") is None else _WITHOUT_LIMIT}


def _pod_replacement_policy(spec: JsonObject) -> JsonObject:
    """Default to ``Failed`` with a pod failure policy, else to ``TerminatingOrFailed``."""
    if spec.get("podReplacementPolicy") is not None:
        return {}
    return {"podReplacementPolicy": "TerminatingOrFailed" if spec.get("podFailurePolicy") is None else "Failed"}


def _labels(job: JsonObject) -> JsonObject:
    """Default the labels of a Job to those of its pod template."""
    labels = mapping(dig(job, "spec", "template", "metadata", "labels"))
    metadata = mapping(job.get("metadata"))
    return {"metadata": {**metadata, "labels": labels}} if labels and not metadata.get("labels") else {}


DEFAULTS: Final = Defaults(
    package="io.k8s.api.batch",
    constant={
        "Job.spec": {"completionMode": "NonIndexed", "suspend": False, "manualSelector": False},
        "PodFailurePolicyOnPodConditionsPattern": {"status": "True"},
    },
    derived={
        "Job": (Derived(("metadata.labels",), ("spec.template.metadata.labels",), _labels),),
        "Job.spec": (
            Derived(("completions", "parallelism"), ("completions", "parallelism"), _completions),
            Derived(("backoffLimit",), ("backoffLimitPerIndex",), _backoff_limit),
            Derived(("podReplacementPolicy",), ("podFailurePolicy",), _pod_replacement_policy),
        ),
    },
)
