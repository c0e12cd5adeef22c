"""Files that a hook names along with manifests."""

from pathlib import Path

import pytest

from kubectl_applylint.run.load.excuses import (
    broken_manifests,
    is_meant_as_manifest,
    without_excuses,
    without_extra_files,
    without_nameless,
)
from kubectl_applylint.sources.files import files
from kubectl_applylint.sources.text.classify import SkipReason
from kubectl_applylint.sources.text.manifests import Input

MANIFEST = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
EXTENSIONS = '{\n  // of the editor\n  "recommendations": ["a.b"],\n}\n'
ALERTS = "route:\n  receiver: x\n receivers:\n- name: x\n"


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "web.yaml").write_text(MANIFEST)
    return tmp_path


def read_input(*names: str, named: tuple[str, ...] = ()) -> Input:
    return without_extra_files(files.read(names, recursive=True, stdin=bytes), named)


@pytest.mark.parametrize(
    ("name", "text"), [("extensions.json", EXTENSIONS), ("alertmanager.yaml", ALERTS)], ids=["json", "yaml"]
)
def test_a_broken_file_that_is_no_manifest_is_passed_over_unless_it_was_named(
    folder: Path, name: str, text: str
) -> None:
    (folder / name).write_text(text)
    passed = read_input("web.yaml", name)

    assert (passed.problems, [one.why for one in passed.skipped]) == ((), [SkipReason.UNREADABLE])
    assert len(read_input("web.yaml", name, named=(name,)).problems) == 1
    assert len(read_input(".", named=(".",)).problems) == 1
    assert len(read_input("*", named=("*",)).problems) == 1


def test_a_broken_manifest_is_reported(folder: Path) -> None:
    (folder / "broken.yaml").write_text(f"{MANIFEST}data:\n  a: [\n")
    (folder / "half.yaml").write_text("apiVersion: v1\nmetadata: {name: a}\n")

    assert [one.where.partition(":")[0] for one in read_input(".").problems] == ["broken.yaml", "half.yaml"]


def test_a_link_to_nothing_is_passed_over_and_a_name_of_nothing_is_not(folder: Path) -> None:
    (folder / "link.yaml").symlink_to("gone.yaml")

    assert [(one.file, one.why) for one in read_input(".").skipped] == [("link.yaml", SkipReason.LINK)]
    assert read_input(".").problems == read_input("link.yaml").problems == ()
    assert len(read_input("gone.yaml").problems) == len(read_input("link.yaml", named=("link.yaml",)).problems) == 1


def test_a_link_to_a_manifest_is_no_second_object(folder: Path) -> None:
    (folder / "a-link.yaml").symlink_to("web.yaml")
    (folder / "deep").mkdir()
    (folder / "deep" / "link.yaml").symlink_to("../web.yaml")

    assert [document.file for document in read_input(".").documents] == ["web.yaml"]
    assert [document.file for document in read_input("a-link.yaml", "deep").documents] == ["a-link.yaml"]
    assert len(read_input(".", named=(".",)).documents) == 3


@pytest.mark.parametrize("text", ["just a text\n", "a: 1\n", "- a\n", f"{MANIFEST}---\nb: 1\n"])
def test_a_file_without_manifests_is_rejected_if_the_user_names_it(folder: Path, text: str) -> None:
    (folder / "notes.yaml").write_text(text)

    (problem,) = read_input("notes.yaml", named=("./notes.yaml",)).problems
    assert problem.message.startswith("error validating data: ")
    assert read_input("notes.yaml").problems == ()
    assert read_input(".", named=(".",)).problems == ()


@pytest.mark.parametrize(
    ("text", "is_meant"),
    [
        (MANIFEST, True),
        ("  apiVersion: v1\n  kind: [\n", True),
        ("'kind': x\n\"apiVersion\": y\n", True),
        ("# c\n---\na: 1\n--- # next\nkind: x\napiVersion: [\n", True),
        ("%YAML 1.2\n---\napiVersion: v1\nkind: x\n", True),
        ('{"kind": "x", // c\n "apiVersion": "v1",}', True),
        ('[{"kind": "x", "apiVersion": "v1",}]', True),
        ("{kind: x, apiVersion: v1", True),
        ("kind: x\n---\napiVersion: v1\n", False),
        ("template:\n  apiVersion: v1\n  kind: x\n", False),
        ('{"template": {"kind": "x", "apiVersion": "v1"}', False),
        ('{"a": "apiVersion", "b": "kind}"', False),
        (EXTENSIONS, False),
        (ALERTS, False),
        ("", False),
    ],
)
def test_a_manifest_is_recognized_by_its_first_level(text: str, is_meant: bool) -> None:
    assert is_meant_as_manifest(text) is is_meant


