"""Which unit of a listing applies the object that declares another one."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from kubectl_applylint.units.model import Form, Unit


def declaring_units(units: Sequence[Unit], label: Callable[[str], str]) -> tuple[int | None, ...]:
    """Return for each unit the position of the one that applies its declaring object, ``None`` if none of them does.

    ``label`` returns the displayed name of a file.
    """
    appliers: dict[tuple[str, str], list[int]] = defaultdict(list)
    sets: dict[tuple[str, str], int] = {}
    for position, unit in enumerate(units):
        applied = unit.applied
        if unit.form is Form.RESOURCE_SET:
            sets[applied.cluster, applied.reason.place] = position
        if applied.declared_by or unit.declaring_cluster != applied.cluster:
            # The files of a unit of an Application include the file of that.
            own = {applied.reason.file} if unit.form is Form.RELEASE else set()
            for file in own.symmetric_difference(map(label, unit.files)):
                appliers[unit.declaring_cluster, file].append(position)
    return tuple(_declaring_unit(position, units, appliers, sets) for position in range(len(units)))


def _declaring_unit(
    position: int,
    units: Sequence[Unit],
    appliers: dict[tuple[str, str], list[int]],
    sets: dict[tuple[str, str], int],
) -> int | None:
    """Return the ResourceSet that creates the declaring object of a unit, else the smallest unit with its file."""
    applied = units[position].applied
    if applied.declared_by is None:
        return None
    creator = sets.get((applied.cluster, applied.reason.place), position)
    if creator != position:
        return creator
    others = [one for one in appliers.get((applied.cluster, applied.reason.file), ()) if one != position]
    return min(others, key=lambda one: len(units[one].files), default=None)
