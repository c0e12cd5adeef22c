"""Parts of a run that become the report of the run, byte for byte."""

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.cli.conftest import SECRET
from tests.cli.test_units import NEWER, WEB, Run, write
from tests.sources.repositories import create

FORMS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown", "rdjsonl", "html", "openreports")
PLAN_FORMS = ("text", "concise", "json", "junit", "markdown", "html")
BAD = WEB.replace("replicas: 1", "replicas: -1")
SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [{port: 1}, {port: 1}]}\n"
IGNORED = BAD.replace("replicas: -1", "replicas: -1  # applylint: ignore[invalid-object-refused] known")
TREE: Mapping[str, str] = {
    "all/dev/web.yaml": BAD,
    "all/dev/service.yaml": SERVICE,
    "all/prod/web.yaml": IGNORED,
    "all/prod/lamp.yaml": "apiVersion: x.io/v1\nkind: Lamp\nmetadata: {name: l}\n",
    "all/qa/secret.yaml": SECRET,
    "all/qa/values.yaml": "replicas: 1\n",
    "all/broken/web.yaml": f"{WEB}  spec: [\n",
    "all/twice/a.yaml": BAD,
    "all/twice/b.yaml": BAD.replace("1.27", "1.28"),
    "all/far/kustomization.yaml": "resources: [https://example.com/x]\n",
    "all/vendor/web.yaml": WEB,
    "all/testdata/web.yaml": WEB,
    "all/shared/base/kustomization.yaml": "resources: [web.yaml]\n",
    "all/shared/base/web.yaml": BAD,
}
AGAINST = {
    "none": ["--against", "none"],
    "dir": ["--against", "dir:before"],
    "snapshot": ["--against", "snapshot:prod.json"],
}


@pytest.fixture(name="tree")
def _tree(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setenv("APPLYLINT_CACHE_DIR", str(folder / "kept"))
    write(folder, TREE)
    write(folder, {"before/dev/web.yaml": NEWER, "before/gone/web.yaml": WEB, "before/prod/web.yaml": NEWER})
    return folder


def parts(run: Run, words: Sequence[str], count: int, command: str = "check") -> list[str]:
    """Write the parts of a run and return their names."""
    names = [f"part-{number}.json" for number in range(1, count + 1)]
    for number, name in enumerate(names, start=1):
        run(command, "all", *words, "--shard", f"{number}/{count}", "-o", f"part={name}")
    return names


def in_a_tree(run: Run, names: Sequence[str], choice: random.Random) -> str:
    """Merge two parts at a time in a random order, and return the name of the last."""
    rest = [*names]
    while len(rest) > 1:
        choice.shuffle(rest)
        name = f"merged-{len(rest)}-{choice.random()}.json"
        run("merge", rest.pop(), rest.pop(), "-o", f"part={name}")
        rest.append(name)
    return rest[0]


REPEATED = """\
apiVersion: v1
kind: Service
metadata: {name: s}
spec: {type: ExternalName, externalName: not_a_name.hunter2hunter2}
"""
OWN = "apiVersion: v1\nkind: Secret\nmetadata: {name: own}\nstringData: {password: not_a_name.hunter2hunter2}\n"


@pytest.mark.parametrize("words", [["--against", "none"], ["--against", "dir:empty"]], ids=["state", "change"])
def test_a_secret_of_one_part_is_masked_in_the_others(run: Run, folder: Path, words: list[str]) -> None:
    write(folder, {"all/one/secret.yaml": OWN, "all/two/service.yaml": REPEATED, "empty/notes.yaml": "a: 1\n"})
    whole = run("check", "all", *words, "-o", "json")
    names = parts(run, words, 2)

    assert run("merge", *names, "-o", "json") == whole
    assert "hunter2" not in whole[1]
    assert not any("hunter2" in (folder / name).read_text() for name in names)


@pytest.mark.slow
@pytest.mark.parametrize("against", AGAINST)
@pytest.mark.parametrize("count", [1, 3, 9])
def test_merged_is_unsharded_in_every_form(run: Run, tree: Path, against: str, count: int) -> None:
    words = AGAINST[against]
    names = parts(run, words, count)

    for form in FORMS:
        whole = run("check", "all", *words, "-o", form)
        assert run("merge", *reversed(names), "-o", form) == whole, form


@pytest.mark.slow
@pytest.mark.parametrize("against", AGAINST)
@pytest.mark.parametrize("count", [1, 3])
def test_a_merged_plan_is_the_unsharded_one_in_every_form(run: Run, tree: Path, against: str, count: int) -> None:
    write(tree, {"before/prod/old.yaml": SERVICE.replace("name: s", "name: old"), "before/dev/secret.yaml": SECRET})
    write(tree, {"all/dev/secret.yaml": SECRET.replace("old:", "new:")})
    names = parts(run, AGAINST[against], count, "plan")

    for form in PLAN_FORMS:
        for more in ((), ("-v",)):
            whole = run("plan", "all", *AGAINST[against], "-o", form, *more)
            assert run("merge", *names, "-o", form, *more) == whole, form


@pytest.mark.slow
def test_merged_in_trees_is_unsharded(run: Run, tree: Path) -> None:
    choice = random.Random(1)
    whole = run("check", "all", *AGAINST["none"], "-v")

    for count in (2, 3, 5):
        last = in_a_tree(run, parts(run, AGAINST["none"], count), choice)
        assert run("merge", last, "-v") == whole


def test_a_comparison_of_revisions_is_merged(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    repo = create(tmp_path / "repo")
    monkeypatch.chdir(repo.folder)
    repo.commit({name: text.replace("-1", "2") for name, text in TREE.items()})
    repo.write({"all/dev/web.yaml": BAD, "all/twice/a.yaml": BAD.replace("-1", "-2"), "all/new/web.yaml": BAD})
    words = ["--against", "HEAD"]

    whole = run("check", "all", *words, "-o", "json")
    assert run("merge", *parts(run, words, 3), "-o", "json") == whole


@pytest.mark.parametrize("against", ["none", "HEAD"])
def test_parts_may_be_written_next_to_the_examined_files(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, against: str
) -> None:
    """The next part was one of another run: a part lay beside manifests, or made a unit of its folder."""
    repo = create(tmp_path / "repo")
    monkeypatch.chdir(repo.folder)
    repo.commit({"all/web.yaml": WEB, "all/dev/web.yaml": WEB, "all/prod/web.yaml": WEB})
    repo.write({"all/web.yaml": BAD, "all/dev/web.yaml": BAD})
    words = ["check", "all", "--against", against]

    whole = run(*words)
    for number in (1, 2):
        run(*words, "--shard", f"{number}/2", "-o", f"part=all/part-{number}.json")
    assert run("merge", "all/part-1.json", "all/part-2.json") == whole


def test_a_language_is_that_of_the_parts(run: Run, tree: Path) -> None:
    words = [*AGAINST["none"], "--lang", "ja"]
    whole = run("check", "all", *words)

    assert run("merge", *parts(run, words, 2)) == whole


def test_a_missing_part_is_reported(run: Run, tree: Path) -> None:
    first, _, third = parts(run, AGAINST["none"], 3)
    code, out, _ = run("merge", first, third)

    assert code == 3
    assert "part 2 of 3: problem: it is missing, so its units were not checked; applylint check --shard 2/3" in out


def test_a_duplicate_part_counts_once(run: Run, tree: Path) -> None:
    names = parts(run, AGAINST["none"], 2)
    again = Path("again.json")
    again.write_bytes(Path(names[0]).read_bytes())

    assert run("merge", *names, names[0], str(again)) == run("merge", *names)


def test_parts_of_different_runs_are_rejected(run: Run, tree: Path) -> None:
    first, _ = parts(run, AGAINST["none"], 2)
    run("check", "all", "--against", "none", "--server-side", "--shard", "2/2", "-o", "part=other.json")

    code, out, complaint = run("merge", first, "other.json")
    assert (code, out) == (2, "")
    assert complaint == (
        "applylint: part-1.json, other.json: they are of runs with different flags or configurations\n"
    )


def test_the_exit_code_is_that_of_the_whole(run: Run, folder: Path) -> None:
    write(folder, {"all/dev/web.yaml": BAD, "all/prod/web.yaml": WEB})
    names = parts(run, AGAINST["none"], 2)

    assert run("merge", *names)[0] == 1
    assert run("merge", *names, "--exit-zero")[0] == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("", "not a part of a report: not JSON; write it with applylint check or plan", id="empty"),
        pytest.param('{"version": "json-v1"}', "not a part of a report: its version is not part-v1", id="a report"),
    ],
)
def test_a_file_that_is_not_a_part_is_reported(run: Run, folder: Path, text: str, words: str) -> None:
    (folder / "x.json").write_text(text)

    code, out, complaint = run("merge", "x.json")
    assert (code, out) == (3, "")
    assert complaint.startswith(f"applylint: x.json: {words}")


