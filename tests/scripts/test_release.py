"""A release: its version and address in the documents, its files, and the ways to install it."""

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kubectl_applylint import __version__
from tests.npm import file_of
from tests.readme import ROOT, run, scripts
from tests.tree import copy_tree

sys.path.insert(0, str(ROOT / "scripts"))
RELEASE = runpy.run_path(str(ROOT / "scripts" / "release.py"))
sys.path.pop(0)
ADDRESS = "https://git.example/team/kubectl-applylint"
MISE = "@jdxcode/mise-linux-x64@2026.9.15"
MISE_CHECKSUM = (
    "06eb4f146cb3b4dd1193f1ce1ef1ee7fe5bcd0292f4110236c3587be11897373"
    "e72f77b62a10986483b28f1f303e486bf5525affbb09657a71b6de492e3b1f69"
)
NEWER = "7.8.9"
DOCUMENTS = (
    "README.md",
    "docs/install.md",
    "editors/vscode/package.json",
    "hooks/github-actions.yml",
    "hooks/gitlab-ci.yml",
    "templates/applylint.yml",
)


def texts(**others: str) -> dict[str, str]:
    """Return files of a repository without an address."""
    known = {
        "pyproject.toml": '[project]\nname = "kubectl-applylint"\n\n[project.optional-dependencies]\n',
        "CHANGELOG.md": "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A rule.\n",
        "kubectl_applylint/__init__.py": '__version__ = "1.2.3"\n',
    }
    return {**known, **others}


def release_files(files: dict[str, str], address: str = ADDRESS) -> dict[str, str]:
    found: dict[str, str] = RELEASE["released_files"](files, NEWER, address, "2026-12-01")
    return found


def test_a_release_cuts_the_changelog_and_pins_its_version() -> None:
    pins = "git+{0}@v{2}\n    rev: v{2}\n  uses: {1}@v{2}\n"
    pins += "  component: x/{1}/applylint@v{2}\n  default: v{2}\n  uses: a/b@v1.2.3\n"
    readme = pins.format("REPOSITORY", "OWNER/kubectl-applylint", "1.2.3")

    found = release_files(texts(**{"README.md": readme}))

    assert found["README.md"] == pins.format(ADDRESS, "team/kubectl-applylint", NEWER)
    assert found["CHANGELOG.md"].startswith("# Changelog\n\n## [Unreleased]\n\n## [7.8.9] - 2026-12-01\n\n### Added\n")
    assert found["kubectl_applylint/__init__.py"] == '__version__ = "7.8.9"\n'
    assert RELEASE["repository_address"](found["pyproject.toml"]) == ADDRESS


def test_a_later_release_keeps_the_address() -> None:
    files = texts(**{"README.md": f"git+{ADDRESS}@v1.2.3\n"})
    files["pyproject.toml"] = release_files(texts())["pyproject.toml"]

    found = release_files(files, "")

    assert found["README.md"] == f"git+{ADDRESS}@v7.8.9\n"
    assert "pyproject.toml" not in found


@pytest.mark.parametrize(
    ("change", "address", "message"),
    [
        pytest.param({}, "", "add --repository https://HOST/OWNER/NAME", id="no address"),
        pytest.param({}, "git@host:a/b", "add --repository https://HOST/OWNER/NAME", id="not https"),
        pytest.param(
            {"CHANGELOG.md": "## [Unreleased]\n\n## [1.2.3]\n"}, ADDRESS, "no unreleased changes", id="changes"
        ),
        pytest.param(
            {"pyproject.toml": '[project.urls]\nRepository = "https://x/y/z"\n'}, ADDRESS, "https://x/y/z", id="another"
        ),
    ],
)
def test_an_incomplete_release_is_not_built(change: dict[str, str], address: str, message: str) -> None:
    with pytest.raises(RELEASE["ReleaseError"], match=message):
        release_files(texts(**change), address)


def test_documents_pin_the_version_of_the_package() -> None:
    pages = [
        ROOT / "README.md",
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("hooks/*.yml"),
        *ROOT.glob("templates/*.yml"),
        *ROOT.glob("mega-*/*.yml"),
        *ROOT.glob("editors/vscode/package*.json"),
    ]
    versions = {path.name: set(RELEASE["pinned_versions"](path.read_text(encoding="utf-8"))) for path in pages}

    assert {name: found for name, found in versions.items() if found - {__version__}} == {}
    assert all(versions[Path(name).name] for name in DOCUMENTS)


