"""Manifests of a revision, as kubectl would find them in a checkout of it."""

from pathlib import Path

import pytest

from kubectl_applylint.sources.git import git
from kubectl_applylint.sources.git.blob_cache import BlobCache
from kubectl_applylint.sources.git.committed import Reader, find, is_manifest, target
from kubectl_applylint.sources.git.git import LINK, SUBMODULE, Entry, Repository, Revision, RevisionTree
from kubectl_applylint.sources.text.classify import SkipReason
from tests.sources.repositories import create

FILE = "100644"
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {}}}\n"


def tree(**modes: str) -> RevisionTree:
    """Return the tree of files of these modes; ``__`` in a name stands for a slash, the id is the name."""
    entries = {name.replace("__", "/").replace("_", "."): Entry(mode, name) for name, mode in modes.items()}
    return RevisionTree(Revision("HEAD", "0" * 40), entries)


FILES = tree(b_yaml=FILE, a_yml=FILE, c_json=FILE, d_txt=FILE, x__e_yaml=FILE, x__y__f_yaml=FILE, sub=SUBMODULE)


@pytest.mark.parametrize(
    ("names", "recursive", "paths"),
    [
        pytest.param(["x"], False, ["x/e.yaml"], id="a folder"),
        pytest.param(["x"], True, ["x/e.yaml", "x/y/f.yaml"], id="and its subfolders"),
        pytest.param([""], False, ["a.yml", "b.yaml", "c.json"], id="the root, sorted"),
        pytest.param(["d.txt", "b.yaml"], False, ["d.txt", "b.yaml"], id="files as they are named"),
        pytest.param(["nowhere", "sub"], True, [], id="not there, or of another repository"),
        pytest.param(["x/e"], False, [], id="the begin of a name"),
    ],
)
def test_names_are_resolved_to_paths_of_manifests(names: list[str], recursive: bool, paths: list[str]) -> None:
    assert find(names, FILES, recursive=recursive) == paths


def test_folders_sort_before_what_begins_like_them() -> None:
    """kubectl walks folders: ``a/z`` comes before ``a-b``, though the dash sorts before the slash."""
    found = find([""], tree(**{"a__z_yaml": FILE, "a-b__c_yaml": FILE}), recursive=True)

    assert found == ["a/z.yaml", "a-b/c.yaml"]


@pytest.mark.parametrize(
    ("path", "is_it"), [("a.yaml", True), ("a.yml", True), ("a.json", True), ("a.yaml.tpl", False)]
)
def test_a_manifest_is_known_by_its_name(path: str, is_it: bool) -> None:
    assert is_manifest(path) == is_it


LINKS = {
    "near": b"x/e.yaml",
    "x__up": b"../b.yaml",
    "twice": b"near",
    "self": b"self",
    "out": b"../../etc/passwd",
    "gone": b"nothing.yaml",
    "into": b"sub",
}


@pytest.mark.parametrize(
    ("path", "end"),
    [
        pytest.param("b.yaml", "b.yaml", id="a file"),
        pytest.param("near", "x/e.yaml", id="a link"),
        pytest.param("x/up", "b.yaml", id="a link from its own folder"),
        pytest.param("twice", "x/e.yaml", id="a link to a link"),
        pytest.param("self", None, id="a link to itself"),
        pytest.param("out", None, id="out of the repository"),
        pytest.param("gone", None, id="to nothing"),
        pytest.param("into", None, id="to another repository"),
        pytest.param("absent", None, id="not there"),
    ],
)
def test_links_are_followed_to_their_target(path: str, end: str | None) -> None:
    entries = {**FILES.entries, **tree(**dict.fromkeys(LINKS, LINK)).entries}

    assert target(path, RevisionTree(FILES.revision, entries), LINKS.get) == end


def test_a_link_whose_content_is_missing_leads_nowhere() -> None:
    assert target("near", tree(near=LINK), lambda content: None) is None


@pytest.fixture(name="reader")
def _reader(tmp_path: Path) -> Reader:
    repo = create(tmp_path / "repo")
    (repo.folder / "link.yaml").symlink_to("a.yaml")
    (repo.folder / "lost.yaml").symlink_to("nothing.yaml")
    repo.commit(
        {
            "a.yaml": MAP.format("a"),
            "k/kustomization.yaml": "resources: [base.yaml]\npatches: [{path: deep/patch.yaml}]\n",
            "k/base.yaml": MAP.format("base"),
            "k/deep/patch.yaml": MAP.format("base"),
        }
    )
    repo.write({"a.yaml": "changed since"})
    found = git.repository(str(repo.folder))
    assert isinstance(found, Repository)
    revision = git.resolve(found, "HEAD")
    assert revision is not None
    return Reader(BlobCache(found), git.tree(found, revision), lambda path: f"HEAD:{path}")


@pytest.mark.slow
def test_files_are_read_as_the_revision_has_them(reader: Reader) -> None:
    found = reader.read(["a.yaml", "link.yaml"])

    assert [(one.file, one.ref.name) for one in found.documents] == [("HEAD:a.yaml", "a"), ("HEAD:link.yaml", "a")]
    assert reader.texts(["link.yaml", "lost.yaml"]) == {"link.yaml": MAP.format("a").encode()}


@pytest.mark.slow
def test_a_link_to_nothing_is_a_problem(reader: Reader) -> None:
    (problem,) = reader.read(["lost.yaml"]).problems

    assert (problem.where, problem.message) == (
        "HEAD:lost.yaml",
        "a symlink that leads to no file of the repository",
    )


@pytest.mark.slow
def test_a_patch_of_a_kustomization_above_is_no_manifest(reader: Reader) -> None:
    (skipped,) = reader.read(["k/deep/patch.yaml"]).skipped

    assert (skipped.file, skipped.why) == ("HEAD:k/deep/patch.yaml", SkipReason.PATCH)


@pytest.mark.slow
def test_folders_of_the_revision_are_looked_into(reader: Reader) -> None:
    folders = reader.folders()

    assert folders.has("k/base.yaml")
    assert not folders.has("k/none.yaml")
    assert folders.read("a.yaml") == MAP.format("a").encode()
    assert folders.read("k/kustomization.yaml").startswith(b"resources")
