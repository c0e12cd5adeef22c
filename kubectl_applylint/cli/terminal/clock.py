"""The current time for reports."""

import os
from time import gmtime, strftime, time
from typing import Final

_LONGEST: Final = 11
"""The maximum number of digits of a timestamp."""


def now() -> str:
    """Return the current time, or the time of a reproducible build (``SOURCE_DATE_EPOCH``)."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    seconds = float(given) if given.isdecimal() and len(given) <= _LONGEST else time()
    return strftime("%Y-%m-%d %H:%M UTC", gmtime(seconds))
