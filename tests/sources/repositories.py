"""Real git repositories for tests."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


@dataclass(frozen=True, slots=True)
class Repo:
    """A repository and its work tree."""

    folder: Path

    def git(self, *arguments: str) -> str:
        """Run git and return what it prints, without the last line break."""
        identity = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always")
        command = ["git", *identity, *arguments]
        done = subprocess.run(
            command, cwd=self.folder, env=_ENVIRONMENT, check=False, capture_output=True, encoding="utf-8"
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.removesuffix("\n")

    def write(self, files: Mapping[str, str | None]) -> None:
        """Write files of the work tree, or remove those that are ``None``."""
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True) if text is None else path.write_text(text, newline="")

    def commit(self, files: Mapping[str, str | None]) -> str:
        """Commit the work tree with these files in it; return the id of the commit."""
        self.write(files)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x")
        return self.git("rev-parse", "HEAD")

    def clone(self, folder: Path, *arguments: str) -> "Repo":
        """Clone it over its URL, so that a depth counts."""
        self.git("clone", "-q", *arguments, self.folder.as_uri(), str(folder))
        return Repo(folder)


def create(folder: Path) -> Repo:
    """Make an empty repository whose branch is called main."""
    folder.mkdir(parents=True, exist_ok=True)
    repo = Repo(folder)
    repo.git("init", "-q", "-b", "main")
    return repo
