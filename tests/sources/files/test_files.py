import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from kubectl_applylint.sources.files.files import read
from kubectl_applylint.sources.system.contents import MAX_BYTES
from kubectl_applylint.sources.text.classify import SkipReason
from kubectl_applylint.sources.text.manifests import Input, Skipped

NOBODY = 65534


def manifest(name: str) -> str:
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\n"


def no_stdin() -> bytes:
    raise AssertionError("standard input was not asked for")


def put(**files: str) -> None:
    for name, content in files.items():
        path = Path(name.replace("__", "/").replace("_", "."))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def reading(*names: str, recursive: bool = False) -> Input:
    return read(names, recursive=recursive, stdin=no_stdin)


def sources(found: Input) -> list[str]:
    return [document.file for document in found.documents]


def messages(found: Input) -> list[str]:
    return [problem.message for problem in found.problems]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def tree() -> None:
    put(d__z_yaml=manifest("z"), d__a_yml=manifest("a"), d__B_json='{"apiVersion":"v1","kind":"ConfigMap"}')
    put(d__b__c_yaml=manifest("c"), d__sub__q_yaml=manifest("q"), d__x_txt=manifest("x"), d___hid_yaml=manifest("h"))


@pytest.fixture
def nobody(tmp_path: Path) -> Iterator[None]:
    """A folder ``d`` with a folder ``d/x`` that the process has no right to, even if it belongs to root."""
    put(d__a_yaml=manifest("a"), d__x__b_yaml=manifest("b"))
    Path("d/x").chmod(0)
    tmp_path.chmod(0o755)
    before = os.geteuid()
    os.seteuid(NOBODY if before == 0 else before)
    yield
    os.seteuid(before)
    Path("d/x").chmod(0o700)


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize(
    ("names", "recursive", "files"),
    [
        (["d"], False, ["d/.hid.yaml", "d/B.json", "d/a.yml", "d/z.yaml"]),
        (["d"], True, ["d/.hid.yaml", "d/B.json", "d/a.yml", "d/b/c.yaml", "d/sub/q.yaml", "d/z.yaml"]),
        (["./d/"], False, ["d/.hid.yaml", "d/B.json", "d/a.yml", "d/z.yaml"]),
        (["d/*.yaml"], False, ["d/.hid.yaml", "d/z.yaml"]),
        (["d/[a-z]*"], False, ["d/a.yml", "d/b/c.yaml", "d/sub/q.yaml", "d/x.txt", "d/z.yaml"]),
        (["d/x.txt"], False, ["d/x.txt"]),
        (["d//b/../z.yaml"], False, ["d//b/../z.yaml"]),
        (["d/z.yaml", "d/b", "d/z.yaml"], False, ["d/z.yaml", "d/b/c.yaml", "d/z.yaml"]),
        ([], False, []),
    ],
    ids=str,
)
def test_files_are_found_and_ordered_as_kubectl_does(names: list[str], recursive: bool, files: list[str]) -> None:
    """The order is that of ``kubectl label --local -o name``, 1.36.3, for the same tree."""
    found = reading(*names, recursive=recursive)

    assert (sources(found), found.problems) == (files, ())


def test_a_path_may_look_like_a_pattern() -> None:
    Path("[a].yaml").write_text(manifest("a"))

    assert sources(reading("[a].yaml")) == ["[a].yaml"]


def test_standard_input_is_read_once() -> None:
    found = read(["-", "-"], recursive=False, stdin=lambda: manifest("a").encode())

    assert sources(found) == ["-"]
    assert messages(found) == ["standard input cannot be used for multiple arguments"]


@pytest.mark.parametrize("content", [b"", b" \n\n"])
def test_nothing_comes_from_standard_input(content: bytes) -> None:
    found = read(["-"], recursive=False, stdin=lambda: content)

    assert messages(found) == ["standard input is empty"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nope", 'the path "nope" does not exist'),
        ("nope*", 'the path "nope*" does not exist'),
        ("[", 'pattern "[" is not valid: syntax error in pattern'),
        ("https://x/y.yaml", "nothing is downloaded"),
        ("a\0b", 'the path "a\0b" does not exist'),
        ("empty", "no manifests there: recognized file extensions are .json .yaml .yml"),
    ],
)
def test_names_that_lead_nowhere(name: str, message: str) -> None:
    Path("empty").mkdir()

    found = reading(name)

    assert [(problem.where, problem.message) for problem in found.problems] == [(name, message)]


