import os
from itertools import pairwise
from pathlib import Path

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.sources.cluster.connection import Connection, Environment
from kubectl_applylint.sources.cluster.http_result import NoCluster
from kubectl_applylint.sources.cluster.kubeconfig import Kubeconfig, kubeconfig_files, merge, read_kubeconfig

FLAGLESS = Connection()


def cluster_view(home: Path | str, **environ: str) -> Environment:
    return Environment(environ, str(home))


def read(text: str, tmp_path: Path) -> Kubeconfig | NoCluster:
    path = tmp_path / "config"
    path.write_text(text)
    return read_kubeconfig(Connection(kubeconfig=str(path)), cluster_view(tmp_path))


@pytest.mark.parametrize(
    ("connection", "environ", "files"),
    [
        (FLAGLESS, {}, ("/home/me/.kube/config",)),
        (FLAGLESS, {"KUBECONFIG": os.pathsep.join(["/a", "", "/b", "/a"])}, ("/a", "/b")),
        (Connection(kubeconfig="mine"), {"KUBECONFIG": "/a"}, ("mine",)),
    ],
    ids=["home", "environment list", "flag"],
)
def test_files_come_from_flag_environment_or_home(
    connection: Connection, environ: dict[str, str], files: tuple[str, ...]
) -> None:
    assert kubeconfig_files(connection, cluster_view("/home/me", **environ)) == files


def test_files_that_are_not_there_are_no_trouble_unless_named_by_flag(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")

    assert read_kubeconfig(FLAGLESS, cluster_view(tmp_path, KUBECONFIG=missing)) == Kubeconfig()
    assert read_kubeconfig(Connection(kubeconfig=missing), cluster_view(tmp_path)) == NoCluster(
        Problem(missing, "kubeconfig file not found", "check it with: kubectl config view"), is_usage_error=True
    )


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{after}: &{after} [{','.join([f'*{before}'] * 9)}]\n" for before, after in pairwise("abcdefghi")
)


@pytest.mark.parametrize(
    ("text", "place", "fault"),
    [
        ("a: " + "[" * 100_000, ":1:103", "nested deeper than 100 levels"),
        ("- " * 1_000, ":1:201", "nested deeper than 100 levels"),
        (BOMB, ":6:", "document contains excessive aliasing"),
        ("contexts: &a [*a]", ":1:15", "anchor 'a' contains itself"),
        ("a: " + "9" * 5_000, "", "a number or date that cannot be read; quote it"),
        ("a: 2001-99-99", "", "a number or date that cannot be read; quote it"),
    ],
    ids=["brackets", "dashes", "aliases", "a loop", "digits", "a date"],
)
def test_hostile_yaml_is_rejected(tmp_path: Path, text: str, place: str, fault: str) -> None:
    answer = read(text, tmp_path)

    assert isinstance(answer, NoCluster)
    assert answer.problem.message == f"this kubeconfig is not YAML: {fault}"
    assert answer.problem.where.startswith(f"{tmp_path}/config{place}")


def test_a_kubeconfig_without_end_is_rejected() -> None:
    answer = read_kubeconfig(Connection(kubeconfig="/dev/zero"), cluster_view("/"))

    assert isinstance(answer, NoCluster)
    assert answer.problem.message == "this kubeconfig is larger than 8 MiB"


def test_the_first_entry_of_a_name_counts() -> None:
    first = Kubeconfig(("a",), "", {"x": {"cluster": "1"}}, {"1": {"server": "https://a"}})
    second = Kubeconfig(("b",), "y", {"x": {"cluster": "2", "namespace": "n"}, "y": {}}, {"1": {}, "2": {}})
    third = Kubeconfig(("c",), "z")

    merged = merge([first, second, third])

    assert (merged.files, merged.current_context) == (("a", "b", "c"), "y")
    assert merged.contexts == {"x": {"cluster": "1"}, "y": {}}
    assert merged.clusters == {"1": {"server": "https://a"}, "2": {}}


