"""Fields that cause the rejection of an apply."""

from kubectl_applylint.appliers.last_applied import annotate
from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.checks.unwritten_fields_rejected import check
from kubectl_applylint.lint.model import Scenario
from tests.rules.stories import subject

LABELS = {"app": "web"}
PROFILE = {"container.apparmor.security.beta.kubernetes.io/log": "unconfined"}


def deployment(*containers: str, annotations: JsonObject) -> JsonObject:
    pods = [{"name": name, "image": "nginx"} for name in containers]
    template = {"metadata": {"labels": LABELS, "annotations": annotations}, "spec": {"containers": pods}}
    spec = {"selector": {"matchLabels": LABELS}, "template": template}
    metadata = {"name": "web", "namespace": "default"}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}


def test_a_place_that_is_no_field_path_is_passed_over() -> None:
    applied = annotate(deployment("web", "log", annotations={}))
    live = {**deployment("web", "log", annotations=PROFILE), "metadata": applied["metadata"]}
    examined = subject(deployment("web", annotations={}), live=Present(live))

    outcome = examined.predict(Scenario.APPLY)
    assert [cause.field for cause in outcome.errors] == [f"spec.template.annotations[{next(iter(PROFILE))}]"]
    assert list(check(examined, params={})) == []
