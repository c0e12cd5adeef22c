"""The commands on whole sets, with kubectl apply's own flags."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import CONFIG_MAP, DEPLOYMENT
from tests.run.load.test_parents import parent_definition

Run = Callable[..., tuple[int, str, str]]
PARENT_DEFINITION = parent_definition()
LABELLED_SETTINGS, LABELLED_WEB = (
    text.replace("metadata: {name", "metadata: {labels: {app: shop}, name") for text in (CONFIG_MAP, DEPLOYMENT)
)


@pytest.fixture(name="change")
def _change(folder: Path) -> Path:
    """A folder before and after its Deployment has left it."""
    for side in ("before", "after"):
        (folder / side).mkdir()
        (folder / side / "settings.yaml").write_text(LABELLED_SETTINGS)
    (folder / "before" / "web.yaml").write_text(LABELLED_WEB)
    return folder


def verdicts(out: str) -> dict[str, str]:
    return {f"{item['kind']}/{item['name']}": item["verdict"] for item in json.loads(out)["objects"]}


@pytest.mark.usefixtures("change")
@pytest.mark.parametrize(
    ("flags", "word"),
    [
        pytest.param([], "kept", id="no prune"),
        pytest.param(["--prune", "-l", "app=shop"], "pruned", id="labels"),
        pytest.param(["--prune", "--all"], "pruned", id="all"),
        pytest.param(["--prune=true", "--all=true", "-n", "shop"], "pruned", id="with values"),
        pytest.param(["--prune", "--all", "--prune-allowlist=core/v1/ConfigMap"], "kept", id="another kind"),
        pytest.param(["--prune", "--applyset=mine", "-n", "shop"], "pruned", id="applyset"),
    ],
)
def test_objects_removed_from_the_files_are_pruned_or_stay(run: Run, flags: list[str], word: str) -> None:
    code, out, _ = run("plan", "-f", "after", "--against", "dir:before", "-o", "json", *flags)

    assert (code, verdicts(out)) == (0, {"ConfigMap/settings": "unchanged", "Deployment/web": word})


def test_a_custom_resource_is_the_parent_of_a_set(change: Path, run: Run) -> None:
    for side in ("before", "after"):
        (change / side / "crd.json").write_text(json.dumps(PARENT_DEFINITION))
    flags = ("--prune", "--applyset=lamps.x.io/mine", "-n", "shop", "-o", "json")
    code, out, _ = run("plan", "-f", "after", "--against", "dir:before", *flags)
    unknown, _, err = run("plan", "-f", "after/settings.yaml", *flags)

    assert (code, verdicts(out)["Deployment/web"]) == (0, "pruned")
    assert (unknown, "--applyset=lamps.x.io/mine: problem: the kind of its parent is unknown" in err) == (
        3,
        True,
    )


def test_an_object_that_loses_its_label_is_pruned_despite_its_file(change: Path, run: Run) -> None:
    (change / "after" / "web.yaml").write_text(DEPLOYMENT)
    _, out, err = run("plan", "-f", "after", "--against", "dir:before", "-o", "json", "--prune", "-l", "app=shop")

    assert verdicts(out)["Deployment/web"] == "pruned"
    assert "skipped, not matching the selector: 1 object" in err


@pytest.mark.usefixtures("change")
def test_objects_deleted_with_a_pruned_object_are_reported(run: Run) -> None:
    _, out, _ = run("plan", "-f", "after", "--against", "dir:before", "--prune", "--all")

    assert "before/web.yaml:1:1: deployment.apps/web in shop: pruned\n    warning: its pods are stopped\n" in out


@pytest.mark.usefixtures("change")
def test_a_server_side_apply_is_predicted(run: Run) -> None:
    _, out, _ = run(
        "plan", "-f", "after", "--against", "dir:before", "-o", "json", "--server-side", "--field-manager=ci"
    )
    (settings,) = (item for item in json.loads(out)["objects"] if item["name"] == "settings")

    assert settings["verdict"] == "serverside-applied"
    assert settings["owners"][0]["manager"] == "ci"


@pytest.mark.usefixtures("change")
def test_flags_that_kubectl_rejects_are_usage_errors(run: Run) -> None:
    code, _, err = run("plan", "-f", "after", "--prune", "--all", "--selector", "a=b")

    assert code == 2
    assert "cannot set --all and --selector at the same time" in err


def test_flags_of_kubectl_apply_change_what_is_predicted(change: Path, run: Run) -> None:
    (change / "typo.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: typo}\ndta: {}\n")
    refused, _, _ = run("plan", "typo.yaml")
    _, out, _ = run("check", "typo.yaml", "--validate=false", "--grace-period=5")

    assert refused == 1
    assert "[unknown-field-dropped]" in out
    assert "[grace-period-without-deletion]" in out


def test_the_coverage_of_hazards_is_listed(run: Run) -> None:
    code, out, _ = run("rules", "--coverage")

    assert code == 0
    assert out.startswith("A1   ")
    assert [line.split(":")[0] for line in out.splitlines()[-2:]] == ["168 hazards", "75 issues that discuss them"]
    assert "not covered" not in out


def test_objects_of_a_snapshot_are_pruned(change: Path, run: Run) -> None:
    live = json.loads('{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "old", "namespace": "shop"}}')
    live["metadata"]["annotations"] = {"kubectl.kubernetes.io/last-applied-configuration": "{}"}
    (change / "prod.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [live]}))
    _, out, _ = run("plan", "-f", "after", "--against", "snapshot:prod.json", "--prune", "--all")

    assert "\nsecret/old in shop: pruned" in out


def test_objects_before_their_namespace_are_rejected(change: Path, run: Run) -> None:
    (change / "after" / "z.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n")
    code, out, _ = run("plan", "-f", "after")

    assert code == 1
    assert 'reason: namespaces "shop" not found' in out
    assert "remedy: apply everything again once the Namespace exists" in out


@pytest.mark.parametrize(
    ("argv", "fault"),
    [
        (["-k", "before"], "before: unable to find one of kustomization.yaml, kustomization.yml, Kustomization"),
        (["-k", "over", "-f", "after"], "the -k flag cannot be used with -f, -R or other files"),
        (["-k", "over", "-R"], "the -k flag cannot be used with -f, -R or other files"),
    ],
    ids=["no kustomization", "with files", "with -R"],
)
def test_a_kustomization_is_named_by_itself(change: Path, run: Run, argv: list[str], fault: str) -> None:
    (change / "over").mkdir()
    (change / "over" / "kustomization.yaml").write_text("resources: [../before]\n")

    code, _, err = run("plan", *argv)

    assert code == 2
    assert fault in err


def test_without_a_program_that_renders_it_a_kustomization_is_a_problem(
    change: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (change / "after" / "kustomization.yaml").write_text("resources: [settings.yaml]\n")
    monkeypatch.setenv("PATH", str(change))

    code, out, _ = run("plan", "-k", "after")

    assert code == 3
    assert "after/kustomization.yaml: problem: not rendered: rendering requires kustomize or kubectl, and" in out
