"""The objects that ``render`` prints, as YAML and as JSON."""

import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_applylint.cli import kubectl_applylint
from tests.cli.conftest import PASSWORD
from tests.cli.test_secrets import DEPLOYMENT, SECRET, SETTINGS, leaked_values
from tests.sources.repositories import Repo

Run = Callable[..., tuple[int, str, str]]

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME}\n"
COPY = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: copy}}\ndata: {{url: 'https://x/?t={PASSWORD}'}}\n"


def config_map(name: str, **data: str) -> str:
    return MAP.replace("NAME", name) + (f"data: {json.dumps(data)}\n" if data else "")


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.fixture(name="programs")
def _programs(repo: Repo, kubectl: Path, helm: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Return an empty repository, with kubectl and helm on the ``PATH``."""
    for program in (kubectl, helm):
        monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    return repo


def names(text: str) -> dict[str, list[str]]:
    """Return the names of the objects of each unit."""
    units: list[dict[str, Any]] = json.loads(text)["units"]
    return {unit["root"]: [item["metadata"]["name"] for item in unit["objects"]] for unit in units}


def test_all_units_below_the_current_directory_are_printed(run: Run, folder: Path) -> None:
    write(folder, {"all/b/two.yaml": config_map("two"), "all/a/one.yaml": config_map("one")})

    code, out, err = run("render", "all")
    assert (code, err) == (0, "")
    assert out == (
        "# Source: a (folder, applied by kubectl)\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\n---\n"
        "# Source: b (folder, applied by kubectl)\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: two\n"
    )
    assert run("render", "all", "-o", "yaml") == (code, out, err)


def test_paths_and_roots_choose_units(run: Run, repo: Repo) -> None:
    repo.commit({f"{one}/map.yaml": config_map(one) for one in ("a", "b", "c")} | {"a/other.yaml": config_map("d")})

    assert names(run("render", "-o", "json")[1]) == {"a": ["a", "d"], "b": ["b"], "c": ["c"]}
    assert names(run("render", "a", "b", "-o", "json")[1]) == {"a": ["a", "d"], "b": ["b"]}
    assert names(run("render", "--unit", "[bc]", "-o", "json")[1]) == {"b": ["b"], "c": ["c"]}
    assert names(run("render", "a/other.yaml", "-o", "json")[1]) == {"a": ["d"]}


def test_a_kustomization_is_rendered_alone(run: Run, programs: Repo) -> None:
    inner = {"app/inner/kustomization.yaml": "resources: [in.yaml]\n", "app/inner/in.yaml": config_map("in")}
    programs.commit({"app/kustomization.yaml": "resources: [out.yaml]\nnamePrefix: x-\n", "app/out.yaml": MAP, **inner})

    assert names(run("render", "-k", "app", "-o", "json")[1]) == {"app": ["x-NAME"]}
    assert names(run("render", "app", "-o", "json")[1]) == {"app": ["x-NAME"], "app/inner": ["in"]}
    assert run("render", "-k", ".")[0] == 2


@pytest.mark.parametrize("folder", ["base", "base/[in]", "overlay"])
def test_a_kustomization_is_rendered_as_by_kubectl(run: Run, programs: Repo, folder: str) -> None:
    """It may be no unit, but a part of others, or what Flux applies with another namespace."""
    programs.commit(
        {
            "clusters/apps.yaml": KUSTOMIZATION.replace("PATH", "overlay"),
            "overlay/kustomization.yaml": "resources: [../base]\nnamePrefix: over-\n",
            "base/kustomization.yaml": "resources: ['[in]']\nnameSuffix: -base\n",
            "base/[in]/kustomization.yaml": "resources: [map.yaml]\n",
            "base/[in]/map.yaml": config_map("one", port="80", answer="yes", empty="", lines="a\nb\n", colon="a: b"),
        }
    )
    command = ["kubectl", "kustomize", folder]
    rendered = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout

    code, out, err = run("render", "-k", folder)
    assert (code, err) == (0, "")
    assert out == f"# Source: {folder} (kustomization, applied by kubectl)\n{rendered}"
    programs.write({"base/[in]/map.yaml": config_map("one")})
    (unit,) = json.loads(run("render", "-k", folder, "--against", "HEAD", "-o", "json")[1])["units"]
    assert (unit["root"], unit["before"]) == (folder, [*yaml.safe_load_all(rendered)])


KUSTOMIZATION = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {path: ./PATH, targetNamespace: shop, prune: true, sourceRef: {kind: GitRepository, name: here}}
"""
CHART = {
    "chart/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
    "chart/templates/map.yaml": config_map("{{ .Release.Name }}"),
    "chart/templates/hook.yaml": config_map("hook").replace(
        "name: hook", "name: hook, annotations: {helm.sh/hook: test}"
    ),
    "chart/crds/lamp.yaml": config_map("from-crds"),
    "release.yaml": (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: till, namespace: argocd}\n"
        "spec:\n  destination: {namespace: shop, name: here}\n"
        "  source: {repoURL: 'https://example.com/x.git', path: chart}\n"
    ),
}


