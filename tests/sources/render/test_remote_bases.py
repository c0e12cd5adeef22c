"""URLs in kustomizations are read as kustomize reads them."""

import pytest

from kubectl_applylint.sources.render.remote_bases import (
    RemoteReference,
    base_folder,
    remote_reference,
    stored_files,
    use_bases,
)

GITHUB = "https://github.com/org/repo"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://github.com/org/repo//a/b?ref=v1", RemoteReference(GITHUB, "a/b", "v1")),
        ("https://github.com/org/repo/a/b/?ref=v1&timeout=90s", RemoteReference(GITHUB, "a/b", "v1")),
        ("github.com/org/repo/a?version=main", RemoteReference(GITHUB, "a", "main")),
        ("https://github.com/org/repo", RemoteReference(GITHUB)),
        ("git@github.com:org/repo.git//a?ref=v1", RemoteReference(f"{GITHUB}.git", "a", "v1")),
        ("ssh://git@git.example:2222/org/repo.git/a", RemoteReference("https://git.example/org/repo.git", "a")),
        ("https://u:p@git.example:8443/x/repo.git/a", RemoteReference("https://git.example:8443/x/repo.git", "a")),
        ("https://dev.azure.com/org/p/_git/repo/a", RemoteReference("https://dev.azure.com/org/p/_git/repo", "a")),
        ("git::https://git.example/x//a", RemoteReference("https://git.example/x", "a")),
        ("https://git.example/x", RemoteReference("https://git.example/x")),
        (
            f"{GITHUB}/releases/download/v1/a.yaml",
            RemoteReference(f"{GITHUB}/releases/download/v1/a.yaml", is_file=True),
        ),
        ("http://example.com/a.json", RemoteReference("http://example.com/a.json", is_file=True)),
    ],
)
def test_a_url_refers_to_a_repository_path_and_version(text: str, expected: RemoteReference) -> None:
    assert remote_reference(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("ext::sh -c true", "file:///etc", "s3::https://bucket/x", "-x", "a/b", "bitbucket.org/a/b", "s3://bucket/x"),
        *("https://github.com/org/repo//../../x", "https://github.com/org/repo///etc", "https://github.com/\nx"),
    ],
)
def test_other_protocols_and_paths_are_no_remote_bases(text: str) -> None:
    assert remote_reference(text) is None


def test_a_component_is_never_a_file() -> None:
    assert remote_reference("https://git.example/x.yaml", is_folder=True) == RemoteReference(
        "https://git.example/x.yaml"
    )


def test_stored_files_are_found_while_a_store_is_in_use() -> None:
    reference = RemoteReference(GITHUB)
    with use_bases(lambda one: {"a": b"b"}):
        assert stored_files(reference) == {"a": b"b"}
    assert stored_files(reference) is None


def test_the_folder_of_a_base() -> None:
    assert base_folder(".applylint-remote/0123/a/b") == ".applylint-remote/0123"
    assert base_folder("a.applylint-remote/x") == ""
    assert base_folder(".applylint-remote/01/.applylint-remote/23/a") == ".applylint-remote/01/.applylint-remote/23"
