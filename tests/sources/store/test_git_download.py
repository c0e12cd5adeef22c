"""Repositories from a real git server on the loopback device: files by commit, and nothing but what is allowed."""

import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kubectl_applylint.sources.store import git_download, http_client
from kubectl_applylint.sources.store.chart_archive import read_files
from kubectl_applylint.sources.store.chart_source import ChartSource, git_source
from kubectl_applylint.sources.store.download import Downloaded, download
from kubectl_applylint.sources.store.download_errors import AbsentError, DownloadError
from kubectl_applylint.sources.store.gateway import Gateway
from kubectl_applylint.sources.store.host_rules import HostRules
from kubectl_applylint.sources.store.hosts import host_path, mirror
from tests.sources.store.git_server import GitServer, serving_git

URL = "https://git.example/org/repo"


@pytest.fixture(name="server")
def _server(tmp_path: Path) -> Iterator[GitServer]:
    with serving_git(tmp_path / "served") as found:
        found.repository("org/repo", {"base/a.yaml": "a: 1\n"})
        yield found


def rules_for(server: GitServer) -> HostRules:
    return HostRules(mirrors=(mirror("git.example", f"http://127.0.0.1:{server.port}"),))


def fetch(source: ChartSource, server: GitServer) -> Downloaded:
    with Gateway().serve() as gateway:
        return download(source, rules_for(server), gateway)


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize("sort", ["default", "branch", "tag", "semver", "commit", "name"])
def test_a_revision_is_found_by_each_kind_of_reference(server: GitServer, sort: str) -> None:
    folder = server.root / "org/repo"
    git(folder, "tag", "v1.2.0")
    git(folder, "tag", "other")
    commit = git(folder, "rev-parse", "HEAD")
    branch = git(folder, "symbolic-ref", "HEAD")
    source = {
        "default": git_source(URL),
        "branch": git_source(URL, branch),
        "tag": git_source(URL, "other", is_tag=True),
        "semver": git_source(URL, "semver:>=1.0.0"),
        "commit": git_source(URL, commit),
        "name": git_source("git@git.example:org/repo", "v1.2.0"),
    }[sort]
    found = fetch(source, server)

    assert found.revision == commit
    assert read_files(found.packed) == {"base/a.yaml": b"a: 1\n"}
    assert not found.is_private
    assert source.is_range == (sort in ("default", "branch", "semver"))


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (git_source(URL, "refs/heads/master"), "it does not have the branch master; did you mean main?"),
        (git_source(URL, "1.2.0", is_tag=True), "it does not have the tag 1.2.0; did you mean v1.2.0?"),
        (git_source(URL, "refs/tags/v9"), "it does not have the tag v9; its newest version is v1.2.0"),
        (git_source(URL, "semver:2.x"), "it does not have a tag in the range '2.x'; its newest version is v1.2.0"),
    ],
)
def test_a_branch_or_tag_that_does_not_exist(server: GitServer, source: ChartSource, reason: str) -> None:
    git(server.root / "org/repo", "tag", "v1.2.0")

    with pytest.raises(AbsentError, match=f"^{re.escape(reason)}$"):
        fetch(source, server)


def test_an_unknown_reference_is_a_reason(server: GitServer) -> None:
    for source, reason in (
        (git_source(URL, "none"), "couldn't find remote ref none"),
        (git_source(URL, "0" * 40), "not our ref"),
        (git_source("https://git.example/org/no"), r"org/no cannot be read without a login \(404\)"),
        (git_source("https://git.example/org/no", "v1", is_tag=True), "cannot be read"),
    ):
        with pytest.raises(DownloadError, match=reason) as caught:
            fetch(source, server)
        assert not isinstance(caught.value, AbsentError)


