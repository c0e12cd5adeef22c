from dataclasses import replace

import pytest

from kubectl_applylint.appliers.argocd.application import ArgoApplication, ArgoSync
from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.flux.kustomization import FluxKustomization
from kubectl_applylint.appliers.kapp.app import UNDRAWN, KappApp
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.problem import Unreadable
from kubectl_applylint.run.unit_tools import app_of, by_tool, is_by_helm, one_app, release_of
from kubectl_applylint.units.model import Applied, Form, Unit

CHART = Unit("charts/shop", Form.CHART, frozenset(), applied=Applied("helm"))
FOLDER = Unit("apps/shop", Form.FOLDER, frozenset(), applied=Applied("kubectl"))
SUPPOSED = FluxKustomization("shop", "flux-system", prunes=True)
SOURCE = FluxKustomization("apps", "flux-system")
BY_FLUX = replace(FOLDER, applied=Applied("flux", flux=SOURCE))


@pytest.mark.parametrize(
    ("unit", "flags", "told"),
    [
        (CHART, Flags(helm=Applier.HELM3), (Applier.HELM3, "shop", None)),
        (CHART, Flags(helm=Applier.HELM3, release="web"), (Applier.HELM3, "web", None)),
        (FOLDER, Flags(helm=Applier.HELM3), (None, "", None)),
        (FOLDER, Flags(helm=Applier.HELM3, is_supposed=True), (Applier.HELM3, "shop", None)),
        (BY_FLUX, Flags(by_flux=True), (None, "", SOURCE)),
        (BY_FLUX, Flags(), (None, "", None)),
        (BY_FLUX, Flags(by_flux=True, is_supposed=True), (None, "", SOURCE)),
        (FOLDER, Flags(by_flux=True), (None, "", None)),
        (
            FOLDER,
            Flags(by_flux=True, is_supposed=True),
            (None, "", SUPPOSED),
        ),
    ],
)
def test_a_unit_is_applied_by_its_tool_or_by_the_one_that_is_supposed(
    unit: Unit, flags: Flags, told: tuple[Applier | None, str, FluxKustomization | None]
) -> None:
    found = by_tool(flags, unit)

    assert (found.helm, found.release, found.kustomization) == told


def test_argocd_syncs_what_an_application_names_or_what_it_is_supposed_to() -> None:
    named = ArgoSync(ArgoApplication("web", "shop"))
    placeless = ArgoSync(ArgoApplication("web", ""))
    supposed = ArgoSync(ArgoApplication("shop", "default"), prunes=True)
    by_argocd = replace(FOLDER, applied=Applied("argocd", argocd=named))
    flags = Flags(by_argocd=True)

    assert by_tool(flags, by_argocd).argocd == named
    assert by_tool(Flags(), by_argocd).argocd is None
    assert by_tool(flags, FOLDER).argocd is None
    assert by_tool(replace(flags, is_supposed=True), FOLDER).argocd == supposed
    there = by_tool(replace(flags, namespace="there"), replace(FOLDER, applied=Applied("argocd", argocd=placeless)))
    assert there.argocd == ArgoSync(ArgoApplication("web", "there"))


def test_kapp_deploys_what_kubectl_would_apply_or_what_it_is_supposed_to() -> None:
    flags, app = Flags(by_kapp=True), KappApp("shop", "default", UNDRAWN)
    placed = replace(FOLDER, applied=Applied("kubectl", namespace="there"))

    assert by_tool(flags, FOLDER).kapp == app_of(flags, FOLDER) == app
    assert by_tool(flags, FOLDER).unit_prunes
    assert by_tool(flags, placed).kapp == replace(app, namespace="there")
    assert by_tool(replace(flags, app="web.apps.k14s.io"), FOLDER).kapp == replace(app, name="web")
    assert by_tool(Flags(), FOLDER).kapp is None
    assert by_tool(flags, CHART).kapp is None
    assert by_tool(replace(flags, is_supposed=True), CHART).kapp == app


def test_an_app_that_is_asked_for_is_one_unit() -> None:
    web, flags = replace(FOLDER, root="apps/web"), Flags(by_kapp=True, app="shop")
    one_app(flags, [FOLDER, CHART])
    one_app(replace(flags, app=""), [FOLDER, web])

    with pytest.raises(Unreadable) as ended:
        one_app(flags, [FOLDER, web, CHART])
    assert ended.value.problem.message == "2 units cannot be the same app of kapp: apps/shop, apps/web"


def test_a_unit_in_the_top_directory_has_the_release_of_helm_template() -> None:
    assert (is_by_helm(CHART), is_by_helm(FOLDER)) == (True, False)
    assert release_of(replace(CHART, root="")) == "release-name"
