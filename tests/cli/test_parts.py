"""The parts that the machines write which share a run."""

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from kubectl_applylint.cli import run as commands
from kubectl_applylint.cli.parts import rules_digest
from kubectl_applylint.config.configuration import Config
from kubectl_applylint.config.hiding import all_rules
from kubectl_applylint.core.records import replace
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.sources.part_files import BEGINNING
from tests.cli.conftest import PASSWORD, SECRET
from tests.cli.test_units import NEWER, WEB, Run, write
from tests.sources.repositories import Repo, create

BAD = WEB.replace("replicas: 1", "replicas: -1")


def written(run: Run, *words: str) -> dict[str, dict[str, object]]:
    """Return the part that a check of ``all`` writes."""
    Path("part.json").unlink(missing_ok=True)
    run("check", "all", "--against", "none", "-o", "part=part.json", *words)
    found: dict[str, dict[str, object]] = json.loads(Path("part.json").read_text())
    return found


def without_timings(part: Mapping[str, object]) -> dict[str, object]:
    """Return what is the same each time."""
    return {name: held for name, held in part.items() if name != "seconds"}


@pytest.fixture(name="tree")
def _tree(folder: Path) -> Path:
    write(folder, {f"all/{name}/web.yaml": BAD for name in ("dev", "prod")})
    return folder


def test_a_part_holds_its_shard(run: Run, tree: Path) -> None:
    assert [*written(run)["shards"]] == ["1"]
    assert [*written(run, "--shard", "2/3")["shards"]] == ["2"]


def test_a_part_is_written_besides_other_outputs(run: Run, tree: Path) -> None:
    code, out, _ = run("check", "all", "--against", "none", "-o", "part=part.json", "-o", "concise")
    alone, nothing, _ = run("check", "all", "--against", "none", "-o", "part=part.json", "--exit-zero")

    assert (code, alone, nothing) == (1, 0, "")
    assert out.count("error:") == 2


def test_a_part_may_go_to_standard_output(run: Run, tree: Path) -> None:
    out = json.loads(run("check", "all", "--against", "none", "-o", "part")[1])

    assert without_timings(out) == without_timings(written(run))


def test_a_part_has_the_durations_of_its_units(run: Run, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "perf_counter", iter(range(1000)).__next__)

    assert written(run, "--shard", "1/2")["seconds"].keys() < written(run)["seconds"].keys() == {"dev", "prod"}
    assert {*written(run)["seconds"].values()} == {2.0}


def test_timings_share_out_units_and_make_another_run(run: Run, tree: Path) -> None:
    run("check", "all", "--against", "none", "-o", "part=earlier.json")
    part = json.loads(Path("earlier.json").read_text())
    write(tree, {f"all/{name}/web.yaml": BAD for name in ("a", "b")})
    words = ("--shard", "1/2", "--timings", "earlier.json")
    Path("earlier.json").write_text(json.dumps(part | {"seconds": {"a": 1, "b": 1, "dev": 1, "prod": 9}}))
    first = written(run, *words)
    Path("earlier.json").write_text(json.dumps(part | {"seconds": {"a": 9, "b": 1, "dev": 1, "prod": 1}}))

    assert [*first["seconds"]] == ["prod"]
    assert [*written(run, *words)["seconds"]] == ["a"]
    assert written(run, *words)["run"]["options"] != first["run"]["options"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, 'the path "t.json" does not exist'),
        ("x", "t.json: not a part of a report: not JSON"),
        ('{"version":"part-v1"}', "t.json: not a part of a report: it has no timings"),
    ],
    ids=["missing", "no JSON", "no timings"],
)
def test_a_file_without_timings_is_a_usage_error(run: Run, tree: Path, text: str | None, why: str) -> None:
    if text:
        Path("t.json").write_text(text)

    code, _, complaint = run("check", "all", "--against", "none", "--shard", "1/2", "--timings", "t.json")
    assert (code, complaint) == (2, f"applylint: --timings: {why}\n")


@pytest.mark.slow
def test_a_part_has_the_options_of_the_run_without_those_of_the_output(run: Run, tree: Path) -> None:
    known = written(run)["run"]
    pages = [("--fail-on", "info"), ("-v",), ("--color", "always"), ("--exit-zero",), ("--timeout", "60s")]
    runs = [("--kubernetes-version", "1.30"), ("--server-side",), ("--unit", "d*"), ("--no-ignores",), ("-n", "shop")]

    assert [written(run, *words)["run"] == known for words in pages] == [True] * len(pages)
    assert [written(run, *words)["run"]["options"] == known["options"] for words in runs] == [False] * len(runs)
    assert written(run, "--select", "same-object-twice-overwrites")["run"]["ran"] == ["same-object-twice-overwrites"]


