"""The command ``compare``: one change under several programs."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: shop}\ndata: {a: b}\n"


@pytest.fixture(name="change")
def _change(folder: Path) -> tuple[str, ...]:
    for side, names in (("before", ("kept", "gone")), ("after", ("kept",))):
        (folder / side).mkdir()
        (folder / side / "maps.yaml").write_text("---\n".join(MAP % name for name in names))
    return "after", "--against", "dir:before"


def test_programs_differ_in_objects_removed_from_the_files(run: Run, change: tuple[str, ...]) -> None:
    code, out, err = run("compare", *change)

    assert code == 0
    assert out.splitlines()[1:] == [
        "",
        "configmap/gone in shop (.)",
        "  kubectl, kubectl-server                            stays in the cluster",
        "  helm3, helm4, flux, argocd, kapp, helm-controller  deleted",
    ]
    assert err.count("compared with") == 1


def test_the_program_of_each_unit_can_be_compared(run: Run, folder: Path, change: tuple[str, ...]) -> None:
    source = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\n"
    for side in ("before", "after"):
        (folder / side / "flux.yaml").write_text(f"{source}spec: {{path: apps, prune: true}}\n")
        (folder / side / "apps").mkdir()
        (folder / side / "apps/kept.yaml").write_text(MAP % "also-kept")
    (folder / "before/apps/gone.yaml").write_text(MAP % "also-gone")
    code, out, _ = run("compare", *change, "--appliers", "kubectl,auto")

    assert (code, out.splitlines()[2:]) == (
        0,
        ["configmap/also-gone in shop (apps)", "  kubectl  stays in the cluster", "  auto     deleted"],
    )


def test_each_program_has_its_own_history(run: Run, change: tuple[str, ...]) -> None:
    _, out, _ = run("compare", *change, "--appliers", "kubectl-server,helm4", "-o", "json")
    report = json.loads(out)

    assert report["appliers"] == ["kubectl-server", "helm4"]
    effects = {one["name"]: [effect["effect"] for effect in one["effects"]] for one in report["objects"]}
    assert effects == {"gone": ["stays in the cluster", "deleted"]}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--appliers", "kubectl,terraform"),
            "--appliers: 'terraform' is not one of them; there are kubectl, kubectl-server,",
        ),
        (("--appliers", "kubectl"), "--appliers: name two at least; there are kubectl,"),
        (("-o", "sarif"), "--output: compare has no format sarif; it has text, json"),
        (("--against", "live"), "compare: specify the applied state: --against REVISION, or --against dir:PATH"),
    ],
)
def test_invalid_programs_and_formats_are_usage_errors(
    run: Run, change: tuple[str, ...], words: tuple[str, ...], message: str
) -> None:
    code, out, err = run("compare", *change, *words)

    assert (code, out) == (2, "")
    assert message in err


def test_values_of_secrets_are_masked(run: Run, folder: Path) -> None:
    for side, value in (("before", "b2xkLXNlY3JldA=="), ("after", "bmV3LXNlY3JldA==")):
        (folder / side).mkdir()
        text = MAP % "token" + f"---\napiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\ndata: {{key: {value}}}\n"
        (folder / side / "all.yaml").write_text(text)

    _, out, _ = run("compare", "after", "--against", "dir:before", "-o", "json")

    assert "c2VjcmV0" not in out
    assert [one["name"] for one in json.loads(out)["objects"]] == ["s"]
