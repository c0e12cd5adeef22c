import json
import os
import time
from pathlib import Path

import pytest

from kubectl_applylint.sources.cluster.connection import Connection, Environment
from kubectl_applylint.sources.cluster.discovery import Discovery, ServedKind
from kubectl_applylint.sources.cluster.discovery_cache import (
    SECONDS_TO_LIVE,
    cache_directory,
    cache_file,
    read_cached,
    write_cached,
)

NODE = ServedKind("v1", "Node", "nodes", namespaced=False, verbs=("get", "list"), preferred=True)
WIDGET = ServedKind("example.com/v1", "Widget", "widgets", namespaced=True, verbs=(), preferred=False, names=("wd",))
DISCOVERY = Discovery({("v1", "Node"): NODE, ("example.com/v1", "Widget"): WIDGET})


@pytest.mark.parametrize(
    ("flag", "environ", "directory"),
    [
        ("/f", {"KUBECACHEDIR": "/k", "XDG_CACHE_HOME": "/x"}, "/f/kubectl-applylint"),
        ("", {"KUBECACHEDIR": "/k", "XDG_CACHE_HOME": "/x"}, "/k/kubectl-applylint"),
        ("", {"XDG_CACHE_HOME": "/x"}, "/x/kubectl-applylint"),
        ("", {}, "/home/me/.cache/kubectl-applylint"),
    ],
    ids=["flag", "kubectl's variable", "XDG", "home"],
)
def test_the_directory(flag: str, environ: dict[str, str], directory: str) -> None:
    assert cache_directory(Connection(cache_dir=flag), Environment(environ, "/home/me")) == directory


def test_each_server_has_its_own_file() -> None:
    servers = ["https://a:6443", "http://a:6443", "https://a:6443/x", "https://a_6443", "https://" + "a" * 300]
    files = [cache_file("/c", server) for server in servers]

    assert len(set(files)) == len(servers)
    assert all(Path(file).parent == Path("/c/discovery") and len(Path(file).name) < 120 for file in files)


def test_a_written_discovery_is_read(tmp_path: Path) -> None:
    path = str(tmp_path / "deep" / "er" / "file.json")

    write_cached(path, DISCOVERY)

    assert read_cached(path) == DISCOVERY
    assert os.listdir(os.path.dirname(path)) == ["file.json"]


def test_a_cached_discovery_expires_after_six_hours(tmp_path: Path) -> None:
    path = str(tmp_path / "file.json")
    write_cached(path, DISCOVERY)
    old = time.time() - SECONDS_TO_LIVE - 5

    os.utime(path, (old, old))

    assert read_cached(path) is None


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "{}",
        "null",
        '{"form": 0, "kinds": []}',
        '{"form": 2}',
        '{"form": 2, "kinds": 7}',
        '{"form": 2, "kinds": [["v1"]]}',
        '{"form": 2, "kinds": [[1, "Node", "nodes", true, true, [], []]]}',
        '{"form": 2, "kinds": [["v1", "Node", "nodes", true, true, 5, []]]}',
        "[" * 99999,
    ],
)
def test_a_spoilt_file_is_as_good_as_none(content: str, tmp_path: Path) -> None:
    (tmp_path / "file.json").write_text(content)

    assert read_cached(str(tmp_path / "file.json")) is None


def test_bytes_that_are_no_text_are_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "file.json").write_bytes(b"\xff\xfe")

    assert read_cached(str(tmp_path / "file.json")) is None
    assert read_cached(str(tmp_path / "missing")) is None


def test_incomplete_discovery_is_not_remembered(tmp_path: Path) -> None:
    write_cached(str(tmp_path / "file.json"), Discovery({}, frozenset({"metrics.k8s.io/v1"})))

    assert list(tmp_path.iterdir()) == []


def test_a_directory_that_cannot_be_written_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    write_cached(str(tmp_path / "file" / "x.json"), DISCOVERY)
    (tmp_path / "taken.json").mkdir()
    write_cached(str(tmp_path / "taken.json"), DISCOVERY)

    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "taken.json"]


def test_only_kinds_are_cached(tmp_path: Path) -> None:
    write_cached(str(tmp_path / "file.json"), DISCOVERY)

    assert json.loads((tmp_path / "file.json").read_text()) == {
        "form": 2,
        "kinds": [
            ["v1", "Node", "nodes", False, True, ["get", "list"], []],
            ["example.com/v1", "Widget", "widgets", True, False, [], ["wd"]],
        ],
    }