def test_the_place_of_a_configuration_does_not_matter(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for name in ("one", "two"):
        settings = (
            "units: [{path: dev, server-side: true}]\nignore:\n- {rule: replicas-set-back, reason: x, path: dev/**}\n"
        )
        write(folder, {f"{name}/all/dev/web.yaml": BAD, f"{name}/.applylint.yaml": f"{settings}against: dir:all\n"})
        monkeypatch.chdir(folder / name)
        run("check", "all", "-o", "part=part.json")
        found.append(json.loads(Path("part.json").read_text())["run"])

    assert found[0] == found[1]


def test_another_commit_is_another_run(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = create(tmp_path / "repo")
    monkeypatch.chdir(repo.folder)
    repo.commit({"all/web.yaml": WEB})
    first = written(run)["run"]
    repo.commit({"other.txt": "x"})

    assert written(run)["run"]["commit"] not in ("", first["commit"])


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = create(tmp_path / "repo")
    monkeypatch.chdir(repo.folder)
    maps = "resources: [web.yaml]\nconfigMapGenerator: [{name: c, files: [app.properties]}]\n"
    repo.commit({"all/k/kustomization.yaml": maps, "all/k/web.yaml": WEB, "all/k/app.properties": "a=1", "notes": "x"})
    return repo


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("files", "is_other"),
    [
        pytest.param({"all/k/web.yaml": NEWER}, True, id="a manifest"),
        pytest.param({"all/k/app.properties": "a=2"}, True, id="a file that a kustomization takes"),
        pytest.param({"all/new.yaml": WEB}, True, id="a new manifest"),
        pytest.param({"notes": "y", "all/readme.md": "z"}, False, id="what is not read"),
        pytest.param({"all/part-7.json": BEGINNING.decode() + "}"}, False, id="a part"),
    ],
)
def test_uncommitted_files_that_were_read_make_another_run(
    run: Run, repo: Repo, files: dict[str, str], is_other: bool
) -> None:
    before = written(run)["run"]
    repo.write(files)
    after = written(run)["run"]

    assert (before["content"] != after["content"]) is is_other
    assert before["commit"] == after["commit"]


def test_parts_of_other_uncommitted_files_are_rejected(run: Run, repo: Repo) -> None:
    """Both were of one commit, and the merge contained a state that had never existed."""
    for number, text in enumerate((NEWER, BAD), start=1):
        repo.write({"all/k/web.yaml": text})
        run("check", "all", "--against", "none", "--shard", f"{number}/2", "-o", f"part=../{number}.json")

    code, _, complaint = run("merge", "../1.json", "../2.json")
    assert code == 2
    assert "they have read different uncommitted files, or another snapshot" in complaint


def test_another_snapshot_or_directory_is_another_run(run: Run, tree: Path) -> None:
    found = []
    for number in (1, 2):
        (tree / "prod.json").write_text(f'{{"apiVersion": "v1", "kind": "List", "items": [], "n": {number}}}')
        write(tree, {"before/a.yaml": f"n: {number}\n"})
        for against in ("snapshot:prod.json", "dir:before"):
            run("plan", "all", "--against", against, "-o", "part=part.json")
            found.append(json.loads(Path("part.json").read_text())["run"]["content"])

    assert len(set(found)) == 4


RESUMED = ["check", "all", "--against", "none", "--shard", "1/2", "-o", "part=part.json", "--resume"]


def test_a_part_that_is_there_is_not_made_again(run: Run, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, _, _ = run(*RESUMED)
    before = Path("part.json").stat().st_mtime_ns
    monkeypatch.setattr(commands, "execute", None)

    assert run(*RESUMED) == (
        code,
        "",
        "applylint: part.json: part 1 of 2 is up to date; skipped\n",
    )
    assert code == 1
    assert Path("part.json").stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--server-side"], "it and this run are of runs with different flags or configurations"),
        (["--shard", "2/2"], "it is another part of the run"),
        (["--select", "same-object-twice-overwrites"], "it and this run are of runs with different"),
    ],
    ids=["flags", "shard", "rules"],
)
def test_a_part_of_something_else_is_made_again(run: Run, tree: Path, words: list[str], why: str) -> None:
    run(*RESUMED)
    before = Path("part.json").read_text()
    _, _, complaint = run(*RESUMED, *words)

    assert f"applylint: part.json: made again: {why}" in complaint
    assert Path("part.json").read_text() != before