def test_lists_of_files_are_merged(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text(f"current-context: {name}\ncontexts: [{{name: {name}, context: {{cluster: c}}}}]")
    listed = os.pathsep.join(str(tmp_path / name) for name in ("missing", "b", "a"))

    merged = read_kubeconfig(FLAGLESS, cluster_view(tmp_path, KUBECONFIG=listed))

    assert isinstance(merged, Kubeconfig)
    assert (merged.current_context, set(merged.contexts)) == ("b", {"a", "b"})


def test_relative_paths_start_at_the_file(tmp_path: Path) -> None:
    found = read(
        """
clusters: [{name: c, cluster: {certificate-authority: ca.crt, server: null}}]
users:
- {name: relative, user: {client-certificate: pki/me.crt, client-key: /pki/me.key, tokenFile: token}}
- {name: plugin, user: {exec: {command: ./login, args: [./a]}}}
- {name: on path, user: {exec: {command: login}}}
""",
        tmp_path,
    )

    assert isinstance(found, Kubeconfig)
    assert found.clusters == {"c": {"certificate-authority": str(tmp_path / "ca.crt")}}
    assert found.users["relative"] == {
        "client-certificate": str(tmp_path / "pki/me.crt"),
        "client-key": "/pki/me.key",
        "tokenFile": str(tmp_path / "token"),
    }
    assert found.users["plugin"]["exec"] == {"command": str(tmp_path / "login"), "args": ["./a"]}
    assert found.users["on path"]["exec"] == {"command": "login"}


# kubectl 1.36.3 reads all of these, in one of several files beside the one that names the cluster.
@pytest.mark.parametrize(
    ("text", "section", "entries"),
    [
        ("contexts: [{}]", "contexts", {"": {}}),
        ("contexts: [null]", "contexts", {"": {}}),
        ("clusters: [{name: b}]", "clusters", {"b": {}}),
        ("clusters: [{name: b, cluster: null}]", "clusters", {"b": {}}),
        ("users: [{user: {token: a}}]", "users", {"": {"token": "a"}}),
        ("users: [{name: null, user: {token: null}}]", "users", {"": {}}),
    ],
)
def test_entries_may_be_empty(text: str, section: str, entries: JsonObject, tmp_path: Path) -> None:
    found = read(text, tmp_path)

    assert isinstance(found, Kubeconfig)
    assert getattr(found, section) == entries


@pytest.mark.parametrize("text", ["", "# nothing", "clusters:\nusers: []", "kind: Config"])
def test_empty_files_are_empty_kubeconfigs(text: str, tmp_path: Path) -> None:
    found = read(text, tmp_path)

    assert found == Kubeconfig((str(tmp_path / "config"),))


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (
            "users: []\nx: b: s3cret",
            ":2:5",
            "this kubeconfig is not YAML: mapping values are not allowed in this context",
        ),
        ("s3cret", "", "this kubeconfig is not a map"),
        ("current-context: 7", "", "current-context is not text"),
        ("users: {a: s3cret}", "", "users is not a list"),
        ("users: [s3cret]", "", "users[0] is not a map with a name and a user"),
        ("users: [{name: a, user: [s3cret]}]", "", "users[0] is not a map with a name and a user"),
        ("users: [{name: a, user: {token: 42}}]", "", "token of user 'a' is not text"),
        ("clusters: [{name: a, cluster: {insecure-skip-tls-verify: 'yes'}}]", "", None),
        ("contexts: [{name: a}, {name: a}]", "", "contexts contains 'a' twice"),
        ("contexts: [{}, null]", "", "contexts contains '' twice"),
        ("users: [{name: 5}]", "", "users[0] is not a map with a name and a user"),
    ],
    ids=["syntax", "scalar", "current", "map", "entry", "value", "number", "boolean", "twice", "no names", "name"],
)
def test_an_unreadable_kubeconfig_is_reported_with_its_place(
    text: str, place: str, message: str | None, tmp_path: Path
) -> None:
    found = read(text, tmp_path)

    assert isinstance(found, NoCluster)
    assert found.is_usage_error
    assert found.problem.where == f"{tmp_path / 'config'}{place}"
    assert found.problem.message == (message or "insecure-skip-tls-verify of cluster 'a' is not true or false")
    assert "s3cret" not in repr(found)


def test_binary_files_and_folders_are_reported(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\xff")

    found = read_kubeconfig(Connection(kubeconfig=str(tmp_path / "bytes")), cluster_view(tmp_path))
    folder = read_kubeconfig(Connection(kubeconfig=str(tmp_path)), cluster_view(tmp_path))

    assert isinstance(found, NoCluster)
    assert found.problem.message == "this kubeconfig is not YAML: it is not UTF-8 text"
    assert isinstance(folder, NoCluster)
    assert folder.problem.message == "cannot read this kubeconfig: is a directory"


def test_a_faulty_file_of_the_environment_is_no_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("{")
    environ = cluster_view(tmp_path, KUBECONFIG=str(tmp_path / "config"))

    found = read_kubeconfig(FLAGLESS, environ)

    assert isinstance(found, NoCluster)
    assert not found.is_usage_error


def test_users_do_not_show(tmp_path: Path) -> None:
    found = read("users: [{name: a, user: {token: s3cret}}]", tmp_path)

    assert isinstance(found, Kubeconfig)
    assert found.users["a"] == {"token": "s3cret"}
    assert "s3cret" not in repr(found)
