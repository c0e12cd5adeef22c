"""Places that a document refers to."""

from pathlib import Path

import pytest

from kubectl_applylint.cli.editor.definitions import definitions, field_at
from kubectl_applylint.cli.editor.texts import OpenText, path_of, uri_of
from kubectl_applylint.core.paths import render
from tests.cli.editor.test_unit_checks import SERVICE, WEB, checker
from tests.sources.repositories import Repo, create

pytestmark = pytest.mark.slow  # git runs

FLUX = (
    "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\n"
    "spec: {path: ./app, sourceRef: {kind: GitRepository, name: repo}}\n"
)
SOURCE = (
    "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: repo, namespace: flux-system}\n"
)
RELEASE = (
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\n"
    "spec: {chart: {spec: {chart: ./charts/web}}}\n"
)
FILES = {
    "app/kustomization.yaml": "resources:\n- web.yaml\n- ../base\n- absent.yaml\n",
    "app/web.yaml": WEB,
    "app/service.yaml": SERVICE,
    "other/web.yaml": WEB,
    "base/kustomization.yaml": "resources: []\n",
    "plain/a.yaml": SERVICE,
    "flux/apps.yaml": FLUX,
    "flux/source.yaml": SOURCE,
    "flux/release.yaml": RELEASE,
    "charts/web/Chart.yaml": "name: web\nversion: 1.0.0\n",
}


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    repo = create(tmp_path / "repo")
    repo.commit(FILES)
    monkeypatch.chdir(repo.folder)
    return repo


def place_of_word(text: str, word: str) -> tuple[int, int]:
    line = next(number for number, one in enumerate(text.split("\n")) if word in one)
    return line, text.split("\n")[line].index(word) + 1


def targets(repo: Repo, file: str, word: str, text: str = "") -> list[tuple[str, int]]:
    document = OpenText(uri_of(str(repo.folder / file)), text or FILES[file])
    place = checker(repo).place(document, [document])
    assert place
    found = definitions(document, place_of_word(document.text, word), place)
    return [(str(Path(path_of(one["uri"])).relative_to(repo.folder)), one["range"]["start"]["line"]) for one in found]


@pytest.mark.parametrize(
    ("file", "word", "found"),
    [
        ("app/kustomization.yaml", "web.yaml", [("app/web.yaml", 0)]),
        ("app/kustomization.yaml", "../base", [("base/kustomization.yaml", 0)]),
        ("app/kustomization.yaml", "absent", []),
        ("flux/apps.yaml", "./app", [("app/kustomization.yaml", 0)]),
        ("flux/apps.yaml", "repo", [("flux/source.yaml", 2)]),
        ("flux/release.yaml", "./charts/web", [("charts/web/Chart.yaml", 0)]),
        ("flux/release.yaml", "metadata", []),
        ("app/web.yaml", "app: web", [("app/web.yaml", 6)]),
    ],
)
def test_a_field_leads_to_its_definition(repo: Repo, file: str, word: str, found: list[tuple[str, int]]) -> None:
    assert targets(repo, file, word) == found


def test_a_directory_without_a_main_file_leads_to_its_first_manifest(repo: Repo) -> None:
    assert targets(repo, "flux/apps.yaml", "./plain", FLUX.replace("./app", "./plain")) == [("plain/a.yaml", 0)]
    assert targets(repo, "flux/apps.yaml", "./absent", FLUX.replace("./app", "./absent")) == []


def test_targets_in_the_unit_come_first(repo: Repo) -> None:
    repo.write({"app/kustomization.yaml": "resources: [web.yaml, service.yaml]\n"})

    assert targets(repo, "app/service.yaml", "selector") == [("app/web.yaml", 6)]


def test_a_document_alone_refers_to_its_own_objects() -> None:
    document = OpenText("untitled:1", f"{WEB}---\n{SERVICE}")
    (found,) = definitions(document, place_of_word(document.text, "selector: {app"), None)

    assert (found["uri"], found["range"]["start"]["line"]) == ("untitled:1", 6)
    assert definitions(OpenText("untitled:1", FLUX), place_of_word(FLUX, "./app"), None) == []
    assert definitions(document, (99, 0), None) == []


def test_positions_count_in_utf_16() -> None:
    text = "apiVersion: v1\nkind: A\nmetadata: {name: '\N{GRINNING FACE}', namespace: b}\n"
    found = field_at(OpenText("untitled:1", text), (2, 34))

    assert found
    assert render(found[1]) == "metadata.namespace"
