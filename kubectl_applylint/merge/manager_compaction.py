"""The limit on the managers of an object: beyond ten updaters the oldest of a version are merged.

Mirrors ``capmanagers`` of apimachinery.
"""

from typing import Final

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.merge.server_side import UPDATE, Identity, Managers, Owned

MOST_UPDATERS: Final = 10
ANCIENT: Final = "ancient-changes"
"""The manager that replaces the merged ones."""


def compact(managers: Managers) -> Managers:
    """Return the managers with the oldest updaters of each version merged, if there are too many."""
    updaters = sorted((each for each in managers if each.operation == UPDATE), key=lambda each: _age(managers, each))
    surplus = len(updaters) - MOST_UPDATERS
    result, first = dict(managers), dict[str, Identity]()
    for identity in updaters:
        if surplus <= 0:
            break
        version = managers[identity].api_version
        if version in first:
            result = _merge_updater(result, first[version], identity)
            surplus -= 1
        first.setdefault(version, identity)
    return result


def _merge_updater(managers: dict[Identity, Owned], first: Identity, identity: Identity) -> dict[Identity, Owned]:
    """Merge one updater into the bucket of its version, which starts as the oldest updater of that version."""
    owned = managers[identity]
    bucket = Identity(ANCIENT, UPDATE, owned.api_version)
    source = bucket if bucket in managers else first
    rest = {each: what for each, what in managers.items() if each not in (identity, source)}
    return {**rest, bucket: Owned(managers[source].fields | owned.fields, owned.api_version, owned.time)}


def _age(managers: Managers, identity: Identity) -> tuple[bool, str, str, str, str]:
    time = managers[identity].time
    moment = time if isinstance(time, str) else ""
    return isinstance(time, Unknown), moment, identity.name, identity.api_version, identity.subresource
