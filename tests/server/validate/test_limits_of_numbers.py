"""Numbers of more digits than Python reads are rejected as Go rejects them."""

import pytest

from kubectl_applylint.server.kinds.job.validate_policies import _range_fault
from kubectl_applylint.server.validate.schedules import ScheduleError, _number

LONG = "9" * 5_000


def test_a_field_of_a_schedule() -> None:
    with pytest.raises(ScheduleError, match="value out of range"):
        _number(LONG)
    assert _number("0" * 5_000 + "7") == 7


def test_an_index() -> None:
    assert _range_fault([LONG], -1, 10) == f'cannot convert string to integer for index: "{LONG}"'
