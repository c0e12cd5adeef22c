"""The kinds that have an entry, found by their folder."""

import pytest

from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Gvk
from kubectl_applylint.server.kind_behaviour import KindBehaviour
from kubectl_applylint.server.kinds import behaviour_of, behaviours
from kubectl_applylint.server.validate import kinds


@pytest.mark.parametrize("gvk", behaviours(), ids=" ".join)
def test_every_entry_is_of_a_kind_that_servers_have(gvk: Gvk) -> None:
    kind = load("1.36").kind(*gvk)

    assert kind is not None
    assert behaviour_of(kind).gvk == gvk


@pytest.mark.parametrize("record", [each for each in behaviours().values() if each.validation], ids=lambda r: r.gvk[1])
def test_rules_that_an_entry_names_are_found(record: KindBehaviour) -> None:
    api_version, name = record.gvk
    group = api_version.rpartition("/")[0]

    assert (group, name) in kinds(group)
