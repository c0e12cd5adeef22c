"""The bound of ten updaters, as capmanagers of apimachinery 0.36 keeps it."""

import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.merge.fieldset import of_paths
from kubectl_applylint.merge.manager_compaction import ANCIENT, MOST_UPDATERS, compact
from kubectl_applylint.merge.server_side import APPLY, UPDATE, Identity, Managers, Owned

BUCKET = Identity(ANCIENT, UPDATE, "v1")


def updater(number: int, version: str = "v1", subresource: str = "") -> tuple[Identity, Owned]:
    """Return the manager that wrote in the given minute."""
    fields = of_paths([(f"f:{number}",)])
    name = f"m{99 - number}"  # Names sort the other way round.
    return Identity(name, UPDATE, version, subresource), Owned(fields, version, f"2026-01-01T00:{number:02}:00Z")


def updaters(count: int) -> Managers:
    return dict(updater(number) for number in range(count))


def names(managers: Managers) -> list[str]:
    return [each.name for each in managers]


def owned_fields(managers: Managers, identity: Identity = BUCKET) -> list[str]:
    return sorted(path[0] for path in managers[identity].fields.paths())


@pytest.mark.parametrize("count", [0, 1, MOST_UPDATERS])
def test_up_to_ten_updaters_stay(count: int) -> None:
    assert compact(updaters(count)) == updaters(count)


def test_the_two_oldest_of_eleven_updaters_become_one() -> None:
    after = compact(updaters(11))

    assert len(after) == MOST_UPDATERS
    assert owned_fields(after) == ["f:0", "f:1"]
    assert after[BUCKET].time == "2026-01-01T00:01:00Z"
    assert {"m99", "m98"}.isdisjoint(names(after))


def test_more_are_added_to_the_same_one() -> None:
    assert owned_fields(compact(updaters(13))) == ["f:0", "f:1", "f:2", "f:3"]
    assert len(compact(updaters(13))) == MOST_UPDATERS


def test_appliers_do_not_count() -> None:
    applier = Identity("kubectl", APPLY, "")
    managers = {applier: Owned(of_paths([("f:a",)]), "v1"), **updaters(10)}

    assert compact(managers) == managers
    assert applier in compact({**managers, **dict([updater(10)])})


def test_only_managers_of_one_version_become_one() -> None:
    managers = dict([updater(0, "v2"), updater(1, "v1"), updater(2, "v1"), *map(updater, range(3, 11))])
    after = compact(managers)

    assert updater(0)[0].name in names(after)
    assert owned_fields(after) == ["f:1", "f:2"]


def test_managers_of_different_versions_are_not_compacted() -> None:
    managers = dict(updater(number, f"v{number}") for number in range(12))

    assert compact(managers) == managers


def test_one_that_writes_now_is_the_youngest() -> None:
    now = Identity("a", UPDATE, "v1")
    managers = {now: Owned(of_paths([("f:now",)]), "v1", Unknown("the time of the write")), **updaters(10)}

    assert now in compact(managers)


def test_one_without_a_time_is_the_oldest() -> None:
    timeless = Identity("z", UPDATE, "v1")
    managers = {**updaters(10), timeless: Owned(of_paths([("f:z",)]), "v1")}

    assert owned_fields(compact(managers)) == ["f:0", "f:z"]


def test_at_one_time_the_name_decides() -> None:
    same = {Identity(f"m{number:02}", UPDATE, "v1"): Owned(of_paths([(f"f:{number}",)]), "v1") for number in range(11)}

    assert owned_fields(compact(dict(reversed(same.items())))) == ["f:0", "f:1"]
