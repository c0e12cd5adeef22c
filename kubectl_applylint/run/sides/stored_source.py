"""Units whose files are in another repository, which the store may have."""

from kubectl_applylint.core.records import replace
from kubectl_applylint.sources.store.store_place import is_usable
from kubectl_applylint.units.model import Unit


def with_stored_source(unit: Unit) -> Unit:
    """Return a unit whose files are in another repository, without a gap if the store has that."""
    source = unit.applied.fetched_source
    if source is None or not is_usable():
        return unit
    from kubectl_applylint.sources.store.store import is_stored  # noqa: PLC0415  30 ms, for such units only

    return replace(unit, applied=replace(unit.applied, gap="")) if is_stored(source) else unit
