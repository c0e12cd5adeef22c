"""Notes on HelmReleases whose objects are rejected, with the real Helm."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sources.repositories import Repo

Run = Callable[..., tuple[int, str, str]]
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: VALUE}\n"
FILES = {
    "app/chart/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n",
    "app/chart/templates/a.yaml": CONFIG.replace("VALUE", '"1"'),
    "app/hr.yaml": """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: c, namespace: shop}
spec:
  chart: {spec: {chart: ./app/chart, sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}}}
  upgrade: {remediation: {retries: 2}}
""",
}
NOTE = "HelmRelease shop/c: if an object is rejected, helm-controller rolls the release back"


@pytest.mark.parametrize("command", ["check", "plan"])
@pytest.mark.parametrize(("value", "is_noted"), [("2", True), ('"2"', False)], ids=["rejected", "accepted"])
def test_the_consequence_of_a_rejection_is_noted(
    run: Run, repo: Repo, helm: Path, monkeypatch: pytest.MonkeyPatch, command: str, value: str, is_noted: bool
) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    repo.commit(FILES)
    repo.write({"app/chart/templates/a.yaml": CONFIG.replace("VALUE", value)})

    for _ in range(2):  # The second result is a kept one.
        code, _, notes = run(command, ".", "--against", "HEAD")

        assert code == int(is_noted)
        assert notes.count(NOTE) == int(is_noted)