def test_a_file_that_does_not_exist_is_reported(run: Run, folder: Path) -> None:
    assert run("merge", "nowhere.json")[::2] == (
        3,
        "applylint: nowhere.json: cannot be read: No such file or directory; write it with applylint check or"
        " plan --shard I/N -o part=FILE\n",
    )


@pytest.mark.parametrize(("field", "value"), [("command", "revert"), ("language", "xx")])
def test_a_part_of_an_unknown_command_is_reported(run: Run, tree: Path, field: str, value: str) -> None:
    (name,) = parts(run, AGAINST["none"], 1)
    part = json.loads(Path(name).read_text())
    Path(name).write_text(json.dumps(part | {"run": part["run"] | {field: value}}))

    assert run("merge", name)[0] == 3


def test_rules_are_those_that_ran(run: Run, tree: Path) -> None:
    words = [*AGAINST["none"], "--select", "same-object-twice-overwrites"]
    names = parts(run, words, 2)
    log = json.loads(run("merge", *names, "-o", "sarif")[1])

    assert [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]] == ["same-object-twice-overwrites"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"ran": ["some-rule"]}, "--rules: the parts have the rule some-rule, which is not here; name its directory"),
        ({"rules": "x"}, "--rules: the rules of the parts have other texts than those here"),
    ],
    ids=["unknown", "other texts"],
)
def test_rules_that_differ_here_are_reported(run: Run, tree: Path, change: dict[str, object], words: str) -> None:
    (name,) = parts(run, AGAINST["none"], 1)
    part = json.loads(Path(name).read_text())
    Path(name).write_text(json.dumps(part | {"run": part["run"] | change}))

    assert run("merge", name)[::2] == (2, f"applylint: {words}\n")


def test_a_format_that_the_command_does_not_have_is_reported(run: Run, tree: Path) -> None:
    assert run("merge", *parts(run, AGAINST["none"], 1), "-o", "yaml")[0] == 2
