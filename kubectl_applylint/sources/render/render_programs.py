"""Runs programs that render manifests, on existing files or on copies of files in git."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Location
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.sources.render.hermetic_env import without_network
from kubectl_applylint.sources.render.render_limits import MEBIBYTE, MOST_OUTPUT, RenderLimits, render_limits
from kubectl_applylint.sources.system import inner_path, subprocesses
from kubectl_applylint.sources.system.inner_path import UnsafePath
from kubectl_applylint.sources.system.pipes import TooMuchOutputError
from kubectl_applylint.sources.system.temporary import PrivateFolder, create_private_folder
from kubectl_applylint.sources.text.classify import SkipReason
from kubectl_applylint.sources.text.manifests import Input, read_text

_LONGEST_COMPLAINT: Final = 4000
_JSONNET_ERROR: Final = "RUNTIME ERROR: "
_MOST_TRACED: Final = 3
"""The lines of an error of Jsonnet that are shown: itself, and the innermost places of its trace."""
_COLLECTION: Final = {"GOGC": "400", "GOMEMLIMIT": "1GiB"}
"""Reduces garbage collection, which takes 40 % of the time of a large kustomization."""
_WARNING: Final = "# Warning"
"""The start of kustomize's warnings about deprecated fields."""
_LOGGED_ERROR: Final = regex(r'E\d{4} \S+ +\d+ \S+\] "command failed" err=(?:"(?P<quoted>.*)"|< (?P<block>.*) >)')
"""An error that kubectl logs, in one line."""
_LOG_ENTRY: Final = regex(r"[IW]\d{4} \S+ +\d+ \S+\] |\d{4}/\d\d/\d\d \d\d:\d\d:\d\d ")
"""The start of a line that a program logs and that is no error."""
_PRINTED: Final = (SkipReason.TOOL, SkipReason.KUSTOMIZATION)
"""Skipped documents in the output of a program that are not errors of it."""
_PATH_END: Final = regex(r"[\s'\":,;)\]]")
"""Matches what follows the path of a folder in a message."""
_CRASHED: Final = regex(r"(?:panic|fatal error): (?P<fault>.*)")
"""The first line of a crash of a Go program; the stack trace follows."""
_OUT_OF_MEMORY: Final = regex(rb"^(?:fatal error: .*out of memory|runtime: .*cannot allocate memory)", re.MULTILINE)
"""The message of a Go program that runs out of memory."""


def output(
    command: Sequence[str],
    where: str,
    advice: str,
    *,
    explain: Callable[[str], str] = str,
    environment: Mapping[str, str] = os.environ,
) -> bytes | Problem:
    """Run a program that renders ``where``, and return its output. ``explain`` turns its stderr into a message.

    Network access is blocked through its ``environment``.
    """
    limits, name = render_limits(), os.path.basename(command[0])
    try:
        with PrivateFolder() as folder:
            done = _run(command, without_network(environment, folder), limits)
    except subprocesses.TimedOutError:
        return Problem(where, f"{name} timed out after {limits.seconds:g} s (render-timeout)", advice)
    except TooMuchOutputError:
        return Problem(where, f"{name} prints more than {MOST_OUTPUT // MEBIBYTE} MiB", advice)
    except OSError as error:
        return Problem(where, f"{command[0]} cannot be run: {error.strerror}", "fix it, or render elsewhere")
    if done.code != 0 and _OUT_OF_MEMORY.search(done.stderr):
        return Problem(where, f"{name} needs more than {limits.mebibytes} MiB of memory (render-memory)", advice)
    if done.code != 0:
        message = f"it cannot be rendered: {explain(_without_temporary(_complaint(done.stderr), folder))}"
        return Problem(where, message, advice, is_refused=True)
    return done.stdout


def _without_temporary(complaint: str, folder: str) -> str:
    """Return an error message without the folder for temporary files, and the random names in it."""
    return re.sub(re.escape(folder) + r"(?:[/\\][A-Za-z-]+\d+)?", "$TMPDIR", complaint)


def rendered_text(printed: bytes, where: str, program: str) -> Input | Problem:
    """Return the objects that a program printed, or the problem that its output is something else."""
    found = read_text(printed, where)
    other = next((one for one in found.skipped if one.why not in _PRINTED), None)
    if other is None:
        return found
    message = f"it cannot be rendered: {program} printed what is not a manifest, in line {other.line} of its output"
    return Problem(where, message, f"check whether {program} is the program of that name")


def _run(command: Sequence[str], env: Mapping[str, str], limits: RenderLimits) -> subprocesses.ProcessResult:
    return subprocesses.run(
        command,
        timeout=limits.seconds if limits.seconds > 0 else None,
        env={**_COLLECTION, **env},
        most_output=MOST_OUTPUT,
        most_memory=limits.mebibytes * MEBIBYTE,
    )


