"""The plan of one repository for several clusters."""

import json
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.sources.files import files
from tests.cli.conftest import PASSWORD
from tests.cli.test_merge import OWN, REPEATED
from tests.cli.test_units import NEWER, WEB, Run, write

TARGETS = """\
targets:
- {name: dev, labels: [env=dev], against: none}
- {name: eu, labels: [env=prod], against: 'snapshot:eu.json'}
- {name: us, labels: [env=prod], against: 'snapshot:us.json', units: [web]}
- {name: nowhere}
"""


def live(app: str) -> JsonObject:
    labels = {"app": app}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "web", "image": "nginx:1.27"}]}}
    spec = {"replicas": 1, "selector": {"matchLabels": labels}, "template": template}
    header = {"apiVersion": "apps/v1", "kind": "Deployment"}
    return {**header, "metadata": {"name": "web", "namespace": "default"}, "spec": spec}


@pytest.fixture(name="fleet")
def _fleet(folder: Path) -> Path:
    write(folder, {"all/web/web.yaml": NEWER, "all/more/web.yaml": WEB.replace("name: web", "name: more", 1)})
    write(folder, {".applylint.yaml": TARGETS})
    for name, app in (("eu", "web"), ("us", "old")):
        (folder / f"{name}.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [live(app)]}))
    return folder


def test_each_unit_is_planned_for_each_target(run: Run, fleet: Path) -> None:
    code, out, _ = run("plan", "all", "--targets", "env=prod", "-o", "json")
    report = json.loads(out)

    assert code == 1
    assert [(one["name"], one["worst"]) for one in report["targets"]] == [("eu", "restarted"), ("us", "rejected")]
    assert [one["units"].keys() for one in report["targets"]] == [{"more", "web"}, {"web"}]
    assert [[group["targets"] for group in one["groups"]] for one in report["objects"]] == [[["us"], ["eu"]], [["eu"]]]


def test_text_begins_with_the_order_of_the_rollout(run: Run, fleet: Path) -> None:
    _, out, complaint = run("plan", "all", "--targets", "name!=nowhere", "-v")

    assert out.splitlines()[:2] == ["3 targets: 1 rejected, 1 restarted, 1 created", "rollout order: dev, eu, us"]
    assert "eu: compared with snapshot" in complaint


def test_the_exit_code_is_that_of_a_plan(run: Run, fleet: Path) -> None:
    assert run("plan", "all", "--targets", "name=eu")[0] == 0
    assert run("plan", "all", "--targets", "name=us")[0] == 1
    assert run("plan", "all", "--targets", "name=us", "--exit-zero")[0] == 0


def test_a_target_that_cannot_be_read_leaves_the_others(run: Run, fleet: Path) -> None:
    (fleet / "us.json").unlink()
    code, out, _ = run("plan", "all", "--targets", "env=prod")

    assert code == 3
    assert out.startswith("2 targets: 1 restarted, 1 incomplete\nrollout order: eu, us\n")
    assert "us.json: problem: " in out


def test_files_are_read_once_for_all_targets(run: Run, fleet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers: list[int] = []
    read = files.read_found

    def counting(sources: list[object], **words: object) -> object:
        numbers.append(len(sources))
        return read(sources, **words)  # type: ignore[arg-type]  # what it was given

    monkeypatch.setattr(files, "read_found", counting)
    run("plan", "all", "--targets", "name=dev")
    alone = sum(numbers)
    numbers.clear()
    run("plan", "all", "--targets", "name!=nowhere")

    assert 0 < sum(numbers) == alone


def test_secrets_are_masked(run: Run, fleet: Path) -> None:
    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {key: PASSWORD, PASSWORD: x}\n"
    write(fleet, {"all/web/secret.yaml": secret.replace("PASSWORD", PASSWORD, 1)})

    for form in ("text", "json", "markdown", "html"):
        assert PASSWORD not in run("plan", "all", "--targets", "env=prod", "-v", "-o", form)[1]


FORMS = ("text", "json", "markdown", "html")
ALL = ["plan", "all", "--targets", "name!=nowhere"]


def parts(run: Run, count: int, *words: str) -> list[str]:
    names = [f"part-{number}.json" for number in range(1, count + 1)]
    for number, name in enumerate(names, start=1):
        run(*ALL, "--shard", f"{number}/{count}", "-o", f"part={name}", *words)
    return names


@pytest.mark.sampled(2)
@pytest.mark.parametrize("count", [1, 2, 4, 9])
def test_merged_targets_are_those_of_one_machine(run: Run, fleet: Path, count: int) -> None:
    # Two alternatives in a folder are two units of one piece.
    write(fleet, {"all/twice/a.yaml": WEB, "all/twice/b.yaml": NEWER, "all/twice-b/web.yaml": WEB})
    (fleet / "us.json").write_text("[")
    names = parts(run, count)

    for form in FORMS:
        for more in ((), ("-v",)):
            whole = run(*ALL, "-o", form, *more)
            assert run("merge", *reversed(names), "-o", form, *more) == whole, form


def test_each_snapshot_is_read_by_few_machines(run: Run, fleet: Path) -> None:
    shards_of_parts = [json.loads(Path(name).read_text())["shards"] for name in parts(run, 3)]
    read = [
        share["name"]
        for shards in shards_of_parts
        for (shard,) in [shards.values()]
        for share in shard.get("targets", [])
    ]

    assert sorted(read) == ["dev", "eu", "us"]


def test_a_part_of_targets_follows_the_schema_of_parts(run: Run, fleet: Path) -> None:
    schema = json.loads(resources.files("kubectl_applylint.report").joinpath("schemas/part-v1.json").read_text())

    for name in parts(run, 2):
        jsonschema.validate(json.loads(Path(name).read_text()), schema)


def test_a_missing_part_of_targets_is_reported(run: Run, fleet: Path) -> None:
    first, _ = parts(run, 2)
    code, out, _ = run("merge", first)

    assert code == 3
    assert "part 2 of 2: problem: it is missing, so its units were not checked" in out


def test_parts_of_other_snapshots_of_a_target_are_rejected(run: Run, fleet: Path) -> None:
    write(fleet, {f"all/{name}/web.yaml": WEB for name in ("a", "b", "c", "d")})
    words = ["plan", "all", "--targets", "name=eu", "--shard"]
    run(*words, "1/2", "-o", "part=one.json")
    (fleet / "eu.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [live("other")]}))
    run(*words, "2/2", "-o", "part=two.json")

    assert run("merge", "one.json", "two.json")[::2] == (
        2,
        "applylint: one.json, two.json: they have read different snapshots of eu\n",
    )


def test_targets_are_resumed(run: Run, fleet: Path) -> None:
    words = [*ALL, "--shard", "2/2", "-o", "part=part.json", "--resume"]
    code, _, quiet = run(*words)

    assert (quiet, run(*words)) == (
        "",
        (code, "", "applylint: part.json: part 2 of 2 is up to date; skipped\n"),
    )
    (fleet / "us.json").write_text("[]")
    assert run(*words)[2] == ("applylint: part.json: made again: it and this run have read different snapshots of us\n")


def test_a_target_that_could_not_be_read_is_tried_again(run: Run, fleet: Path) -> None:
    text = (fleet / "us.json").read_text()
    (fleet / "us.json").unlink()
    words = ["plan", "all", "--targets", "name=us", "-o", "part=part.json", "--resume"]

    assert [run(*words)[0], run(*words)] == [3, (3, "", "applylint: part.json: made again: us could not be read\n")]
    (fleet / "us.json").write_text(text)
    assert run(*words)[0] == 1


def test_parts_of_other_targets_are_of_another_run(run: Run, fleet: Path) -> None:
    run(*ALL, "--shard", "1/2", "-o", "part=one.json")
    run("plan", "all", "--targets", "env=prod", "--shard", "2/2", "-o", "part=two.json")

    assert run("merge", "one.json", "two.json")[0] == 2


def test_parts_of_targets_have_the_durations_of_their_units(run: Run, fleet: Path) -> None:
    _, second = parts(run, 2)
    run("merge", *parts(run, 2), "-o", "part=all.json")
    seconds = json.loads(Path("all.json").read_text())["seconds"]

    assert seconds.keys() == {"dev", "dev: more", "dev: web", "eu", "eu: more", "eu: web", "us", "us: web"}
    assert run("merge", *parts(run, 2, "--timings", "all.json")) == run(*ALL)
    assert second


def test_secrets_of_one_part_are_masked_in_the_others(run: Run, fleet: Path) -> None:
    write(fleet, {"all/one/secret.yaml": OWN, "all/two/service.yaml": REPEATED})
    names = parts(run, 5)

    assert "hunter2" not in "".join(Path(name).read_text() for name in names)
    assert "spec.externalName" in run(*ALL)[1]
    assert run("merge", *names) == run(*ALL)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--targets", "env=qa"], "--targets: no target has these labels; the configuration has dev, eu, us, nowhere"),
        (["--targets", "a=b=c"], "--targets: 'a=b=c' is not a label selector"),
        (["--targets", ""], "targets: nowhere: against or context is missing: where is its live state read?"),
        (
            ["--targets", "env=dev", "--against", "none"],
            "--against cannot be used with --targets: each target has its own state to compare with",
        ),
        (["--targets", "env=dev", "-o", "sarif"], "--output: plan --targets has no format sarif"),
    ],
    ids=["none", "selector", "stateless", "against", "format"],
)
def test_wrong_use_is_reported(run: Run, fleet: Path, words: list[str], fault: str) -> None:
    code, out, complaint = run("plan", "all", *words)

    assert (code, out) == (2, "")
    assert fault in complaint


def test_a_target_without_a_unit_is_reported(run: Run, fleet: Path) -> None:
    write(fleet, {".applylint.yaml": "targets: [{name: eu, against: none, units: [elsewhere]}]\n"})

    assert run("plan", "all", "--targets", "name=eu")[::2] == (
        2,
        "applylint: targets: eu: no unit has a root of its units; applylint units lists them\n",
    )


def test_one_apply_is_planned_for_each_target(run: Run, fleet: Path) -> None:
    _, out, _ = run("plan", "-f", "all/web/web.yaml", "--targets", "name=us")

    assert "rejected in 1 of 1 target: spec.selector" in out


def test_without_a_configuration_there_are_no_targets(run: Run, folder: Path) -> None:
    write(folder, {"all/web/web.yaml": WEB})

    assert "the configuration has no targets" in run("plan", "all", "--targets", "")[2]
