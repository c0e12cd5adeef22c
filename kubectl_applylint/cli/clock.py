"""What time it is, for reports that say when they were made."""

import os
from time import gmtime, strftime, time
from typing import Final

_LONGEST: Final = 11
"""Digits of a time that is believed."""


def now() -> str:
    """Return what time it is, or the time for which a build is to be reproduced (``SOURCE_DATE_EPOCH``)."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    seconds = float(given) if given.isdecimal() and len(given) <= _LONGEST else time()
    return strftime("%Y-%m-%d %H:%M UTC", gmtime(seconds))
