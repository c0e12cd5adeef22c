"""Applying a set again until nothing changes."""

from collections.abc import Mapping

from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.state import Absent, Present, State, Unknown, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.predict import predict
from kubectl_applylint.engine.set_apply import apply_set
from kubectl_applylint.engine.stability import apply_until_stable
from kubectl_applylint.schema.load import load
from tests.engine.test_set_apply import CRD, NOTHING, SHOP, apply_manifests, config
from tests.rules.stories import SCHEMA, document


def test_accepted_objects_become_stable_and_rejected_ones_are_not_applied_again() -> None:
    schema = load("1.36", crds=[CRD])
    seen: list[str] = []

    def predict_one(manifest: JsonObject, state: State) -> Outcome:
        outcome = predict(ApplyRequest(manifest, state, schema))
        seen.append(f"{ref_of(manifest).name} {outcome.verdict}")
        return outcome

    documents = [document(item, index=index) for index, item in enumerate((config("a", x="1"), SHOP))]

    after = apply_until_stable(apply_set(documents, NOTHING, schema=schema, predict=predict_one))

    assert [ref_of(item).name for item in after.objects] == ["shop"]
    assert seen == ["a created", "shop created", "shop unchanged"]


def test_a_set_that_never_settles_is_given_up() -> None:
    seen: list[int] = []

    def restless(manifest: JsonObject, state: State) -> Outcome:
        seen.append(len(seen))
        return Outcome(ref_of(manifest), Verdict.CONFIGURED, result={**manifest, "data": {"x": str(len(seen))}})

    after = apply_until_stable(apply_set([document(config("a"))], NOTHING, schema=SCHEMA, predict=restless))

    assert [item["data"] for item in after.objects] == [{"x": "5"}]
    assert len(seen) == 5


def test_absent_and_unknown_objects_stay_so() -> None:
    known: Mapping[tuple[str, str, str, str], Present | Absent | Unknown] = {
        ("", "ConfigMap", "shop", "gone"): Absent(),
        ("", "ConfigMap", "shop", "hidden"): Unknown("forbidden"),
    }

    after = apply_until_stable(apply_manifests([], ClusterModel(known)))

    assert after.known == known
