"""What a run knows where nobody has seen a cluster."""

from kubectl_applylint.core.state import ObjectRef, Unknown
from kubectl_applylint.run.compare.live_source import no_live_source
from kubectl_applylint.schema.names import ObjectArgument
from kubectl_applylint.sources.cluster.read_results import Objects

WEB = ObjectRef("v1", "ConfigMap", "shop", "web")


def test_nobody_finds_nothing() -> None:
    assert no_live_source().named(ObjectArgument("ns", "web"), "shop").objects == ()
    assert no_live_source().labelled([], "app=web", []) == Objects((), ())


def test_nobody_knows_nothing_and_says_why() -> None:
    known = no_live_source("asleep")

    assert known.states([WEB], ()).states == {WEB: Unknown("asleep")}
    assert (known.applied("", "").objects, known.definitions([]).objects, str(known)) == ((), (), "")
