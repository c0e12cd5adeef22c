#!/usr/bin/env python3
"""Write what krew installs: ``scripts/krew.py FOLDER URL`` makes the archive of a release and its manifest in FOLDER.

URL is the address of the repository whose release the archive will be part of. The archive holds the plugin with all
that it needs in pure Python, so that one serves every platform; needs pip and a package registry.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
ARCHIVE = "kubectl-applylint.tar.gz"
# Later ones need aiohttp and pydantic, which are compiled for one platform.
PURE_CLIENT = "kubernetes<36"
# krew links to the file, so that the modules are looked for beside what the link leads to.
LAUNCHER = """\
#!/usr/bin/env python3
import sys
from pathlib import Path

if sys.version_info < (3, 11):
    sys.exit("kubectl applylint: needs Python 3.11 or newer, and python3 is " + sys.version.split()[0])
sys.path.insert(0, str(Path(__file__).resolve().parent / "lib"))
from kubectl_applylint.cli.programs import kubectl_applylint

kubectl_applylint()
"""


def main(folder: Path, url: str) -> int:
    """Write archive and manifest of this tree."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        write(stage(Path(temporary) / "stage", ROOT), folder, url)
    return 0


def write(staged: Path, folder: Path, url: str) -> None:
    """Write archive and manifest of a staged folder."""
    pack(staged, folder / ARCHIVE)
    digest = hashlib.sha256((folder / ARCHIVE).read_bytes()).hexdigest()
    template = (ROOT / "scripts" / "krew.yaml").read_text(encoding="utf-8")
    manifest = template.format(version=version(), url=url.rstrip("/"), archive=ARCHIVE, sha256=digest)
    (folder / "applylint.yaml").write_text(manifest, encoding="utf-8")


def stage(folder: Path, tree: Path) -> Path:
    """Make a folder with the files of the archive, from the source files in ``tree``, and return it."""
    lib = folder / "lib"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--target", str(lib)]
    subprocess.run([*pip, str(tree), PURE_CLIENT], check=True)
    shutil.rmtree(lib / "bin")
    # What is compiled runs only on machines like the one that builds the archive; PyYAML and the others do without.
    for compiled in lib.rglob("*.so"):
        compiled.unlink()
    (folder / "kubectl-applylint").write_text(LAUNCHER, encoding="utf-8")
    (folder / "kubectl-applylint").chmod(0o755)
    (folder / "LICENSE").write_bytes((ROOT / "LICENSE").read_bytes())
    return folder


def pack(folder: Path, archive: Path) -> None:
    """Write the files of a folder, sorted and owned by nobody in particular."""
    with tarfile.open(archive, "w:gz") as tar:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                tar.add(path, arcname=str(path.relative_to(folder)), filter=anonymous)


def anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Return the member without the user who built it."""
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member


def version() -> str:
    """Return the version of this tree."""
    match = re.search(r'__version__ = "(.+)"', (ROOT / "kubectl_applylint" / "__init__.py").read_text(encoding="utf-8"))
    if match is None:
        raise ValueError("kubectl_applylint/__init__.py names no version")
    return match[1]


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: scripts/krew.py FOLDER URL")
    raise SystemExit(main(Path(sys.argv[1]), sys.argv[2]))