def _complaint(stderr: bytes) -> str:
    """Return the error message of a program in one line, without deprecation warnings and entries of its log.

    Some builds of kubectl log the error with its time and source position.
    """
    lines = stderr.decode("utf-8", "replace").splitlines()
    crashed = next(filter(None, map(_CRASHED.match, lines)), None)
    if crashed:
        return f"the program crashed: {crashed['fault']}"[:_LONGEST_COMPLAINT]
    errors = [line for line in lines if not (line.startswith(_WARNING) or _LOG_ENTRY.match(line))]
    if errors and errors[0].startswith(_JSONNET_ERROR):
        errors = errors[:_MOST_TRACED]
    text = " ".join(" ".join(errors or lines).split())
    logged = _LOGGED_ERROR.fullmatch(text)
    if logged:
        text = logged["block"] or logged["quoted"].replace('\\"', '"')
    text = text or "the program failed without a message"
    return text if len(text) <= _LONGEST_COMPLAINT else f"… {text[-_LONGEST_COMPLAINT:]}"


@dataclass(frozen=True, slots=True)
class Copy:
    """A temporary folder for copies of files, and the problems of files that could not be copied.

    ``write`` creates it: most renderings are cached, and removing folders takes longer than reading such a rendering.
    """

    folder: str
    beside: str
    """An empty folder next to it, from which the relative paths of the copies are always the same."""
    texts: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """The copied files, by their paths in the folder."""
    problems: tuple[Problem, ...] = ()

    def write(self) -> Iterator[Problem]:
        """Write the files, and yield the problem of each that leads out of the folder or collides with another."""
        for folder in (self.folder, self.beside):
            create_private_folder(folder)
        for path, content in self.texts.items():
            problem = _copy_file(self.folder, path, content)
            if problem:
                yield problem

    def write_all(self) -> None:
        """Write the files; raise ``CopyError`` if some of them cannot be written."""
        problems = tuple(self.write())
        if problems:
            raise CopyError(problems)

    def below(self, path: str) -> Mapping[str, bytes]:
        """Return the files below a path in the folder, by their paths from there; a file itself is empty."""
        inner = os.path.relpath(path, self.folder).replace(os.sep, "/")
        if inner in self.texts:
            return {"": self.texts[inner]}
        start = "" if inner == os.curdir else f"{inner}/"
        return {name.removeprefix(start): text for name, text in self.texts.items() if name.startswith(start)}


class CopyError(Exception):
    """Raised if files cannot be copied."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(problems)
        self.problems = problems


@contextmanager
def reserve_copy(texts: Mapping[str, bytes]) -> Iterator[Copy]:
    """Reserve a folder for these files, by relative path, and remove it when the block ends."""
    with PrivateFolder() as private:
        yield Copy(os.path.join(private, "tree"), os.path.join(private, "beside"), texts)


@contextmanager
def copy_files(texts: Mapping[str, bytes]) -> Iterator[Copy]:
    """Create a folder with these files, by relative path, and remove it when the block ends."""
    with reserve_copy(texts) as copy:
        yield replace(copy, problems=tuple(copy.write()))


def _copy_file(folder: str, path: str, content: bytes) -> Problem | None:
    inner, where = inner_path.parse(path), folder + os.sep + path
    if isinstance(inner, UnsafePath):
        return Problem(where, f"not a path inside the repository: {inner.reason}", "remove the entry from the tree")
    try:
        inner_path.create(folder, inner, content)
    except OSError as error:
        return Problem(where, f"it cannot be copied for rendering: {error.strerror}", "check for duplicate names")
    return None


def relabel(found: Input, copy: Copy, label: Callable[[str], str]) -> Input:
    """Return rendered input with the files of a copy renamed by ``label``, in its problems as well."""

    def display_name(text: str) -> str:
        start, *parts = text.split(copy.folder + os.sep)
        return start + "".join(map(display_path, parts))

    def display_path(text: str) -> str:
        known = text if text in copy.texts else max(filter(text.startswith, copy.texts), key=len, default="")
        path = known or _PATH_END.split(text, maxsplit=1)[0]
        return label(path) + text.removeprefix(path)

    def relabel_problem(one: Problem) -> Problem:
        # Advice to run a command in the copy is useless: the copy is deleted.
        advice = "" if copy.folder in one.advice else one.advice
        document = _rename_files(one.document, display_name) if one.document else None
        where, message = display_name(one.where), display_name(one.message)
        return replace(one, where=where, message=message, advice=advice, document=document)

    return replace(
        found,
        documents=tuple(_rename_files(one, display_name) for one in found.documents),
        problems=(*map(relabel_problem, copy.problems), *map(relabel_problem, found.problems)),
        texts={display_name(file): text for file, text in found.texts.items()},
        remarks=tuple((display_name(file), words) for file, words in found.remarks),
    )


def _rename_files(document: Document, named: Callable[[str], str]) -> Document:
    def set_at(path: Path) -> Location | None:
        found = document.set_at(path)
        return replace(found, file=named(found.file)) if found else None

    return replace(document, file=named(document.file), set_at=set_at)


def renumber(rendered: Iterable[Document]) -> tuple[Document, ...]:
    """Return rendered objects with new document numbers in the file that each comes from."""
    counts: Counter[str] = Counter()
    found = []
    for document in rendered:
        found.append(replace(document, index=counts[document.file]))
        counts[document.file] += 1
    return tuple(found)
