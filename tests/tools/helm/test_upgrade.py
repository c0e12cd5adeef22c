"""Complete calls of Helm: what they depend on, reject and delete; messages are those of Helm 3.18.0 and 4.1.4."""

from dataclasses import replace

import pytest

from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.helm.flags import HelmFlags, ServerSide
from kubectl_applylint.tools.helm.method import Method
from kubectl_applylint.tools.helm.release import Release, ReleaseRevision
from kubectl_applylint.tools.helm.upgrade import install, upgrade

RELEASE = Release("app", "shop")


def config(name: str, version: str = "v1", **annotations: str) -> JsonObject:
    metadata = {"name": name, "namespace": "shop", "annotations": annotations}
    return {"apiVersion": version, "kind": "ConfigMap", "metadata": metadata}


def revision(number: int, *manifests: JsonObject, method: str = "", status: str = "deployed") -> ReleaseRevision:
    return ReleaseRevision(number, status, manifests, method)


CLIENT, SERVER = revision(1, config("a")), revision(1, config("a"), method="ssa")


@pytest.mark.parametrize(
    ("asked", "before", "method", "migrates"),
    [
        pytest.param(ServerSide.AUTO, CLIENT, Method.PATCH, False, id="as before: client-side"),
        pytest.param(ServerSide.AUTO, SERVER, Method.APPLY, False, id="as before: server-side"),
        pytest.param(ServerSide.TRUE, CLIENT, Method.APPLY, True, id="from client-side to server-side"),
        pytest.param(ServerSide.FALSE, SERVER, Method.PATCH, False, id="from server-side to client-side"),
    ],
)
def test_helm_4_applies_as_the_revision_before_unless_a_flag_says_otherwise(
    asked: ServerSide, before: ReleaseRevision, method: Method, migrates: bool
) -> None:
    found = upgrade(RELEASE, [before], HelmFlags(asked), is_helm4=True)

    assert (found.method, found.migrates) == (method, migrates)


def test_helm_3_never_applies_server_side() -> None:
    assert upgrade(RELEASE, [SERVER]).method is Method.PATCH
    assert (install(RELEASE).is_server_side, install(RELEASE, is_helm4=True).is_server_side) == (False, True)


@pytest.mark.parametrize("is_helm4", [False, True])
def test_forced_replacement_is_a_way_to_write_of_its_own(is_helm4: bool) -> None:
    assert upgrade(RELEASE, [CLIENT], HelmFlags(force_replace=True), is_helm4=is_helm4).method is Method.REPLACE


@pytest.mark.parametrize(
    ("history", "message"),
    [
        pytest.param([], '"app" has no deployed releases', id="none"),
        pytest.param(
            [CLIENT, revision(2, status="pending-upgrade")],
            "another operation (install/upgrade/rollback) is in progress",
            id="under way",
        ),
    ],
)
def test_upgrades_without_a_usable_history_are_rejected(history: list[ReleaseRevision], message: str) -> None:
    assert upgrade(RELEASE, history).refusal == message


@pytest.mark.parametrize(
    ("flags", "before", "fault"),
    [
        pytest.param(
            HelmFlags(force_conflicts=True),
            CLIENT,
            "invalid client update option(s): forceConflicts enabled when serverSideApply disabled",
            id="conflicts without apply",
        ),
        pytest.param(
            HelmFlags(force_replace=True),
            SERVER,
            "invalid operation: cannot use server-side apply and force replace together",
            id="apply and replace",
        ),
        pytest.param(
            HelmFlags(force_conflicts=True, force_replace=True),
            SERVER,
            "invalid operation: cannot use force conflicts and force replace together",
            id="conflicts and replace",
        ),
        pytest.param(HelmFlags(force_conflicts=True), SERVER, "", id="conflicts with apply"),
    ],
)
def test_flags_that_exclude_each_other(flags: HelmFlags, before: ReleaseRevision, fault: str) -> None:
    assert upgrade(RELEASE, [before], flags, is_helm4=True).option_fault == fault


def test_objects_of_no_revision_are_rejected_without_the_marks_of_the_release() -> None:
    found, other = upgrade(RELEASE, [CLIENT]), ref_of(config("b"))

    assert found.import_fault(ref_of(config("a")), config("a")) == ""
    assert found.import_fault(other, config("b")).startswith("Unable to continue with update: ConfigMap")
    assert replace(found, is_helm4=True).import_fault(other, config("b")).startswith("unable to continue with update")
    assert install(RELEASE).import_fault(other, config("b")).startswith("Unable to continue with install")
    assert found.import_fault(other, RELEASE.with_release_marks(config("b"))) == ""


def test_take_ownership_ignores_the_marks_of_other_releases() -> None:
    found = upgrade(RELEASE, [CLIENT], HelmFlags(take_ownership=True))

    assert found.import_fault(ref_of(config("b")), config("b")) == ""


def test_adopted_objects_count_as_written_by_the_release() -> None:
    """Therefore nothing of it is deleted, and of custom resources nothing is changed."""
    own = ref_of(config("b")).identity
    found = replace(upgrade(RELEASE, [CLIENT]), adopted=frozenset({own})).write(config("b"), config("b", hand="1"))

    assert found is not None
    assert found.original == RELEASE.with_release_marks(config("b"))


def test_helm_stops_at_an_object_that_its_chart_names_twice() -> None:
    """An upgrade adopts objects that exist when it begins; an object that is new since then was written by itself."""
    found = upgrade(RELEASE, [CLIENT])

    assert found.write(config("b"), config("b")) is None
    assert found.write(config("b"), None) is not None


def test_only_an_install_that_takes_ownership_looks_at_custom_resources() -> None:
    taking = HelmFlags(take_ownership=True)
    adopted = frozenset({ref_of(config("b")).identity})
    calls = [replace(each, adopted=adopted) for each in (install(RELEASE, taking), upgrade(RELEASE, [CLIENT], taking))]
    writes = [call.write(config("b"), config("b")) for call in calls]

    assert [write and write.merges_custom for write in writes] == [True, False]


def test_objects_removed_from_the_chart_are_deleted_unless_the_live_ones_are_kept() -> None:
    kept = config("kept", **{"helm.sh/resource-policy": "keep"})
    found = upgrade(RELEASE, [revision(1, config("a"), config("gone"), config("kept"), config("missing"))])

    assert list(found.targets([config("a"), config("gone"), kept], {ref_of(config("a"))})) == [ref_of(config("gone"))]


def test_an_install_writes_one_by_one_only_where_it_adopts() -> None:
    assert not install(RELEASE).is_update
    assert install(RELEASE).method is Method.CREATE
    assert replace(install(RELEASE), adopted=frozenset({ref_of(config("a")).identity})).is_update
