"""Combinations of flags of kubectl apply, with the errors of kubectl 1.36."""

import pytest

from kubectl_applylint.appliers.applyset import ApplySet
from kubectl_applylint.appliers.flags import DryRun, Flags, Policy, faults
from kubectl_applylint.appliers.prune import DEFAULT_KINDS, ByLabels
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import UnitApplier
from kubectl_applylint.core.selector import parse
from kubectl_applylint.core.state import Absent, Knowledge, ObjectRef, Unknown
from kubectl_applylint.tools.helm.release import Release
from kubectl_applylint.tools.helm.upgrade import HelmUnit


@pytest.mark.parametrize(
    ("flags", "fault"),
    [
        pytest.param(Flags(), "", id="none"),
        pytest.param(Flags(force_conflicts=True), "--force-conflicts only works with --server-side", id="force"),
        pytest.param(Flags(server_side=True, force_conflicts=True, field_manager="ci"), "", id="server side"),
        pytest.param(Flags(all=True, selector="a=b"), "cannot set --all and --selector at the same time", id="both"),
        pytest.param(
            Flags(prune=True), "all resources selected for prune without explicitly passing --all", id="prune"
        ),
        pytest.param(Flags(prune=True, all=True), "", id="prune all"),
        pytest.param(Flags(prune=True, selector="a=b", server_side=True), "server-side apply", id="prune, server side"),
        pytest.param(Flags(prune=True, all=True, prune_allowlist=("x",)), "invalid GroupVersionKind", id="no kind"),
        pytest.param(Flags(applyset="s", namespace="n"), "--applyset requires --prune", id="no prune"),
        pytest.param(Flags(applyset="s", namespace="n", prune=True), "", id="applyset"),
        pytest.param(Flags(applyset="s", namespace="n", prune=True, server_side=True), "", id="applyset, server side"),
        pytest.param(Flags(applyset="s", namespace="n", prune=True, all=True), "--all is incompatible", id="set, all"),
        pytest.param(Flags(applyset="s", namespace="n", prune=True, selector="a"), "--selector is inc", id="set, -l"),
        pytest.param(
            Flags(applyset="s", namespace="n", prune=True, prune_allowlist=("core/v1/Secret",)),
            "--prune-allowlist is incompatible with --applyset",
            id="set, allowlist",
        ),
        pytest.param(Flags(applyset="s", prune=True), "--applyset: namespace is required", id="set, no namespace"),
        pytest.param(Flags(server_side=True, dry_run=DryRun.CLIENT), "did you mean --dry-run=server", id="dry run"),
        pytest.param(Flags(force=True), "", id="forced"),
        pytest.param(Flags(force=True, server_side=True), "--force cannot be used with --server-side", id="forced ssa"),
        pytest.param(Flags(force=True, dry_run=DryRun.SERVER), "--dry-run=server cannot be used", id="forced dry run"),
        pytest.param(Flags(force=True, prune=True, all=True), "--force cannot be used with --prune", id="forced prune"),
        pytest.param(Flags(subresource="status"), "--subresource can only be specified for --server-side", id="status"),
        pytest.param(Flags(server_side=True, subresource="status"), "", id="status, server side"),
        pytest.param(
            Flags(server_side=True, subresource="a/b"),
            """invalid subresource "a/b": [may not contain '/']""",
            id="no segment",
        ),
        pytest.param(Flags(selector="!!"), "--selector: '!!' is not a label selector", id="selector"),
    ],
)
def test_flags_that_kubectl_rejects_have_an_error(flags: Flags, fault: str) -> None:
    found = list(faults(flags))

    assert len(found) == bool(fault)
    assert fault in "".join(found)


@pytest.mark.parametrize(
    ("flags", "policy"),
    [
        (Flags(selector="a=b"), None),
        (Flags(prune=True, selector="a=b"), ByLabels(parse("a=b"), DEFAULT_KINDS)),
        (
            Flags(prune=True, all=True, prune_allowlist=("apps/v1/Deployment",), namespace="n"),
            ByLabels((), frozenset({("apps", "Deployment")}), "n"),
        ),
        (Flags(prune=True, applyset="s", namespace="n"), ApplySet(ObjectRef("v1", "Secret", "n", "s"))),
    ],
    ids=["no prune", "labels", "all", "applyset"],
)
def test_flags_say_what_is_pruned(flags: Flags, policy: Policy | None) -> None:
    assert flags.policy == policy


def test_server_side_is_another_applier() -> None:
    assert (Flags().applier, Flags(server_side=True).applier) == (Applier.KUBECTL_CLIENT, Applier.KUBECTL_SERVER)


@pytest.mark.parametrize(
    ("flags", "applier", "manager", "typed"),
    [
        pytest.param(Flags(), Applier.KUBECTL_CLIENT, "kubectl-client-side-apply", "", id="plain"),
        pytest.param(Flags(True), Applier.KUBECTL_SERVER, "kubectl", " --server-side", id="server-side"),
        pytest.param(
            Flags(True, True, "ci"),
            Applier.KUBECTL_SERVER,
            "ci",
            " --server-side --force-conflicts --field-manager=ci",
            id="all",
        ),
    ],
)
def test_flags_choose_the_applier_and_its_mode(flags: Flags, applier: Applier, manager: str, typed: str) -> None:
    assert (flags.applier, flags.manager, str(flags)) == (applier, manager, typed)


@pytest.mark.parametrize(
    ("flags", "typed"),
    [
        (Flags(server_side=True), ""),
        (Flags(prune=True, all=True), " --prune --all"),
        (
            Flags(prune=True, selector="a in (b, c)", prune_allowlist=("core/v1/Secret", "apps/v1/Deployment")),
            " --prune --selector='a in (b, c)' --prune-allowlist=core/v1/Secret --prune-allowlist=apps/v1/Deployment",
        ),
        (Flags(prune=True, applyset="configmaps/shop"), " --prune --applyset=configmaps/shop"),
    ],
    ids=["none", "all", "by labels", "an ApplySet"],
)
def test_flags_of_pruning_are_quoted_for_a_shell(flags: Flags, typed: str) -> None:
    assert flags.pruning == typed


@pytest.mark.parametrize(
    ("flags", "live", "is_tracked"),
    [
        (Flags(), Unknown("no cluster"), True),
        (Flags(tracks_first_owners=False), Unknown("no cluster"), False),
        (Flags(tracks_first_owners=False), Absent(), True),
        (Flags(tracks_first_owners=False, server_side=True), Unknown("no cluster"), True),
    ],
    ids=["asked for", "not asked for", "something is known", "server-side apply goes by them"],
)
def test_owners_are_tracked_if_the_flags_or_the_live_object_need_them(
    flags: Flags, live: Knowledge, is_tracked: bool
) -> None:
    assert flags.tracks_owners(live) is is_tracked


def test_a_program_beside_kubectl_writes_under_its_own_name() -> None:
    by_helm = Flags(field_manager="ci", unit_applier=UnitApplier(Applier.HELM4, HelmUnit(Release("web", "shop"))))

    assert (by_helm.program, by_helm.manager) == (Applier.HELM4, "helm")
    assert (Flags(field_manager="ci").program, Flags(field_manager="ci").manager) == (Applier.KUBECTL_CLIENT, "ci")
