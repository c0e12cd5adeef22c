"""The commands about ownership, as users run them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
LIVE = ("--against", "snapshot:prod.json")


@pytest.mark.parametrize(
    "argv",
    [["deploy/web", "-n", "shop"], ["-f", "web.yaml"], ["-A"], ["-n", "shop"], ["deploy", "web", "-n", "shop"]],
    ids=" ".join,
)
def test_owners_are_listed_for_named_described_and_applied_objects(run: Run, argv: list[str]) -> None:
    code, out, _ = run("owners", *argv, *LIVE)

    assert code == 0
    assert out.startswith("deployment.apps/web in shop: 0 managers, ")


def test_owners_name_their_source(run: Run) -> None:
    assert (
        run("owners", "deploy/web", "-n", "shop", *LIVE)[2]
        == "applylint: read from snapshot prod.json (written today)\n"
    )


def test_a_named_object_that_is_not_there_leaves_the_answer_incomplete(run: Run) -> None:
    code, out, _ = run("owners", "deploy/web", *LIVE)

    assert code == 3
    assert out == (
        "deploy/web: problem: object not found in snapshot prod.json; check the namespace (-n), now default\n"
    )


def test_a_misspelled_kind_is_reported(run: Run) -> None:
    code, out, _ = run("owners", "deply/web", *LIVE)

    assert code == 3
    assert out == "snapshot prod.json: problem: there is no kind 'deply'; did you mean deploy?\n"


def test_a_described_object_that_is_not_there_is_no_problem(run: Run) -> None:
    code, out, err = run("owners", "-f", "settings.yaml", *LIVE)

    assert (code, out) == (0, "")
    assert err.endswith("applylint: configmap/settings does not exist, so it has no owners\n")


def test_owners_as_json_go_to_a_file(run: Run, folder: Path) -> None:
    code, out, _ = run("owners", "deploy/web", "-n", "shop", "--by=field", *LIVE, "-o", "json=o.json")

    assert (code, out) == (0, "")
    assert json.loads((folder / "o.json").read_text())["objects"][0]["fields"][0]["managers"] == []


def test_problems_are_reported_without_a_terminal(run: Run) -> None:
    assert "problem: object not found in snapshot prod.json" in run("owners", "cm/x", *LIVE, "-o", "json")[2]


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["deploy/web"], "owners needs live objects: pass --against live or --against snapshot:FILE"),
        (["deploy", *LIVE], "'deploy' is not an object; write it like deployment/web"),
        (["deploy/web", "-f", "web.yaml", *LIVE], "owners: pass live objects, or files with -f, not both"),
        (["deploy/web", "-o", "sarif", *LIVE], "--output: owners has no form sarif; it has text, json"),
    ],
    ids=["no state", "no object", "both", "form"],
)
def test_wrong_use(run: Run, argv: list[str], line: str) -> None:
    assert run("owners", *argv) == (2, "", f"applylint: {line}\n")


def test_an_unreadable_snapshot_leaves_the_answer_incomplete(run: Run) -> None:
    code, _, err = run("owners", "deploy/web", "--against", "snapshot:no.json", "--allow-unreachable")

    assert code == 3
    assert err == "applylint: the live state is unknown: ownership cannot be determined\n"


@pytest.mark.parametrize("files", [[], ["-f", "web.yaml"], ["-f", "."]], ids=["named", "file", "folder"])
def test_why_a_field_is_what_it_is(run: Run, files: list[str]) -> None:
    code, out, _ = run("why", "deploy/web", "spec.replicas", "-n", "shop", *files, *LIVE)

    assert code == 0
    assert out.startswith("spec.replicas of deployment.apps/web in shop: 1\n")


def test_why_leaves_out_what_is_wrong_with_other_objects_of_the_files(run: Run, folder: Path) -> None:
    (folder / "data.yaml").write_text(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: far, namespace: data}\n---\n"
        "apiVersion: v1\nkind: Deployment\nmetadata: {name: web, namespace: data}\n"
    )

    code, out, _ = run("why", "deploy/web", "spec.replicas", "-n", "shop", "-f", ".", *LIVE)

    assert (code, "problem" in out) == (0, False)


def test_why_reports_a_manifest_of_another_namespace(run: Run) -> None:
    code, out, _ = run("why", "deploy/web", "spec.replicas", "-n", "data", "-f", "web.yaml,settings.yaml", *LIVE)

    assert code == 3
    assert out == (
        "web.yaml:1:1: problem: deployment.apps/web names the namespace shop, so that kubectl apply -n data rejects it;"
        " leave -n out, or apply it with -n shop\n"
        "web.yaml, settings.yaml: problem: contains no manifest of deploy/web; pass its file, or omit -f\n"
    )


def test_why_takes_an_object_in_two_words_and_no_second_one(run: Run) -> None:
    assert run("why", "deploy", "web", "spec.replicas", "-n", "shop", *LIVE)[0] == 0
    assert run("why", "deploy/web", "svc/web", "spec.replicas", *LIVE) == (
        2,
        "",
        "applylint: why: pass one object, not 2\n",
    )


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (
            ["spec.replcas"],
            "deployment.apps/web: problem: there is no field spec.replcas, and no manifest sets it; owners --by field"
            " lists the fields\n",
        ),
        (
            ["spec.replicas", "-f", "settings.yaml"],
            "settings.yaml: problem: contains no manifest of deploy/web; pass its file, or omit -f\n",
        ),
    ],
    ids=["no field", "not in the file"],
)
def test_why_reports_what_it_cannot_determine(run: Run, argv: list[str], line: str) -> None:
    code, out, _ = run("why", "deploy/web", *argv, "-n", "shop", *LIVE)

    assert (code, out) == (3, line)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("", "the path is empty; write it like spec.replicas"),
        ("a.[", "not a field path: 'a.[' (at character 2)"),
    ],
)
def test_why_takes_a_path(run: Run, path: str, line: str) -> None:
    assert run("why", "deploy/web", path, *LIVE) == (2, "", f"applylint: {line}\n")


def test_migrate_plans_the_way(run: Run) -> None:
    code, out, _ = run("migrate", "-f", "settings.yaml", *LIVE)

    assert code == 0
    assert out.startswith(
        "configmap/settings in shop: does not exist yet\n  1. kubectl apply --server-side -f settings"
    )


@pytest.mark.parametrize(("flags", "code"), [([], 1), (["--exit-zero"], 0), (["nothing.yaml"], 3)])
def test_migrate_ends_with_1_for_a_step_that_is_rejected(run: Run, flags: list[str], code: int) -> None:
    assert run("migrate", "web.yaml", *flags, "--to", "server", "-o", "json", *LIVE)[0] == code


@pytest.mark.parametrize(
    ("flags", "first"),
    [
        (["--to", "helm4"], "helm upgrade --install RELEASE CHART -n shop"),
        (["--to", "flux"], "flux reconcile kustomization KUSTOMIZATION -n flux-system"),
        (["--to", "argocd", "--from", "kubectl"], "argocd app sync APPLICATION"),
    ],
)
def test_migrate_plans_the_way_to_other_programs(run: Run, flags: list[str], first: str) -> None:
    code, out, _ = run("migrate", "settings.yaml", *flags, *LIVE)

    assert code in (0, 1)
    assert f"  1. {first}\n" in out


def test_migrate_says_where_an_object_does_not_come_from(run: Run) -> None:
    code, out, _ = run("migrate", "settings.yaml", "--from", "helm3", "--to", "helm4", *LIVE)

    assert code == 1
    assert "belongs to no Helm release" in out


def test_migrate_takes_files(run: Run) -> None:
    line = "applylint: migrate needs files: pass them with -f\n"

    assert run("migrate", *LIVE) == (2, "", line)


@pytest.mark.parametrize(
    ("argv", "code", "start"),
    [
        (["spec.template.spec.containers[0].image", "--to", "flux"], 0, "# last-applied has spec.template"),
        (["spec.replicas", "--to", "hpa"], 0, "# done: no manager applies spec.replicas;"),
        (["spec.paused", "--to", "hpa"], 1, "# no safe step: spec.paused has no value"),
        (["spec.paused", "--to", "hpa", "--exit-zero"], 0, "# no safe step: "),
        (
            ["spec.replicas", "--to", "hpa", "-f", "settings.yaml"],
            3,
            "settings.yaml: problem: contains no manifest of deploy/web",
        ),
    ],
    ids=["step", "done", "blocked", "exit zero", "not in the file"],
)
def test_handover_prints_the_next_step(run: Run, argv: list[str], code: int, start: str) -> None:
    ended, out, _ = run("handover", "deploy/web", *argv, "-n", "shop", *LIVE)

    assert (ended, out.startswith(start)) == (code, True), out


def test_adopt_plans_the_way_of_files_and_of_live_objects(run: Run) -> None:
    code, out, _ = run("adopt", "-f", "settings.yaml", *LIVE)
    assert code == 0
    assert out.startswith("configmap/settings in shop: does not exist yet\n  1. kubectl diff -f settings.yaml\n")

    code, out, _ = run("adopt", "deploy/web", "-n", "shop", *LIVE)

    assert code == 0
    assert "kubectl apply view-last-applied deployment.apps/web -n shop -o yaml > deployment_web.yaml" in out


def test_adopt_fails_where_a_step_is_rejected(run: Run) -> None:
    argv = ("adopt", "-f", "web.yaml", *LIVE)

    assert (run(*argv)[0], run(*argv, "--exit-zero")[0]) == (1, 0)


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        ([], 2, "adopt needs manifests or live objects: pass files, or objects like deploy/web"),
        (["-f", "web.yaml", "-o", "sarif"], 2, "--output: adopt has no form sarif; it has text, json"),
        (["-f", "web.yaml", "-f", "no.yaml"], 3, 'problem: the path "no.yaml" does not exist'),
    ],
    ids=["nothing", "form", "unreadable"],
)
def test_adopt_reports_what_it_cannot_determine(run: Run, argv: list[str], code: int, words: str) -> None:
    ended, out, err = run("adopt", *argv, *LIVE)

    assert ended == code
    assert words in out + err
