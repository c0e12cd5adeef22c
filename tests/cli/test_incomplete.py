"""Units that the configuration accepts as incomplete, from the command line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sources.repositories import Repo, create

Run = Callable[..., tuple[int, str, str]]
pytestmark = pytest.mark.slow  # git runs in every test

SETTINGS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
FAR = {"app/kustomization.yaml": "resources: [https://example.com/x]\nnamespace: b\n"}
ACCEPTS = "incomplete: [{unit: app, reason: fetched elsewhere}]\n"


@pytest.mark.parametrize(
    ("before", "flags", "code"),
    [
        pytest.param({".applylint.yaml": ACCEPTS}, [], 0, id="the earlier revision has the entry"),
        pytest.param({}, [], 3, id="the change adds the entry"),
        pytest.param({}, ["--config", ".applylint.yaml"], 0, id="the configuration is trusted"),
        pytest.param({".applylint.yaml": ACCEPTS}, ["--no-ignores"], 3, id="no ignores"),
    ],
)
def test_a_change_of_an_accepted_unit_passes(
    run: Run, repo: Repo, before: dict[str, str], flags: list[str], code: int
) -> None:
    repo.commit({**FAR, **before})
    repo.write({"app/kustomization.yaml": "resources: [https://example.com/x]\n", ".applylint.yaml": ACCEPTS})

    assert run("check", "--against", "HEAD", *flags)[0] == code


def test_an_accepted_unit_is_counted_each_time(run: Run, repo: Repo) -> None:
    repo.commit({**FAR, ".applylint.yaml": ACCEPTS})
    for _ in range(2):
        code, out, _ = run("check", ".")

        assert (code, out.splitlines()[0]) == (0, "no findings in 0 objects; accepted as incomplete: 1 unit")
    (unit,) = json.loads(run("check", ".", "-o", "json")[1])["units"]
    assert (unit["compared"], unit["accepted"]) == ("no", "fetched elsewhere")
    assert unit["reason"].startswith("not rendered: ")


def test_a_submodule_is_counted(run: Run, repo: Repo, tmp_path: Path) -> None:
    library = create(tmp_path / "library")
    library.commit({"lib.yaml": SETTINGS})
    repo.commit({"a/a.yaml": SETTINGS})
    repo.git("submodule", "--quiet", "add", str(library.folder), "vendor/lib")

    assert "skipped non-manifests: 1 × submodule" in run("check", ".")[2]
    assert "submodule" not in run("check", "a")[2]
