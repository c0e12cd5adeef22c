"""The commands on a change: what the manifests make of a cluster in which earlier ones were applied."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import CONFIG_MAP, DEPLOYMENT, live_deployment
from tests.sources.repositories import create

Run = Callable[..., tuple[int, str, str]]
EXTRA = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra}\n"
SCALED = DEPLOYMENT.replace("spec:\n  selector", "spec:\n  replicas: 5\n  selector")


@pytest.fixture(name="change")
def _change(folder: Path) -> Path:
    """A folder with the manifests of before, beside one with those of after."""
    for side in ("before", "after"):
        (folder / side).mkdir()
        (folder / side / "settings.yaml").write_text(CONFIG_MAP)
        (folder / side / "web.yaml").write_text(DEPLOYMENT)
    return folder


def verdicts(out: str) -> dict[str, str]:
    return {f"{item['kind']}/{item['name']}": item["verdict"] for item in json.loads(out)["objects"]}


@pytest.mark.usefixtures("change")
def test_nothing_changes_where_nothing_has_changed(run: Run) -> None:
    code, out, err = run("plan", "-f", "after", "--against", "dir:before", "-o", "json")
    of_units, brief, _ = run("plan", "after", "--against", "dir:before", "-o", "json")

    assert (code, verdicts(out)) == (0, {"ConfigMap/settings": "unchanged", "Deployment/web": "unchanged"})
    assert "applylint: compared with directory before" in err
    assert (of_units, verdicts(brief)) == (0, {})


def test_a_line_that_leaves_is_undone(change: Path, run: Run) -> None:
    (change / "before" / "web.yaml").write_text(SCALED)
    code, out, _ = run("plan", "after/web.yaml", "--against", "file:before/web.yaml")

    assert code == 0
    assert "after/web.yaml:1:1: deployment.apps/web in shop: configured\n" in out
    assert "    ! spec.replicas: 5 → 1 (defaulted by the server since its line was removed from the manifest)" in out
    assert "No cluster was read; file " in out


def test_a_rejection_is_predicted(change: Path, run: Run) -> None:
    (change / "after" / "web.yaml").write_text(DEPLOYMENT.replace("app: shop", "app: store"))
    code, out, _ = run("plan", "after", "--against", "dir:before")

    assert code == 1
    assert "after/web.yaml:1:1: deployment.apps/web in shop: rejected (HTTP 422)" in out
    assert "spec.selector: Invalid value" in out


def test_an_object_removed_from_the_files_stays(change: Path, run: Run) -> None:
    (change / "after" / "settings.yaml").unlink()
    code, out, _ = run("plan", "after", "--against", "dir:before")

    assert code == 0
    assert (
        "before/settings.yaml:1:1: configmap/settings in shop: orphaned: removed from the files, stays in the cluster"
        in out
    )


def test_a_renamed_object_says_what_it_was(change: Path, run: Run) -> None:
    (change / "after" / "settings.yaml").write_text(CONFIG_MAP.replace("name: settings", "name: options"))
    _, out, _ = run("plan", "after", "--against", "dir:before")

    assert "after/settings.yaml:1:1: configmap/options in shop: created, was configmap/settings: keys " in out


def test_an_earlier_file_that_does_not_parse_is_no_problem_of_the_change(change: Path, run: Run) -> None:
    (change / "before" / "web.yaml").write_text("apiVersion: v1\nkind: [\n")
    code, out, _ = run("plan", "-f", "after", "--against", "dir:before", "-o", "json")
    doubts = {item["name"]: item["confidence"]["reasons"] for item in json.loads(out)["objects"]}

    assert (code, verdicts(out)) == (0, {"ConfigMap/settings": "unchanged", "Deployment/web": "created"})
    assert any("before could not be read completely: " in reason for reason in doubts["web"])


@pytest.mark.usefixtures("change")
def test_a_missing_earlier_folder_is_a_problem(run: Run) -> None:
    code, out, err = run("plan", "after", "--against", "dir:gone")

    assert (code, out) == (3, "")
    assert 'gone" does not exist; check the spelling and the current directory; nothing was checked' in err


def test_rules_run_on_what_the_earlier_manifests_make(change: Path, run: Run) -> None:
    (change / "before" / "web.yaml").write_text(SCALED)
    code, out, _ = run("check", "after", "--against", "dir:before", "--select", "replicas-removed-scales-to-one")

    assert code == 1
    assert "after/web.yaml:4:1: error: the next apply scales deployment/web from 5 to 1" in out


def test_the_last_apply_stands_for_earlier_manifests(folder: Path, run: Run) -> None:
    (folder / "web.yaml").write_text(DEPLOYMENT)
    (folder / "prod.json").write_text(json.dumps(live_deployment()))
    code, out, err = run("plan", "web.yaml", "--against", "last-applied:prod.json", "-o", "json")
    nothing, _, usage = run("plan", "--against", "last-applied:prod.json")

    assert (code, verdicts(out)) == (1, {"Deployment/web": "rejected"})
    assert "applylint: compared with last-applied of snapshot prod.json (written today)" in err
    assert (nothing, "nothing to check" in usage) == (2, True)


def test_effects_of_intermediate_commits_are_reported(change: Path, run: Run) -> None:
    repo = create(change)
    repo.commit({})
    repo.commit({"after/settings.yaml": CONFIG_MAP + "immutable: true\n", "after/extra.yaml": EXTRA})
    repo.commit({"after/settings.yaml": CONFIG_MAP.replace("b", "c"), "after/extra.yaml": None})
    code, out, _ = run("again", "--every-commit", "--against", "HEAD~2", "after")
    same, settled, _ = run("again", "--every-commit", "--against", "HEAD", "after")
    wrong, _, err = run("again", "--every-commit", "--against", "dir:before", "after")
    _, document, _ = run("again", "--every-commit", "--against", "HEAD~2", "after", "-o", "json")

    assert code == 1
    assert "after/settings.yaml:1:1: configmap/settings in shop: the last commit is rejected after the others" in out
    assert ":after/extra.yaml:1:1: configmap/extra in default: orphaned: created by an intermediate commit" in out
    assert (same, settled) == (0, "intermediate commits make no difference to 0 objects\n")
    assert (wrong, "--every-commit: specify a range of commits" in err) == (2, True)
    assert json.loads(document)["command"] == "again"


def test_an_object_that_kubectl_cannot_decode_is_rejected_and_not_removed(change: Path, run: Run) -> None:
    (change / "after" / "settings.yaml").write_text(CONFIG_MAP.replace("{name", "{labels: {on: true}, name"))
    code, out, _ = run("plan", "after", "--against", "dir:before", "-o", "json")
    item = next(item for item in json.loads(out)["objects"] if item["name"] == "settings")

    assert (code, item["verdict"], item["result"]["data"]) == (3, "rejected", {"a": "b"})
    assert "cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels" in item["causes"][0]["message"]


def test_objects_removed_from_the_files_are_checked_at_their_old_place(change: Path, run: Run) -> None:
    needy = DEPLOYMENT.replace("image: web:2", "image: web:2, envFrom: [{configMapRef: {name: settings}}]")
    for side in ("before", "after"):
        (change / side / "web.yaml").write_text(needy)
    (change / "after" / "settings.yaml").unlink()
    code, out, _ = run("check", "after", "--against", "dir:before", "--fail-on", "warning")

    assert code == 1
    assert (
        "before/settings.yaml:3:12: warning: configmap/settings was removed from the files, but it is still needed by "
        in out
    )
    assert "    see after/web.yaml:" in out


def test_two_documents_of_an_object_that_change_its_template_to_and_fro_are_no_fault(change: Path, run: Run) -> None:
    for side, label in (("before", "old"), ("after", "new")):
        for environment, image in (("dev", "web:1"), ("prod", "web:2")):
            (change / side / environment).mkdir()
            text = DEPLOYMENT.replace("web:2", image).replace("name: web,", f"name: web, labels: {{rel: {label}}},")
            (change / side / environment / "web.yaml").write_text(text)
        (change / side / "web.yaml").unlink()
    code, out, _ = run("check", "-R", "after", "--against", "dir:before", "-o", "json")

    assert code != 3
    assert json.loads(out)["problems"] == []


@pytest.mark.slow
def test_a_path_of_a_revision_wants_files_to_compare_with_it(change: Path, run: Run) -> None:
    create(change).commit({})
    code, out, err = run("plan", "--against", "HEAD:before")

    assert (code, out) == (2, "")
    assert "--against HEAD:before: specify the files to compare with those under this path" in err


def test_unreadable_earlier_manifests_end_with_3(change: Path, run: Run) -> None:
    (change / "before" / "web.yaml").unlink()
    os.mkfifo(change / "before" / "web.yaml")
    code, out, _ = run("plan", "after", "--against", "dir:before")

    assert code == 3
    assert "before/web.yaml: problem: not a regular file" in out


def test_a_file_that_cannot_be_parsed_did_not_leave_the_folder(change: Path, run: Run) -> None:
    (change / "after" / "web.yaml").write_text("apiVersion: v1\nkind: [\n")
    code, out, _ = run("plan", "after", "--against", "dir:before", "-o", "json")

    assert (code, verdicts(out)) == (3, {})


def test_a_path_that_no_side_has_does_not_pass(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = create(folder / "repo")
    repo.commit({"app/web.yaml": DEPLOYMENT, "gone/settings.yaml": CONFIG_MAP})
    repo.write({"gone/settings.yaml": None})
    monkeypatch.chdir(repo.folder)

    assert [run("plan", name, "--against", "HEAD")[0] for name in ("app", "gone", ".")] == [0, 0, 0]
    assert run("plan", "app", "ap", "--against", "HEAD") == (
        2,
        "",
        'applylint: the path "ap" exists neither here nor in HEAD: check the spelling\n',
    )
