"""The parts that the machines write which share a run."""

import json
from pathlib import Path

import pytest

from kubectl_applylint.cli.parts import rules_digest
from kubectl_applylint.config.configuration import Config
from kubectl_applylint.config.hiding import all_rules
from kubectl_applylint.core.records import replace
from kubectl_applylint.rulebook import rulebook
from tests.cli.conftest import PASSWORD, SECRET
from tests.cli.test_units import WEB, Run, write
from tests.sources.repositories import create

BAD = WEB.replace("replicas: 1", "replicas: -1")


def written(run: Run, *words: str) -> dict[str, dict[str, object]]:
    """Return the part that a check of ``all`` writes."""
    Path("part.json").unlink(missing_ok=True)
    run("check", "all", "--against", "none", "-o", "part=part.json", *words)
    found: dict[str, dict[str, object]] = json.loads(Path("part.json").read_text())
    return found


@pytest.fixture(name="tree")
def _tree(folder: Path) -> Path:
    write(folder, {f"all/{name}/web.yaml": BAD for name in ("dev", "prod")})
    return folder


def test_a_part_holds_its_shard(run: Run, tree: Path) -> None:
    assert [*written(run)["shards"]] == ["1"]
    assert [*written(run, "--shard", "2/3")["shards"]] == ["2"]


def test_a_part_goes_beside_other_outputs_and_the_exit_code_stays(run: Run, tree: Path) -> None:
    code, out, _ = run("check", "all", "--against", "none", "-o", "part=part.json", "-o", "concise")
    alone, nothing, _ = run("check", "all", "--against", "none", "-o", "part=part.json", "--exit-zero")

    assert (code, alone, nothing) == (1, 0, "")
    assert out.count("error:") == 2


def test_a_part_may_go_to_standard_output(run: Run, tree: Path) -> None:
    _, out, _ = run("check", "all", "--against", "none", "-o", "part")

    assert out == (written(run) and Path("part.json").read_text())


def test_what_decides_about_the_run_is_in_it_and_how_it_is_shown_is_not(run: Run, tree: Path) -> None:
    known = written(run)["run"]
    pages = [("--fail-on", "info"), ("-v",), ("--color", "always"), ("--exit-zero",), ("--timeout", "60s")]
    runs = [("--kubernetes-version", "1.30"), ("--server-side",), ("--unit", "d*"), ("--no-ignores",), ("-n", "shop")]

    assert [written(run, *words)["run"] == known for words in pages] == [True] * len(pages)
    assert [written(run, *words)["run"]["options"] == known["options"] for words in runs] == [False] * len(runs)
    assert written(run, "--select", "same-object-twice-overwrites")["run"]["ran"] == ["same-object-twice-overwrites"]


def test_what_a_configuration_says_counts_wherever_it_lies(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_another_unit_is_another_division(run: Run, tree: Path) -> None:
    first = written(run)["run"]
    write(tree, {"all/qa/web.yaml": WEB})

    assert written(run)["run"]["units"] != first["units"]


def test_what_secrets_hold_is_masked(run: Run, folder: Path) -> None:
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
