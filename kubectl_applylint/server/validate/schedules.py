"""Schedules of CronJobs: texts in cron's format, and names of time zones.

Mirrors ``github.com/robfig/cron`` (``ParseStandard``) and ``validateTimeZone``.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pkgutil import get_data
from typing import Final

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.regex import regex


class ScheduleError(ValueError):
    """A text that is not a schedule; the message is the server's."""


@dataclass(frozen=True, slots=True)
class _Bounds:
    """The lowest and the highest number of a field of a schedule, and its names."""

    low: int
    high: int
    names: Mapping[str, int] = field(default_factory=dict)


_MONTHS: Final = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DAYS: Final = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
_FIELDS: Final = (
    _Bounds(0, 59),
    _Bounds(0, 23),
    _Bounds(1, 31),
    _Bounds(1, 12, {name: place for place, name in enumerate(_MONTHS, 1)}),
    _Bounds(0, 6, {name: place for place, name in enumerate(_DAYS)}),
)
_DESCRIPTORS: Final = ("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly")
_DURATION: Final = regex(r"[-+]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)")
_OTHER_DATABASES: Final = ("posix", "right")
"""Folders in which some systems keep other zones; whether a server has them is unknown."""
_ZONE_PART: Final = regex(r"[A-Za-z.\-_0-9+]{1,14}")


@lru_cache(maxsize=1024)
def schedule_faults(text: str) -> list[str]:
    """Return the faults of a schedule."""
    try:
        _check(text)
    except ScheduleError as error:
        return [str(error)]
    return []


def _check(text: str) -> None:
    if text.startswith(("TZ=", "CRON_TZ=")):
        text = text.partition(" ")[2].strip()
    if text.startswith("@"):
        _check_descriptor(text)
        return
    fields = text.split()
    if len(fields) != len(_FIELDS):
        raise ScheduleError(f"expected exactly {len(_FIELDS)} fields, found {len(fields)}: [{' '.join(fields)}]")
    for value, bounds in zip(fields, _FIELDS, strict=True):
        for expression in filter(None, value.split(",")):
            _check_range(expression, bounds)


def _check_descriptor(text: str) -> None:
    if text in _DESCRIPTORS:
        return
    if not text.startswith("@every "):
        raise ScheduleError(f"unrecognized descriptor: {text}")
    if not _DURATION.fullmatch(text.removeprefix("@every ")):
        raise ScheduleError(f"failed to parse duration {text}")


def _check_range(expression: str, bounds: _Bounds) -> None:
    interval, *steps = expression.split("/")
    start, end = _interval(interval, expression, bounds)
    if len(steps) > 1:
        raise ScheduleError(f"too many slashes: {expression}")
    if steps and "-" not in interval:
        end = bounds.high
    if start < bounds.low:
        raise ScheduleError(f"beginning of range ({start}) below minimum ({bounds.low}): {expression}")
    if end > bounds.high:
        raise ScheduleError(f"end of range ({end}) above maximum ({bounds.high}): {expression}")
    if start > end:
        raise ScheduleError(f"beginning of range ({start}) beyond end of range ({end}): {expression}")
    if steps and _number(steps[0]) == 0:
        raise ScheduleError(f"step of range should be a positive number: {expression}")


def _interval(interval: str, expression: str, bounds: _Bounds) -> tuple[int, int]:
    limits = interval.split("-")
    if limits[0] in ("*", "?"):
        return bounds.low, bounds.high
    if len(limits) > 2:
        raise ScheduleError(f"too many hyphens: {expression}")
    numbers = [_number(limit, bounds.names) for limit in limits]
    return numbers[0], numbers[-1]


_LONGEST_NUMBER: Final = 18
"""The maximum number of digits; Go reads no number of more than 64 bits."""


def _number(text: str, names: Mapping[str, int] | None = None) -> int:
    if names and text.lower() in names:
        return names[text.lower()]
    if not re.fullmatch("[-+]?[0-9]+", text):
        raise ScheduleError(f'failed to parse int from {text}: strconv.Atoi: parsing "{text}": invalid syntax')
    digits = text.lstrip("+-0") or "0"
    if len(digits) > _LONGEST_NUMBER:
        raise ScheduleError(f'failed to parse int from {text}: strconv.Atoi: parsing "{text}": value out of range')
    if text[0] == "-" and digits != "0":
        raise ScheduleError(f"negative number (-{digits}) not allowed: {text}")
    return int(digits)


def time_zone_faults(text: str) -> list[str]:
    """Return the faults of a time zone; names are those of the IANA database that a server contains."""
    if not text:
        return ["timeZone must be nil or non-empty string"]
    parts = text.split("/")
    if any(part in (".", "..") or part.startswith("-") or not _ZONE_PART.fullmatch(part) for part in parts):
        return [f"unknown time zone {text}"]
    if text.lower() == "local":
        return ["timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"]
    known = text == "UTC" or parts[0] in _OTHER_DATABASES or text in _time_zones()
    return [] if known else [f"unknown time zone {text}"]


@cache
def _time_zones() -> frozenset[str]:
    return frozenset((get_data(__name__, "time_zones.txt") or b"").decode().split())
