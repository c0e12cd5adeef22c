import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.model import Applied
from kubectl_applylint.units.remotes import Checkout, is_same_repository, reason_for_other_files, revision_named

REMOTES = ("git@GitHub.com:Owner/repo.git", "https://gitlab.example.com:8443/group/sub/other")


@pytest.mark.parametrize(
    "source",
    [
        "https://github.com/Owner/repo",
        "https://github.com/Owner/repo.git/",
        "https://user:token@github.com/Owner/repo.git",
        "ssh://git@github.com:22/Owner/repo.git",
        "ssh://git@github.com/Owner/repo",
        "git@github.com:Owner/repo.git",
        "github.com:Owner/repo",
        "git://GITHUB.COM/Owner/repo",
        " https://github.com/Owner/repo\n",
        "https://gitlab.example.com/group/sub/other.git",
    ],
)
def test_a_remote_has_many_spellings(source: str) -> None:
    assert is_same_repository(source, REMOTES)


@pytest.mark.parametrize("source", ["https://github.com/fork/repo", "/srv/mirrors/repo.git", "file:///srv/Repo.git"])
def test_a_fork_or_mirror_keeps_the_name(source: str) -> None:
    assert is_same_repository(source, REMOTES)


@pytest.mark.parametrize("source", ["", "  ", "${GIT_URL}", "https://{{ host }}/x", "$(URL)"])
def test_a_source_that_tells_no_repository_is_this_one(source: str) -> None:
    assert is_same_repository(source, REMOTES)


@pytest.mark.parametrize(
    "source", ["https://github.com/Owner/repository", "oci://ghcr.io/Owner/charts", "https://github.com", "://", "@:"]
)
def test_any_other_repository_is_elsewhere(source: str) -> None:
    assert not is_same_repository(source, REMOTES)


def test_without_remotes_no_other_repository_is_known() -> None:
    assert is_same_repository("https://github.com/anybody/anything", ())


@given(st.text(max_size=30), st.lists(st.text(max_size=10), max_size=2))
def test_any_text_is_a_source(source: str, remotes: list[str]) -> None:
    assert is_same_repository(source, [*remotes, source])


@pytest.mark.parametrize(
    ("word", "revision"),
    [
        ("", ""),
        ("HEAD", ""),
        ("main", "branch main"),
        ("refs/heads/team/web", "branch team/web"),
        ("v1.2.3", "tag v1.2.3"),
        ("1.*", "tag 1.*"),
        (">=1.2.0", "tag >=1.2.0"),
        ("refs/tags/stable", "tag stable"),
        ("0123abc", "commit 0123abc"),
    ],
)
def test_a_word_means_a_branch_unless_it_looks_like_another_revision(word: str, revision: str) -> None:
    assert revision_named(word) == revision


@pytest.mark.parametrize(
    ("revision", "checkout", "is_other"),
    [
        ("branch other", Checkout(frozenset(REMOTES), lambda: ("main",)), True),
        ("branch other", Checkout(frozenset(REMOTES)), False),
        ("tag v1", Checkout(frozenset(REMOTES)), True),
        ("tag v1", Checkout(), False),
    ],
)
def test_a_branch_may_be_this_one_where_none_is_known(revision: str, checkout: Checkout, *, is_other: bool) -> None:
    assert bool(reason_for_other_files(Declared("a", Applied(), revision=revision), checkout)) is is_other


def test_a_source_that_is_no_git_repository_is_elsewhere() -> None:
    declared = Declared("a", Applied(), other_source="Bucket files")

    assert reason_for_other_files(declared, Checkout()) == "its source is Bucket files"
