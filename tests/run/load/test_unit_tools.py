from dataclasses import replace

import pytest

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags, NamespaceUse
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier, UnitApplier
from kubectl_applylint.core.problem import UnreadableError
from kubectl_applylint.run.load.unit_tools import (
    applier_of,
    namespace_use,
    require_one_app,
    with_removal,
    with_unit_applier,
)
from kubectl_applylint.tools.argocd.application import ArgoApplication, ArgoSync
from kubectl_applylint.tools.argocd.projects import Permissions
from kubectl_applylint.tools.argocd.settings import settings_of
from kubectl_applylint.tools.flux.kustomization import FluxKustomization
from kubectl_applylint.tools.helm.flags import HelmFlags
from kubectl_applylint.tools.helm.release import Release
from kubectl_applylint.tools.helm.upgrade import HelmUnit
from kubectl_applylint.tools.kapp.app import UNKNOWN_LABEL, KappApp
from kubectl_applylint.units.model import Applied, Form, Unit

CHART = Unit("charts/shop", Form.CHART, frozenset(), applied=Applied("helm"))
FOLDER = Unit("apps/shop", Form.FOLDER, frozenset(), applied=Applied("kubectl"))
SUPPOSED = FluxKustomization("shop", "flux-system", prunes=True)
SOURCE = FluxKustomization("apps", "flux-system")
BY_FLUX = replace(FOLDER, applied=Applied("flux", tool_object={"metadata": {"name": "apps"}, "spec": {}}))
NAMED = ArgoSync(ArgoApplication("web", "shop", settings=settings_of({})), permissions=Permissions(namespace="shop"))
BY_ARGOCD = replace(
    FOLDER,
    applied=Applied(
        "argocd", tool_object={"metadata": {"name": "web"}, "spec": {"destination": {"namespace": "shop"}}}
    ),
)
PLACELESS = replace(FOLDER, applied=Applied("argocd", tool_object={"metadata": {"name": "web"}, "spec": {}}))
APP = KappApp("shop", "prod", UNKNOWN_LABEL)


HELM3, FLUX, ARGOCD, KAPP = (
    AskedApplier(applier) for applier in (Applier.HELM3, Applier.FLUX, Applier.ARGOCD, Applier.KAPP)
)


def release(name: str, namespace: str) -> HelmUnit:
    return HelmUnit(Release(name, namespace))


def as_supposed(asked: AskedApplier) -> AskedApplier:
    """Return the program as one that applies every unit."""
    return replace(asked, is_supposed=True)


@pytest.mark.parametrize(
    ("unit", "asked", "applier_unit"),
    [
        (CHART, HELM3, release("shop", "prod")),
        (CHART, replace(HELM3, name="web"), release("web", "prod")),
        (FOLDER, HELM3, None),
        (FOLDER, as_supposed(HELM3), release("shop", "prod")),
        (BY_FLUX, FLUX, SOURCE),
        (BY_FLUX, as_supposed(FLUX), SOURCE),
        (FOLDER, FLUX, None),
        (replace(BY_FLUX, applied=replace(BY_FLUX.applied, program="helm-controller")), FLUX, None),
        (FOLDER, as_supposed(FLUX), SUPPOSED),
        (BY_ARGOCD, ARGOCD, NAMED),
        (FOLDER, ARGOCD, None),
        (FOLDER, as_supposed(ARGOCD), ArgoSync(ArgoApplication("shop", "prod"), prunes=True)),
        (PLACELESS, ARGOCD, ArgoSync(ArgoApplication("web", "prod", settings=settings_of({})))),
        (FOLDER, KAPP, APP),
        (FOLDER, replace(KAPP, name="web.apps.k14s.io"), replace(APP, name="web")),
        (CHART, KAPP, None),
        (CHART, as_supposed(KAPP), APP),
    ],
)
def test_a_unit_is_applied_by_its_tool_or_by_the_one_that_is_supposed(
    unit: Unit, asked: AskedApplier, applier_unit: object
) -> None:
    found = with_unit_applier(Flags(asked=asked, namespace="prod"), unit)

    by = found.unit_applier
    assert (by and by.unit, by.applier if by else asked.applier) == (applier_unit, asked.applier)
    assert found.unit_prunes is isinstance(applier_unit, KappApp)


@pytest.mark.parametrize(
    ("unit", "applier"),
    [
        (CHART, Applier.HELM4),
        (replace(CHART, applied=Applied("helm3")), Applier.HELM3),
        (replace(CHART, applied=Applied("helm4")), Applier.HELM4),
        (replace(FOLDER, applied=Applied("kapp")), Applier.KAPP),
        (BY_FLUX, Applier.FLUX),
        (replace(BY_ARGOCD, form=Form.CHART), Applier.ARGOCD),
        (FOLDER, None),
        (replace(CHART, applied=Applied("flux")), None),
        (replace(FOLDER, applied=Applied("fleet")), None),
    ],
)
def test_a_unit_is_applied_by_the_program_that_the_repository_says(unit: Unit, applier: Applier | None) -> None:
    for asked in (AskedApplier(None), as_supposed(AskedApplier(None))):
        found = applier_of(Flags(asked=asked), unit)

        assert (found and found.applier) == applier


