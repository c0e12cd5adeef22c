"""Patterns of our own end in time linear in what other people wrote."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_applylint.lint.hiding.waivers import comment_waivers, field_pattern, file_pattern, resource_pattern
from kubectl_applylint.server.quantity import QuantityError, parse
from kubectl_applylint.server.validate.custom.texts import has_format, is_duration
from kubectl_applylint.server.validate.schedules import schedule_faults
from kubectl_applylint.sources.files.globs import expand

LONG = 40_000


def _quantity(text: str) -> None:
    with pytest.raises(QuantityError):
        parse(text)


@pytest.mark.parametrize(
    ("read", "text"),
    [
        pytest.param(is_duration, "1" * LONG + "!", id="digits as a duration"),
        pytest.param(is_duration, "1" * LONG + ".1", id="a long number as a duration"),
        pytest.param(schedule_faults, "@every " + "00s" * 40 + "!", id="a schedule of many zeros"),
        pytest.param(_quantity, "0" * LONG + "!", id="a quantity of many zeros"),
        pytest.param(
            lambda text: comment_waivers(text, "a.yaml"), "# applylint: a" + " " * LONG + "b", id="a wide comment"
        ),
        pytest.param(lambda text: has_format(text, "hostname", 36), "a." * LONG + "!", id="a long host name"),
        pytest.param(lambda text: has_format(text, "email", 36), "a@" * LONG, id="a long address"),
    ],
)
def test_hostile_texts_are_read_in_bounded_time(read: Callable[[str], object], text: str) -> None:
    begin = time.process_time()
    read(text)

    assert time.process_time() - begin < 1


@pytest.mark.parametrize(
    ("text", "good"), [("@every 1h30m", True), ("@every 0", True), ("@every 1h0", False), ("@every 01h", True)]
)
def test_a_zero_without_a_unit_is_a_whole_duration(text: str, good: bool) -> None:
    assert (schedule_faults(text) == []) is good


@pytest.mark.parametrize("read", [field_pattern, resource_pattern, lambda glob: file_pattern("", glob)])
def test_globs_with_many_stars_match_in_bounded_time(read: Callable[[str], re.Pattern[str]]) -> None:
    begin = time.process_time()

    assert read("*a" * 30 + "b").fullmatch("a" * 200) is None
    assert time.process_time() - begin < 1


def test_file_patterns_with_many_stars_match_in_bounded_time(tmp_path: Path) -> None:
    (tmp_path / ("a" * 200)).touch()
    begin = time.process_time()

    assert expand(f"{tmp_path}/{'*a' * 30}b") == []
    assert expand(f"{tmp_path}/{'*a' * 30}*") == [str(tmp_path / ("a" * 200))]
    assert time.process_time() - begin < 1
