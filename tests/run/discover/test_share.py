"""The share of one machine that executes the whole run."""

from kubectl_applylint.run.discover.share import WHOLE
from kubectl_applylint.units.model import Form, Unit


def test_the_whole_has_every_unit() -> None:
    unit = Unit("a", Form.FOLDER, frozenset())

    assert WHOLE.units([])(unit)
    assert WHOLE.pairs([(unit, None)]) == ((unit, None),)
