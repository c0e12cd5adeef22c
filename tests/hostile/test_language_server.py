"""Documents of strangers in an editor: the language server answers each, and checks the next one as before."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from threading import Timer

import pytest

from tests.cli.editor.client import Editor
from tests.cli.editor.test_server import TEXT, editor
from tests.hostile.scene import PATIENCE

pytestmark = pytest.mark.slow
__all__ = ["editor"]
CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n"
ALIASES = "".join(f"{now}: &{now} [{', '.join([f'*{before}'] * 10)}]\n" for before, now in pairwise("abcdefgh"))
DOCUMENTS = {
    "brackets": f"{CONFIG_MAP}data: {'[' * 100_000}",
    "aliases": f"{CONFIG_MAP}a: &a [x, x, x, x, x, x, x, x, x, x]\n{ALIASES}",
    "digits": f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web}}\nspec: {{replicas: {'9' * 5_000}}}\n",
    "an exponent": "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {cpu: 1e999999999}}\n",
    "control characters": 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "a\\e]8;;x\\u202e\\n::error::"}\n',
    "characters of YAML that is none": "\x00\x01\ufeff\ufffe\u2028",
    "a long line": f"{CONFIG_MAP}data: {{a: {'b' * 3_000_000}}}\n",
    "many documents": f"---\n{CONFIG_MAP}" * 2_000,
    "surrogate pairs": f"{CONFIG_MAP}data: {{'{chr(0x1F600) * 1_000}': 1}}\n",
}


@pytest.fixture(name="patient")
def _patient(editor: Editor) -> Iterator[Editor]:
    """Return an editor whose server is ended if it does not answer."""
    timer = Timer(PATIENCE, editor.process.kill)
    timer.start()
    yield editor
    timer.cancel()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_server_answers_and_continues(patient: Editor, name: str) -> None:
    found = patient.open(DOCUMENTS[name])

    assert "bug in applylint" not in json.dumps(found)
    (next_one,) = replace(patient, uri=f"{patient.uri}.yaml").open(TEXT)
    assert next_one["code"] == "value-of-wrong-type-rejected"


@pytest.mark.parametrize(
    "uri",
    [
        "file:///etc/passwd",
        "file:///proc/self/environ",
        "file:///../../%00",
        "untitled:1",
        "https://127.0.0.1:1/a.yaml",
    ],
)
def test_the_text_of_the_editor_counts_for_every_address(patient: Editor, tmp_path: Path, uri: str) -> None:
    (found,) = replace(patient, uri=uri).open(TEXT)

    assert found["code"] == "value-of-wrong-type-rejected"
    assert list(tmp_path.iterdir()) == []
