"""Live objects as the documents have them: what is live, and what was applied last."""

from typing import Final

from kubectl_applylint import api
from kubectl_applylint.appliers.last_applied import annotate
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import Json

SCHEMA: Final = api.load_schema("1.36")
LABELS: Final = {"app": "nginx"}


def deployment(pod: Json = None, **spec: Json) -> dict[str, Json]:
    """Return the documents' ``nginx-deployment`` with fields of its spec and of its pods' spec."""
    container = {"name": "nginx", "image": "nginx:1.14.2", "ports": [{"containerPort": 80}]}
    template = {"metadata": {"labels": LABELS}, "spec": {"containers": [container], **(pod or {})}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "nginx-deployment", "namespace": "default"},
        "spec": {"selector": {"matchLabels": LABELS}, "template": template, **spec},
    }


def live(config: Json, last_applied: Json = None) -> dict[str, Json]:
    """Return the object that the server makes of a configuration, with the annotation of another one."""
    stored = api.predict(config, schema=SCHEMA).result
    assert stored is not None
    annotations = {key: text for key, text in stored["metadata"]["annotations"].items() if key != LAST_APPLIED}
    if last_applied is not None:
        annotations[LAST_APPLIED] = annotate(last_applied)["metadata"]["annotations"][LAST_APPLIED]
    return {**stored, "metadata": {**stored["metadata"], "annotations": annotations}}


def apply(config: Json, resource: Json = None) -> Outcome:
    """Return what ``kubectl apply`` does to a live object, or to none."""
    return api.predict(config, schema=SCHEMA, live=resource)


def apply_config(config: Json, resource: Json) -> Json:
    """Return the applied resource; the apply must not be rejected."""
    outcome = apply(config, resource)
    assert outcome.errors == ()
    return outcome.result


def last_applied_of(resource: Json) -> str:
    """Return the text of the annotation."""
    return str(resource["metadata"]["annotations"][LAST_APPLIED])


def pod_of(resource: Json) -> Json:
    """Return the pods' spec of a workload."""
    return resource["spec"]["template"]["spec"]
