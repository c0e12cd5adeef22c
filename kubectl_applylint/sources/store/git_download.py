"""Downloads one revision of a git repository with ``git``, through a gateway that applies the rules for hosts.

Git contacts the loopback device only. It runs without settings, hooks, filters, submodules or prompts, and writes no
work tree: the files are read from its objects.
"""

import os
import posixpath
from collections.abc import Callable, Iterator, Mapping
from time import monotonic
from typing import Final

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.version_ranges import is_exact, newest
from kubectl_applylint.sources.render.hermetic_env import without_network
from kubectl_applylint.sources.render.packed_chart import archive
from kubectl_applylint.sources.store.absence import Absence, branch_hint, version_hint, wanted_range
from kubectl_applylint.sources.store.chart_archive import MEBIBYTE, MOST_ENTRIES, MOST_PACKED, MOST_UNPACKED
from kubectl_applylint.sources.store.chart_source import ChartSource, public_url
from kubectl_applylint.sources.store.download_errors import AbsentError, DownloadError
from kubectl_applylint.sources.store.gateway import Answer, Gateway
from kubectl_applylint.sources.store.http_client import SECONDS, WITH_LOGIN, WITHOUT_LOGIN, HttpClient
from kubectl_applylint.sources.store.logins import git_login
from kubectl_applylint.sources.system import inner_path, subprocesses
from kubectl_applylint.sources.system.pipes import TooMuchOutputError
from kubectl_applylint.sources.system.temporary import PrivateFolder

_SERVICE: Final = "git-upload-pack"
_REFS: Final = f"info/refs?service={_SERVICE}"
_PASSED: Final = ("Git-Protocol", "Content-Type", "Content-Encoding", "Accept")
_OK: Final = 200
_DENIED: Final = (401, 403)
_NOT_FOUND: Final = 404
_MOST_LIST: Final = 16 * MEBIBYTE
_LONGEST_COMPLAINT: Final = 300
_TAGS, _HEADS = "refs/tags/", "refs/heads/"
_LINK, _FILES = "120000", ("100644", "100755", "100664")
_MOST_LINKS: Final = 8
"""The most symlinks that lead from one to another."""
_SETTINGS: Final = (
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "http.followRedirects=false"),
    *("-c", "http.postBuffer=1048576"),
    *("-c", "credential.helper="),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
    *("-c", "protocol.version=2"),
)


@dataclass(frozen=True, slots=True)
class DownloadedTree:
    """The files of a commit, packed."""

    packed: bytes = field(repr=False)
    commit: str
    is_private: bool = False
    """Whether a login of the user was sent."""


class _Remote:
    """Answers git with the replies of a server; it knows the login and the address after redirects."""

    def __init__(self, client: HttpClient, url: str, deadline: float) -> None:
        self._client, self._deadline = client, deadline
        self._url = public_url(url)
        self._start = self._url
        self._login: Mapping[str, str] = {}

    @property
    def is_private(self) -> bool:
        """Whether a login of the user was sent."""
        return bool(self._login)

    def answer(self, path: str, headers: Mapping[str, str], body: bytes | None) -> Answer | None:
        """Return the reply to the list of references, or to a request for objects."""
        sent = {name: value for name in _PASSED if (value := headers.get(name))}
        if path == _REFS and body is None:
            return self._references(sent)
        if path != _SERVICE or body is None:
            return None
        reply = self._client.post(
            f"{self._start}/{_SERVICE}", body, MOST_PACKED, self._deadline, headers={**sent, **self._login}
        )
        return self._answer(reply.status, reply.headers, reply.body)

    def _references(self, sent: Mapping[str, str]) -> Answer:
        url = f"{self._url}/{_REFS}"
        reply = self._client.get(url, _MOST_LIST, self._deadline, {**sent, **self._login})
        endpoint = self._client.endpoint(self._url)
        if reply.status in _DENIED and endpoint.has_login and not self._login:
            self._login = git_login(endpoint, self._deadline)
            reply = self._client.get(url, _MOST_LIST, self._deadline, {**sent, **self._login})
        start, separator, _ = reply.url.partition(f"/{_REFS}")
        if reply.status == _OK and not separator:
            raise DownloadError(f"{self._url} redirects to what is not a git repository")
        self._start = start
        if self._client.endpoint(start).place.address != endpoint.place.address:
            self._login = {}
        return self._answer(reply.status, reply.headers, reply.body)

    def _answer(self, status: int, headers: Mapping[str, str], body: bytes) -> Answer:
        if status == _OK:
            return headers.get("content-type", ""), body
        if status in _DENIED or status == _NOT_FOUND:
            with_login = WITH_LOGIN if self._login else WITHOUT_LOGIN
            raise DownloadError(f"{self._url} cannot be read {with_login} ({status})")
        raise DownloadError(f"{self._url}: the server answers with {status}")


@dataclass(frozen=True, slots=True)
class _Git:
    """Runs git on a private bare repository."""

    folder: str
    home: str
    deadline: float
    failure: Callable[[], str] = field(repr=False)

    def run(self, *arguments: str, most: int = _MOST_LIST, stdin: bytes = b"") -> bytes:
        """Return the output of git; raises ``DownloadError``."""
        environment = without_network(os.environ, self.home)
        own = {"GIT_ALLOW_PROTOCOL": "http", "HOME": self.home, "LC_ALL": "C"}
        own |= {"no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"}
        try:
            done = subprocesses.run(
                ["git", *_SETTINGS, f"--git-dir={self.folder}", *arguments],
                timeout=max(self.deadline - monotonic(), 1.0),
                env={**environment, **own},
                cwd=self.home,
                stdin=stdin,
                most_output=most,
            )
        except subprocesses.TimedOutError:
            raise DownloadError(self.failure() or f"it took more than {SECONDS:.0f} s") from None
        except TooMuchOutputError:
            raise DownloadError(f"the repository has more than {most // MEBIBYTE} MiB") from None
        except OSError as fault:
            raise DownloadError(f"git cannot be run: {fault.strerror}") from None
        if done.code != 0:
            raise DownloadError(self.failure() or f"git failed: {_complaint(done.stderr)}")
        return done.stdout


