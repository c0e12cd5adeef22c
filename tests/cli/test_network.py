"""``--allow-network``: remote bases are fetched into the store first, and kustomize renders the stored copies."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.sources.repositories import Repo
from tests.sources.store.git_server import GitServer, serving_git

Run = Callable[..., tuple[int, str, str]]
MANIFEST = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME}\n"
NESTED = "resources: [a.yaml, 'https://github.com/org/nested//x?ref=main']\n"


@pytest.fixture
def server(folder: Path, kubectl: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GitServer]:
    """A kustomization with remote bases, and a server that the trusted configuration names as a mirror."""
    (folder / "app").mkdir()
    (folder / "app" / "kustomization.yaml").write_text(
        "resources:\n- https://github.com/org/base//config?ref=main\n- https://github.com/org/raw/far.yaml\n"
    )
    monkeypatch.setenv("PATH", str(kubectl.parent), prepend=":")
    monkeypatch.setenv("APPLYLINT_CACHE_DIR", str(folder / "cache"))
    monkeypatch.setenv("https_proxy", "http://proxy.example.com")
    with serving_git(folder / "served") as found:
        texts = {"config/kustomization.yaml": NESTED, "config/a.yaml": MANIFEST.replace("NAME", "near")}
        found.repository("org/base", texts)
        nested = {"x/kustomization.yaml": "resources: [b.yaml]\n", "x/b.yaml": MANIFEST.replace("NAME", "nested")}
        found.repository("org/nested", nested)
        found.special["/org/raw/far.yaml"] = (200, {}, MANIFEST.replace("NAME", "far").encode())
        (folder / "trusted.yaml").write_text(f"mirrors: {{github.com: 'http://127.0.0.1:{found.port}'}}\n")
        yield found


def test_a_missing_base_is_one_problem_with_its_place_and_the_command(run: Run, server: GitServer) -> None:
    code, out, err = run("check", "-k", "app", "--config", "trusted.yaml")

    assert code == 3
    assert (
        "app/kustomization.yaml:2:3: problem: not rendered: resources[0]:"
        " https://github.com/org/base//config?ref=main: it is not in the store; download it with applylint fetch"
    ) in out + err
    assert server.requests == []


def test_bases_are_fetched_first_and_rendered_offline(run: Run, server: GitServer) -> None:
    code, out, err = run("render", "-k", "app", "--allow-network", "--config", "trusted.yaml")
    number = len(server.requests)
    again = run("render", "-k", "app")

    assert (code, err) == (0, "")
    assert sorted(line for line in out.splitlines() if "name:" in line) == [
        "  name: far",
        "  name: near",
        "  name: nested",
    ]
    assert again[:2] == (0, out)
    assert len(server.requests) == number


def test_nested_bases_are_fetched_in_rounds_and_packed(run: Run, folder: Path, server: GitServer) -> None:
    first = run("fetch", "app", "--config", "trusted.yaml", "-o", "bases.store")
    (folder / "cache").rename(folder / "old")
    offline = run("render", "app", "--store", "bases.store")
    again = run("fetch", "app", "--store", "bases.store")

    assert first[0] == 0
    assert "fetched https://github.com/org/nested nested main -> " in first[1]
    assert offline[0] == 0
    assert "name: nested" in offline[1]
    assert again == (0, "3 stored\n", "")


def test_update_fetches_a_branch_again(run: Run, server: GitServer) -> None:
    run("fetch", "app", "--config", "trusted.yaml")

    Repo(server.root / "org/nested").commit({"x/b.yaml": MANIFEST.replace("NAME", "later")})
    unchanged = run("render", "-k", "app")[1]
    run("fetch", "app", "--config", "trusted.yaml", "--update")

    assert "name: later" not in unchanged
    assert "name: later" in run("render", "-k", "app")[1]


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("text", ["allow-network: true\n", "allow_network: true\n"])
def test_no_configuration_allows_it(run: Run, folder: Path, text: str) -> None:
    (folder / ".applylint.yaml").write_text(text)

    assert run("check", "-k", "app")[0] in (2, 3)


@pytest.mark.usefixtures("server")
def test_no_variable_allows_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPLYLINT_ALLOW_NETWORK", "true")

    assert run("check", "-k", "app")[0] in (2, 3)
