"""Calls of Helm on several objects; rows are those of Helm 3.18.0 and 4.1.4 on a 1.36.3 server."""

from collections.abc import Sequence

import pytest

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.set_apply import SetApply, apply_set
from kubectl_applylint.schema.load import load
from kubectl_applylint.tools.helm.flags import HelmFlags
from kubectl_applylint.tools.helm.program import predicting, with_existing_objects
from kubectl_applylint.tools.helm.release import Release, ReleaseRevision
from kubectl_applylint.tools.helm.upgrade import HelmUpgrade, install, upgrade
from tests.engine.test_set_apply import CRD, config, having
from tests.fidelity.helm_message import message
from tests.rules.stories import document

RELEASE = Release("app", "shop")
SCHEMA = load("1.36")
BAD = config("bad", **{"a b": "1"})
"""A ConfigMap that every server rejects: the key has a space."""


def apply_upgrade(
    *manifests: JsonObject, live: Sequence[JsonObject] = (), policy: HelmUpgrade | None = None
) -> SetApply:
    """Return the outcome of a chart with these manifests, by default an upgrade of a release that wrote ``live``."""
    documents = [document(item, index=index) for index, item in enumerate(manifests)]
    cluster = having(*(RELEASE.with_release_marks(item) for item in live))
    found = with_existing_objects(policy or upgrade(RELEASE, [revision(*live)]), documents, cluster)
    return apply_set(documents, cluster, schema=SCHEMA, predict=predicting(found, SCHEMA), policy=found)


def service(name: str) -> JsonObject:
    """Return a Service that asks for a port of the nodes."""
    spec = {"type": "NodePort", "ports": [{"port": 80, "nodePort": 30080}]}
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name, "namespace": "shop"}, "spec": spec}


def revision(*manifests: JsonObject) -> ReleaseRevision:
    return ReleaseRevision(1, "deployed", tuple(manifests))


def verdicts(found: SetApply) -> list[Verdict]:
    return [outcome.verdict for outcome in found.outcomes]


def failure_message(found: SetApply) -> str:
    assert isinstance(found.policy, HelmUpgrade)
    return message(found.policy, found.blocked, found.outcomes)


def test_objects_removed_from_the_chart_are_deleted_after_a_success() -> None:
    found = apply_upgrade(config("a", a="2"), live=[config("a", a="1"), config("b")])

    assert (verdicts(found), failure_message(found)) == ([Verdict.CONFIGURED], "")
    assert found.pruned == (ref_of(config("b")),)


def test_after_a_failed_update_the_others_are_written_and_nothing_is_deleted() -> None:
    found = apply_upgrade(BAD, config("a", a="2"), live=[config("bad"), config("a", a="1"), config("b")])

    assert verdicts(found) == [Verdict.REJECTED, Verdict.CONFIGURED]
    assert (found.pruned, found.outcomes[1].error) == ((), "")
    assert failure_message(found).startswith(
        'cannot patch "bad" with kind ConfigMap: ConfigMap "bad" is invalid: data[a b]'
    )


def test_failed_updates_are_reported_together() -> None:
    found = apply_upgrade(BAD, {**BAD, "metadata": config("b")["metadata"]}, live=[config("bad"), config("b")])

    assert [part[:18] for part in failure_message(found).split(" && ")] == ['cannot patch "bad"', 'cannot patch "b" w']


def test_a_failed_creation_ends_an_upgrade() -> None:
    found = apply_upgrade(BAD, config("a", a="2"), live=[config("a", a="1")])

    assert verdicts(found) == [Verdict.REJECTED, Verdict.REJECTED]
    assert [cause.reason for cause in found.outcomes[1].errors] == ["NotReached"]
    assert failure_message(found).startswith('failed to create resource: ConfigMap "bad" is invalid')


def test_cleanup_on_fail_deletes_objects_that_the_upgrade_created() -> None:
    own = config("a", a="1")
    policy = upgrade(RELEASE, [revision(own)], HelmFlags(cleanup_on_fail=True))
    found = apply_upgrade(config("new"), BAD, live=[own], policy=policy)

    assert verdicts(found) == [Verdict.CREATED, Verdict.REJECTED]
    assert found.pruned == (ref_of(config("new")),)


def test_an_install_tries_every_object() -> None:
    found = apply_upgrade(BAD, config("a"), policy=install(RELEASE))

    assert verdicts(found) == [Verdict.REJECTED, Verdict.CREATED]
    assert failure_message(found).startswith('ConfigMap "bad" is invalid')


def test_a_chart_that_names_an_object_twice_cannot_be_installed_by_helm_3() -> None:
    found = apply_upgrade(config("a"), config("a"), policy=install(RELEASE))

    assert verdicts(found) == [Verdict.CREATED, Verdict.CONFLICT]
    assert failure_message(found) == 'configmaps "a" already exists'


def test_helm_4_applies_an_object_twice_that_the_chart_names_twice() -> None:
    found = apply_upgrade(config("a"), config("a"), policy=install(RELEASE, is_helm4=True))

    assert (verdicts(found), failure_message(found)) == ([Verdict.CREATED, Verdict.UNCHANGED], "")


def test_an_upgrade_stops_at_a_new_object_that_the_chart_names_twice() -> None:
    found = apply_upgrade(config("a"), config("b"), config("b"), live=[config("a")])

    assert verdicts(found) == [Verdict.UNCHANGED, Verdict.CREATED, Verdict.REJECTED]
    assert failure_message(found) == 'no ConfigMap with the name "b" found'


