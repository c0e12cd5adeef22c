"""Reports for the page: a plan of several units, a check, and a plan of ten thousand objects."""

from dataclasses import replace
from typing import Final

from kubectl_applylint.core.outcome import CERTAIN, Outcome, Verdict, Why
from kubectl_applylint.core.paths import ByKey, Field, Path, fields
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import MISSING, Json, JsonObject
from kubectl_applylint.lint.model import Report
from kubectl_applylint.lint.unit_report import UnitReport
from tests.report.samples import DOCUMENT, DOUBTFUL, REJECTED, REPORT, STRIKING, TOKEN, WEB, change

POD: Final = fields("spec", "template", "spec", "containers")
IMAGE: Final[Path] = (*POD, ByKey((("name", "web"),)), Field("image"))


def deployment(name: str, image: str) -> JsonObject:
    """Return a Deployment that two managers have fields of."""
    containers: Json = {'k:{"name":"web"}': {".": {}, "f:name": {}, "f:image": {}}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {
            "name": name,
            "namespace": "shop",
            "managedFields": [
                entry("kubectl", "Apply", {"f:spec": {"f:template": {"f:spec": {"f:containers": containers}}}}),
                entry("kube-controller-manager", "Update", {"f:spec": {"f:replicas": {}}}),
            ],
        },
        "spec": {
            "replicas": 3,
            "paused": False,
            "template": {"spec": {"containers": [{"name": "web", "image": image, "args": ["|\n"]}]}},
        },
    }


def entry(manager: str, operation: str, owned: Json) -> Json:
    """Return an entry of managedFields."""
    return {
        "manager": manager,
        "operation": operation,
        "apiVersion": "apps/v1",
        "fieldsType": "FieldsV1",
        "fieldsV1": owned,
    }


def changed_object(ref: ObjectRef, image: str) -> Outcome:
    """Return an outcome that changes an image, the lines of a text, and a number that goes."""
    return Outcome(
        ref,
        Verdict.CONFIGURED,
        result=deployment(ref.name, image),
        changes=(
            change(IMAGE, "web:1", image, Why.SET),
            change(fields("data", "settings"), "a: 1\nb: 2\nc: 3\n", "a: 1\nb: 20\nc: 3\nd: 4\n", Why.SET),
            change(fields("spec", "minReadySeconds"), 5, MISSING, Why.DELETED),
        ),
    )


CREATED: Final = Outcome(TOKEN, Verdict.CREATED, result={"kind": "Secret", "data": {"a": "b"}})
ORPHANED: Final = Outcome(replace(WEB, name="old"), Verdict.KEPT)
DEV, PROD = (UnitReport(name, "folder", "kubectl", applies=2) for name in ("dev", "prod"))
PLAN: Final = replace(
    REPORT,
    findings=(),
    outcomes=tuple(
        (DOCUMENT, outcome)
        for outcome in (
            replace(REJECTED, confidence=CERTAIN),
            CREATED,
            changed_object(replace(WEB, name="api"), "web:2"),
            ORPHANED,
        )
    ),
    units=(DEV, PROD),
)
CHECK: Final = replace(REPORT, findings=(STRIKING, DOUBTFUL), outcomes=())


def many() -> Report:
    """Return a plan of ten thousand objects: every second one is changed, the others are created."""
    return Report(outcomes=tuple((DOCUMENT, _one_of_many(number)) for number in range(10_000)))


def _one_of_many(number: int) -> Outcome:
    if number % 2:
        return changed_object(replace(WEB, name=f"web-{number}"), "web:2")
    name = f"new-{number}"
    return Outcome(replace(WEB, name=name), Verdict.CREATED, result=deployment(name, "web:1"))
