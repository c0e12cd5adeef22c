"""One change in a base that many overlays use: a reader meets it once."""

from pathlib import Path

import pytest

from kubectl_applylint.cli import applylint
from tests.cli.conftest import DEPLOYMENT
from tests.sources.repositories import Repo

OVERLAYS = 12
FILES = {
    "base/kustomization.yaml": "resources: [web.yaml]\n",
    "base/web.yaml": DEPLOYMENT,
    **{
        f"overlays/o{number}/kustomization.yaml": f"namespace: o{number}\nresources: [../../base]\n"
        for number in range(OVERLAYS)
    },
}


@pytest.mark.slow
def test_a_change_in_a_base_is_one_finding_for_all_overlays(
    repo: Repo, kubectl: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A selector cannot change: at most 20 lines of text, and at most two annotations."""
    monkeypatch.setenv("PATH", str(kubectl.parent), prepend=":")
    repo.commit(FILES)
    repo.write({"base/web.yaml": DEPLOYMENT.replace("app: shop", "app: other")})

    code = applylint(["check", "--against", "HEAD"])
    text = capsys.readouterr().out
    applylint(["check", "--against", "HEAD", "-o", "github"])
    annotations = capsys.readouterr().out

    assert code == 1
    assert len(text.splitlines()) <= 20
    assert f"{OVERLAYS} units: {OVERLAYS} errors" in text
    assert 1 <= sum(line.startswith("::error") for line in annotations.splitlines()) <= 2
