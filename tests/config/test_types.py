"""Texts of options become values, and their schema accepts the same texts."""

import re
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from kubectl_applylint.config.types import (
    BOOLEAN,
    DAY,
    DURATION,
    FIELD,
    FILE,
    MANAGER,
    NUMBER,
    PATH,
    RESOURCE,
    TEXT,
    VERSION,
    Type,
    choice,
    one_of,
    printable,
)

FOLDER = Path("/repo/conf")


class Size(StrEnum):
    """Something to choose from."""

    SMALL = "small"
    LARGE = "large"


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        pytest.param(TEXT, " ", " ", id="blank text"),
        pytest.param(FILE, "a.yaml", "/repo/conf/a.yaml", id="relative file"),
        pytest.param(FILE, "/a.yaml", "/a.yaml", id="absolute file"),
        pytest.param(MANAGER, "m" * 128, "m" * 128, id="longest manager"),
        pytest.param(VERSION, "1.36", "1.36", id="version"),
        pytest.param(VERSION, "v1.36.3-rc.1", "1.36", id="long version"),
        pytest.param(BOOLEAN, "true", True, id="true"),
        pytest.param(BOOLEAN, "false", False, id="false"),
        pytest.param(NUMBER, "0", 0, id="least number"),
        pytest.param(NUMBER, "999", 999, id="greatest number"),
        pytest.param(DAY, "2026-02-28", date(2026, 2, 28), id="day"),
        pytest.param(choice(Size), "large", Size.LARGE, id="choice"),
        pytest.param(DURATION, "90", 90.0, id="seconds"),
        pytest.param(DURATION, "1m30s", 90.0, id="duration"),
    ],
)
def test_a_text_means_a_value(kind: Type, text: str, value: Any) -> None:
    found = kind.read(text, FOLDER)

    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        pytest.param(TEXT, "", "an empty value", id="empty text"),
        pytest.param(FILE, "", "an empty value", id="empty file"),
        pytest.param(MANAGER, "", "'' is not a name of 1 to 128 printable characters", id="empty manager"),
        pytest.param(MANAGER, "ä" * 65, "is not a name of 1 to 128", id="manager of 130 bytes"),
        pytest.param(MANAGER, "a\tb", "is not a name of 1 to 128", id="tab in a manager"),
        pytest.param(VERSION, "1", "'1' is not a version such as 1.36", id="half a version"),
        pytest.param(VERSION, "1.36 ", "is not a version", id="blank after a version"),
        pytest.param(BOOLEAN, "True", "'True' is not one of true, false", id="True"),
        pytest.param(NUMBER, "-1", "'-1' is not a number", id="negative"),
        pytest.param(NUMBER, "1000", "'1000' is not a number", id="four digits"),
        pytest.param(DAY, "2026-02-30", "'2026-02-30' is not a date such as 2026-12-31", id="no day"),
        pytest.param(choice(Size), "Small", "'Small' is not one of small, large", id="no member"),
        pytest.param(RESOURCE, "web", "'web' is not an object; write it like deployment/web", id="no kind"),
        pytest.param(RESOURCE, "a/b/c/d", "is not an object", id="too many parts"),
        pytest.param(PATH, "", "an empty value", id="empty path"),
        pytest.param(FIELD, "", "an empty value", id="empty field"),
    ],
)
def test_a_text_that_means_no_value(kind: Type, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        kind.read(text, FOLDER)


@pytest.mark.parametrize(
    ("kind", "pattern", "matched", "others"),
    [
        pytest.param(PATH, "*.yaml", "/repo/conf/a.yaml", "/repo/a.yaml", id="files below the folder"),
        pytest.param(RESOURCE, "deployment/*", "deployment/web", "pod/web", id="objects"),
        pytest.param(FIELD, "spec.*", "spec.replicas", "metadata.name", id="fields"),
    ],
)
def test_patterns(kind: Type, pattern: str, matched: str, others: str) -> None:
    found = kind.read(pattern, FOLDER)

    assert found.fullmatch(matched)
    assert not found.fullmatch(others)


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        pytest.param(TEXT, "a", "", id="text"),
        pytest.param(VERSION, "v1.36.3", "1", id="version"),
        pytest.param(VERSION, 1.36, [], id="version as a number"),
        pytest.param(NUMBER, 999, 1000, id="number"),
        pytest.param(DAY, "2026-12-31", "31.12.2026", id="day"),
        pytest.param(RESOURCE, "shop/deployment/web", "web", id="object"),
        pytest.param(choice(Size), "small", "medium", id="choice"),
        pytest.param(MANAGER, "m", "m" * 129, id="manager"),
        pytest.param(BOOLEAN, True, "true", id="boolean"),
    ],
)
def test_the_schema_of_a_type(kind: Type, good: Any, bad: Any) -> None:
    validator = Draft202012Validator(kind.schema)

    assert validator.is_valid(good)
    assert not validator.is_valid(bad)


@pytest.mark.parametrize(("text", "fault"), [("a\0b", "a NUL character"), ("\ud800", "half of a surrogate pair")])
def test_nul_and_half_surrogates_are_rejected(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        printable(text)


def test_bytes_of_a_file_name_that_are_not_utf_8_are_printable() -> None:
    assert printable("a\udcffb") == "a\udcffb"
    assert one_of("a", "b")("b", FOLDER) == "b"
