"""Checks of a document within its unit."""

from pathlib import Path

import pytest

from kubectl_applylint.cli.editor.checks import CheckedText
from kubectl_applylint.cli.editor.settings import checker_of
from kubectl_applylint.cli.editor.texts import OpenText, uri_of
from kubectl_applylint.cli.editor.unit_checks import UnitChecker
from kubectl_applylint.cli.parsing.arguments import parse
from kubectl_applylint.cli.unreached import UnreachedError
from kubectl_applylint.core.values import Json
from tests.sources.repositories import Repo, create

pytestmark = pytest.mark.slow  # git runs

WEB = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {app: web}}\n"
    "  template:\n    metadata: {labels: {app: web}}\n"
    "    spec: {containers: [{name: web, image: web, ports: [{containerPort: 80, name: http}]}]}\n"
)
SERVICE = (
    "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n"
    "spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}]}\n"
)
CHANGED = "selector-change-rejected"
LOST = "service-port-names-no-container-port"


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    repo = create(tmp_path / "repo")
    repo.commit({"app/web.yaml": WEB, "app/service.yaml": SERVICE, "alone.yaml": SERVICE})
    monkeypatch.chdir(repo.folder)
    return repo


def document(repo: Repo, file: str, text: str) -> OpenText:
    return OpenText(uri_of(str(repo.folder / file)), text)


def checker(repo: Repo, **settings: Json) -> UnitChecker:
    return UnitChecker(checker_of(parse("applylint", ["lsp"]), settings), [str(repo.folder)])


def codes(found: CheckedText | None) -> list[str]:
    assert found
    return [one["code"] for one in found.diagnostics]


def test_objects_of_the_unit_are_known_with_their_unsaved_texts(repo: Repo) -> None:
    service = document(repo, "app/service.yaml", SERVICE)
    checks = checker(repo)

    assert codes(checks.check(service, [service])) == []
    renamed = document(repo, "app/web.yaml", WEB.replace("name: http", "name: www"))
    assert codes(checks.check(service, [service, renamed])) == [LOST]
    assert codes(checks.check(service, [service])) == []


def test_a_change_since_a_revision_is_found(repo: Repo) -> None:
    edited = document(repo, "app/web.yaml", WEB.replace("app: web", "app: site"))
    checks = checker(repo, against="HEAD")

    assert CHANGED in codes(checks.check(edited, [edited]))
    same = document(repo, "app/web.yaml", WEB)
    assert codes(checks.check(same, [same])) == []


def test_the_compared_revision_is_read_again_only_when_it_is_another_one(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = tmp_path / "trace"
    monkeypatch.setenv("GIT_TRACE", str(trace))
    one, other = (document(repo, "app/web.yaml", WEB.replace("app: web", f"app: {name}")) for name in ("a", "b"))
    checks = checker(repo, against="HEAD")
    checks.check(one, [one])
    trace.write_text("")

    assert CHANGED in codes(checks.check(other, [other]))
    assert [line.rpartition("git ")[2] for line in trace.read_text().splitlines()] == ["cat-file --batch-check"]
    repo.commit({"app/web.yaml": other.text})
    assert codes(checks.check(other, [other])) == []


CUSTOM = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: small}
spec: {size: 1}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: web}
---
"""
UNIT = f"{CUSTOM}{WEB}---\n{SERVICE}"
EDITS = (
    ("size: 1", "size: true"),
    ("size: true", "size: 1.0"),
    ("size: 1.0", "size: 1"),
    ("{type: integer}", "{type: string}"),
    ("kind: ServiceAccount\nmetadata: {name: web}", "kind: ServiceAccount\nmetadata: {name: site}"),
    ("containers: [", "serviceAccountName: web, containers: ["),
    ("name: http", "name: www"),
    ("{type: string}", "{type: integer}"),
    ("apiVersion: apiextensions", "# moved\napiVersion: apiextensions"),
    ("scope: Namespaced", "scope: Cluster"),
    ("kind: Widget\nmetadata", "kind: Gadget\nmetadata"),
    ("port: 80,", "port: '80',"),
)


@pytest.mark.parametrize("against", ["none", "HEAD"])
def test_the_diagnostics_after_edits_are_those_of_a_new_check(repo: Repo, against: str) -> None:
    repo.commit({"app/web.yaml": UNIT, "app/service.yaml": None})
    checks, text = checker(repo, against=against), UNIT
    for before, after in EDITS:
        assert before in text
        text = text.replace(before, after, 1)
        edited = document(repo, "app/web.yaml", text)
        found, expected = (one.check(edited, [edited]) for one in (checks, checker(repo, against=against)))
        assert found
        assert expected
        assert found.diagnostics == expected.diagnostics


def test_a_snapshot_is_read_once_until_it_may_have_changed(repo: Repo) -> None:
    repo.write({"live.yaml": WEB.replace("app: web", "app: site")})
    web = document(repo, "app/web.yaml", WEB)
    checks = checker(repo, against="snapshot:live.yaml")

    assert CHANGED in codes(checks.check(web, [web]))
    repo.write({"live.yaml": None})
    assert CHANGED in codes(checks.check(web, [web]))
    checks.forget()
    with pytest.raises(UnreachedError):
        checks.check(web, [web])


def test_a_kustomization_is_rendered_with_unsaved_texts(
    repo: Repo, kubectl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(kubectl.parent), prepend=":")
    repo.write({"app/kustomization.yaml": "resources: [web.yaml, service.yaml]\n"})
    web = document(repo, "app/web.yaml", WEB.replace("app: web}}", "app: site}}"))
    found = checker(repo).check(web, [web])

    assert found
    assert [run.unit.form.value for run in found.runs.each if run.unit] == ["kustomization"]


@pytest.mark.parametrize("file", ["app/new.yaml", "../outside.yaml", "absent/web.yaml"])
def test_a_file_without_a_unit_is_left_to_a_check_of_its_text(repo: Repo, file: str) -> None:
    repo.write({"../outside.yaml": WEB})
    found = document(repo, file, WEB)

    assert checker(repo).check(found, [found]) is None


def test_a_document_without_a_file_is_left_to_a_check_of_its_text(repo: Repo) -> None:
    found = OpenText("untitled:1", WEB)

    assert checker(repo).check(found, [found]) is None


def test_a_new_kustomization_changes_the_units(repo: Repo) -> None:
    repo.write({"app/kustomization.yaml": "resources: [web.yaml]\n"})
    service = document(repo, "app/service.yaml", SERVICE)
    more = document(repo, "app/kustomization.yaml", "resources: [web.yaml, service.yaml]\n")
    checks = checker(repo)
    roots = [
        [run.unit.form.value for run in found.runs.each if run.unit]
        for texts in ([service], [service, more])
        if (found := checks.check(service, texts))
    ]

    assert roots == [["file"], ["kustomization"]]


def test_a_file_that_git_ignores_is_checked_beside_those_that_it_has(repo: Repo) -> None:
    wrong = SERVICE.replace("port: 80", "port: '80'")
    repo.write({".gitignore": "ignored.yaml\n", "app/ignored.yaml": wrong})
    service, ignored = document(repo, "app/service.yaml", SERVICE), document(repo, "app/ignored.yaml", wrong)
    checks = checker(repo)

    assert codes(checks.check(service, [service])) == []
    assert codes(checks.check(ignored, [ignored])) == ["value-of-wrong-type-rejected"]