def test_a_part_of_other_files_is_made_again(run: Run, tree: Path) -> None:
    run(*RESUMED)
    write(tree, {"all/dev/web.yaml": NEWER})

    assert "made again: it and this run have read different uncommitted files" in run(*RESUMED)[2]
    assert "is up to date; skipped" in run(*RESUMED)[2]


def test_one_apply_is_not_resumed(run: Run, tree: Path) -> None:
    """Its files are not part of what a part says it was made of."""
    words = ["plan", "-f", "all/dev/web.yaml", "--against", "none", "-o", "part=part.json", "--resume"]

    assert run(*words)[::2] == (
        2,
        "applylint: --resume: this is one apply, which has no parts; name directories, without -f and -k\n",
    )


def test_a_special_file_is_written_again(run: Run, tree: Path) -> None:
    assert f"{os.devnull}: made again: not a regular file" in run(*RESUMED[:-2], f"part={os.devnull}", "--resume")[2]


def test_half_a_part_is_made_again(run: Run, tree: Path) -> None:
    Path("part.json").write_bytes(BEGINNING)

    assert "applylint: part.json: made again: not JSON\n" in run(*RESUMED)[2]
    assert [*json.loads(Path("part.json").read_text())["shards"]] == ["1"]


@pytest.mark.parametrize("words", [[], ["-o", "part"], ["-o", "part=a.json", "-o", "text"]])
def test_only_one_part_is_resumed(run: Run, tree: Path, words: list[str]) -> None:
    code, _, complaint = run("plan", "all", "--against", "none", "--resume", *words)

    assert (code, "--resume: write one part and nothing else" in complaint) == (2, True)


def test_a_plan_is_resumed(run: Run, tree: Path) -> None:
    words = ["plan", "all", "--against", "none", "-o", "part=part.json", "--resume"]

    assert run(*words)[0] == run(*words)[0] == 1
    assert "part 1 of 1 is up to date" in run(*words)[2]


def test_another_unit_is_another_division(run: Run, tree: Path) -> None:
    first = written(run)["run"]
    write(tree, {"all/qa/web.yaml": WEB})

    assert written(run)["run"]["units"] != first["units"]


def test_values_of_secrets_are_masked(run: Run, folder: Path) -> None:
    write(folder, {"all/secret.yaml": SECRET.replace("stringData: {", f"data: {{also: {PASSWORD}, ")})

    assert "data" in json.dumps(written(run))
    assert PASSWORD not in Path("part.json").read_text()


def test_a_part_of_a_plan_holds_no_secrets_either(run: Run, folder: Path) -> None:
    repeated = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c}}\ndata: {{key: {PASSWORD}}}\n"
    write(folder, {"all/secret.yaml": SECRET, "all/map.yaml": repeated})
    code, _, _ = run("plan", "all", "--against", "none", "-o", "part=part.json")

    assert code == 0
    assert "applies" in Path("part.json").read_text()
    assert PASSWORD not in Path("part.json").read_text()


def test_a_part_is_written_whole_or_not_at_all(run: Run, tree: Path) -> None:
    before = json.dumps(written(run))
    code, _, complaint = run("check", "all", "--against", "snapshot:nowhere.json", "-o", "part=part.json")
    missing, _, words = run("check", "all", "--against", "none", "-o", "part=nowhere/part.json")

    assert (code, json.dumps(json.loads(Path("part.json").read_text()))) == (3, before)
    assert "nowhere.json" in complaint
    assert (missing, "nowhere/part.json: cannot be written" in words) == (2, True)


def test_a_digest_of_rules_knows_their_texts_and_not_their_folders() -> None:
    rules = all_rules(Config())[:2]
    moved = [replace(rule, folder="elsewhere") for rule in rules]

    assert rules_digest(rules) == rules_digest(moved) == rules_digest(rulebook.load([]).rules[:2])
    assert rules_digest(rules) != rules_digest([replace(rules[0], message="other"), rules[1]])
