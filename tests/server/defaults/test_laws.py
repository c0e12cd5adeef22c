"""Laws of defaulting, over objects that real servers stored and over manifests that people could write."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.values import Json, JsonObject, equal
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.decode import decode
from kubectl_applylint.server.defaults import apply_defaults
from kubectl_applylint.server.faults import DecodeError
from tests.fidelity import recording
from tests.server import stored

RECORDING = Path(__file__).parents[2] / "fidelity" / "recorded-1.36.jsonl.gz"
VERSIONS = st.sampled_from([f"1.{minor}" for minor in range(29, 38)])


@pytest.mark.parametrize(("server", "obj"), stored.cases())
def test_a_stored_object_has_all_of_its_defaults(server: str, obj: Json) -> None:
    """Defaults apply on every read as well, so what a server stored and read back gains nothing."""
    minor = ".".join(server.lstrip("v").split(".")[:2])

    assert apply_defaults(obj, stored.kind_of(obj, minor), minor) is obj


@cache
def recorded_manifests() -> tuple[JsonObject, ...]:
    """Return the recorded manifests of built-in kinds that a server can decode."""
    found = []
    with recording.open_recording(RECORDING) as (_, stories):
        for story in stories:
            kind = load("1.36").kind(story.manifest["apiVersion"], story.manifest["kind"])
            if kind is None or story.mode != "create-client":
                continue
            try:
                found.append(decode(story.manifest, kind, creating=True))
            except DecodeError:
                continue
    return tuple(found)


@given(st.data(), VERSIONS)
def test_defaulting_twice_is_defaulting_once(data: st.DataObject, version: str) -> None:
    """Every decoding of a write and every read applies the defaults again."""
    manifest = data.draw(st.sampled_from(recorded_manifests()))
    kind = stored.kind_of(manifest, version)
    once = apply_defaults(manifest, kind, version)

    assert equal(apply_defaults(once, kind, version), once)


@given(st.data(), VERSIONS)
def test_written_values_stay_except_for_forced_ones(data: st.DataObject, version: str) -> None:
    """A default never replaces a value, except where a rule says "whatever was written there"."""
    manifest = data.draw(st.sampled_from(recorded_manifests()))
    after = apply_defaults(manifest, stored.kind_of(manifest, version), version)

    assert replaced_fields(manifest, after) <= FORCED


FORCED = {"serviceAccount", "sessionAffinityConfig", "kubernetes.io/metadata.name", "kind", "apiVersion"}


def replaced_fields(before: Json, after: Json, field: str = "") -> set[str]:
    """Return the fields whose value defaulting changes or removes."""
    if isinstance(before, dict) and isinstance(after, dict):
        inner = (replaced_fields(value, after.get(key), key) for key, value in before.items())
        return set().union(*inner)
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return set().union(*(replaced_fields(old, new, field) for old, new in zip(before, after, strict=True)))
    return set() if before in (after, None, "", [], 0) else {field}
