"""``--allow-network``: the caller says it, and nothing that a repository holds."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sources.render.test_kustomize import program

Run = Callable[..., tuple[int, str, str]]
MANIFEST = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: far}\n"


@pytest.fixture(name="remote", autouse=True)
def _remote(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A kustomization with an address in it, and a program that tells its proxy instead of using it."""
    (folder / "app").mkdir()
    (folder / "bin").mkdir()
    (folder / "app" / "kustomization.yaml").write_text("resources:\n- https://example.com/far.yaml\n")
    (folder / "far.yaml").write_text(MANIFEST)
    program(
        folder, "kustomize", f'echo "# $https_proxy"; cat {folder}/far.yaml; echo "data: {{proxy: \\"$https_proxy\\"}}"'
    )
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("https_proxy", "http://proxy.example.com")
    return folder


def test_an_address_is_one_problem_with_its_place_and_the_flag(run: Run) -> None:
    code, out, err = run("check", "-k", "app")

    assert code == 3
    assert (
        "app/kustomization.yaml:2:3: problem: not rendered: resources[0]: https://example.com/far.yaml: kustomize"
        " treats it as a URL, and nothing is fetched"
    ) in out + err
    assert "allow it with --allow-network" in out + err


def test_the_caller_may_allow_it_for_one_run(run: Run) -> None:
    code, out, _ = run("plan", "-k", "app", "--allow-network", "-o", "json")

    assert code == 0
    assert "http://proxy.example.com" in out
    assert run("check", "-k", "app")[0] == 3


@pytest.mark.parametrize("text", ["allow-network: true\n", "allow_network: true\n"])
def test_no_configuration_allows_it(run: Run, remote: Path, text: str) -> None:
    (remote / ".applylint.yaml").write_text(text)

    assert run("check", "-k", "app")[0] in (2, 3)


def test_no_variable_allows_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPLYLINT_ALLOW_NETWORK", "true")

    assert run("check", "-k", "app")[0] in (2, 3)
