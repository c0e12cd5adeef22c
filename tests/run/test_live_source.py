"""What a run knows where nobody has seen a cluster."""

from dataclasses import replace

from kubectl_applylint.appliers.argocd.application import ArgoApplication, ArgoSync
from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import UnitApplier
from kubectl_applylint.core.state import ObjectRef, Unknown
from kubectl_applylint.run.live_source import beside, no_live_source
from kubectl_applylint.schema.names import ObjectArgument
from kubectl_applylint.sources.seen import Objects

WEB = ObjectRef("v1", "ConfigMap", "shop", "web")


def test_nobody_finds_nothing() -> None:
    assert no_live_source().named(ObjectArgument("ns", "web"), "shop").objects == ()
    assert no_live_source().labelled([], "app=web", []) == Objects((), ())


def test_nobody_knows_nothing_and_says_why() -> None:
    known = no_live_source("asleep")

    assert known.states([WEB], ()).states == {WEB: Unknown("asleep")}
    assert (known.applied("", "").objects, known.definitions([]).objects, str(known)) == ((), (), "")


def test_of_an_application_common_kinds_and_those_of_its_set_are_asked_for() -> None:
    source = replace(
        no_live_source(),
        of_kinds=lambda words, namespaces: Objects(tuple({"kind": word} for word in (*words, *sorted(namespaces))), ()),
    )
    flags = Flags(unit_applier=UnitApplier(Applier.ARGOCD, ArgoSync(ArgoApplication("web", "there"))))
    asked = [
        item["kind"] for item in beside(source, flags, [WEB, ObjectRef("example.com/v1", "Widget", "", "w")]).objects
    ]

    assert asked[0] == "ConfigMap"
    assert asked[-4:] == ["Widget.example.com", "", "shop", "there"]
    assert asked.count("ConfigMap") == 1
