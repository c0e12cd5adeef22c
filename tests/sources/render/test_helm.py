"""Charts, rendered by a program on the PATH; the real one, too, if it is installed."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from kubectl_applylint.core.paths import parse as path_of
from kubectl_applylint.sources.files.files import read
from kubectl_applylint.sources.render.helm import Chart, parse, render, rendering
from kubectl_applylint.sources.render.render_programs import copy_files, relabel, reserve_copy
from kubectl_applylint.sources.system.cache_folder import use_folder
from kubectl_applylint.sources.text.manifests import Input
from tests.sources.render.test_kustomize import program

FILES = {
    "shop/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 0.1.0\n",
    "shop/values.yaml": "replicas: 2\n",
    "more.yaml": "replicas: 7\n",
    "shop/templates/web.yaml": """\
{{- if .Values.replicas }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}-web
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
{{- include "shop.pod" . | nindent 6 }}
{{- end }}
""",
    "shop/templates/_pod.tpl": (
        '{{ define "shop.pod" }}\ncontainers:\n- name: web\n  image: "web:1"\n  imagePullPolicy: Always\n{{ end }}\n'
    ),
    "shop/crds/lamps.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: no-crd}\n",
}
RENDERED = """\
---
# Source: shop/crds/lamps.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: no-crd}
---
# Source: shop/templates/web.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop-web
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: "web:1"
        imagePullPolicy: Always
