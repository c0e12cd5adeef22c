"""kapp as a program: predicts a deploy of several objects and where it stops.

Mirrors ``pkg/kapp/clusterapply`` of kapp 0.64. kapp writes the objects of a round concurrently, five at a time. Which
of them are written when one fails is not known; they are reported as if all were.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import FieldError, Outcome
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import text_at
from kubectl_applylint.engine.changes import kapp_changes
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.explanations import explain_by
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.engine.program import Program, Writer
from kubectl_applylint.engine.tool_predictions import prediction_as
from kubectl_applylint.schema.types import Schema
from kubectl_applylint.tools.kapp import write
from kubectl_applylint.tools.kapp.deploy import BEFORE_KINDS, KappDeploy, KappStep, deploy_plan
from kubectl_applylint.tools.kapp.matchers import KappError
from kubectl_applylint.tools.kapp.paths import PathError
from kubectl_applylint.tools.kapp.rules import description, is_config
from kubectl_applylint.tools.kapp.write import WAITED_FOR

NAME: Final = "kapp"
_ADVICE: Final = (
    "- Kubernetes API server did not have matching apiVersion + kind",
    "- No matching CRD was found in given configuration",
)


def predicting(policy: KappDeploy, schema: Schema, *, disabled_admission: Iterable[str] = ()) -> Predict:
    """Return the function that predicts how kapp handles one object."""
    return prediction_as(
        Applier.KAPP,
        schema,
        lambda request: replace(request, tool=policy.write(request.ref)),
        disabled_admission=disabled_admission,
    )


def start_deploy(
    policy: KappDeploy, documents: Sequence[Document], cluster: ClusterModel
) -> tuple[KappDeploy, tuple[Document, ...]]:
    """Return the deploy with its plan, and the documents that kapp writes."""
    nameless = "\n".join(_nameless(documents))
    own = tuple(document for document in documents if not is_config(document.object))
    if nameless:
        return replace(policy, refusal=f"Validation errors:\n{nameless}"), own
    try:
        plan = deploy_plan(policy, [document.object for document in documents], tuple(cluster.objects))
    except (KappError, PathError) as fault:
        return replace(policy, refusal=str(fault)), own
    written = (replace(documents[place], object=item, ref=ref_of(item)) for place, item in plan.manifests)
    return plan.policy, tuple(written)


def _nameless(documents: Sequence[Document]) -> Iterator[str]:
    """Yield kapp's errors about documents without kind, apiVersion or name."""
    for document in documents:
        item = document.object
        for field, value in (
            ("kind", document.ref.kind),
            ("apiVersion", document.ref.api_version),
            ("metadata.name", document.ref.name or text_at(item, "metadata", "generateName")),
        ):
            if not value and not is_config(item):
                yield f"- Expected '{field}' on resource '{description(item)}' to be non-empty"


def blocking_error(
    policy: KappDeploy, documents: Sequence[Document], is_unserved: Callable[[ObjectRef], bool]
) -> FieldError | None:
    """Return why kapp writes nothing, or ``None``."""
    unknown = next((document.ref for document in documents if is_unserved(document.ref)), None)
    if unknown is not None and not policy.refusal.startswith(BEFORE_KINDS):
        words = f"Expected to find kind '{unknown.api_version}/{unknown.kind}', but did not:"
        return FieldError("", "", "\n".join((words, *_ADVICE)))
    return FieldError("", "", policy.refusal) if policy.refusal else None


def is_deleted_before(policy: KappDeploy, target: ObjectRef, ref: ObjectRef) -> bool:
    """Return whether an object is deleted before kapp reaches another one."""
    steps, first = policy.steps, KappStep(0, frozenset())
    waves = [steps.get(each.identity, first).wave for each in (target, ref)]
    return target in policy.deleted and waves[0] < waves[1]


def stop(policy: KappDeploy, ref: ObjectRef, earlier: Iterable[Outcome]) -> ObjectRef | None:
    """Return the object at which kapp stops before it reaches ``ref``, or ``None``."""
    failed = [outcome for outcome in earlier if outcome.refused]
    missing = {outcome.ref.identity for outcome in failed if _has(outcome, WAITED_FOR)}
    return policy.stop(ref, (outcome.ref for outcome in failed), missing)


def deletions(policy: KappDeploy, targets: Iterable[ObjectRef], outcomes: Sequence[Outcome]) -> Iterator[ObjectRef]:
    """Yield the targets that are deleted even though other objects fail."""
    return (ref for ref in targets if stop(policy, ref, outcomes) is None)


def _has(outcome: Outcome, reason: str) -> bool:
    """Return whether an outcome has an error with a reason."""
    return any(cause.reason == reason for cause in outcome.errors)


PROGRAM: Final[Program[KappDeploy]] = Program(
    NAME,
    Writer(write.apply, explain_by(kapp_changes), reads_as_kubectl=False),
    predicting,
    begun=start_deploy,
    blocked=lambda policy, documents, _, is_unserved: blocking_error(policy, documents, is_unserved),
    stop=stop,
    deleted=lambda policy, targets, outcomes: deletions(policy, targets(), outcomes),
    is_deleted_before=is_deleted_before,
)