def test_no_document_has_another_address_of_the_repository() -> None:
    address = RELEASE["repository_address"]((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "hooks").glob("*.yml")]
    named = [line for path in pages for line in path.read_text(encoding="utf-8").splitlines() if "://" in line]

    assert [line for line in named if "/kubectl-applylint" in line and (not address or address not in line)] == []


@pytest.fixture(name="repository", scope="module")
def _repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository of this tree with a release, whose files are in ``dist``."""
    folder = copy_tree(tmp_path_factory.mktemp("repository"))
    for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "Start"]):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *command], cwd=folder, check=True)
    identity = {
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b",
    }
    command = [str(folder / "scripts" / "release"), NEWER, "--repository", ADDRESS]
    done = subprocess.run(command, env={**os.environ, **identity}, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(name="home")
def _home(repository: Path, tmp_path: Path) -> dict[str, str]:
    """Return the environment of a fresh user for whom the address of the repository is the folder here."""
    settings = tmp_path / "gitconfig"
    settings.write_text(f'[url "file://{repository}"]\n\tinsteadOf = {ADDRESS}\n', encoding="utf-8")
    programs = tmp_path / ".local" / "bin"
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
    return {"HOME": str(tmp_path), "GIT_CONFIG_GLOBAL": str(settings), "PATH": path, "XDG_CONFIG_HOME": ""}


@pytest.mark.early(240)
@pytest.mark.cluster  # It needs a package registry and a minute, which CI has.
def test_the_files_of_a_release_are_complete(repository: Path) -> None:
    names = {path.name for path in (repository / "dist").iterdir()}
    sbom: dict[str, Any] = json.loads((repository / "dist" / "kubectl-applylint.cdx.json").read_text(encoding="utf-8"))

    assert names == {
        *("SHA256SUMS", "applylint.yaml", "kubectl-applylint.cdx.json", "kubectl-applylint.pyz"),
        *(
            "kubectl-applylint.tar.gz",
            f"kubectl_applylint-{NEWER}.tar.gz",
            f"kubectl_applylint-{NEWER}-py3-none-any.whl",
        ),
    }
    assert sbom["bomFormat"] == "CycloneDX"
    assert {"kubectl-applylint", "PyYAML", "kubernetes"} <= {each["name"] for each in sbom["components"]}


@pytest.mark.early(240)
@pytest.mark.cluster  # It needs package registries, which CI has.
def test_mise_installs_the_program_as_written(repository: Path, home: dict[str, str], tmp_path: Path) -> None:
    (command,) = re.findall(r"`(mise use [^`]*)`", (repository / "docs" / "install.md").read_text(encoding="utf-8"))
    program = tmp_path / ".local" / "bin" / "mise"
    program.parent.mkdir(parents=True)
    program.write_bytes(file_of(MISE, MISE_CHECKSUM, "package/bin/mise"))
    program.chmod(0o755)

    done = run(command, folder=tmp_path, environment={**home, "MISE_YES": "1"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert run("mise exec -- applylint --version", folder=tmp_path, environment=home).stdout == f"applylint {NEWER}\n"


@pytest.mark.early(240)
@pytest.mark.cluster  # It needs a package registry, which CI has.
def test_each_way_to_install_works_as_written(repository: Path, home: dict[str, str]) -> None:
    page = (repository / "docs" / "install.md").read_text(encoding="utf-8")
    pipx, tool, uvx, zipapp, _, checksums = scripts(page)
    (extras,) = re.findall(r"`(pipx install '[^`]*)`", page)

    own = f"{sys.executable} -m pipx"
    for command in (pipx.replace("pipx", own, 1), f"{tool} --force", uvx, f"{extras.replace('pipx', own, 1)} --force"):
        done = run(command, environment=home)
        assert done.returncode == 0, done.stdout + done.stderr
        installed = run("applylint --version", environment=home)
        assert installed.stdout == f"applylint {NEWER}\n", installed.stderr
    assert {"cel-python", "google-re2"} <= {*run("applylint --version -v", environment=home).stdout.split()}
    for command in (zipapp, checksums):
        done = run(command, folder=repository / "dist", environment=home)
        assert done.returncode == 0, done.stdout + done.stderr
