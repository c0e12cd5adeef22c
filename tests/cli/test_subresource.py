"""``--subresource``: what ``plan`` and ``check`` say of an apply to the status."""

from pathlib import Path

import pytest

from tests.limited import run_limited

WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: nginx}]}}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "code", "text"),
    [
        ("plan --against dir:old --server-side --subresource=status", 0, "+ status.readyReplicas: 2"),
        ("check --against dir:old --server-side --subresource=status", 0, "no findings in 1 object"),
        (
            "plan --against dir:old --server-side --subresource=scale",
            1,
            "reason: invalid object type: apps/v1, Kind=D",
        ),
        ("plan --against none --server-side --subresource=status", 3, "cannot be predicted: the subresource status of"),
        ("plan --against dir:old --subresource=status", 2, "--subresource can only be specified for --server-side"),
    ],
)
def test_an_apply_to_the_status_is_predicted(tmp_path: Path, command: str, code: int, text: str) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "web.yaml").write_text(WEB)
    (tmp_path / "web.yaml").write_text(WEB + "status: {readyReplicas: 2}\n")

    run = run_limited(*command.split(), "web.yaml", cwd=tmp_path)

    assert (run.returncode, text in run.stdout + run.stderr) == (code, True), run.stdout + run.stderr
    assert "please report it" not in run.stdout