def test_a_chart_is_rendered_as_argo_cd_does_in_the_namespace_of_its_release(run: Run, programs: Repo) -> None:
    programs.git("remote", "add", "origin", "https://example.com/x.git")
    programs.commit(CHART)

    (unit,) = json.loads(run("render", "chart", "-o", "json")[1])["units"]
    assert (unit["tool"], unit["namespace"], unit["compared"]) == ("argocd", "shop", "yes")
    assert [item["metadata"] for item in unit["objects"]] == [
        {"name": "from-crds", "namespace": "shop"},
        {"name": "till", "namespace": "shop"},
        {"name": "hook", "namespace": "shop", "annotations": {"helm.sh/hook": "test"}},
    ]


def test_a_kustomization_without_objects_is_a_unit(run: Run, programs: Repo) -> None:
    programs.commit({"flux/apps.yaml": KUSTOMIZATION.replace("PATH", "apps"), "apps/kustomization.yaml": "{}\n"})
    programs.write({"values/web.yaml": "replicas: 3\n"})

    code, printed = run("render", ".", "-o", "json")[:2]
    found = {unit["root"]: (unit["compared"], len(unit["objects"])) for unit in json.loads(printed)["units"]}
    assert code == 0
    assert found == {"apps": ("yes", 0), "flux": ("yes", 1)}


def test_a_unit_with_a_hole_is_partly_rendered_unless_that_is_accepted(run: Run, programs: Repo) -> None:
    programs.commit({"app/kustomization.yaml": "resources: [map.yaml, 'https://example.com/x']\n", "app/map.yaml": MAP})
    accepted = programs.folder / ".applylint.yaml"

    code, out, err = run("render", "-o", "json")
    (unit,) = json.loads(out)["units"]
    assert (code, unit["compared"], len(unit["objects"]), len(unit["holes"])) == (3, "partly", 1, 1)
    assert err.count("https://example.com/x") == 1
    accepted.write_text("incomplete:\n- {unit: app, reason: it is far away}\n")
    code, out, err = run("render", "-o", "json")
    (unit,) = json.loads(out)["units"]
    assert (code, unit["compared"], unit["accepted"], err) == (0, "partly", "it is far away", "")


def test_a_flux_kustomization_sets_the_namespace(run: Run, repo: Repo) -> None:
    repo.commit({"clusters/apps.yaml": KUSTOMIZATION.replace("PATH", "apps"), "apps/map.yaml": config_map("one")})

    (unit,) = json.loads(run("render", "apps", "-o", "json")[1])["units"]
    assert (unit["tool"], unit["objects"][0]["metadata"]) == ("flux", {"name": "one", "namespace": "shop"})


@pytest.mark.parametrize(
    "kind", ["apiVersion: example.com/v1\nkind: Lamp", "apiVersion: source.toolkit.fluxcd.io/v1\nkind: Bucket"]
)
def test_no_note_is_about_definitions(run: Run, folder: Path, kind: str) -> None:
    write(folder, {"all/a.yaml": f"{kind}\nmetadata: {{name: one}}\n"})

    code, out, err = run("render", "all")
    assert (code, err) == (0, "")
    assert kind in out


