"""A folder with a few manifests and a snapshot, in which the commands are run as users run them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_applylint.cli import applylint
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import JsonObject
from tests.sources.repositories import Repo, create

SELECTOR = "selector-change-rejected"
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector:
    matchLabels: {app: shop}
  template:
    metadata:
      labels: {app: shop}
    spec:
      containers: [{name: web, image: web:2}]
"""
CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\ndata: {a: b}\n"
PASSWORD = "correct-horse-battery"
SECRET = f"apiVersion: v1\nkind: Secret\nmetadata: {{name: token, namespace: shop}}\nstringData: {{old: {PASSWORD}}}\n"


def live_deployment() -> JsonObject:
    """Return what the manifest has become in a cluster where its selector was another one."""
    labels = {"app": "web"}
    spec = {
        "replicas": 1,
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "web", "image": "web:1"}]}},
    }
    header = {"apiVersion": "apps/v1", "kind": "Deployment"}
    names = {"name": "web", "namespace": "shop"}
    applied = {**header, "metadata": names, "spec": {key: spec[key] for key in ("selector", "template")}}
    return {**header, "metadata": {**names, "annotations": {LAST_APPLIED: json.dumps(applied)}}, "spec": spec}


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Return an empty git repository, which is the current directory."""
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    repo = create(tmp_path / "repo")
    monkeypatch.chdir(repo.folder)
    return repo


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that commands run in; nothing around it or in the environment configures them."""
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "APPLYLINT_AGAINST", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".git").mkdir()
    (tmp_path / "web.yaml").write_text(DEPLOYMENT)
    (tmp_path / "settings.yaml").write_text(CONFIG_MAP)
    (tmp_path / "secret.yaml").write_text(SECRET)
    (tmp_path / "prod.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [live_deployment()]}))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(name="run")
def _run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Return a function that runs ``applylint`` and gives its exit code, output and errors."""

    def run(*argv: str) -> tuple[int, str, str]:
        code = applylint(argv)
        return code, *capsys.readouterr()

    return run
