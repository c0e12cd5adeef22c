"""Temporary folders: private, and gone however the program ends, as far as it gets to clean up at all."""

import os
import tempfile
from contextlib import suppress
from types import TracebackType

from kubectl_applylint.sources.system.signals import delay_signals


def replace_file(path: str, content: bytes, *, mode: int = 0o600) -> None:
    """Write a file, and its folder where that is missing; readers find the old one or the new one.

    It is for the user alone unless ``mode`` says otherwise. Raises ``OSError``.
    """
    folder = os.path.dirname(path)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


class PrivateFolder(tempfile.TemporaryDirectory[str]):
    """Gives the real path of an empty folder that only the user can look into, until its block ends."""

    def __init__(self) -> None:
        with delay_signals():
            place = os.path.realpath(tempfile.gettempdir())
            super().__init__(prefix="applylint-", dir=place, ignore_cleanup_errors=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with delay_signals():
            super().__exit__(kind, error, trace)

    def inner(self, name: str) -> str:
        """Make an empty folder in it, as private; return its path."""
        path = os.path.join(self.name, name)
        os.mkdir(path, 0o700)
        return path
