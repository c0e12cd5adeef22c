"""What each shard of a run needs of all files, found out once."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.cli.test_merge import TREE
from tests.cli.test_parts import without_timings
from tests.cli.test_units import NEWER, WEB, Run, write
from tests.sources.repositories import create

BAD = WEB.replace("replicas: 1", "replicas: -1")
MORE: Final[Mapping[str, str]] = {
    "all/flux/app.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
    "metadata: {name: app}\nspec: {path: ./all/dev, targetNamespace: x}\n",
    "all/crd/lamp.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
    "metadata: {name: lamps.x.io}\nspec:\n  group: x.io\n  scope: Namespaced\n  names: {kind: Lamp, plural: lamps}\n"
    "  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]\n",
}


@pytest.fixture(name="tree")
def _tree(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    write(folder, {**TREE, **MORE})
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("command", ["check", "plan"])
def test_a_shard_with_an_index_gives_what_it_gives_without(run: Run, tree: Path, command: str) -> None:
    assert run("index", "all", "-o", "all/index.json") == (0, "", "")

    for number in range(1, 5):
        words = [command, "all", "--against", "none", "--no-cache", "--shard", f"{number}/4", "-o"]
        assert run(*words, "json", "--index", "all/index.json") == run(*words, "json")
        with_index, without = (
            json.loads(run(*words, "part", *more)[1]) for more in (["--index", "all/index.json"], [])
        )
        assert without_timings(with_index) == without_timings(without)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not JSON"),
        ('{"version":"index-v1"}', "not written by applylint: expected dict, found NoneType"),
        (None, 'the path "index.json" does not exist'),
    ],
    ids=["empty", "no index", "missing"],
)
def test_what_is_no_index_is_told_and_made_afresh(run: Run, tree: Path, text: str | None, why: str) -> None:
    if text is not None:
        Path("index.json").write_text(text)
    words = ["check", "all", "--against", "none", "-o", "json"]
    code, out, complaint = run(*words)

    assert run(*words, "--index", "index.json") == (
        code,
        out,
        f"applylint: index.json: not used, and made afresh: {why}\n{complaint}",
    )


def test_an_index_of_other_files_is_told_and_made_afresh(run: Run, tree: Path) -> None:
    run("index", "all", "-o", "index.json")
    write(tree, {"all/twice/c.yaml": BAD, "all/crd/lamp.yaml": WEB})
    words = ["check", "all", "--against", "none", "-o", "json"]
    with_index = run(*words, "--index", "index.json")

    assert with_index[:2] == run(*words)[:2]
    assert "index.json: not used, and made afresh: it is of other files, or of another configuration" in with_index[2]


def test_an_index_is_of_a_configuration(run: Run, tree: Path) -> None:
    run("index", "all", "-o", "index.json")
    write(tree, {".applylint.yaml": "units: [{path: all/twice, recursive: true}]\n"})

    assert "made afresh" in run("check", "all", "--against", "none", "--index", "index.json")[2]


def test_a_comparison_of_revisions_needs_none(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = create(tmp_path / "repo")
    monkeypatch.chdir(repo.folder)
    repo.commit({"all/web.yaml": WEB})
    repo.write({"all/web.yaml": NEWER})
    run("index", "-o", "../index.json")
    _, out, complaint = run("plan", "all", "--against", "HEAD", "--index", "../index.json")

    assert "../index.json: not used: a comparison of revisions reads what differs" in complaint
    assert (out, complaint.count("index")) == (run("plan", "all", "--against", "HEAD")[1], 1)


def test_one_apply_needs_none(run: Run, tree: Path) -> None:
    code, _, complaint = run("check", "-f", "all/dev/web.yaml", "--index", "index.json")

    assert (code, "--index: this is one apply" in complaint) == (2, True)


def test_a_path_that_is_not_there_is_told(run: Run, folder: Path) -> None:
    code, out, complaint = run("index", "nowhere")

    assert (code, out, complaint) == (
        3,
        "",
        'applylint: nowhere: the path "nowhere" does not exist; check the spelling\n',
    )
