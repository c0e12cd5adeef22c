"""Results of a cluster for objects that were not read: unknown, never absent."""

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.sources.cluster.read_results import Neighbours, States


def test_objects_that_were_not_read_are_unknown() -> None:
    around = Neighbours().surroundings

    assert isinstance(around.lookup("", "Namespace", "shop"), Unknown)
    assert isinstance(around.all_objects("", "LimitRange", "shop"), Unknown)


def test_a_kind_is_not_missing_only_because_it_was_not_asked_for() -> None:
    states = States({}, ())

    assert (states.served, states.unserved) == (frozenset(), {})
