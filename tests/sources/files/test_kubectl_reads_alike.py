"""Generated manifests, read by kubectl and by us: the objects have to be equal to the last digit."""

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from kubectl_applylint.core.values import Json, JsonObject, equal
from kubectl_applylint.sources.files.files import read
from kubectl_applylint.sources.text.manifests import Input
from tests.sources.generated import manifest

FILES = 700
MOST_OTHER_WORDS = 5
"""So many complaints may differ where a file has two faults: kubectl looks for them in another order."""


def integer(text: str) -> int | float:
    value = int(text)
    return value if -(2**63) <= value < 2**63 else float(text)


def objects(printed: str) -> Iterator[JsonObject]:
    """Yield what ``kubectl -o json`` printed, one object after the other."""
    decoder = json.JSONDecoder(parse_int=integer)
    position = 0
    while rest := printed[position:].strip():
        value, length = decoder.raw_decode(rest)
        position = len(printed) - len(rest) + length
        yield value


def with_label(value: JsonObject) -> JsonObject:
    """Return ``value`` with the label that the command adds."""
    return {**value, "metadata": {**value["metadata"], "labels": {"z": "1"}}}


@dataclass(frozen=True, slots=True)
class Reading:
    """The contents of one folder, by the names of its files."""

    ours: Input
    theirs: Mapping[str, JsonObject]
    complaints: Mapping[str, str]
    """Kubectl's lines about files that it rejects."""


@pytest.fixture(scope="module", params=[1, 2])
def reading(request: pytest.FixtureRequest, kubectl: Path, tmp_path_factory: pytest.TempPathFactory) -> Reading:
    random, folder = Random(request.param), tmp_path_factory.mktemp("manifests")
    for number in range(FILES):
        (folder / f"d{number}.yaml").write_bytes(manifest(random, f"d{number}").encode())
    command = (str(kubectl), "label", "--local", "-f", str(folder), "-o", "json", "z=1")
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return Reading(
        read([str(folder)], recursive=False, stdin=bytes),
        {value["metadata"]["name"]: value for value in objects(run.stdout)},
        {name: line for line in run.stderr.splitlines() for name in re.findall(r"(d\d+)\.yaml", line)},
    )


def test_the_objects_are_equal(reading: Reading) -> None:
    ours: dict[str, Json] = {document.ref.name: with_label(document.object) for document in reading.ours.documents}
    different = [name for name, value in ours.items() if not equal(value, reading.theirs.get(name))]

    assert len(reading.theirs) > 500
    # kubectl checks for apiVersion and kind only where it talks to a server.
    unchecked = {name for name in reading.theirs if "apiVersion" not in reading.theirs[name]}
    assert (different, reading.theirs.keys() - ours.keys() - unchecked) == ([], set())


def test_the_same_files_are_rejected_with_the_same_messages(reading: Reading) -> None:
    ours = {Path(problem.where.split(":")[0]).stem: problem.message for problem in reading.ours.problems}
    words = {name: message.removeprefix("error parsing the file: ").split(":")[0] for name, message in ours.items()}
    skipped = {Path(skipped.file).stem for skipped in reading.ours.skipped}
    refused = words.keys() - reading.theirs.keys()

    assert len(refused) > 50
    assert refused | skipped >= reading.complaints.keys()
    other_words = [name for name in refused if words[name] not in reading.complaints.get(name, "")]
    assert len(other_words) <= MOST_OTHER_WORDS
