"""Parts as files."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.model import Report
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.run.collect import UnitResult
from kubectl_applylint.sharding.part_json import PartFormatError, part_text, read_part, read_seconds
from kubectl_applylint.sharding.parts import Part, ShardResult, SourceLine, merge_parts
from tests.sharding.test_parts import FINDING, RUN

PART = Part(
    RUN,
    {
        1: ShardResult(
            (UnitResult(("a",), UnitReport("a", "folder", "kubectl"), Report(findings=(FINDING,))),),
            lines=(SourceLine("a.yaml", 1, "kind: \udc80Service"),),
        )
    },
)


def test_a_part_is_read_as_it_was_written() -> None:
    text = part_text(PART)

    assert read_part(text.encode(), RUN.version) == PART
    assert part_text(read_part(text.encode(), RUN.version)) == text


def test_timings_are_read_of_any_version_and_those_of_nothing_are_left_out() -> None:
    text = part_with(seconds={"a": 1, "b": 0.5, "c": 0, "d": "x"}, run=run(version="0.1"))

    assert read_seconds(text) == {"a": 1.0, "b": 0.5}


def test_durations_do_not_distinguish_parts() -> None:
    slow = replace(PART, seconds={"a": 9.0})

    assert slow == PART
    assert merge_parts(PART, slow).seconds == {"a": 9.0}


def test_a_part_follows_its_schema() -> None:
    schema = json.loads(Path("kubectl_applylint/report/schemas/part-v1.json").read_text())

    jsonschema.validate(json.loads(part_text(PART)), schema)


def part_with(**fields: Json) -> bytes:
    return json.dumps(json.loads(part_text(PART)) | fields).encode()


def run(**fields: Json) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(part_text(PART))["run"] | fields
    return found


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        pytest.param(b"\xff", "not JSON", id="no text"),
        pytest.param(b"{", "not JSON", id="half of a text"),
        pytest.param(b"[" * 100_000, "not JSON", id="a deep text"),
        pytest.param(b"[]", "its version is not part-v1", id="a list"),
        pytest.param(part_with(version="part-v2"), "its version is not part-v1", id="another version"),
        pytest.param(
            part_with(run=run(version="9.9")),
            "written by version 9.9 of applylint, and this is 1.0",
            id="another program",
        ),
        pytest.param(part_with(run=None), "expected dict, found NoneType", id="no run"),
        pytest.param(part_with(run=run(shards="4")), "expected int, found str", id="a text for a number"),
        pytest.param(part_with(shards={}), "it has no shards", id="no shards"),
        pytest.param(part_with(shards={"2": {}}), "there is no shard 2 of 1", id="a shard too many"),
        pytest.param(part_with(run=run(shards=10**12)), "there is no shard 1", id="a very large number"),
        pytest.param(part_with(shards={"1": {"more": 1}}), "ShardResult has no more", id="an unknown field"),
    ],
)
def test_an_invalid_part_is_reported(content: bytes, fault: str) -> None:
    with pytest.raises(PartFormatError, match=fault):
        read_part(content, RUN.version)