def test_objects_that_the_server_names_are_left_out(folder: Path) -> None:
    (folder / "job.yaml").write_text("apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: clean-}\n")

    found = without_nameless(read_input("."))

    assert [document.ref.name for document in found.documents] == ["a"]
    assert [(each.file, each.why) for each in found.skipped] == [("job.yaml", SkipReason.GENERATED)]


def test_a_name_beside_a_prefix_counts(folder: Path) -> None:
    (folder / "web.yaml").write_text(MANIFEST.replace("{name: a}", "{name: a, generateName: b-}"))

    assert [document.ref.name for document in without_nameless(read_input(".")).documents] == ["a"]


@pytest.mark.parametrize(
    ("text", "is_object"),
    [
        ("apiVersion: release-notes/v2\nkind: feature\n", False),
        ("apiVersion: 0.3.0\nkind: ksonnet.io/app\nmetadata: {}\n", False),
        ("apiVersion: example.com/1.0\nkind: Settings\n", False),
        ("apiVersion: example.com/v1\nkind: Settings\n", False),
        ("apiVersion: example.com/v1\nkind: Settings\nmetadata: {name: web}\n", True),
        ("apiVersion: networking.k8s.io/v1\nkind: Ingress\n", True),
        ("apiVersion: apps/v1\nkind: Deployment\n", True),
        ("apiVersion: experimental/v1alpha1\nkind: Deployment\nmetadata: {name: web}\n", True),
    ],
)
def test_kinds_that_no_server_can_serve_are_skipped(folder: Path, text: str, is_object: bool) -> None:
    (folder / "web.yaml").write_text(text)

    found = without_nameless(read_input("web.yaml"))
    assert len(found.documents) == is_object
    assert [each.why for each in found.skipped] == [SkipReason.TOOL] * (not is_object)


OTHER_TOOL = "apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("services: {}\n", "error validating data: not a manifest", id="other YAML"),
        pytest.param("a: [\n", "error parsing the file: ", id="broken"),
        pytest.param("# nothing\n", "the file holds no objects", id="empty"),
        pytest.param("{{ if .Values.a }}\n", "error parsing the file: ", id="a template"),
        pytest.param("$patch: delete\napiVersion: v1\nkind: A\n", "not a manifest: kustomize patch", id="a patch"),
        pytest.param(OTHER_TOOL, "not a manifest: tool configuration", id="of a tool"),
        pytest.param(
            "apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: a-}\n",
            "kubectl apply cannot use generateName",
            id="for kubectl create",
        ),
    ],
)
def test_nothing_excuses_a_file_that_the_caller_names(folder: Path, text: str, message: str) -> None:
    (folder / "odd.yaml").write_text(text)
    read = without_nameless(without_extra_files(files.read(["."], recursive=True, stdin=bytes), ()))
    (problem,) = without_excuses(read, ["odd.yaml"]).problems

    assert [one.file for one in read.skipped] == ["odd.yaml"]
    assert problem.message.startswith(message)
    assert without_excuses(read, ["web.yaml"]) == read


@pytest.mark.parametrize(
    ("text", "is_problem"),
    [("services: {}\n", True), ("a: [\n", True), ("{{ if .Values.a }}\n", True), (OTHER_TOOL, False), ("# a\n", False)],
)
def test_a_file_that_held_objects_has_fewer_excuses(folder: Path, text: str, is_problem: bool) -> None:
    (folder / "odd.yaml").write_text(text)
    read = without_extra_files(files.read(["."], recursive=True, stdin=bytes), ())

    assert len(without_excuses(read, (), ["odd.yaml"]).problems) == is_problem


def test_a_broken_file_with_the_words_of_a_header_is_suspicious(folder: Path) -> None:
    (folder / "odd.yaml").write_text(f"# a\n\N{ZERO WIDTH NO-BREAK SPACE}{MANIFEST}")
    (folder / "alerts.yaml").write_text(ALERTS)
    read = without_extra_files(files.read(["."], recursive=True, stdin=bytes), ())

    assert [*broken_manifests(read)] == ["odd.yaml"]
    assert [one.file for one in read.skipped] == ["alerts.yaml", "odd.yaml"]


def test_kubectl_takes_a_file_without_objects_among_others(folder: Path) -> None:
    (folder / "empty.yaml").write_text("# nothing\n")
    read = read_input("web.yaml", "empty.yaml", named=("web.yaml", "empty.yaml"))

    assert read.problems == ()
    assert [one.why for one in read.skipped] == [SkipReason.EMPTY]


def test_a_configuration_of_kapp_is_read_for_kapp(folder: Path) -> None:
    (folder / "config.yaml").write_text("apiVersion: kapp.k14s.io/v1alpha1\nkind: Config\nrebaseRules: []\n")
    read = read_input("config.yaml", named=("config.yaml",))

    assert read.problems == ()
    assert [one.value["kind"] for one in read.skipped] == ["Config"]
