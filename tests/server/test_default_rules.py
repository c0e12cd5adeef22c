"""Properties of every rule in the tables of defaults that filling and explaining rely on."""

import pytest

from kubectl_applylint.core.values import MISSING, JsonObject
from kubectl_applylint.server.default_rules import Derived
from kubectl_applylint.server.defaults.tables import tables

WRITTEN: JsonObject = {"port": 80}
"""A value that no rule sets and some need; other places may have it, too."""
RULES = [
    pytest.param(rule, id=f"{table.package.rpartition('.')[2]} {table.versions[0]} {place} {' '.join(rule.fields)}")
    for table in tables()
    for place, rules in table.derived.items()
    for rule in rules
]


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_sets_the_fields_that_it_names_and_only_once(rule: Derived) -> None:
    added = rule.derive(WRITTEN)
    filled = {field: value for field, value in {**WRITTEN, **added}.items() if value is not MISSING}

    assert added.keys() <= {field.partition(".")[0] for field in rule.fields}
    assert rule.derive(filled) == {}
