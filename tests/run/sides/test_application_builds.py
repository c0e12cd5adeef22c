"""Applications rendered with charts of the store and the files of the repository."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from kubectl_applylint.run.sides.application_builds import build_application
from kubectl_applylint.run.sides.side import ASK_AGAIN, FETCH_ADVICE, RENDER_ADVICE
from kubectl_applylint.run.sides.sides import of_folder
from kubectl_applylint.sources.render.packed_chart import archive
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.absence import Absence
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind
from kubectl_applylint.sources.store.store_place import Store, use_store
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.model import Applied, Form, Reason, Unit

CHART = ChartSource(SourceKind.HELM, "https://charts.example.com", "chart", "1.0.0")
FILES = {
    "Chart.yaml": b"apiVersion: v2\nname: chart\nversion: 1.0.0\n",
    "values.yaml": b"a: own\nb: ''\n",
    "templates/map.yaml": b"""\
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}, namespace: {{ .Release.Namespace }}}
data: {a: {{ .Values.a | quote }}, b: {{ .Values.b | quote }}}
""",
}
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: plain}\n"
SOURCE = {"repoURL": CHART.url, "chart": "chart", "targetRevision": "1.0.0"}
HERE = "https://example.com/o/r"
PATH = "correct the path of the source, or create the directory"
CREATE = "correct it in helm of the Application, or create the file"
OTHER = "https://example.com/o/other"


def build(folder: Path, *sources: dict[str, Any]) -> Input:
    spec = {"destination": {"namespace": "shop"}, "sources": [*sources]}
    item = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": {"name": "web"}, "spec": spec}
    why = Reason("Application argocd/web", "web.yaml", 3)
    applied = Applied("argocd", "shop", reason=why, tool_object=item, other_repositories=(OTHER,))
    return build_application(of_folder(str(folder)), Unit("Application/argocd/web", Form.RELEASE, frozenset(), applied))


@pytest.fixture(name="repository")
def _repository(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "repository"
    for name, text in {
        "env/prod.yaml": "a: prod\n",
        "plain/map.yaml": MAP,
        "wrong/map.yaml": MAP.replace("plain", "wrong, labels: {a: true}"),
        "own/.argocd-source-web.yaml": "helm: {values: 'b: overridden'}\n",
        **{f"own/{name}": text.decode() for name, text in FILES.items()},
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    with use_store(Store(str(tmp_path / "store"))):
        store.add(CHART, archive({f"{name}": text for name, text in FILES.items()}))
        yield folder


@pytest.mark.cluster
@pytest.mark.parametrize(
    ("sources", "found", "file"),
    [
        ([SOURCE], [("web", "own", "")], "web.yaml"),
        ([{**SOURCE, "helm": {"values": "b: '{{ .host }}'"}}], [("web", "own", "{{ .host }}")], "web.yaml"),
        (
            [
                {"repoURL": HERE, "ref": "values"},
                {**SOURCE, "helm": {"valueFiles": ["$values/env/*.yaml"], "parameters": [{"name": "b", "value": "1"}]}},
            ],
            [("web", "prod", "1")],
            "web.yaml",
        ),
        (
            [{**SOURCE, "helm": {"valueFiles": ["no.yaml"], "ignoreMissingValueFiles": True, "releaseName": "x"}}],
            [("x", "own", "")],
            "web.yaml",
        ),
        ([{"repoURL": HERE, "path": "own"}], [("web", "own", "overridden")], "own/templates/map.yaml"),
        (
            [{"repoURL": HERE, "path": "own", "helm": {"valueFiles": ["/env/prod.yaml"]}}],
            [("web", "prod", "overridden")],
            "own/templates/map.yaml",
        ),
        (
            [{"repoURL": HERE, "path": "own", "helm": {"fileParameters": [{"name": "a", "path": "../env/prod.yaml"}]}}],
            [("web", "a: prod\n", "overridden")],
            "own/templates/map.yaml",
        ),
    ],
    ids=["chart", "unknown parameter", "files of another source", "missing file", "chart of a path", "root", "file"],
)
def test_a_chart_is_rendered_with_its_options(
    repository: Path,
    helm: Path,
    monkeypatch: pytest.MonkeyPatch,
    sources: Any,
    found: list[tuple[str, str, str]],
    file: str,
) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    monkeypatch.chdir(repository)
    made = build(repository, *sources)

    assert made.problems == ()
    data = [(one.ref.name, one.object["data"]["a"], one.object["data"]["b"]) for one in made.documents]
    assert data == found
    assert {one.file for one in made.documents} == {file}


@pytest.mark.parametrize(
    ("source", "message", "advice"),
    [
        (
            {**SOURCE, "targetRevision": "2.0.0"},
            "chart https://charts.example.com chart 2.0.0 is not in the store",
            FETCH_ADVICE,
        ),
        ({"repoURL": HERE, "path": "no/such"}, "the files have nothing in its path no/such", PATH),
        ({"repoURL": HERE, "path": "plain", "plugin": {}}, "it is built by a plugin, which is not run", RENDER_ADVICE),
        (
            {"repoURL": OTHER, "path": "plain", "targetRevision": "v1"},
            "repository https://example.com/o/other other v1 is not in the store",
            FETCH_ADVICE,
        ),
        ({**SOURCE, "helm": {"valueFiles": ["no.yaml"]}}, "its values file no.yaml does not exist", CREATE),
        (
            {**SOURCE, "helm": {"valueFiles": ["$no/no.yaml"]}},
            "its values file $no/no.yaml is in no source: none has the ref no",
            "correct it in helm of the Application",
        ),
        (
            {**SOURCE, "helm": {"valueFiles": ["https://x/y"]}},
            "its values file https://x/y is not downloaded",
            RENDER_ADVICE,
        ),
        (
            {**SOURCE, "helm": {"fileParameters": [{"name": "a", "path": "no"}]}},
            "the file no of its parameter a does not exist",
            CREATE,
        ),
    ],
)
def test_a_source_that_cannot_be_rendered_is_a_problem(
    repository: Path, source: dict[str, Any], message: str, advice: str
) -> None:
    (problem,) = build(repository, source).problems

    assert (problem.message, problem.advice) == (f"Application/argocd/web is not rendered: {message}", advice)
    assert problem.where == "web.yaml:3"


def test_a_chart_that_its_source_does_not_have_is_asked_for_again(repository: Path) -> None:
    store.add_absence(ChartSource(SourceKind.HELM, CHART.url, "chart", "2.0.0"), Absence(asked=f"{date.today():%F}"))

    (problem,) = build(repository, {**SOURCE, "targetRevision": "2.0.0"}).problems

    assert (problem.advice, problem.reason) == (ASK_AGAIN, problem.message.partition("rendered: ")[2])


def test_one_of_several_sources_that_cannot_be_rendered_is_a_hole(repository: Path) -> None:
    found = build(repository, {"repoURL": HERE, "path": "plain"}, {"repoURL": OTHER, "path": "x"})

    assert [one.ref.name for one in found.documents] == ["plain"]
    assert [one.what for one in found.holes] == [
        f"source x of {OTHER}: repository {OTHER} other (newest) is not in the store"
    ]


@pytest.mark.cluster
def test_an_error_of_helm_in_one_of_several_sources_is_a_problem_of_all(
    repository: Path, helm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    (repository / "own/templates/fail.yaml").write_text('{{ fail "no value" }}')

    found = build(repository, {"repoURL": HERE, "path": "plain"}, {"repoURL": HERE, "path": "own"})

    assert found.holes == ()
    assert [one.message.partition("; ")[2] for one in found.problems] == ["Argo CD syncs no source of the Application"]
    assert [one.is_fatal for one in found.problems] == [True]


def test_an_object_that_cannot_be_read_is_a_problem_of_the_sync(repository: Path) -> None:
    found = build(repository, {"repoURL": HERE, "path": "plain"}, {"repoURL": HERE, "path": "wrong"})

    assert found.holes == ()
    assert [one.document.ref.name for one in found.problems if one.document] == ["wrong"]
