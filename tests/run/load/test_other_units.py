"""Objects that one program has for two holders of one target."""

from dataclasses import replace

import pytest

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.model import Holder
from kubectl_applylint.run.compare.live_source import UnitDocuments, no_live_source
from kubectl_applylint.run.load.other_units import other_units
from kubectl_applylint.run.load.reading import make_reading
from kubectl_applylint.run.load.unit_tools import with_unit_applier
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.model import Applied, Form, HelmOptions, Unit
from tests.rules.stories import document

FLUX, ARGOCD, KAPP, HELM = (
    Flags(asked=AskedApplier(applier)) for applier in (Applier.FLUX, Applier.ARGOCD, Applier.KAPP, Applier.HELM4)
)
DEFINITION: JsonObject = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
SSA, EXISTS, HOOK = "kustomize.toolkit.fluxcd.io/ssa", "kapp.k14s.io/exists", "argocd.argoproj.io/hook"


def settings(file: str = "web.yaml", **marks: str) -> Document:
    metadata = {"name": "settings", "namespace": "shop", "annotations": marks}
    return document({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}, file=file)


def definition(file: str) -> Document:
    return document({**DEFINITION, "metadata": {"name": "widgets.example.com"}}, file=file)


def unit(name: str, tool: str, **spec: Json) -> Unit:
    """Return a folder or a chart; ``spec`` is that of the object of the tool."""
    of_tool: JsonObject | None = {"metadata": {"name": name}, "spec": spec} if tool in ("flux", "argocd") else None
    helm = HelmOptions(release=name) if tool == "helm" else None
    applied = Applied(tool, namespace="shop" if helm else "", helm=helm, tool_object=of_tool)
    return Unit(name, Form.CHART if helm else Form.FOLDER, frozenset({"web.yaml"}), applied)


def holders(flags: Flags, own: Unit, other: Unit, *documents: Document) -> list[Holder | None]:
    """Return whose the object is in the other unit, by default a ConfigMap; the first document is that of ``own``."""
    mine, theirs = documents or (settings(), settings())
    source = replace(no_live_source(), same_target=lambda _: [UnitDocuments(other, (theirs,))], namespace="shop")
    flags = with_unit_applier(flags, own, "shop")
    now = make_reading(Input((mine,), (), (), {}), source, flags, "1.36")
    return [one.holder for one in other_units(source, now, flags)]


@pytest.mark.parametrize(
    ("flags", "tool", "holder"),
    [
        (FLUX, "flux", Holder("b", "flux-system")),
        (ARGOCD, "argocd", Holder("b")),
        (KAPP, "kubectl", Holder("b", "shop")),
        (HELM, "helm", Holder("b", "shop")),
        (NO_FLAGS, "flux", None),
    ],
)
def test_one_program_has_an_object_for_two(flags: Flags, tool: str, holder: Holder | None) -> None:
    assert holders(flags, unit("a", tool), unit("b", tool)) == [holder]
    assert holders(flags, unit("a", tool), unit("a", tool)) == [None]


def test_a_kustomization_that_ignores_other_fields_than_labels_takes_an_object() -> None:
    ignoring = unit("a", "flux", ignore=[{"paths": ["/data"]}])

    assert holders(FLUX, ignoring, unit("b", "flux")) == [Holder("b", "flux-system")]


def test_units_of_two_programs_have_no_known_holder() -> None:
    assert holders(Flags(asked=AskedApplier(None)), unit("a", "flux"), unit("b", "argocd")) == [None]
    assert holders(FLUX, unit("a", "flux"), unit("b", "kubectl")) == [None]


@pytest.mark.parametrize(
    ("flags", "own", "other"),
    [
        pytest.param(
            FLUX, unit("a", "flux", ignore=[{"paths": ["/metadata"]}]), unit("b", "flux"), id="ignored labels"
        ),
        pytest.param(
            ARGOCD,
            unit("a", "argocd"),
            unit("b", "argocd", source={"path": "b", "kustomize": {"namePrefix": "x"}}),
            id="kustomize",
        ),
        pytest.param(
            Flags(asked=AskedApplier(Applier.HELM4, flags=("--take-ownership",))),
            unit("a", "helm"),
            unit("b", "helm"),
            id="--take-ownership",
        ),
    ],
)
def test_units_that_may_ignore_the_object_are_not_known_as_holders(flags: Flags, own: Unit, other: Unit) -> None:
    assert holders(flags, own, other) == [None]


FAILING = {"syncOptions": ["FailOnSharedResource=true"]}


@pytest.mark.parametrize(
    ("own", "other", "is_exclusive"),
    [
        (unit("a", "argocd", syncPolicy=FAILING), unit("b", "argocd"), True),
        (unit("a", "argocd"), unit("b", "argocd", syncPolicy=FAILING), True),
        (unit("a", "argocd"), unit("b", "argocd"), False),
    ],
)
def test_the_sync_of_one_application_may_fail(own: Unit, other: Unit, is_exclusive: bool) -> None:
    (holder,) = holders(ARGOCD, own, other)

    assert holder is not None
    assert holder.is_exclusive is is_exclusive


@pytest.mark.parametrize(
    ("flags", "tool", "mine", "theirs"),
    [
        pytest.param(FLUX, "flux", settings(**{SSA: "IfNotPresent"}), settings(), id="if not present"),
        pytest.param(FLUX, "flux", settings(), settings(**{SSA: "ignore"}), id="ignored"),
        pytest.param(KAPP, "kubectl", settings(), settings(**{EXISTS: ""}), id="only awaited"),
        pytest.param(ARGOCD, "argocd", settings(), settings(**{HOOK: "Sync"}), id="a hook"),
        pytest.param(ARGOCD, "argocd", definition("a.yaml"), definition("b.yaml"), id="not tracked"),
        pytest.param(HELM, "helm", definition("a/crds/a.yaml"), definition("b/crds/b.yaml"), id="installed once"),
    ],
)
def test_objects_that_are_left_to_the_other_are_not_contested(
    flags: Flags, tool: str, mine: Document, theirs: Document
) -> None:
    assert holders(flags, unit("a", tool), unit("b", tool), mine, theirs) == [None]


def test_objects_that_flux_moves_to_another_namespace_are_not_shared() -> None:
    other = unit("b", "flux")
    moved = replace(other, applied=replace(other.applied, namespace="edge"))

    assert holders(FLUX, unit("a", "flux"), moved) == []
    assert holders(NO_FLAGS, unit("a", "flux"), moved) == []


def test_flags_that_a_program_does_not_have_are_a_problem_of_their_unit() -> None:
    other = unit("b", "helm")
    wrong = replace(other, applied=replace(other.applied, options=(("flags", ("--no-such",)),)))

    assert holders(HELM, unit("a", "helm"), wrong) == [None]