---
# Source: shop/charts/far/templates/far.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: far}
"""


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A chart, and a program that prints what Helm 3.22 prints for it with a chart that is an archive inside."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "out.yaml").write_text(RENDERED)
    (tmp_path / "bin").mkdir()
    program(tmp_path, "helm", f'echo "$@" > {tmp_path}/asked; exec cat {tmp_path}/out.yaml')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "chart"),
    [
        ("helm:shop", Chart("shop")),
        ("helm:charts/shop:a.yaml:b.yaml", Chart("charts/shop", ("a.yaml", "b.yaml"))),
        ("helm:", Chart(".")),
    ],
)
def test_a_chart_is_named_with_its_values(name: str, chart: Chart) -> None:
    assert parse(name) == chart


def test_a_chart_in_a_copy_is_rendered_once(folder: Path) -> None:
    program(folder, "helm", f'echo "$@" >> {folder}/asked; exec cat {folder}/out.yaml')
    files = {path: text.encode() for path, text in FILES.items()}

    written: list[bool] = []

    def found(texts: Mapping[str, bytes], namespace: str = "") -> Input:
        with reserve_copy(texts) as copy:
            chart = Chart(f"{copy.folder}/shop", (f"{copy.folder}/more.yaml",), "shop", namespace)
            rendered = relabel(render(chart, copy), copy, str)
            written.append(os.path.exists(copy.folder))
            return rendered

    with use_folder(str(folder / "cache")):
        first, again = found(files), found(files)
        found({**files, "more.yaml": b"replicas: 8\n"})
        found({**files, "shop/values.yaml": b"{}\n"})
        found(files, "prod")

    assert first == again
    assert len(first.documents) == 3
    assert written == [True, False, True, True, True]
    assert len((folder / "asked").read_text().splitlines()) == 4


@pytest.mark.parametrize(
    ("rendered", "values", "is_copy"),
    [
        (RENDERED, "replicas: 2\n", False),
        ("apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {b: Yg==}\n", "replicas: 2\n", True),
        (
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {b: correct-horse-7}\n",
            "password: correct-horse-7\n",
            True,
        ),
    ],
    ids=["outside of a copy", "Secret", "credential of the values"],
)
def test_a_rendering_that_must_not_be_cached_is_repeated(
    folder: Path, rendered: str, values: str, is_copy: bool
) -> None:
    program(folder, "helm", f'echo "$@" >> {folder}/asked; exec cat {folder}/out.yaml')
    (folder / "out.yaml").write_text(rendered)
    texts = {path: text.encode() for path, text in {**FILES, "shop/values.yaml": values}.items()}
    with use_folder(str(folder / "cache")):
        for _ in range(2):
            with reserve_copy(texts) if is_copy else copy_files(texts) as copy:
                render(Chart(f"{copy.folder}/shop"), copy if is_copy else None)

    assert len((folder / "asked").read_text().splitlines()) == 2


def test_objects_come_from_their_templates(folder: Path) -> None:
    found = read(["helm:shop:more.yaml"], recursive=False, stdin=bytes)

    assert (folder / "asked").read_text() == "template --include-crds --values=more.yaml -- shop shop\n"
    assert [(one.ref.name, one.file, one.index) for one in found.documents] == [
        ("no-crd", "shop/crds/lamps.yaml", 0),
        ("shop-web", "shop/templates/web.yaml", 0),
        ("far", "shop/Chart.yaml", 0),
    ]
    assert found.texts["shop/templates/web.yaml"] == FILES["shop/templates/web.yaml"]


@pytest.mark.parametrize(
    ("path", "place"),
    [
        pytest.param("spec.selector.matchLabels.app", "8:28", id="as it is written"),
        pytest.param("spec", "6:1", id="a line that stands there deeper, too"),
        pytest.param("spec.replicas", "6:1", id="a value"),
        pytest.param("spec.template.spec.containers[name=web].image", "11:5", id="from a helper"),
        pytest.param("metadata.name", "4:1", id="a name"),
    ],
)
def test_a_place_is_known_where_the_template_has_the_same_line(path: str, place: str) -> None:
    assert str(render(Chart("shop")).documents[1].locate(path_of(path))) == f"shop/templates/web.yaml:{place}"


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        pytest.param("", "rendering a chart requires helm, which was not found on the PATH", id="no program"),
        pytest.param('echo "Error: no luck" >&2; exit 1', "it cannot be rendered: Error: no luck", id="it fails"),
        pytest.param(
            'echo "Error: unsupported chart version" >&2; exit 1',
            "it cannot be rendered: Error: unsupported chart version (apiVersion in Chart.yaml is not v1 or v2, which "
            "Helm 4 rejects and Helm 3 accepts)",
            id="Helm 4",
        ),
    ],
)
def test_a_chart_that_cannot_be_rendered_is_one_problem(
    folder: Path, monkeypatch: pytest.MonkeyPatch, script: str, complaint: str
) -> None:
    (folder / "bin" / "helm").unlink()
    if script:
        program(folder, "helm", script)
    monkeypatch.setenv("PATH", str(folder / "bin"))
    (problem,) = render(Chart("shop", ("more.yaml",))).problems

    assert (problem.where, problem.message) == ("shop", complaint)
    assert "helm template" in problem.advice


def test_a_chart_that_is_not_there_is_looked_for_nowhere_else() -> None:
    (problem,) = render(Chart("stable/shop")).problems

    assert problem.message == 'the path "stable/shop" does not exist'


def test_a_real_helm_renders_it(folder: Path, helm: Path) -> None:
    (folder / "bin" / "helm").unlink()
    (folder / "bin" / "helm").symlink_to(helm)
    found = render(Chart("shop", ("more.yaml",)))

    assert found.problems == ()
    assert [(one.ref.name, one.file) for one in found.documents] == [
        ("no-crd", "shop/crds/lamps.yaml"),
        ("shop-web", "shop/templates/web.yaml"),
    ]
    assert found.documents[1].object["spec"]["replicas"] == 7
    assert str(found.documents[1].locate(path_of("spec.selector"))) == "shop/templates/web.yaml:8:3"


SOURCES = {
    "absolute": "shop//etc/passwd",
    "above": "shop/../secret.txt",
    "above from inside": "shop/templates/../../secret.txt",
    "link": "shop/templates/link.yaml",
    "folder": "shop/templates",
    "itself": "shop/.",
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_a_note_leads_to_no_file_outside_of_the_chart(folder: Path, source: str) -> None:
    (folder / "secret.txt").write_text("the secret\n")
    (folder / "shop/templates/link.yaml").symlink_to(folder / "secret.txt")
    (folder / "out.yaml").write_text(f"# Source: {source}\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\n")
    found = render(Chart("shop"))

    assert [one.file for one in found.documents] == ["shop/Chart.yaml"]
    assert not any(word in str(found.texts) for word in ("secret", "root:"))


@pytest.mark.parametrize("name", ["--post-renderer=x", "-x"])
def test_a_name_is_no_flag(folder: Path, name: str) -> None:
    missing = render(parse(f"helm:{name}")).problems
    (folder / "shop").rename(folder / name)
    render(parse(f"helm:{name}"))

    assert [one.message for one in missing] == [f'the path "{name}" does not exist']
    assert (folder / "asked").read_text() == f"template --include-crds -- {name} {name}\n"


@pytest.mark.parametrize("values", ["--post-renderer=x", "-"])
def test_values_are_files(folder: Path, values: str) -> None:
    missing = render(parse(f"helm:shop:{values}")).problems
    (folder / values).write_text("a: b\n")
    render(parse(f"helm:shop:{values}"))

    assert [one.message for one in missing] == [f'the path "{values}" does not exist']
    assert (folder / "asked").read_text() == f"template --include-crds --values=./{values} -- shop shop\n"


def test_a_comma_does_not_part_the_name_of_a_file(folder: Path) -> None:
    (folder / "a,b.yaml").write_text("a: b\n")
    render(parse("helm:shop:a,b.yaml"))

    assert '--values="a,b.yaml"' in (folder / "asked").read_text()


def test_a_link_out_of_the_repository_is_not_read(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (folder / ".git").mkdir()
    (folder / "shared").mkdir()
    (folder / "shop/shared").symlink_to(folder / "shared")
    allowed = render(Chart("shop")).problems
    (folder / "shop/outside").symlink_to(outside)
    (problem,) = render(Chart("shop")).problems

    assert allowed == ()
    assert (problem.where, problem.message) == (
        "shop/outside",
        "the chart is not rendered: a symlink points outside the repository",
    )


def test_helm_has_no_way_to_the_network(folder: Path) -> None:
    program(folder, "helm", f"env > {folder}/environment; exec cat {folder}/out.yaml")
    render(Chart("shop"))
    variables = dict(line.split("=", 1) for line in (folder / "environment").read_text().splitlines() if "=" in line)

    assert (variables["https_proxy"], variables["KUBECONFIG"]) == ("http://127.0.0.1:9", "/dev/null")
    assert not Path(variables["HELM_PLUGINS"]).exists()


@pytest.mark.parametrize(
    ("name", "command", "chart"),
    [
        ("helm:shop", "helm template shop shop --include-crds", "shop"),
        (
            "helm:shop:prod.yaml:my values.yaml",
            "helm template shop shop -f prod.yaml -f 'my values.yaml' --include-crds",
            "shop -f prod.yaml -f 'my values.yaml'",
        ),
        ("helm:-shop", "helm template -shop ./-shop --include-crds", "./-shop"),
    ],
)
def test_a_chart_has_its_command_and_argument(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, command: str, chart: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("shop", "-shop"):
        (tmp_path / folder / "templates").mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "templates" / "web.yaml").write_text("kind: Deployment\n")
    found = rendering(parse(name))

    assert (found.command, found.chart) == (command, chart)
    assert found.argument in (f"-f {name}", f"-f '{name}'")


@pytest.mark.parametrize(
    ("file", "text"), [("templates/a.yaml", "namespace: {{ .Release.Namespace }}\n"), ("charts/a-1.0.0.tgz", "")]
)
def test_the_namespace_of_a_release_is_that_which_was_rendered(tmp_path: Path, file: str, text: str) -> None:
    (tmp_path / file).parent.mkdir()
    (tmp_path / file).write_text(text)

    assert rendering(Chart(str(tmp_path))).command.endswith(" --namespace default")
