"""Units with parts that are not rendered, from the command line."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.cli.conftest import DEPLOYMENT
from tests.sources.repositories import Repo

Run = Callable[..., tuple[int, str, str]]
SETTINGS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: b}\n"
KUSTOMIZATION = """\
resources:
- web.yaml
- settings.yaml
- https://example.com/far.yaml
- gone.yaml
images:
- {name: web, newTag: "2"}
patches:
- patch: "{apiVersion: v1, kind: Service, metadata: {name: far}, spec: {type: NodePort}}"
"""
FILES = {"app/kustomization.yaml": KUSTOMIZATION, "app/web.yaml": DEPLOYMENT, "app/settings.yaml": SETTINGS}


@pytest.fixture(name="base")
def _base(repo: Repo, kubectl: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Return a repository with a kustomization that has holes."""
    monkeypatch.setenv("PATH", str(kubectl.parent), prepend=":")
    repo.commit(FILES)
    return repo


def encrypted_manifest(text: str, mac: str = "1", kind: str = "Secret") -> str:
    """Return a manifest as SOPS writes it."""
    return (
        f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: token}}\n"
        f"data: {{a: 'ENC[AES256_GCM,data:{text},iv:a,tag:b,type:str]'}}\nsops: {{mac: '{mac}', version: '3.9.0'}}\n"
    )


SOPS = {
    "resource": {"app/kustomization.yaml": "resources: [secret.yaml, web.yaml]\nnamespace: shop\n"},
    "ksops": {
        "app/kustomization.yaml": "resources: [web.yaml]\ngenerators: [ksops.yaml]\nnamespace: shop\n",
        "app/ksops.yaml": "apiVersion: viaduct.ai/v1\nkind: ksops\nmetadata: {name: x}\nfiles: [./secret.yaml]\n",
    },
    "folder": {},
}


@pytest.mark.parametrize("kind", ["Secret", "ConfigMap"])
@pytest.mark.parametrize("files", SOPS.values(), ids=SOPS)
def test_values_that_sops_has_encrypted_are_compared(
    files: Mapping[str, str], kind: str, run: Run, repo: Repo, kubectl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(kubectl.parent), prepend=":")
    repo.commit({**files, "app/web.yaml": DEPLOYMENT, "app/secret.yaml": encrypted_manifest("abc", kind=kind)})
    repo.write({"app/secret.yaml": encrypted_manifest("xyz", "2", kind)})

    code, out, _ = run("plan", "--against", "HEAD")
    html = run("plan", "--against", "HEAD", "-o", "html", "-v9")[1] + run("plan", "--against", "HEAD", "-o", "json")[1]

    assert code == 0
    assert "app/secret.yaml:1:1" in out
    assert '~ data.a: "encrypted" → "changed (encrypted)"' in out
    assert not any(word in out + html for word in ("xyz", "AES256", "RU5DW0"))


FLUX = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: app, namespace: flux-system}
spec:
  path: ./app
  sourceRef: {kind: GitRepository, name: flux-system}
  decryption: {provider: sops}
