"""The real kapp, and how the tests deploy with it: built from the module ``tests/appliers_go/kapp``."""

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from kubectl_applylint.core.values import JsonObject
from tests.cluster.build import applier
from tests.cluster.cluster import Cluster, Run, run

NAME: Final = "kapp"
"""Of the program, which is the field manager that it writes under."""
_PACKAGE: Final = "carvel.dev/kapp/cmd/kapp"
_UNATTENDED: Final = ("--yes", "--wait=false", "--apply-timeout=3s", "--color=false", "--tty=false", "--logs=false")
"""Without controllers nothing becomes ready, and what is waited for to exist never does."""


def kapp_program(environment: Mapping[str, str]) -> Path:
    """Return the program, built on first use; raise ``Unavailable`` without Go or when the build fails."""
    return applier(NAME, environment, _PACKAGE)


def deploy(program: Path, cluster: Cluster, app: tuple[str, str], objects: Sequence[JsonObject], *flags: str) -> Run:
    """Run ``kapp deploy`` for an app, by namespace and name, on a set of objects; nothing is waited for."""
    namespace, name = app
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "set.yaml")
        file.write_text("".join(f"---\n{json.dumps(item)}\n" for item in objects))
        own = ("deploy", "-a", name, "-n", namespace, "-f", str(file), f"--kubeconfig={cluster.kubeconfig}")
        return run(["env", "-i", f"HOME={folder}", str(program), *own, *_UNATTENDED, *flags])
