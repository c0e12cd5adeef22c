"""Runs the ``git`` program, read-only, without network access, and without starting other programs.

docs/trust.md explains each setting. The configuration of the user and of the system is still read, so that
``safe.directory`` applies.
"""

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.shortage import remedy
from kubectl_applylint.sources.system import subprocesses

_ENVIRONMENT: Final = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
    # Missing objects of a partial clone are not fetched: the first setting is for git since 2.44 and its backports, the
    # second for all others. A list of protocols in the environment overrides every protocol.*.allow.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
}
_OPTIONS: Final = (
    "--no-pager",
    "--literal-pathspecs",
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.sshCommand=false"),
    *("-c", "core.alternateRefsCommand=false"),
    *("-c", "credential.helper="),
    *("-c", "gpg.program=false"),
    *("-c", "submodule.recurse=false"),
)
_TIMEOUT: Final = 300.0
"""In seconds; the longest calls read all files of a revision."""
_MOST_BYTES: Final = 4 << 20
"""Maximum size of an output that is kept; a list of 40,000 files is smaller."""
_RELATIVE: Final = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR")
"""Variables with paths that may be relative to the current folder."""
_LACKING: Final = (
    "promisor remote",
    "bad object",
    "unable to read",
    "missing blob",
    "bad tree object",
    "could not read",
)


@dataclass(frozen=True, slots=True)
class GitFailure:
    """The error message and the exit code of git."""

    words: str
    code: int = 0

    @property
    def lacks_objects(self) -> bool:
        """Whether git misses objects that should exist, as in a partial clone."""
        return any(part in self.words for part in _LACKING)

    @property
    def is_not_run(self) -> bool:
        """Whether git could not be started, or was ended by a limit of the system."""
        return not self.code or bool(remedy(self.words))


_Call: TypeAlias = tuple[str, tuple[str, ...], bytes, tuple[tuple[str, str], ...]]
_outputs: Final[ContextVar[dict[_Call, bytes] | None]] = ContextVar("outputs", default=None)


@contextmanager
def one_state() -> Iterator[None]:
    """Run equal commands once until the block ends: the repository counts as unchanged within it."""
    before = _outputs.set({})
    try:
        yield
    finally:
        _outputs.reset(before)


def run(
    folder: str, *arguments: str, stdin: bytes = b"", settings: Mapping[str, str] | None = None
) -> bytes | GitFailure:
    """Return the output of ``git`` in ``folder``; ``settings`` override the configuration files."""
    known = _outputs.get()
    if known is None:
        return _run(folder, arguments, stdin, settings or {})
    call = folder, arguments, stdin, tuple((settings or {}).items())
    if call in known:
        return known[call]
    output = _run(folder, arguments, stdin, settings or {})
    if isinstance(output, bytes) and len(stdin) + len(output) <= _MOST_BYTES:
        known[call] = output
    return output


def _run(folder: str, arguments: Sequence[str], stdin: bytes, settings: Mapping[str, str]) -> bytes | GitFailure:
    try:
        done = subprocesses.run(
            ["git", *_OPTIONS, *arguments],
            timeout=_TIMEOUT,
            cwd=folder,
            env={**os.environ, **_absolute(os.environ), **_ENVIRONMENT, **_settings(settings, os.environ)},
            stdin=stdin,
        )
    except subprocesses.TimedOutError:
        return GitFailure(f"git {arguments[0]} timed out after {_TIMEOUT:.0f} s")
    except FileNotFoundError:
        return GitFailure("git is not installed" if shutil.which("git") is None else "git cannot be started")
    except (OSError, ValueError) as fault:
        return GitFailure(getattr(fault, "strerror", None) or str(fault))
    if done.code:
        message = os.fsdecode(done.stderr).strip()
        return GitFailure(message or f"git {arguments[0]} exited with {done.code}", done.code)
    return done.stdout


def _absolute(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the folder variables with absolute paths, so that they are valid in every folder."""
    return {name: os.path.abspath(environ[name]) for name in _RELATIVE if environ.get(name)}


def _settings(settings: Mapping[str, str], environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that add settings to those of the caller; names may contain anything, even ``=``."""
    if not settings:
        return {}
    given = environ.get("GIT_CONFIG_COUNT", "")
    first = int(given) if given.isdecimal() and len(given) < len("1000") else 0
    pairs = list(settings.items())
    return {"GIT_CONFIG_COUNT": str(first + len(pairs)), **dict(_config_variables(pairs, first))}


def _config_variables(pairs: Sequence[tuple[str, str]], first: int) -> Iterator[tuple[str, str]]:
    for number, (name, value) in enumerate(pairs, first):
        yield f"GIT_CONFIG_KEY_{number}", name
        yield f"GIT_CONFIG_VALUE_{number}", value
