import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.records import replace
from kubectl_applylint.sources.store.chart_source import git_source
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.model import Applied, IncludedSource
from kubectl_applylint.units.remotes import (
    Checkout,
    OwnSources,
    is_same_repository,
    locate,
    revision_named,
    unused_revisions,
)
from kubectl_applylint.units.tree import Tree, tree

REMOTES = ("git@GitHub.com:Owner/repo.git", "https://gitlab.example.com:8443/group/sub/other")


def files_at(*paths: str) -> Tree:
    return tree(paths, lambda path: b"")


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
def test_a_source_without_a_repository_is_this_one(source: str) -> None:
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
    located = locate(Declared("a", Applied(), revision=revision), checkout, files_at())

    assert bool(located.elsewhere) is is_other


def test_a_source_that_is_no_git_repository_is_elsewhere() -> None:
    declared = Declared("a", Applied(), other_source="Bucket files")

    assert locate(declared, Checkout(), files_at("a")).elsewhere == "its source is Bucket files"


@pytest.mark.parametrize(
    ("revision", "own", "is_other"),
    [
        ("tag v1.2.3", "v1.2.3", False),
        ("tag v1.2.3", "refs/tags/v1.2.3", False),
        ("tag v1.2.3", "v1.2.4", True),
        ("tag stable", "stable", False),
        ("tag 1.*", "v1.2.3", False),
        ("tag 1.*", "v2.0.0", True),
        ("version >=1.0.0 <2.0.0", "1.2.3", False),
        ("version >=1.0.0 <2.0.0", "2.0.0", True),
        ("branch production", "production", False),
        ("branch production", "refs/heads/production", False),
        ("branch production", "refs/tags/production", True),
        ("branch production", "main", True),
        ("commit 0123abcdef0123abcdef0123abcdef0123abcdef", "0123abc", False),
        ("commit 0123abcdef0123abcdef0123abcdef0123abcdef", "0123", True),
    ],
)
def test_a_target_revision_counts_as_the_examined_one(revision: str, own: str, *, is_other: bool) -> None:
    checkout = Checkout(frozenset(REMOTES), lambda: ("main",), OwnSources(revisions=("other", own)))
    located = locate(Declared("a", Applied(), revision=revision), checkout, files_at("a"))

    assert located.elsewhere == (f"it applies {revision}" if is_other and "main" not in revision else "")


def test_target_revisions_that_nothing_applies_are_unused() -> None:
    own = OwnSources(revisions=("v1.2.3", "v9", "refs/heads/main", "gone"))
    checkout = Checkout(frozenset(REMOTES), lambda: ("main",), own)

    assert unused_revisions(checkout, ["tag 1.*", "", "branch production"]) == ("v9", "gone")


@pytest.mark.parametrize(
    "own", ["oci://ghcr.io/team/manifests", "ghcr.io/team/manifests/", "OCIRepository/flux-system/deploy"]
)
@pytest.mark.parametrize(("folder", "path"), [("kubernetes", "kubernetes/apps"), ("", "apps")])
def test_an_own_source_contains_a_folder_of_the_repository(own: str, folder: str, path: str) -> None:
    checkout = Checkout(frozenset(REMOTES), own=OwnSources(folders=(("https://host/other", "x"), (own, folder))))
    declared = Declared(
        *("apps", Applied()),
        source="oci://ghcr.io/team/manifests",
        source_object="OCIRepository/flux-system/deploy",
        other_source="OCIRepository deploy",
        folders=("apps",),
    )

    located = locate(declared, checkout, files_at())
    assert (located.path, located.folders, located.elsewhere) == (path, (path,), "")


@pytest.mark.parametrize(
    ("path", "elsewhere"),
    [
        ("clusters/prod", ""),
        ("other", "its source is OCIRepository flux-system (oci://host/deploy)"),
        ("", "its source is OCIRepository flux-system (oci://host/deploy)"),
    ],
)
def test_the_root_source_is_taken_to_be_the_repository_if_it_has_the_path(path: str, elsewhere: str) -> None:
    source = Declared(path, Applied(), source="oci://host/deploy", other_source="OCIRepository flux-system")
    files = files_at("clusters/prod/a.yaml")

    located = locate(replace(source, is_root_source=True), Checkout(frozenset(REMOTES)), files)
    assert (located.elsewhere, bool(located.assumed)) == (elsewhere, not elsewhere)
    assert locate(source, Checkout(frozenset(REMOTES)), files).elsewhere


@pytest.mark.parametrize(
    ("kind", "paths", "path"),
    [
        ("OCIRepository", ["kubernetes/apps/web/a.yaml", "docs/a.md"], "kubernetes/apps/web"),
        ("OCIRepository", ["apps/web/a.yaml", "kubernetes/apps/web/a.yaml"], "apps/web"),
        ("OCIRepository", ["staging/apps/web/a.yaml", "prod/apps/web/a.yaml"], ""),
        ("OCIRepository", ["deploy/kubernetes/apps/web/a.yaml"], ""),
        ("GitRepository", ["kubernetes/apps/web/a.yaml"], ""),
    ],
)
def test_an_artifact_may_have_the_files_of_the_only_folder_with_the_path(
    kind: str, paths: list[str], path: str
) -> None:
    source = Declared(
        *("apps/web", Applied()),
        source="oci://host/deploy",
        source_object=f"{kind}/flux-system/flux-system",
        other_source=f"{kind} flux-system",
        is_root_source=True,
    )

    located = locate(source, Checkout(frozenset(REMOTES)), files_at(*paths))
    assert (not located.elsewhere, located.path) == (bool(path), path or "apps/web")


@pytest.mark.parametrize(
    ("url", "revision", "remotes", "is_own"),
    [
        ("https://example.com/org/fleet", "", ["git@example.com:org/fleet.git"], True),
        ("https://example.com/org/fleet", "tag v1", ["git@example.com:org/fleet.git"], False),
        ("https://example.com/org/other", "", ["git@example.com:org/fleet.git"], False),
        ("https://example.com/org/fleet", "", [], True),
        ("https://example.com/org/other", "", [], False),
        ("", "", ["git@example.com:org/fleet.git"], False),
    ],
)
def test_an_included_repository_may_be_the_examined_one(
    url: str, revision: str, remotes: list[str], is_own: bool
) -> None:
    source = git_source("https://example.com/org/fleet", "v1")
    one = IncludedSource("GitRepository a/x", url=url, revision=revision, source=source)
    outer = IncludedSource("GitRepository a/y", url="https://example.com/org/none", source=source, includes=(one,))
    declared = Declared("apps", Applied("flux", includes=(outer,)), source="https://example.com/org/fleet")

    (found,) = locate(declared, Checkout(frozenset(remotes)), files_at()).applied.includes

    assert found.source == source
    assert (found.includes[0].source is None) is is_own
