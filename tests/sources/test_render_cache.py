"""What is kept of renderings: by all that goes into them, without Secrets, and only where nobody else can write."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.sources import render_cache
from kubectl_applylint.sources.render_cache import folder_of, kept, kept_in, key_of

CONFIG_MAP = b"kind: ConfigMap\ndata: {a: b}\n"
TOOL = ["/bin/sh", "build", "app/kustomization.yaml"]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    found = tmp_path / "cache" / "renders"
    with kept_in(str(found)):
        yield found


def again() -> bytes:
    raise AssertionError("rendered again")


def test_what_was_rendered_is_kept(folder: Path) -> None:
    assert kept("k", lambda: CONFIG_MAP) == CONFIG_MAP
    assert kept("k", again) == CONFIG_MAP
    assert kept("other", lambda: b"other") == b"other"


def test_it_is_for_the_user_alone(folder: Path) -> None:
    kept("k", lambda: CONFIG_MAP)

    assert [path.stat().st_mode & 0o777 for path in (folder, folder / "k")] == [0o700, 0o600]


def test_what_cannot_be_rendered_is_not_kept(folder: Path) -> None:
    problem = Problem("app", "it cannot be rendered", "")

    assert kept("k", lambda: problem) is problem
    assert kept("k", lambda: CONFIG_MAP) == CONFIG_MAP


@pytest.mark.parametrize(
    ("rendered", "is_kept"),
    [
        (b"kind: Secret\ndata: {a: Yg==}\n", False),
        (b"kind: ConfigMap\n---\napiVersion: v1\nstringData:\n  a: b\nkind: Secret\n", False),
        (b'{"kind": "Secret", "data": {"a": "Yg=="}}', False),
        (b"kind: SecretList\nitems: []\n", False),
        (b"kind: List\nitems:\n- kind: Secret\n  data: {a: Yg==}\n", False),
        (b"kind: Secret\nmetadata:\n  annotations: {kubectl.kubernetes.io/last-applied-configuration: '{}'}\n", False),
        (b"data: {}\nkind: Secret\nmetadata: {name: filled-by-a-controller}\n", True),
        (b"kind: SealedSecret\nspec: {encryptedData: {a: b}}\n---\ndata: {a: b}\nkind: ConfigMap\n", True),
    ],
    ids=["data", "strings", "JSON", "list of Secrets", "list", "last-applied", "nothing in it", "sealed"],
)
def test_what_a_secret_holds_is_not_kept(folder: Path, rendered: bytes, is_kept: bool) -> None:
    kept("k", lambda: rendered)

    assert (folder / "k").exists() == is_kept


@pytest.mark.parametrize("damage", [b"", b"x" * 100], ids=["empty", "other bytes"])
def test_what_was_damaged_is_rendered_again(folder: Path, damage: bytes) -> None:
    kept("k", lambda: CONFIG_MAP)
    (folder / "k").write_bytes(damage)

    assert kept("k", lambda: b"new") == b"new"
    assert kept("k", again) == b"new"


def test_a_text_of_another_key_is_not_taken(folder: Path) -> None:
    kept("k", lambda: CONFIG_MAP)
    (folder / "k").write_bytes((folder / "k").read_bytes()[:-4] + b"1234")

    assert kept("k", lambda: b"new") == b"new"


@pytest.mark.skipif(os.name == "nt", reason="permissions are others there")
def test_a_folder_that_others_may_write_to_counts_for_nothing(folder: Path) -> None:
    kept("k", lambda: CONFIG_MAP)
    folder.chmod(0o777)

    assert kept("k", lambda: b"new") == b"new"


def test_where_nothing_can_be_kept_all_is_rendered(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with kept_in(str(tmp_path / "file" / "renders")):
        assert [kept("k", lambda: CONFIG_MAP), kept("k", lambda: b"new")] == [CONFIG_MAP, b"new"]


def test_what_was_not_asked_for_the_longest_goes_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, age in (("old", 30), ("asked for", 40), ("newer", 20)):
        kept(name, lambda: os.urandom(1000))
        os.utime(folder / name, (0, 1_000_000 - age))
    monkeypatch.setattr(render_cache, "MOST_BYTES", 3500)
    kept("asked for", again)
    kept("newest", lambda: os.urandom(1000))

    assert {path.name for path in folder.iterdir()} == {"asked for", "newer", "newest"}


def test_a_rendering_is_kept_by_all_that_goes_into_it(folder: Path) -> None:
    files = {"app/kustomization.yaml": b"resources: [a.yaml]", "app/a.yaml": b"a"}
    others = [
        key_of(["/bin/ls", *TOOL[1:]], files),
        key_of([*TOOL[:-1], "other/kustomization.yaml"], files),
        key_of(TOOL, {**files, "app/a.yaml": b"b"}),
        key_of(TOOL, {**files, "app/b.yaml": b""}),
        key_of(TOOL, {"app/kustomization.yaml": b"resources: [a.yaml]app/a.yaml", "": b"a"}),
    ]

    assert key_of(TOOL, dict(reversed(files.items()))) == key_of(TOOL, files)
    assert len({key_of(TOOL, files), *others}) == len(others) + 1
    assert all(others)


@pytest.mark.parametrize("text", [b"configMapGenerator: [{envs: [a.env]}]", b"secretGenerator:\n- env: a.env"])
def test_what_may_take_values_from_the_environment_is_not_kept(folder: Path, text: bytes) -> None:
    assert key_of(TOOL, {}, [text]) == ""


def test_nothing_is_kept_unasked() -> None:
    assert key_of(TOOL, {}) == ""
    assert [kept("k", lambda: b"1"), kept("k", lambda: b"2")] == [b"1", b"2"]


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"APPLYLINT_CACHE_DIR": "/c", "XDG_CACHE_HOME": "/x"}, "/c/renders"),
        ({"APPLYLINT_CACHE_DIR": "", "XDG_CACHE_HOME": "/x"}, ""),
        ({"XDG_CACHE_HOME": "/x"}, "/x/kubectl-applylint/renders"),
        ({"XDG_CACHE_HOME": "relative"}, ""),
    ],
    ids=["ours", "none", "XDG", "relative"],
)
def test_where_renderings_are_kept(environ: dict[str, str], folder: str) -> None:
    assert folder_of(environ) == folder