def _complaint(printed: bytes) -> str:
    """Return the first error that git printed: later ones are consequences."""
    lines = printed.decode("utf-8", "replace").strip().splitlines()
    errors = (line.partition(": ")[2] for line in lines if line.startswith(("fatal: ", "error: ")))
    return next(errors, lines[-1] if lines else "it printed nothing")[:_LONGEST_COMPLAINT]


def download_tree(source: ChartSource, client: HttpClient, gateway: Gateway) -> DownloadedTree:
    """Return the files of a revision; raises ``DownloadError``."""
    deadline = monotonic() + SECONDS
    remote = _Remote(client, source.url, deadline)
    with gateway.open_exchange(remote.answer) as token, (private := PrivateFolder()):
        home, place = private.inner("home"), private.inner("git")
        git = _Git(place, home, deadline, lambda: gateway.failure(token))
        git.run("init", "--quiet", "--bare", "--template=", "--", place)
        url = f"http://{gateway.address}/{token}"
        options = ("--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-auto-maintenance")
        try:
            git.run("fetch", *options, "--", url, _reference(source, git, url))
        except DownloadError as fault:
            is_answer = not gateway.failure(token)
            raise (_absence(source, git, url, is_private=remote.is_private) if is_answer else None) or fault from None
        commit = git.run("rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}").decode().strip()
        return DownloadedTree(archive(_files(git, commit)), commit, remote.is_private)


def _reference(source: ChartSource, git: _Git, url: str) -> str:
    """Return what to fetch: a commit or the name of a branch or tag; of a range, the newest tag."""
    wanted = wanted_range(source)
    if wanted is None:
        return f"{_TAGS}{source.version}" if source.is_tag else source.version or "HEAD"
    names = _names(git, url, _TAGS)
    found = newest(filter(is_exact, names), wanted)
    if found is None:
        raise DownloadError(f"none of its {len(names)} tags matches the range {wanted!r}")
    return f"{_TAGS}{found}"


def _names(git: _Git, url: str, start: str) -> list[str]:
    """Return the names of the tags or the branches of a repository."""
    sort = "--tags" if start == _TAGS else "--heads"
    listed = git.run("ls-remote", "--quiet", "--refs", sort, "--", url).decode("utf-8", "replace").splitlines()
    return [line.partition(f"\t{start}")[2] for line in listed]


def _absence(source: ChartSource, git: _Git, url: str, *, is_private: bool) -> AbsentError | None:
    """Return that a repository does not have the branch or tag of a source; ``None`` if that is not certain."""
    is_tag = source.is_tag or wanted_range(source) is not None
    start = _TAGS if is_tag or source.version.startswith(_TAGS) else _HEADS
    name = source.version.removeprefix(start)
    if not is_tag and name == source.version:
        return None
    try:
        names = _names(git, url, start)
    except DownloadError:
        return None
    if name in names:
        return None
    hint = branch_hint(name, names) if start == _HEADS else version_hint(name, names)
    return AbsentError(source, Absence(hint=hint, is_private=is_private))


def _files(git: _Git, commit: str) -> Mapping[str, bytes]:
    """Return the files of a commit; symlinks to files in it are these, others and submodules are left out."""
    entries = dict(_entries(git.run("ls-tree", "-r", "-l", "-z", "--full-tree", commit)))
    if len(entries) > MOST_ENTRIES:
        raise DownloadError(f"the repository has more than {MOST_ENTRIES} files")
    if sum(size for _, _, size in entries.values()) > MOST_UNPACKED:
        raise DownloadError(f"the repository has more than {MOST_UNPACKED // MEBIBYTE} MiB")
    ids = sorted({name for _, name, _ in entries.values()})
    texts = dict(_contents(git.run("cat-file", "--batch", most=2 * MOST_UNPACKED, stdin="\n".join(ids).encode())))
    links = {path: texts[name] for path, (mode, name, _) in entries.items() if mode == _LINK}
    files = {path: texts[name] for path, (mode, name, _) in entries.items() if mode in _FILES}
    ends = {path: _end(path, links) for path in links}
    return {**files, **{path: files[end] for path, end in ends.items() if end in files}} or {"README": b""}


def _entries(listed: bytes) -> Iterator[tuple[str, tuple[str, str, int]]]:
    """Yield path, mode, id and size of the files; paths that are not safe are left out."""
    for record in filter(None, listed.split(b"\0")):
        header, _, path = record.partition(b"\t")
        mode, _, name, size = header.decode("ascii").split()
        text = path.decode("utf-8", "surrogateescape")
        if mode in (*_FILES, _LINK) and size.isdecimal() and inner_path.is_inner(text):
            yield text, (mode, name, int(size))


def _contents(batch: bytes) -> Iterator[tuple[str, bytes]]:
    start = 0
    while start < len(batch):
        end = batch.index(b"\n", start)
        name, _, size = batch[start:end].decode("ascii").split()
        yield name, batch[end + 1 : end + 1 + int(size)]
        start = end + 2 + int(size)


def _end(path: str, links: Mapping[str, bytes]) -> str:
    """Return the path that a symlink leads to, empty for one that leads out of the repository."""
    for _ in range(_MOST_LINKS):
        if path not in links:
            return path
        target = links[path].decode("utf-8", "surrogateescape")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    return ""
