"""Logins of Helm and Docker, as they are stored in files."""

import base64
import json
from pathlib import Path

import pytest

from kubectl_applylint.sources.store.logins import login_of

WORD = base64.b64encode(b"user:password").decode()


@pytest.mark.parametrize("file", [".config/helm/registry/config.json", ".docker/config.json"])
@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("ghcr.io", "ghcr.io"),
        ("ghcr.io", "https://ghcr.io"),
        ("registry-1.docker.io", "https://index.docker.io/v1/"),
        ("localhost:5000", "localhost:5000"),
    ],
)
def test_a_login_is_found_by_its_host(tmp_path: Path, file: str, address: str, name: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text(json.dumps({"auths": {name: {"auth": WORD}}}))

    assert login_of(address, {"HOME": str(tmp_path)}) == f"Basic {WORD}"
    assert login_of("other.example", {"HOME": str(tmp_path)}) == ""


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"auths": {"ghcr.io": {"auth": "no base64\\n"}}}', '{"auths": {"ghcr.io": {}}}']
)
def test_other_files_have_no_login(tmp_path: Path, text: str) -> None:
    (tmp_path / "config.json").write_text(text)

    assert login_of("ghcr.io", {"DOCKER_CONFIG": str(tmp_path)}) == ""