def test_kubectl_applies_every_unit_where_no_other_program_is_asked_for() -> None:
    assert [applier_of(NO_FLAGS, unit) for unit in (CHART, FOLDER, BY_FLUX, BY_ARGOCD)] == [None] * 4


def test_a_release_has_the_flags_of_the_run_and_of_its_unit() -> None:
    unit = replace(CHART, applied=Applied("helm", options=(("flags", ("--take-ownership",)),)))
    found = applier_of(Flags(asked=replace(HELM3, flags=("--force",))), unit)

    assert found is not None
    assert found.unit == HelmUnit(Release("shop", "default"), HelmFlags(force_replace=True, take_ownership=True))


def test_a_flag_that_this_helm_does_not_have_is_reported() -> None:
    with pytest.raises(UnreadableError) as ended:
        applier_of(Flags(asked=replace(HELM3, flags=("--server-side=true",))), CHART)

    problem = ended.value.problem
    assert (problem.where, problem.message) == ("charts/shop", "helm3 upgrade has no flag --server-side=true")


def test_an_app_that_is_asked_for_is_one_unit() -> None:
    web, flags = replace(FOLDER, root="apps/web"), Flags(asked=replace(KAPP, name="shop"))
    require_one_app(flags, [FOLDER, CHART])
    for others in (NO_FLAGS, Flags(asked=KAPP), Flags(asked=HELM3)):
        require_one_app(others, [FOLDER, web])

    with pytest.raises(UnreadableError) as ended:
        require_one_app(flags, [FOLDER, web, CHART])
    assert ended.value.problem.message == "2 units cannot be the same app of kapp: apps/shop, apps/web"


def test_a_unit_without_a_namespace_gets_that_of_the_source() -> None:
    assert applier_of(Flags(asked=HELM3), CHART, "there") == UnitApplier(Applier.HELM3, release("shop", "there"))
    assert applier_of(Flags(asked=KAPP), FOLDER) == UnitApplier(Applier.KAPP, replace(APP, namespace="default"))


@pytest.mark.parametrize(
    ("name", "options", "has_earlier"),
    [("web", ["Replace=true"], True), ("web", [], False), ("other", ["Replace=true"], False)],
)
def test_an_application_may_have_applied_a_unit_with_other_options(
    name: str, options: list[str], has_earlier: bool
) -> None:
    spec = {"destination": {"namespace": "shop"}, "syncPolicy": {"syncOptions": options}}
    earlier = replace(FOLDER, applied=Applied("argocd", tool_object={"metadata": {"name": name}, "spec": spec}))
    found = with_unit_applier(Flags(asked=ARGOCD), BY_ARGOCD, "default", earlier).unit_applier

    former = replace(NAMED, application=replace(NAMED.application, options=frozenset(options)))
    assert found == UnitApplier(Applier.ARGOCD, NAMED, former if has_earlier else None)


def test_flux_deletes_what_it_has_applied_with_its_object() -> None:
    pruning = replace(
        BY_FLUX, applied=Applied("flux", tool_object={"metadata": {"name": "a"}, "spec": {"prune": True}})
    )
    removed = with_removal(Flags(asked=FLUX), pruning).unit_applier

    kustomization = FluxKustomization("a", "flux-system", prunes=True, deletes=True, is_removed=True)
    assert removed == UnitApplier(Applier.FLUX, kustomization)
    assert with_removal(Flags(asked=FLUX), BY_FLUX).unit_applier is None
    assert with_removal(Flags(asked=ARGOCD), BY_ARGOCD).unit_applier is None
    assert with_removal(Flags(asked=FLUX), FOLDER).unit_applier is None


def test_argo_cd_deletes_objects_with_an_application_that_has_a_finalizer() -> None:
    metadata = {"name": "web", "finalizers": ["resources-finalizer.argocd.argoproj.io/background"]}
    unit = replace(FOLDER, applied=Applied("argocd", tool_object={"metadata": metadata, "spec": {}}))
    removed = with_removal(Flags(asked=ARGOCD), unit).unit_applier

    application = ArgoApplication("web", "default", settings=settings_of({}))
    sync = ArgoSync(application, prunes=True, deletes=True, is_removed=True)
    assert removed == UnitApplier(Applier.ARGOCD, sync)


@pytest.mark.parametrize(
    ("tool", "form", "use"),
    [
        ("kubectl", Form.FOLDER, NamespaceUse.REQUIRED),
        ("kubectl", Form.CHART, NamespaceUse.DEFAULT),
        ("skaffold", Form.FOLDER, NamespaceUse.REQUIRED),
        ("argocd", Form.FOLDER, NamespaceUse.DEFAULT),
        ("flux", Form.FOLDER, NamespaceUse.REPLACED),
        ("flux", Form.KUSTOMIZATION, NamespaceUse.REPLACED),
        ("flux", Form.CHART, NamespaceUse.DEFAULT),
        ("helm", Form.CHART, NamespaceUse.DEFAULT),
        ("kapp", Form.FOLDER, NamespaceUse.DEFAULT),
        ("fleet", Form.FOLDER, NamespaceUse.DEFAULT),
    ],
)
def test_only_kubectl_rejects_objects_of_other_namespaces(tool: str, form: Form, use: NamespaceUse) -> None:
    assert namespace_use(replace(FOLDER, form=form, applied=Applied(tool))) is use