def test_each_bad_file_is_one_problem_and_the_others_are_read() -> None:
    put(d__a_yaml=manifest("a"), d__b_yaml="a: b: c\n", d__z_yaml=manifest("z"))
    Path("d/c.yaml").write_bytes(b"\x00\x01\xff")
    Path("d/d.yaml").symlink_to("nowhere")
    Path("d/e.yaml").symlink_to("../d")
    os.mkfifo("d/f.yaml")
    with open("d/g.yaml", "wb") as sparse:
        sparse.truncate(50 * 1024 * 1024)

    found = reading("d")

    assert sources(found) == ["d/a.yaml", "d/z.yaml"]
    assert [problem.where for problem in found.problems] == [
        *("d/b.yaml:1:5", "d/c.yaml:1:1", "d/d.yaml", "d/e.yaml", "d/f.yaml", "d/g.yaml")
    ]
    assert found.problems[3].advice == "kubectl does not follow symlinks to directories: use d/e.yaml/"


def test_a_link_to_a_folder_needs_a_slash() -> None:
    put(d__a_yaml=manifest("a"))
    Path("link").symlink_to("d")

    assert messages(reading("link")) == ["read link: is a directory"]
    assert sources(reading("link/")) == ["link/a.yaml"]


@pytest.mark.usefixtures("nobody")
def test_a_folder_without_rights() -> None:
    found = reading("d", recursive=True)

    assert sources(found) == ["d/a.yaml"]
    assert messages(found) == ['the path "d/x" cannot be read: permission denied']


@pytest.mark.slow
def test_a_bundle_of_several_megabytes_is_read() -> None:
    put(bundle_yaml="---\n".join(manifest(f"a{number}") + f"data: {{a: {'x' * 5000}}}\n" for number in range(1000)))

    found = reading("bundle.yaml")

    assert 5_000_000 < Path("bundle.yaml").stat().st_size < MAX_BYTES
    assert (len(found.documents), found.problems) == (1000, ())


def test_an_empty_file_matters_if_it_was_named() -> None:
    put(d__a_yaml=manifest("a"), d__b_yaml="", d__c_yaml="# nothing\n---\n")

    named, folder = reading("d/b.yaml", "d/c.yaml"), reading("d")

    assert messages(named) == ["the file is empty"]
    assert [skipped.file for skipped in named.skipped if skipped.why is SkipReason.EMPTY] == ["d/c.yaml"]
    assert [skipped.file for skipped in folder.skipped if skipped.why is SkipReason.EMPTY] == ["d/b.yaml", "d/c.yaml"]
    assert folder.problems == ()


def test_patches_of_a_kustomization_are_left_out() -> None:
    put(d__kustomization_yaml="patches:\n- path: patches/one.yaml\n- path: two.yaml\n")
    put(d__two_yaml=manifest("two"), d__patches__one_yaml="a: b: c", d__three_yaml=manifest("three"))
    put(e__Kustomization="patches: [\n", e__two_yaml=manifest("two"))

    found = reading("d", "d/patches/one.yaml", "e/two.yaml", recursive=True)

    assert sources(found) == ["d/three.yaml", "e/two.yaml"]
    assert found.problems == ()
    assert found.skipped == (
        Skipped("d/kustomization.yaml", 1, SkipReason.KUSTOMIZATION),
        Skipped("d/patches/one.yaml", 1, SkipReason.PATCH),
        Skipped("d/two.yaml", 1, SkipReason.PATCH),
        Skipped("d/patches/one.yaml", 1, SkipReason.PATCH),
    )


def test_a_kustomization_among_the_files_counts() -> None:
    put(b__kustomization_yaml="patches: [{path: ../x/p.yaml}]\n", x__p_yaml=manifest("p"))

    assert [skipped.why for skipped in reading(".", recursive=True).skipped] == [
        SkipReason.KUSTOMIZATION,
        SkipReason.PATCH,
    ]
    assert sources(reading("x")) == ["x/p.yaml"]


def test_a_kustomization_above_the_folder_counts() -> None:
    put(a__kustomization_yaml="patchesStrategicMerge: [b/c/p.yaml]\n", a__b__c__p_yaml=manifest("p"))

    assert [skipped.why for skipped in reading("a/b/c").skipped] == [SkipReason.PATCH]
