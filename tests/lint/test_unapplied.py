"""The fate of objects that a run does not apply, with the reason."""

import json

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.appliers.unit_applier import UnitApplier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.state import LAST_APPLIED, Absent, Present, State, Unknown, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine import predict as engine
from kubectl_applylint.engine.cluster_diff import NO_DIFF, Unapplied
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.set_apply import SetApply, apply_set
from kubectl_applylint.lint.model import Scenario
from kubectl_applylint.lint.unapplied import cluster_diff, subjects_of
from kubectl_applylint.tools.flux.kustomization import FluxKustomization
from tests.rules.stories import SCHEMA, document

BY_LABEL = Flags(prune=True, selector="set=shop")


def predict(manifest: JsonObject, state: State) -> Outcome:
    return engine.predict(ApplyRequest(manifest=manifest, state=state, schema=SCHEMA))


def settings(name: str, namespace: str = "shop", kind: str = "ConfigMap", label: str = "shop") -> JsonObject:
    metadata = {"name": name, "namespace": namespace, "labels": {"set": label}}
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata}


def live(manifest: JsonObject) -> JsonObject:
    return {**manifest, "metadata": {**manifest["metadata"], "annotations": {LAST_APPLIED: json.dumps(manifest)}}}


def run(*there: JsonObject, applied: JsonObject, flags: Flags) -> SetApply:
    cluster = ClusterModel({ref_of(item).identity: Present(item) for item in there})
    return apply_set([document(applied)], cluster, schema=SCHEMA, predict=predict, policy=flags.policy)


OLD = settings("old")
BROKEN = {**settings("new"), "data": {"a": 1}}


@pytest.mark.parametrize(
    ("there", "applied", "flags", "unapplied"),
    [
        (live(OLD), settings("new"), Flags(), Unapplied.STAYS),
        (live(OLD), settings("new"), Flags(unit_prunes=True), Unapplied.OTHER_TOOL),
        (live(OLD), settings("new"), BY_LABEL, Unapplied.PRUNED),
        (live(OLD), BROKEN, BY_LABEL, Unapplied.FAILURE),
        (OLD, settings("new"), BY_LABEL, Unapplied.STAYS),
        (live(settings("old", kind="ServiceAccount")), settings("new"), BY_LABEL, Unapplied.OTHER_KIND),
        (live(settings("old", "other")), settings("new"), BY_LABEL, Unapplied.OTHER_NAMESPACE),
        (live(OLD), settings("new"), Flags(prune=True, applyset="set", namespace="shop"), Unapplied.STAYS),
    ],
    ids=["no-prune", "other-tool", "pruned", "failure", "unmarked", "kind", "namespace", "applyset"],
)
def test_an_object_that_is_not_applied_stays_or_goes(
    there: JsonObject, applied: JsonObject, flags: Flags, unapplied: Unapplied
) -> None:
    whole = run(there, applied=applied, flags=flags)
    (subject,) = subjects_of(whole, [document(there)], cluster_diff=cluster_diff(whole), flags=flags)

    assert subject.unapplied is unapplied
    assert subject.predict(Scenario.AGAIN).verdict is (Verdict.PRUNED if unapplied.is_deletion else Verdict.KEPT)
    assert [peer.ref.name for peer in subject.peers] == ["new"]


@pytest.mark.parametrize(
    ("prunes", "why"), [(True, Unapplied.SPARED), (False, Unapplied.STAYS)], ids=["prunes", "does not prune"]
)
def test_a_program_that_prunes_spares_what_stays(prunes: bool, why: Unapplied) -> None:
    by_flux = UnitApplier(Applier.FLUX, FluxKustomization("web", "flux-system", prunes=prunes))
    flags = Flags(is_unit=True, unit_prunes=prunes, unit_applier=by_flux)
    whole = run(live(settings("left")), applied=settings("web"), flags=Flags())

    (found,) = subjects_of(whole, [document(settings("left"))], cluster_diff=NO_DIFF, flags=flags)

    assert found.unapplied is why


@pytest.mark.parametrize(
    ("applied", "unapplied"),
    [(settings("new"), [Unapplied.PRUNED_UNSELECTED]), (BROKEN, [])],
    ids=["deleted", "kept"],
)
def test_an_object_that_the_files_still_have_counts_where_it_is_deleted(
    applied: JsonObject, unapplied: list[Unapplied]
) -> None:
    whole = run(live(OLD), applied=applied, flags=BY_LABEL)
    unselected = [document(OLD)]
    found = subjects_of(whole, unselected, unselected, cluster_diff=cluster_diff(whole))

    assert [subject.unapplied for subject in found] == unapplied


def same(name: str) -> Document:
    return document(settings(name))


@pytest.mark.parametrize("old", [settings("old-__ID__"), settings("old", "${NAMESPACE}")])
def test_an_object_whose_name_is_filled_in_later_is_not_known(old: JsonObject) -> None:
    whole = run(live(old), applied=settings("new"), flags=Flags())

    assert [*subjects_of(whole, [document(old)], cluster_diff=NO_DIFF)] == []


def test_a_passage_knows_what_the_run_makes_and_what_stays_as_it_is() -> None:
    whole = run(live(OLD), applied=settings("new"), flags=BY_LABEL)
    run_of_all = cluster_diff(whole, [same("same")], {same("new").ref.identity: same("old").ref})

    assert run_of_all.before(same("old").ref) == Present(live(OLD))
    assert run_of_all.after(same("old").ref) == Absent()
    assert run_of_all.before(same("new").ref) == Absent()
    assert isinstance(run_of_all.after(same("new").ref), Present)
    assert run_of_all.before(same("same").ref) == run_of_all.after(same("same").ref) == Present(settings("same"))
    assert run_of_all.successor(same("old").ref) == same("new").ref.identity
    assert run_of_all.successor(same("new").ref) is None


def test_a_diff_knows_rejected_objects() -> None:
    run_of_all = cluster_diff(run(live(OLD), applied=BROKEN, flags=BY_LABEL))

    assert run_of_all.is_refused(ref_of(BROKEN))
    assert not run_of_all.is_refused(ref_of(OLD))


def test_other_objects_are_unknown_without_a_run() -> None:
    assert isinstance(NO_DIFF.before(ref_of(OLD)), Unknown)
