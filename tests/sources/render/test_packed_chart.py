"""Charts in memory, rendered by a program on the PATH; ``tests/fidelity`` renders more with the real Helm."""

import io
import os
import tarfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.sources.render.packed_chart import PackedChart, archive, is_definition, render_packed
from kubectl_applylint.sources.render.render_limits import RenderLimits, use_limits
from kubectl_applylint.sources.system.cache_folder import use_folder
from tests.sources.render.test_kustomize import program

FILES = {"Chart.yaml": b"apiVersion: v2\nname: shop\nversion: 0.1.0\n", "templates/web.yaml": b"x"}
CHART = PackedChart(FILES, "a: 1\n", "-web", "apps", "1.36", ("example.org/v1",))
PRINTED = """\
---
# Source: shop/crds/lamps.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps}
---
# Source: shop/charts/sub/templates/web.yaml
apiVersion: v1
kind: Service
metadata: {name: web}
"""


@pytest.fixture(name="tool")
def _tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that keeps its arguments and prints the objects of a chart."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "out.yaml").write_text(PRINTED)
    program(tmp_path, "helm", f'echo "$@" >> {tmp_path}/calls; cat {tmp_path}/out.yaml')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return tmp_path


def calls(tool: Path) -> list[list[str]]:
    """Return the arguments of the calls, without the names of temporary files."""
    lines = (tool / "calls").read_text().splitlines()
    return [["FILE" if os.sep in word and word.startswith("/") else word for word in line.split()] for line in lines]


def test_objects_and_templates(tool: Path) -> None:
    found = render_packed(CHART, "release.yaml")

    assert [(one.ref.name, one.file) for one in found.input.documents] == [
        ("lamps", "release.yaml"),
        ("web", "release.yaml"),
    ]
    assert found.templates == ("crds/lamps.yaml", "charts/sub/templates/web.yaml")
    assert [*map(is_definition, (*found.templates, "charts/sub/crds/x.yaml", "templates/crds/x.yaml"))] == [
        *(True, False),
        *(True, False),
    ]


def test_one_program_with_all_options(tool: Path) -> None:
    render_packed(
        replace(CHART, settings=("a.b=5",), is_upgrade=True, validates_values=False),
        "release.yaml",
    )
    (call,) = calls(tool)

    assert [word for word in call if not word.startswith("--values=")] == [
        *("template", "--include-crds", "--namespace=apps", "--kube-version=1.36", "--api-versions=example.org/v1"),
        *("--set=a.b=5", "--is-upgrade", "--skip-schema-validation", "--", "-web", "FILE"),
    ]


@pytest.mark.parametrize(
    ("files", "is_validated"),
    [
        ({"values.schema.json": b'{"type": "object"}'}, True),
        ({"charts/sub/values.schema.json": b'{"$ref": "http://127.0.0.1/x"}'}, False),
        ({"charts/sub-0.1.0.tgz": b""}, False),
    ],
)
def test_schemas_that_refer_to_others_are_not_read(tool: Path, files: Mapping[str, bytes], is_validated: bool) -> None:
    render_packed(replace(CHART, files={**FILES, **files}), "release.yaml")

    assert ("--skip-schema-validation" not in calls(tool)[0]) == is_validated


def test_equal_charts_are_rendered_once(tool: Path) -> None:
    with use_folder(str(tool / "cache")):
        first = render_packed(CHART, "release.yaml")
        again = render_packed(replace(CHART, files={**FILES}), "release.yaml")
        render_packed(replace(CHART, release="other"), "release.yaml")
        render_packed(replace(CHART, values="a: 2\n"), "release.yaml")
        render_packed(replace(CHART, files={**FILES, "x": b""}), "release.yaml")
        for is_folder in (False, True):
            render_packed(replace(CHART, files={**FILES, ".helmignore": b""}, is_folder=is_folder), "release.yaml")

    assert first == again
    assert len(calls(tool)) == 6


def test_the_archive_is_always_the_same() -> None:
    packed = archive(FILES)

    with tarfile.open(fileobj=io.BytesIO(packed)) as opened:
        assert opened.getnames() == ["chart/Chart.yaml", "chart/templates/web.yaml"]
    assert packed == archive(dict(reversed(FILES.items())))


def test_errors_have_no_log_and_no_temporary_files(tool: Path) -> None:
    script = 'for last; do :; done; echo "level=ERROR msg=x" >&2; echo "Error: $last is wrong" >&2; exit 1'
    program(tool, "helm", script)
    (problem,) = render_packed(CHART, "release.yaml").input.problems

    assert (problem.where, problem.message) == (
        "release.yaml",
        "it cannot be rendered: Error: chart.tgz is wrong",
    )


def test_output_that_is_no_manifest_is_a_problem(tool: Path) -> None:
    (tool / "out.yaml").write_text("usage: helm\n")
    found = render_packed(CHART, "release.yaml")

    assert found.input.problems
    assert found.input.documents == ()


@pytest.mark.parametrize(
    ("path", "is_archive"),
    [
        ("templates/other.yaml", True),
        ("charts/sub/.helmignore", True),
        (".helmignore", False),
        ("templates/.draft.yaml", False),
    ],
)
def test_a_folder_is_packed_if_helm_leaves_nothing_out(tool: Path, path: str, is_archive: bool) -> None:
    render_packed(replace(CHART, files={**FILES, path: b""}, is_folder=True), "release.yaml")

    assert ("/chart.tgz" in (tool / "calls").read_text()) is is_archive


@pytest.mark.parametrize("path", ["../outside", "/outside"])
def test_files_stay_in_the_folder(tool: Path, path: str) -> None:
    found = render_packed(replace(CHART, files={**FILES, path: b""}, is_folder=True), "release.yaml")
    (problem,) = found.input.problems

    assert problem.message.startswith("not a path inside the repository")
    assert not (tool / "calls").exists()


def test_helm_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    (problem,) = render_packed(CHART, "release.yaml").input.problems

    assert problem.message == "rendering a chart requires helm, which was not found on the PATH"


OBJECT = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: %s}\n"


@pytest.mark.slow
@pytest.mark.cluster
@pytest.mark.parametrize(
    ("template", "message"),
    [
        (b"{{ range until 2000000000 }}{{ end }}", "helm needs more than 600 MiB of memory (render-memory)"),
        (b"{{ range until 1000000 }}{{ range until 1000000 }}{{ end }}{{ end }}", "helm timed out after 3 s"),
        (OBJECT % b'{{ repeat 70000000 "x" }}', "helm prints more than 64 MiB"),
        (b'{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}', "it cannot be rendered: …"),
    ],
    ids=["memory", "time", "output", "recursion"],
)
def test_a_chart_that_does_not_end_is_a_problem(
    helm: Path, monkeypatch: pytest.MonkeyPatch, template: bytes, message: str
) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    chart = replace(CHART, files={**FILES, "templates/web.yaml": template}, release="web")
    seconds, mebibytes = 3.0 if "timed out" in message else 60.0, 2048 if "prints" in message else 600
    with use_limits(RenderLimits(seconds, mebibytes)):
        (problem,) = render_packed(chart, "a").input.problems

    assert problem.message.startswith(message)


@pytest.mark.slow
@pytest.mark.cluster
def test_large_values_are_rendered(helm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    template = OBJECT % b"{{ .Values.a | len | quote }}"
    values = f"a: {'x' * 20_000_000}\n"
    found = render_packed(
        replace(CHART, files={**FILES, "templates/web.yaml": template}, values=values, release="web"), "a"
    ).input

    assert [one.object["data"] for one in found.documents] == [{"a": "20000000"}]