"""


@pytest.mark.parametrize("files", [{}, {"clusters/app.yaml": FLUX}], ids=["kubectl", "Flux"])
def test_an_encrypted_number_may_be_any_number(files: Mapping[str, str], run: Run, repo: Repo) -> None:
    number = "'ENC[AES256_GCM,data:abc,iv:a,tag:b,type:int]'"
    web = DEPLOYMENT.replace("spec:\n", f"spec:\n  replicas: {number}\n", 1)
    web += "sops: {mac: '1', version: '3.9.0'}\n"
    repo.commit({**files, "app/web.yaml": web})
    repo.write({"app/web.yaml": web.replace("web:2", "web:3").replace("mac: '1'", "mac: '2'")})

    code, out, _ = run("plan", "--against", "HEAD")

    assert code == 0
    assert "deployment.apps/web in shop: configured, its pods restart" in out


@pytest.mark.parametrize("files", SOPS.values(), ids=SOPS)
def test_another_encryption_of_the_same_values_is_no_change(
    files: Mapping[str, str], run: Run, repo: Repo, kubectl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(kubectl.parent), prepend=":")
    repo.commit({**files, "app/web.yaml": DEPLOYMENT, "app/secret.yaml": encrypted_manifest("abc")})
    repo.write({"app/secret.yaml": encrypted_manifest("abc", "2")})

    assert run("plan", "--against", "HEAD")[:2] == (0, "no changes\n")


def edit_kustomization(old: str, new: str) -> Mapping[str, str]:
    assert old in KUSTOMIZATION
    return {"app/kustomization.yaml": KUSTOMIZATION.replace(old, new)}


def plan(run: Run) -> tuple[int, dict[str, object], str]:
    code, _, notes = run("plan", "--against", "HEAD", "-o", "json=out.json")
    (unit,) = json.loads(Path("out.json").read_text())["units"]
    return code, unit, notes


def test_the_rest_of_a_unit_with_the_same_holes_is_compared(run: Run, base: Repo) -> None:
    base.write(edit_kustomization('newTag: "2"', 'newTag: "3"'))

    code, unit, notes = plan(run)

    assert (code, unit["compared"], unit["reason"]) == (0, "yes", "")
    assert [(hole["path"], hole["changed"]) for hole in unit["holes"]] == [  # type: ignore[attr-defined]
        ("app/kustomization.yaml:4:3", False),
        ("app/kustomization.yaml:5:3", False),
    ]
    assert [(one["name"], one["verdict"]) for one in unit["objects"]] == [("web", "configured")]  # type: ignore[attr-defined]
    assert notes.count("app/kustomization.yaml:4:3: 2 of 4 resources were not rendered: resources[2]: https://") == 1


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("far.yaml", "further.yaml", [True, False]),
        ("- gone.yaml\n", "", [False, True]),
        ("- gone.yaml\n", "- gone.yaml\n- new.yaml\n", [False, False, True]),
        ("type: NodePort", "type: ClusterIP", [True, True]),
        ("images:", "namePrefix: x-\nimages:", [True, True]),
    ],
    ids=["another URL", "gone", "new", "patch of a missing object", "prefix"],
)
def test_a_change_of_a_hole_is_never_passed_over(old: str, new: str, changed: list[bool], run: Run, base: Repo) -> None:
    base.write(edit_kustomization(old, new))

    code, unit, _ = plan(run)

    assert (code, unit["compared"]) == (3, "partly")
    assert "not compared, as it" in str(unit["reason"])
    assert [hole["changed"] for hole in unit["holes"]] == changed  # type: ignore[attr-defined]


@pytest.mark.parametrize("is_deleted", [True, False], ids=["deleted", "no longer listed"])
def test_an_object_that_leaves_a_unit_with_holes_may_be_removed(is_deleted: bool, run: Run, base: Repo) -> None:
    base.write({"app/settings.yaml": None} if is_deleted else edit_kustomization("- settings.yaml\n", ""))

    code, unit, _ = plan(run)

    assert code == (3 if is_deleted else 0)
    assert [(one["name"], one["verdict"]) for one in unit["objects"]] == [("settings", "may be removed")]  # type: ignore[attr-defined]
    assert "may be removed" in run("plan", "--against", "HEAD")[1]


def test_a_unit_that_is_accepted_as_incomplete_may_have_changed_holes(run: Run, base: Repo) -> None:
    base.commit({".applylint.yaml": "incomplete: [{unit: app, reason: rendered in CI}]\n"})
    base.write(edit_kustomization("far.yaml", "further.yaml"))

    code, unit, _ = plan(run)

    assert (code, unit["compared"], unit["accepted"]) == (0, "partly", "rendered in CI")


@pytest.mark.parametrize(("entry", "code"), [("", 3), ("- gone.yaml\n", 0)], ids=["missing file", "remote base"])
def test_without_a_comparison_a_missing_file_is_a_problem(entry: str, code: int, run: Run, base: Repo) -> None:
    base.write(edit_kustomization(entry, "") if entry else {})

    found, out, notes = run("check", ".", "--against", "none")

    assert found == code
    assert "1 of 3 resources were not rendered: resources[2]" in notes.replace("of 4", "of 3")
    assert ("app/kustomization.yaml:5:3: problem: not rendered: resources[3]: gone.yaml" in out) is (code == 3)


CHART = {
    "c/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n"
    "dependencies: [{name: redis, version: 1.0.0, repository: 'https://example.com', condition: redis.enabled}]\n",
    "c/values.yaml": "redis: {enabled: false}\na: b\n",
    "c/templates/a.yaml": SETTINGS.replace("a: b", "a: '{{ .Values.a }}'"),
}


@pytest.mark.parametrize(
    ("old", "new", "code"), [("a: b", "a: c", 0), ("false", "true", 3)], ids=["another value", "its own value"]
)
def test_a_chart_is_compared_without_a_missing_dependency(
    old: str, new: str, code: int, run: Run, repo: Repo, helm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    repo.commit(CHART)
    repo.write({"c/values.yaml": CHART["c/values.yaml"].replace(old, new)})

    found, unit, notes = plan(run)

    assert found == code
    assert [hole["changed"] for hole in unit["holes"]] == [code == 3]  # type: ignore[attr-defined]
    assert ("1 of 2 resources were not rendered" in notes) is (code == 0)


def test_a_chart_that_needs_a_missing_dependency_is_a_problem(
    run: Run, repo: Repo, helm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    repo.commit({**CHART, "c/templates/a.yaml": '{{ include "redis.all" . }}\n'})

    code, out, _ = run("check", ".", "--against", "none")

    assert code == 3
    assert "its dependency redis (https://example.com) is neither in charts/ nor in the store; download it" in out


def test_the_password_of_an_address_is_not_shown(run: Run, base: Repo) -> None:
    address = "https://user:correct-horse@example.com/far.yaml"
    base.write(edit_kustomization("https://example.com/far.yaml", address))

    out = "".join(
        str(run("plan", "--against", "HEAD", "-o", form)) for form in ("text", "json", "sarif", "github", "html")
    )

    assert "example.com/far.yaml" in out
    assert "correct-horse" not in out