def test_values_of_secrets_are_masked_also_in_other_objects(run: Run, folder: Path) -> None:
    write(folder, {"all/a/secret.yaml": (folder / "secret.yaml").read_text(), "all/b/copy.yaml": COPY})

    for form in ("json", "yaml"):
        code, out, err = run("render", "all", "-o", form)
        assert (code, err) == (0, "")
        assert PASSWORD not in out
        assert out.count("********") == 2
        assert run("render", "all", "-o", form, "--show-secrets")[1].count(PASSWORD) == 2


def test_a_unit_that_cannot_be_rendered_is_named_and_the_others_are_printed(run: Run, repo: Repo) -> None:
    repo.commit({"a/map.yaml": config_map("one"), "b/kustomization.yaml": "resources: [gone.yaml]\n"})

    code, out, err = run("render", "-o", "json")
    (first, second) = json.loads(out)["units"]
    assert code == 3
    assert (first["compared"], len(first["objects"])) == ("yes", 1)
    assert (second["compared"], second["objects"]) == ("no", [])
    assert second["reason"] in err
    assert f"# Source: b (kustomization, applied by kubectl), incomplete: {second['reason']}" in run("render")[1]


def test_a_unit_with_a_broken_file_is_partly_rendered(run: Run, folder: Path) -> None:
    write(folder, {"all/a.yaml": config_map("one"), "all/b.yaml": "apiVersion: v1\nkind: [\n"})

    code, out, _ = run("render", "all", "-o", "json")
    (unit,) = json.loads(out)["units"]
    assert (code, unit["compared"], len(unit["objects"])) == (3, "partly", 1)


@pytest.mark.parametrize("path", ["gone", "helm:gone", "-", "*.yaml"])
def test_a_path_must_exist(run: Run, path: str) -> None:
    code, out, err = run("render", path)

    assert (code, out) == (3, "")
    assert f'the path "{path}" does not exist' in err


def test_a_format_of_other_commands_is_a_usage_error(run: Run) -> None:
    code, out, err = run("render", "-o", "sarif")

    assert (code, out) == (2, "")
    assert "render has no format sarif" in err


def test_the_plugin_asks_no_cluster(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, {"all/a.yaml": config_map("one")})

    assert kubectl_applylint(["render", "all"]) == 0
    (found,) = yaml.safe_load_all(capsys.readouterr().out)
    assert found["metadata"] == {"name": "one"}


def test_a_change_has_its_units_with_all_objects_of_both_sides(run: Run, programs: Repo) -> None:
    programs.commit(
        {
            "a/one.yaml": config_map("one"),
            "a/two.yaml": config_map("two"),
            "b/kustomization.yaml": "resources: [one.yaml, two.yaml]\nnamespace: shop\n",
            "b/one.yaml": config_map("one"),
            "b/two.yaml": config_map("two"),
            "c/same.yaml": config_map("same"),
            "d/gone.yaml": config_map("gone"),
            "e/comment.yaml": config_map("comment"),
        }
    )
    programs.write({"a/two.yaml": config_map("two", a="b"), "b/two.yaml": config_map("three"), "d/gone.yaml": None})
    programs.write({"e/comment.yaml": "# new\n" + config_map("comment"), "f/new.yaml": config_map("new")})

    code, out, _ = run("render", "--against", "HEAD", "-o", "json")
    units = json.loads(out)["units"]
    before = {unit["root"]: [item["metadata"]["name"] for item in unit["before"]] for unit in units}
    assert code == 0
    assert before == {"a": ["one", "two"], "b": ["one", "two"], "d": ["gone"], "f": []}
    assert names(out) == {"a": ["one", "two"], "b": ["one", "three"], "d": [], "f": ["new"]}
    assert [item.get("data") for unit in units[:1] for item in (*unit["before"], *unit["objects"])] == [
        None,
        None,
        None,
        {"a": "b"},
    ]
    assert {item["metadata"].get("namespace") for item in (*units[1]["before"], *units[1]["objects"])} == {"shop"}
    assert names(run("render", "b", "f", "--against", "HEAD", "-o", "json")[1]).keys() == {"b", "f"}
    assert names(run("render", "--unit", "a", "--against", "HEAD", "-o", "json")[1]).keys() == {"a"}
    assert names(run("render", "-k", "b", "--against", "HEAD", "-o", "json")[1]).keys() == {"b"}


