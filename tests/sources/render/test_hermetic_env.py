"""The environment of programs that render."""

import os
import subprocess
from pathlib import Path
from urllib.request import getproxies_environment

import pytest

from kubectl_applylint.sources.render.hermetic_env import without_network

GIT = {"PATH": os.environ["PATH"]}


@pytest.mark.parametrize(
    "name",
    [
        "GIT_DIR",
        "GIT_CONFIG_COUNT",
        "HELM_DEBUG",
        "KUSTOMIZE_ENABLE_ALPHA_COMMANDS",
        "DOCKER_HOST",
        "KUBERNETES_SERVICE_HOST",
        "no_proxy",
        "NO_PROXY",
        "git_dir",
    ],
)
def test_settings_of_the_user_do_not_reach_the_program(name: str) -> None:
    assert name not in without_network({name: "x"}, "/t")


@pytest.mark.parametrize("name", ["PATH", "HOME", "GITHUB_TOKEN", "LANG"])
def test_everything_else_does(name: str) -> None:
    assert without_network({name: "x"}, "/t")[name] == "x"


def test_every_proxy_leads_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    found = without_network({"https_proxy": "http://proxy:3128", "HTTP_PROXY": "http://proxy:3128"}, "/t")
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    for name in ("http_proxy", "HTTPS_PROXY", "all_proxy", "ftp_proxy"):
        monkeypatch.setenv(name, found[name])

    assert {found[name] for name in found if name.lower().endswith("_proxy")} == {"http://127.0.0.1:9"}
    assert getproxies_environment().keys() >= {"http", "https", "all", "ftp"}


def test_folders_of_helm_and_kustomize_are_empty_ones() -> None:
    found = without_network({"HELM_PLUGINS": "/home/x/plugins"}, "/t")

    assert found["HELM_PLUGINS"] == "/t/plugins"
    assert all(found[name].startswith("/t/") for name in found if name.startswith(("HELM_", "KUSTOMIZE_")))
    assert found["KUBECONFIG"] == os.devnull


def test_temporary_files_have_a_folder_that_is_removed() -> None:
    found = without_network({"TMPDIR": "/var/tmp", "PATH": "/bin"}, "/t")

    assert {found[name] for name in ("TMPDIR", "TMP", "TEMP")} == {"/t"}


@pytest.mark.slow
def test_git_fetches_nothing(tmp_path: Path) -> None:
    for url in (tmp_path.as_uri(), "https://example.com/x", "git@example.com:x"):
        command = ["git", "clone", "-q", url, str(tmp_path / "clone")]
        done = subprocess.run(command, env=without_network(GIT, str(tmp_path)), capture_output=True, text=True)

        assert done.returncode != 0
        assert "not allowed" in done.stderr