def test_an_object_rejected_for_another_one_has_the_message_of_helm() -> None:
    found = apply_upgrade(service("new"), live=[service("old")])

    assert verdicts(found) == [Verdict.REJECTED]
    assert failure_message(found).startswith(
        'failed to create resource: Service "new" is invalid: spec.ports[0].nodePort: Invalid'
    )


def test_an_install_continues_as_an_upgrade_of_its_own_object() -> None:
    found = apply_upgrade(config("a", a="2"), BAD, config("b"), live=[config("a", a="1")], policy=install(RELEASE))

    assert verdicts(found) == [Verdict.CONFIGURED, Verdict.REJECTED, Verdict.REJECTED]


@pytest.mark.parametrize("policy", [upgrade(RELEASE, [revision(config("a"))]), install(RELEASE)])
def test_a_definition_in_crds_that_is_there_stays_as_it_is(policy: HelmUpgrade) -> None:
    cluster = having(CRD, *(RELEASE.with_release_marks(item) for item in [config("a")] if policy.originals))
    documents = [document(CRD, file="chart/crds/a.yaml"), document(config("a", a="2"), index=1)]
    found = with_existing_objects(policy, documents, cluster)

    whole = apply_set(documents, cluster, schema=SCHEMA, predict=predicting(found, SCHEMA), policy=found)

    assert verdicts(whole) == [Verdict.UNCHANGED, Verdict.CONFIGURED if policy.originals else Verdict.CREATED]
    assert (failure_message(whole), found.adopted) == ("", frozenset())


def test_an_object_without_the_marks_keeps_everything_from_being_written() -> None:
    own = config("a", a="1")
    documents = [document(item, index=index) for index, item in enumerate((config("a", a="2"), config("b")))]
    policy = upgrade(RELEASE, [revision(own)])
    found = apply_set(
        documents, having(own, config("b")), schema=SCHEMA, predict=predicting(policy, SCHEMA), policy=policy
    )

    assert verdicts(found) == [Verdict.REJECTED, Verdict.REJECTED]
    assert failure_message(found).startswith(
        'Unable to continue with update: ConfigMap "b" in namespace "shop" exists and cannot'
    )


OLD = {"apiVersion": "batch/v1beta1", "kind": "CronJob", "metadata": {"name": "old", "namespace": "shop"}}
"""Of a version that the server does not serve any more."""
UNMAPPED = (
    'resource mapping not found for name: "old" namespace: "" from "": no matches for kind "CronJob" in version'
    ' "batch/v1beta1"\nensure CRDs are installed first'
)


@pytest.mark.parametrize(
    ("policy", "prefix"),
    [
        pytest.param(install(RELEASE), "unable to build kubernetes objects from release manifest: ", id="install"),
        pytest.param(upgrade(RELEASE, [revision(BAD)]), "", id="upgrade"),
    ],
)
def test_a_version_that_is_not_served_keeps_everything_from_being_written(policy: HelmUpgrade, prefix: str) -> None:
    found = apply_upgrade(config("a"), OLD, policy=policy)

    assert verdicts(found) == [Verdict.REJECTED, Verdict.REJECTED]
    assert failure_message(found) == f"{prefix}{UNMAPPED}"


def test_a_release_with_a_version_that_is_not_served_any_more_cannot_be_upgraded() -> None:
    found = apply_upgrade(config("a", a="2"), live=[config("a", a="1"), OLD])

    assert failure_message(found) == f"unable to build kubernetes objects from current release manifest: {UNMAPPED}"


def test_several_faults_of_a_chart_are_reported_together() -> None:
    fault = {**config("a"), "metadata": {"name": "a", "namespace": "shop", "labels": {"n": 1}}}
    failure = failure_message(apply_upgrade(fault, OLD, live=[config("b")]))

    assert failure.startswith('[unable to decode "": ')
    assert failure.endswith(f", {UNMAPPED}]")


@pytest.mark.parametrize(("is_unit", "verdict"), [(False, Verdict.REJECTED), (True, Verdict.CREATED)])
def test_an_object_of_a_definition_in_the_templates_is_not_known_yet(is_unit: bool, verdict: Verdict) -> None:
    """Definitions of a unit are treated as those in its directory ``crds``, which Helm installs before."""
    widget = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w", "namespace": "shop"}}
    documents = [document(item, index=index) for index, item in enumerate((CRD, widget))]
    policy, schema = install(RELEASE), load("1.36", crds=[CRD])
    predict = predicting(policy, schema)
    found = apply_set(documents, having(), schema=schema, predict=predict, policy=policy, is_one_by_one=is_unit)

    assert verdicts(found) == [verdict, verdict]


def test_a_release_that_is_not_there_cannot_be_upgraded() -> None:
    found = apply_upgrade(config("a"), policy=upgrade(RELEASE, []))

    assert (verdicts(found), failure_message(found)) == ([Verdict.REJECTED], '"app" has no deployed releases')


def test_flags_that_exclude_each_other_keep_everything_from_being_written() -> None:
    own = config("a", a="1")
    policy = upgrade(RELEASE, [revision(own)], HelmFlags(force_conflicts=True), is_helm4=True)
    found = apply_upgrade(config("a", a="2"), live=[own], policy=policy)

    assert verdicts(found) == [Verdict.REJECTED]
    assert failure_message(found).startswith("invalid client update option(s)")
