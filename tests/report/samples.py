"""One small fixed report, and the pieces to make others of."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.outcome import (
    Change,
    Confidence,
    FieldError,
    Level,
    Outcome,
    Provenance,
    Verdict,
    Why,
    Write,
)
from kubectl_applylint.core.paths import ByKey, Field, Path, fields
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import LAST_APPLIED, ObjectRef
from kubectl_applylint.core.values import MISSING, Json, JsonObject
from kubectl_applylint.lint.model import (
    Applicability,
    Certainty,
    Edit,
    Finding,
    LiveAssumption,
    Need,
    Proof,
    Related,
    Remark,
    Report,
    Rule,
    Severity,
    Skip,
    Suppressed,
)

WEB = ObjectRef("apps/v1", "Deployment", "shop", "web")
TOKEN = ObjectRef("v1", "Secret", "shop", "token")
FILE = "web.yaml"
LINES = (
    "apiVersion: apps/v1",
    "kind: Deployment",
    "metadata: {name: web, namespace: shop}",
    "spec:",
    "  selector: {matchLabels: {app: shop}}",
    "  template: …",
)
MANIFEST: JsonObject = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {"selector": {"matchLabels": {"app": "shop"}}},
}


@dataclass(frozen=True, slots=True)
class Places:
    """Positions that stand in a table."""

    spans: Mapping[Path, Span] = field(default_factory=dict)

    def key(self, path: Path) -> Span | None:
        return self.spans.get(path)

    def value(self, path: Path) -> Span | None:
        return self.spans.get(path)


def document(ref: ObjectRef, manifest: JsonObject, spans: Mapping[Path, Span] | None = None) -> Document:
    return Document(FILE, 0, manifest, ref, Places({(): Span(1, 1, 6, 1)} | dict(spans or {})))


def change(path: Path, before: Json, after: Json, why: Why, detail: str = "") -> Change:
    return Change(path, before, after, Provenance(why, detail))


DOCUMENT = document(WEB, MANIFEST, {fields("spec", "selector", "matchLabels", "app"): Span(5, 27, 5, 30)})
CONTAINER = (*fields("spec", "template", "spec", "containers"), ByKey((("name", "web"),)), Field("image"))

FINDING = Finding(
    rule="selector-changed",
    severity=Severity.ERROR,
    confidence="high",
    ref=WEB,
    path=fields("spec", "selector"),
    location=Location(FILE, Span(5, 3, 5, 11)),
    message="the server refuses this deployment for good: its selector cannot change from app=web to app=shop",
    fix="Keep the old selector, or make a deployment of another name and delete the old one when it serves:\n"
    "kubectl delete deployment web --cascade=orphan -n shop",
    related=(Related(Location("service.yaml", Span(7, 5, 7, 13)), "this Service selects the same pods"),),
    fingerprint="5e1ec70a",
)
EDITED = replace(
    FINDING,
    edits=(Edit(Location(FILE, Span(6, 1, 7, 1)), ""),),
    proof=Proof(Verdict.CONFIGURED, changes=("spec.replicas",), cases=(LiveAssumption.FRESH,)),
)
STRIKING = replace(
    FINDING,
    applies=(
        Applicability(LiveAssumption.FRESH, Certainty.CANNOT),
        Applicability(LiveAssumption.UPGRADE, Certainty.MUST),
        Applicability(LiveAssumption.DRIFTED, Certainty.MAY, "unless it was scaled to 7 in the meantime"),
    ),
)
DOUBTFUL = Finding(
    rule="last-applied-missing",
    severity=Severity.WARNING,
    confidence="medium",
    ref=WEB,
    path=(),
    location=Location(FILE, Span(1, 1, 1, 11)),
    message="fields that you removed from the file stay on the live object",
    fix="",
    fingerprint="1a57ed",
)
CONFIGURED = Outcome(
    WEB,
    Verdict.CONFIGURED,
    requests=(Write("PATCH", "application/strategic-merge-patch+json", {"spec": {"replicas": None}}),),
    result=MANIFEST,
    changes=(
        change(fields("spec", "replicas"), 7, MISSING, Why.DELETED),
        change(fields("spec", "selector", "matchLabels", "app"), "web", "shop", Why.SET),
        change(fields("spec", "paused"), MISSING, True, Why.MERGED, "name=web"),
        change(CONTAINER, "web:1", "web:1", Why.KEPT, "(manager kubectl-edit)"),
        change((*fields("metadata", "annotations"), Field(LAST_APPLIED)), "{}", "{...}", Why.ANNOTATED),
    ),
    restarts=True,
    confidence=Confidence(Level.MEDIUM, ("the snapshot is 3 days old",)),
)
REJECTED = Outcome(
    WEB,
    Verdict.REJECTED,
    result=MANIFEST,
    errors=(FieldError("spec.selector", "FieldValueInvalid", "field is immutable"),),
    status=422,
    warnings=("spec.paused: deprecated",),
    remedy="delete the deployment and create it again; its pods are gone meanwhile",
)
REPORT = Report(
    findings=(FINDING, DOUBTFUL),
    outcomes=((DOCUMENT, CONFIGURED),),
    skips=(Skip(("stale-last-applied",), WEB, "live state is unknown"),),
    problems=(Problem("broken.yaml:3:1", "not YAML: a tab indents this line", "indent with spaces"),),
    notes=("compared with snapshot prod.yaml (3 days old)",),
    checked=2,
    suppressed=(Suppressed(DOUBTFUL, "wanted until the migration is done"),),
    remarks=(
        Remark(Location(FILE, Span(2, 3, 2, 9)), "this comment does not hide port-lost: it expired on 2026-06-30"),
    ),
)
RULE = Rule(
    id="selector-changed",
    summary="A selector changes where it cannot",
    severity=Severity.ERROR,
    confidence="high",
    since="0.1.0",
    needs=(Need.LIVE,),
    kinds=("Deployment",),
    appliers=(),
    check="selector_changed",
    params={},
    message="the server refuses {object}: its selector cannot change",
    why="A selector is fixed when {a: b} is made.",
    fix="kubectl delete {object} --cascade=orphan",
    see=("https://kubernetes.io/docs/concepts/workloads/controllers/deployment/",),
    hazards=(),
    folder="rules/selector-changed",
)
