"""Time and memory of a session in a unit of 50 objects.

Times are processor times of the program and the programs that it starts, which do not depend on other processes, and
the pause after a change.
"""

import os
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.cli.editor.session import pause_after
from tests.cli.editor.client import Editor, running_editor
from tests.cli.editor.test_server import TEXT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the processor time is read from /proc"),
]

MOST_TO_OPEN = 1.0
MOST_AFTER_EDIT = 0.15
MOST_GROWTH = 5_000
"""In KiB, for 1,000 edits after the first ones."""
EDITS = 50
WORKLOAD = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web{n}}}\nspec:\n  replicas: 2\n"
    "  selector: {{matchLabels: {{app: web{n}}}}}\n  template:\n    metadata: {{labels: {{app: web{n}}}}}\n    spec:\n"
    "      serviceAccountName: web{n}\n      containers:\n      - name: web\n        image: web:1\n"
    "        ports: [{{name: http, containerPort: 80}}]\n        envFrom: [{{configMapRef: {{name: web{n}}}}}]\n"
    "---\napiVersion: v1\nkind: Service\nmetadata: {{name: web{n}}}\n"
    "spec: {{selector: {{app: web{n}}}, ports: [{{port: 80, targetPort: http}}]}}\n"
    "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: web{n}}}\ndata: {{a: b}}\n"
    "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: web{n}}}\n"
    "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{name: web{n}}}\n"
    "spec: {{minAvailable: 1, selector: {{matchLabels: {{app: web{n}}}}}}}\n"
)
UNIT = "---\n".join(WORKLOAD.format(n=number) for number in range(10))


@pytest.fixture(name="editor")
def _editor(tmp_path: Path) -> Iterator[Editor]:
    (tmp_path / "app").mkdir()
    (tmp_path / "app/web.yaml").write_text(UNIT)
    (tmp_path / "app/service.yaml").write_text(TEXT)
    for command in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    with running_editor(tmp_path, patience=600) as found:
        yield replace(found, uri=f"file://{tmp_path}/app/web.yaml")


def seconds(editor: Editor) -> float:
    """Return the processor time of the program and of the programs that it has started."""
    fields = Path(f"/proc/{editor.process.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def resident(editor: Editor) -> int:
    """Return the memory of the program in KiB."""
    status = Path(f"/proc/{editor.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def test_a_document_is_checked_quickly_when_it_is_opened_and_edited(editor: Editor) -> None:
    begin = seconds(editor)
    editor.open(UNIT)
    opened = seconds(editor)
    for number in range(EDITS):
        editor.change(UNIT.replace("replicas: 2", f"replicas: {number % 9 + 3}", 1), number + 2)
        editor.read_diagnostics()
    after_edit = (seconds(editor) - opened) / EDITS

    assert opened - begin <= MOST_TO_OPEN
    assert after_edit + pause_after(after_edit) <= MOST_AFTER_EDIT


def test_many_edits_need_no_more_memory(editor: Editor) -> None:
    small = replace(editor, uri=editor.uri.replace("web.yaml", "service.yaml"))
    small.open(TEXT)

    def edit(numbers: range) -> int:
        for number in numbers:
            small.change(f"{TEXT}# {number}\n", number)
            small.fixes({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}})
            small.received.clear()
        return resident(small)

    before = edit(range(2, 202))
    assert edit(range(202, 1202)) - before <= MOST_GROWTH
