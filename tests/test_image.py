"""The container image: its Dockerfile, and the image that buildah makes of it where it is installed with debootstrap.

Registries are not needed: debootstrap makes the base image, and a program that stands for curl has kubectl and helm.
"""

import hashlib
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tree import ROOT, copy_tree

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
VERSIONS = dict(re.findall(r"^ARG (\w+)_VERSION=(\S+)$", DOCKERFILE, re.MULTILINE))
CURL = '#!/bin/sh\nfor url; do :; done\nexec cp "/served/${url##*/}" .\n'
KUSTOMIZE = "#!/bin/sh\necho kustomize\n"
MEGABYTES = 235
"""The limit of the unpacked image: 250 without the 15 of kustomize, which a script stands for here."""
SCRIPT = """set -e
id -u; git log --format=%s; { kubectl version --client; helm version; } > /dev/null; kustomize; jsonnet -e '1 + 1'
kubectl config set-cluster c --server=http://127.0.0.1:9 > /dev/null
kubectl config set-context c --cluster=c > /dev/null
kubectl config use-context c > /dev/null
applylint check shop --against live -o concise 2>&1 | grep --count "cannot reach http://127.0.0.1:9" || true
applylint check shop --against none -o concise | tail -1
applylint explain prune-deletes-namespace > /dev/null
applylint --version
"""


def test_the_image_runs_the_program_as_a_user_without_rights() -> None:
    last = DOCKERFILE.rpartition("\nFROM ")[2]

    assert 'USER 65532:65532\nWORKDIR /work\nENTRYPOINT ["applylint"]\n' in last
    assert "git config --system --add safe.directory '*'" in DOCKERFILE
    assert set(VERSIONS) == {"KUBECTL", "HELM", "KUSTOMIZE"}


def test_the_build_reads_only_what_the_package_needs() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    named = [name.removeprefix("!") for name in ignored if name.startswith("!")]

    assert ignored[0] == "*"
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.cluster  # It needs the registries of Debian and Python, and some minutes, which CI has.
@pytest.mark.skipif(not all(map(shutil.which, ("buildah", "debootstrap"))), reason="buildah, debootstrap not installed")
def test_the_image_is_built_and_works(tmp_path: Path, kubectl: Path, helm: Path) -> None:
    mounts = _mounts(tmp_path, kubectl, helm)
    (tmp_path / "storage.conf").write_text(
        f'[storage]\ndriver = "vfs"\ngraphroot = "{tmp_path}/graph"\nrunroot = "{tmp_path}/run"\n', encoding="utf-8"
    )

    def buildah(*words: str) -> str:
        env = {"CONTAINERS_STORAGE_CONF": str(tmp_path / "storage.conf")}
        path = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(tmp_path)}
        done = subprocess.run(["buildah", *words], env=env | path, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout.strip()

    buildah("commit", _base(tmp_path, buildah("from", "scratch"), buildah), "localhost/base:latest")
    source = copy_tree(tmp_path / "source")
    build = ("--isolation", "chroot", "--layers=false", "--pull-never", "--build-arg", "BASE=localhost/base:latest")
    buildah("bud", *build, *mounts, "-t", "localhost/applylint:test", str(source))
    container = buildah("from", "--pull-never", "localhost/applylint:test")
    places = ("-v", f"{_repository(tmp_path)}:/work:ro")
    shown = buildah("run", "--isolation", "chroot", *places, container, "--", "sh", "-c", SCRIPT)
    root = Path(buildah("mount", container))
    size = sum(path.lstat().st_size for path in root.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6
    print(f"image: {size:.0f} MB")

    lines = shown.splitlines()
    assert lines[:5] == ["65532", "Start", "kustomize", "2", "1"]
    assert re.fullmatch(r"applylint \d+\.\d+\.\d+", lines[-1])
    assert size <= MEGABYTES


def _mounts(folder: Path, kubectl: Path, helm: Path) -> list[str]:
    """Return the options that put the downloads, and the settings of pip here, into the steps of the build."""
    served = folder / "served"
    served.mkdir()
    shutil.copy(kubectl, served / "kubectl")
    (folder / "kustomize").write_text(KUSTOMIZE, encoding="utf-8")
    (folder / "kustomize").chmod(0o755)
    packed = {
        f"helm-v{VERSIONS['HELM']}-linux-amd64.tar.gz": (helm, "linux-amd64/helm"),
        f"kustomize_v{VERSIONS['KUSTOMIZE']}_linux_amd64.tar.gz": (folder / "kustomize", "kustomize"),
    }
    for name, (program, inside) in packed.items():
        with tarfile.open(served / name, "w:gz", compresslevel=1) as archive:
            archive.add(program, inside)
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in served.iterdir()}
    (served / "kubectl.sha256").write_text(sums["kubectl"], encoding="utf-8")
    lines = "".join(f"{value}  {name}\n" for name, value in sums.items() if name != "kubectl")
    helm_archive = next(iter(packed))
    (served / f"{helm_archive}.sha256sum").write_text(f"{sums[helm_archive]}  {helm_archive}\n", encoding="utf-8")
    (served / "checksums.txt").write_text(lines, encoding="utf-8")
    (folder / "curl").write_text(CURL, encoding="utf-8")
    (folder / "curl").chmod(0o755)
    (folder / "pip.conf").write_text("[global]\ncert = /etc/pip-ca.crt\n", encoding="utf-8")
    pairs = {
        served: "/served",
        folder / "curl": "/usr/local/bin/curl",
        folder / "pip.conf": "/etc/pip.conf",
        Path("/etc/ssl/certs/ca-certificates.crt"): "/etc/pip-ca.crt",
    }
    return [word for source, target in pairs.items() for word in ("-v", f"{source}:{target}:ro")]


def _base(folder: Path, container: str, buildah: Callable[..., str]) -> str:
    """Put the files of a small Debian into a container, and return the container."""
    root = folder / "debian"
    subprocess.run(["debootstrap", "--variant=minbase", "trixie", str(root)], check=True, capture_output=True)
    for name in ("var/cache/apt", "var/lib/apt/lists", "usr/share/doc", "usr/share/man", "usr/share/locale"):
        shutil.rmtree(root / name)
        (root / name).mkdir()
    subprocess.run(["tar", "-C", root, "-cf", folder / "base.tar", "."], check=True)
    buildah("add", container, str(folder / "base.tar"), "/")
    return container


def _repository(folder: Path) -> Path:
    """Return a repository of another user."""
    repository = folder / "repository"
    shutil.copytree(ROOT / "examples" / "shop", repository / "shop")
    for words in ("init -q", "add -A", "-c user.name=t -c user.email=t@example.com commit -q -m Start"):
        subprocess.run(["git", *words.split()], cwd=repository, check=True)
    subprocess.run(["chown", "-R", "1234:1234", repository], check=True)
    folder.chmod(0o755)
    return repository