def test_the_yaml_of_a_change_has_what_is_applied_now(run: Run, repo: Repo) -> None:
    repo.commit({"a/one.yaml": config_map("one"), "a/two.yaml": config_map("two")})
    repo.write({"a/two.yaml": config_map("three")})

    found = yaml.safe_load_all(run("render", "--against", "HEAD")[1])
    assert [one["metadata"]["name"] for one in found] == ["one", "three"]


def test_directories_are_compared(run: Run, folder: Path) -> None:
    write(folder, {"old/a/one.yaml": config_map("one"), "new/a/one.yaml": config_map("one", a="b")})

    code, out, _ = run("render", "new", "--against", "dir:old", "-o", "json")
    (unit,) = json.loads(out)["units"]
    assert (code, unit["root"], len(unit["before"]), len(unit["objects"])) == (0, "a", 1, 1)


@pytest.mark.parametrize(
    "argv",
    [
        ("--against", "live"),
        ("--against", "snapshot:prod.json"),
        ("--against", "HEAD:all"),
        ("settings.yaml", "--against", "dir:all"),
        ("--against", "file:web.yaml"),
    ],
)
def test_only_revisions_and_directories_can_be_compared(run: Run, folder: Path, argv: tuple[str, ...]) -> None:
    write(folder, {"all/a.yaml": config_map("one")})

    code, out, err = run("render", *argv)
    assert (code, out) == (2, "")
    assert "render compares with a git revision, or one directory with dir:PATH" in err


def test_an_unknown_revision_is_named(run: Run, repo: Repo) -> None:
    repo.commit({"a/one.yaml": config_map("one")})

    code, out, err = run("render", "--against", "nothing")
    assert (code, out) == (3, "")
    assert "nothing" in err


def test_a_configured_state_is_not_compared_with(run: Run, repo: Repo) -> None:
    repo.commit({"a/one.yaml": config_map("one"), ".applylint.yaml": "against: HEAD\n"})

    assert names(run("render", "-o", "json")[1]) == {"a": ["one"]}


def test_values_of_secrets_are_masked_on_both_sides(run: Run, repo: Repo) -> None:
    secret = f"apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData: {{a: {PASSWORD}}}\n"
    repo.commit({"a/secret.yaml": secret, "a/copy.yaml": COPY})
    repo.write({"a/secret.yaml": secret.replace(PASSWORD, "another-long-password")})

    _, out, err = run("render", "--against", "HEAD", "-o", "json", "-o", "dir=out")
    everything = out + err + "".join(one.read_text() for one in Path("out").rglob("*.yaml"))
    assert PASSWORD not in everything
    assert "another-long-password" not in everything


def test_a_unit_in_which_a_secret_alone_changes_is_printed(run: Run, repo: Repo) -> None:
    secret = f"apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData: {{a: {PASSWORD}}}\n"
    repo.commit({"a/secret.yaml": secret})
    repo.write({"a/secret.yaml": secret.replace(PASSWORD, "another-long-password")})

    (unit,) = json.loads(run("render", "--against", "HEAD", "-o", "json")[1])["units"]
    assert unit["before"] == unit["objects"]


def test_both_sides_of_a_change_are_written(run: Run, repo: Repo) -> None:
    repo.commit({"a/one.yaml": config_map("one"), "b/two.yaml": config_map("two")})
    repo.write({"a/one.yaml": config_map("one", a="b"), "c/three.yaml": config_map("three")})

    code, _, _ = run("render", "--against", "HEAD", "-o", "dir=out")
    assert code == 0
    assert sorted(files_below(repo.folder / "out")) == [
        "after/a/ConfigMap__one.yaml",
        "after/c/ConfigMap__three.yaml",
        "before/a/ConfigMap__one.yaml",
    ]


def test_both_directories_exist_even_if_nothing_changes(run: Run, repo: Repo) -> None:
    repo.commit({"a/one.yaml": config_map("one")})

    run("render", "--against", "HEAD", "-o", "dir=out")
    assert sorted(one.name for one in (repo.folder / "out").iterdir()) == ["after", "before"]


