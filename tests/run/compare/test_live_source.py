"""Knowledge of a run without a cluster."""

from kubectl_applylint.core.state import ObjectRef, Unknown
from kubectl_applylint.run.compare.live_source import no_live_source
from kubectl_applylint.schema.names import ObjectArgument
from kubectl_applylint.sources.cluster.read_results import Objects

WEB = ObjectRef("v1", "ConfigMap", "shop", "web")


def test_without_a_source_no_object_is_found() -> None:
    assert no_live_source().named(ObjectArgument("ns", "web"), "shop").objects == ()
    assert no_live_source().labelled([], "app=web", []) == Objects((), ())


def test_without_a_source_every_state_is_unknown_with_the_reason() -> None:
    known = no_live_source("asleep")

    assert known.states([WEB], ()).states == {WEB: Unknown("asleep")}
    assert (known.applied("", "").objects, known.definitions([]).objects, str(known)) == ((), (), "")