def test_links_out_of_the_repository_submodules_and_hooks_are_left_out(server: GitServer, tmp_path: Path) -> None:
    folder = server.root / "org/repo"
    (folder / "out").symlink_to("/etc/passwd")
    (folder / "up").symlink_to("../../../x")
    (folder / "loop").symlink_to("loop")
    (folder / "in").symlink_to("base/a.yaml")
    (folder / ".gitattributes").write_text("* filter=evil\nbase/a.yaml export-ignore\n")
    git(folder, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    git(folder, "add", "-A", "out", "up", "loop", "in", ".gitattributes")
    git(folder, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")

    assert read_files(fetch(git_source(URL), server).packed).keys() == {".gitattributes", "base/a.yaml", "in"}


@pytest.mark.parametrize(
    ("url", "version", "reason"),
    [
        ("ext::sh -c 'touch x'", "", "its protocol is ext, not https"),
        ("file:///etc", "", "its protocol is file, not https"),
        ("http://git.example/org/repo", "", "its protocol is http, not https"),
        ("s3://bucket/org", "", "its protocol is s3, not https"),
        ("--upload-pack=touch x", "", "its protocol is missing, not https"),
        ("https://-git.example/org/repo", "", "its URL names no valid host"),
        (URL, "--upload-pack=x", "'--upload-pack=x' is not a valid name of a branch, tag or commit"),
        (URL, "+refs/heads/a:refs/heads/b", "is not a valid name of a branch, tag or commit"),
        (URL, "a..b", "is not a valid name of a branch, tag or commit"),
    ],
)
def test_hostile_sources_start_nothing(server: GitServer, url: str, version: str, reason: str) -> None:
    with pytest.raises(DownloadError) as raised:
        fetch(git_source(url, version), server)

    assert reason in str(raised.value)
    assert server.requests == []


def test_private_addresses_are_not_contacted(server: GitServer) -> None:
    rules = HostRules(earlier=(host_path(f"localhost:{server.port}"),))
    with Gateway().serve() as gateway, pytest.raises(DownloadError, match="has the private address"):
        download(git_source(f"https://localhost:{server.port}/org/repo"), rules, gateway)

    assert server.requests == []


def test_a_redirect_to_a_private_address_is_not_followed(server: GitServer) -> None:
    server.special["/org/repo/info/refs"] = (
        302,
        {"Location": "https://127.0.0.1:9/x/info/refs?service=git-upload-pack"},
        b"",
    )
    with pytest.raises(DownloadError, match="has the private address"):
        fetch(git_source(URL), server)


def test_a_redirect_to_the_new_name_of_a_repository_is_followed(server: GitServer) -> None:
    place = f"http://127.0.0.1:{server.port}/org/repo/info/refs?service=git-upload-pack"
    server.special["/org/old/info/refs"] = (301, {"Location": place}, b"")

    assert fetch(git_source("https://git.example/org/old"), server).revision


def test_a_login_is_sent_only_where_it_is_allowed(
    server: GitServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config").write_text("[credential]\nhelper = \"!printf 'username=me\\npassword=secret\\n'\"\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    server.password = "Basic bWU6c2VjcmV0"
    found = fetch(git_source(URL), server)
    own = server.logins[:]
    server.logins.clear()
    monkeypatch.setattr(http_client, "is_public", lambda address: True)
    rules = HostRules(
        earlier=(host_path("127.0.0.1/other"),), mirrors=(mirror("x", f"http://127.0.0.1:{server.port}"),)
    )
    with Gateway().serve() as gateway, pytest.raises(DownloadError, match="cannot be reached"):
        download(git_source(f"https://127.0.0.1:{server.port}/org/repo"), rules, gateway)

    assert found.is_private
    assert set(own) == {server.password}
    assert server.logins == []


def test_two_downloads_at_once_are_both_whole(server: GitServer) -> None:
    with Gateway().serve() as gateway, ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(download, git_source(URL), rules_for(server), gateway) for _ in range(2)]
        packed = {job.result().packed for job in jobs}

    assert [read_files(one) for one in packed] == [{"base/a.yaml": b"a: 1\n"}]


def test_a_repository_that_is_too_large_is_rejected(server: GitServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_download, "MOST_UNPACKED", 3)
    with pytest.raises(DownloadError, match="the repository has more than 0 MiB"):
        fetch(git_source(URL), server)
    monkeypatch.setattr(git_download, "MOST_ENTRIES", 0)
    with pytest.raises(DownloadError, match="the repository has more than 0 files"):
        fetch(git_source(URL), server)


def test_a_server_that_sends_too_much_is_rejected(server: GitServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.special["/org/repo/git-upload-pack"] = (200, {"Content-Type": "application/x-git-upload-pack-result"}, b"x")
    with pytest.raises(DownloadError, match="git failed: "):
        fetch(git_source(URL), server)
    server.special["/org/repo/git-upload-pack"] = (200, {}, b"x" * (1 << 20))
    monkeypatch.setattr(git_download, "MOST_PACKED", 1 << 10)
    with pytest.raises(DownloadError, match="sends more than 0 MiB"):
        fetch(git_source(URL), server)
    server.special["/org/repo/git-upload-pack"] = (302, {"Location": "https://other.example/"}, b"")
    with pytest.raises(DownloadError, match="the server answers with 302"):
        fetch(git_source(URL), server)
    server.special["/org/repo/info/refs"] = (302, {"Location": "/elsewhere"}, b"")
    server.special["/elsewhere"] = (200, {}, b"")
    with pytest.raises(DownloadError, match="redirects to what is not a git repository"):
        fetch(git_source(URL), server)
