"""Schedules as cron reads them; the words are those of kube-apiserver."""

import pytest

from kubectl_applylint.server.validate.schedules import schedule_faults, time_zone_faults


@pytest.mark.parametrize(
    "text",
    [
        "* * * * *",
        "*/5 0-23/2 1,15 JAN-dec sun",
        "0 0 ? * 1-5",
        "5/15 * * * *",
        "1,,2 * * * *",
        "@daily",
        "@every 1h30m",
        "TZ=UTC 0 0 * * *",
        "CRON_TZ=Nowhere  @hourly",
    ],
)
def test_schedules(text: str) -> None:
    assert schedule_faults(text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected exactly 5 fields, found 0: []"),
        ("1 2 3", "expected exactly 5 fields, found 3: [1 2 3]"),
        ("60 * * * *", "end of range (60) above maximum (59): 60"),
        ("* * 0 * *", "beginning of range (0) below minimum (1): 0"),
        ("5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"),
        ("1-2-3 * * * *", "too many hyphens: 1-2-3"),
        ("*/2/3 * * * *", "too many slashes: */2/3"),
        ("*/0 * * * *", "step of range should be a positive number: */0"),
        ("x * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'),
        ("* * * foo *", 'failed to parse int from foo: strconv.Atoi: parsing "foo": invalid syntax'),
        ("-1 * * * *", 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'),
        ("*/-1 * * * *", "negative number (-1) not allowed: -1"),
        ("@reboot", "unrecognized descriptor: @reboot"),
        ("@every x", "failed to parse duration @every x"),
    ],
)
def test_other_texts(text: str, words: str) -> None:
    assert schedule_faults(text) == [words]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("UTC", ""),
        ("Europe/Berlin", ""),
        ("posix/Europe/Berlin", ""),
        ("Nowhere", "unknown time zone Nowhere"),
        ("europe/berlin", "unknown time zone europe/berlin"),
        ("../UTC", "unknown time zone ../UTC"),
        ("-UTC", "unknown time zone -UTC"),
        ("Europe/", "unknown time zone Europe/"),
        ("", "timeZone must be nil or non-empty string"),
        ("Local", "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"),
    ],
)
def test_time_zones(text: str, words: str) -> None:
    assert time_zone_faults(text) == ([words] if words else [])
