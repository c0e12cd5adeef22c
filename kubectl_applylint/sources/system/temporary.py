"""Private temporary folders, removed whenever the program ends in an orderly way."""

import os
import tempfile
from contextlib import suppress
from types import TracebackType

from kubectl_applylint.sources.system.signals import delay_signals


def replace_file(path: str, content: bytes, *, mode: int = 0o600) -> None:
    """Write a file atomically, and create its folder if necessary.

    Only the user can read it, unless ``mode`` allows more. Raises ``OSError``.
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


def create_private_folder(path: str) -> None:
    """Create an empty folder that only the user can read; an existing one raises ``OSError``."""
    os.mkdir(path, 0o700)


class PrivateFolder(tempfile.TemporaryDirectory[str]):
    """An empty folder that only the user can read, removed when its block ends; its value is the real path."""

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
        """Create an empty private folder in it, and return its path."""
        path = os.path.join(self.name, name)
        create_private_folder(path)
        return path