def files_below(folder: Path) -> dict[str, Any]:
    """Return the objects in the files of a directory by their paths."""
    files = (one for one in folder.rglob("*") if one.is_file())
    return {one.relative_to(folder).as_posix(): yaml.safe_load(one.read_text()) for one in files}


@pytest.mark.parametrize("exists", [False, True], ids=["absent", "empty"])
def test_a_directory_gets_a_file_for_each_object(run: Run, repo: Repo, exists: bool) -> None:
    repo.commit({"a/b/map.yaml": config_map("one"), "c.yaml": config_map("A") + "---\n" + config_map("a")})
    if exists:
        (repo.folder / "out").mkdir()

    assert run("render", "-o", "dir=out", "-o", "json=all.json") == (0, "", "")
    written = files_below(repo.folder / "out")
    assert sorted(written) == sorted(["a/b/ConfigMap__one.yaml", "%2E/ConfigMap__A.yaml", "%2E/ConfigMap__a~2.yaml"])
    assert written["%2E/ConfigMap__a~2.yaml"]["metadata"] == {"name": "a"}
    assert names((repo.folder / "all.json").read_text()) == {".": ["A", "a"], "a/b": ["one"]}


@pytest.mark.parametrize("name", ["../../x", "/etc/x", "a/../../../x", "x" * 300, "a\\0b", "nul", ".."])
def test_no_name_leads_out_of_the_directory(run: Run, folder: Path, name: str) -> None:
    hostile = f'apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: "{name}", namespace: "{name}"}}\n'
    write(folder, {"all/a.yaml": hostile, "all/b.yaml": f'apiVersion: x/v1\nkind: "{name}"\nmetadata: {{name: b}}\n'})
    before = {one for one in folder.parent.rglob("*") if "out" not in one.parts}

    run("render", "all", "-o", "dir=out")
    assert len(files_below(folder / "out")) == 2
    assert {one for one in folder.parent.rglob("*") if "out" not in one.parts} == before


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("dir", "name a directory that is absent or empty: -o dir=PATH"),
        ("dir=all", "it is not empty"),
        ("dir=web.yaml", "it is not a directory"),
        ("dir=link", "it is a symlink"),
    ],
)
def test_a_directory_must_be_absent_or_empty(run: Run, folder: Path, output: str, reason: str) -> None:
    write(folder, {"all/a.yaml": config_map("one")})
    (folder / "empty").mkdir()
    (folder / "link").symlink_to("empty")

    code, out, err = run("render", "all", "-o", output)
    assert (code, out) == (2, "")
    assert reason in err
    assert [*(folder / "empty").iterdir()] == []


def test_an_unwritable_directory_is_a_usage_error(run: Run, folder: Path) -> None:
    write(folder, {"all/a.yaml": config_map("one")})

    code, out, err = run("render", "all", "-o", "dir=gone/out")
    assert (code, out) == (2, "")
    assert "gone/out: cannot be written: No such file or directory" in err


def test_secrets_are_masked_in_files(run: Run, folder: Path) -> None:
    write(folder, {"all/secret.yaml": (folder / "secret.yaml").read_text()})

    run("render", "all", "-o", "dir=masked")
    run("render", "all", "-o", "dir=shown", "--show-secrets")
    (masked,), (shown,) = (files_below(folder / one).values() for one in ("masked", "shown"))
    assert (masked["stringData"], shown["stringData"]) == ({"old": "********"}, {"old": PASSWORD})


def test_no_form_shows_a_planted_value(run: Run, repo: Repo) -> None:
    files = {"a/secret.yaml": SECRET, "a/web.yaml": DEPLOYMENT, "b/settings.yaml": SETTINGS}
    repo.commit(files)
    repo.write({name: f"# changed\n{text}\n---\n{config_map('new')}" for name, text in files.items()})

    for against in ((), ("--against", "HEAD")):
        outputs = [f"{form}={form}{len(against)}.out" for form in ("yaml", "json", "dir")]
        texts = [*run("render", "-o", ",".join(outputs), *against)[1:]]
        written = [one for one in repo.folder.rglob("*") if one.is_file() and ".out" in str(one)]
        assert len(written) > 2
        assert leaked_values("\n".join([*texts, *(one.read_text() for one in written)])) == []
