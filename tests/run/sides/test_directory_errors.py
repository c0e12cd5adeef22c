"""Files at which Argo CD fails in a directory of plain manifests."""

import json
from pathlib import Path

import pytest

from tests.run.running import runs, write

APPLICATION = {
    "apiVersion": "argoproj.io/v1alpha1",
    "kind": "Application",
    "metadata": {"name": "web", "namespace": "argocd"},
    "spec": {"source": {"path": "plain"}, "destination": {"name": "in-cluster", "namespace": "shop"}},
}
OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\n"
IN_JSON = '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "%s"}}'
TEMPLATE = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Values.name }}\n"
READS_ONE = "Argo CD reads one object from a file in JSON, "
UNPARSED = "Argo CD cannot parse the file"


@pytest.mark.parametrize("directory", [{}, {"exclude": "none.yaml"}], ids=["as it is", "with options"])
@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("b.json", IN_JSON % "b", ""),
        ("b.json", '{"apiVersion": "v1", ', f"{UNPARSED} as JSON, "),
        ("b.json", "", f"{UNPARSED} as JSON, "),
        ("b.json", "[]", f"{READS_ONE}which this is not, "),
        ("b.json", IN_JSON % "b" + IN_JSON % "c", f"{READS_ONE}not several, "),
        ("b.json", '{"title": "a dashboard"}', f"{READS_ONE}not one without a kind, "),
        ("b.yaml", TEMPLATE, f"{UNPARSED}, which looks like a manifest, "),
        ("b.yaml", "name: {{ .Values.name }}\n", ""),
        ("values.yaml", "replicas: 3\n", ""),
    ],
    ids=["one", "broken", "empty", "list", "several", "no kind", "template", "other template", "values"],
)
def test_files_at_which_argo_cd_fails_are_problems(
    directory: dict[str, str],
    name: str,
    text: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Facts: the repository server of Argo CD 3.5.7, as ``tests/cluster/argocd_repository_program.py`` calls it."""
    monkeypatch.chdir(tmp_path)
    source = {"path": "plain", **({"directory": directory} if directory else {})}
    application = {**APPLICATION, "spec": {**APPLICATION["spec"], "source": source}}  # type: ignore[dict-item]  # a mapping
    files = {"application.yaml": json.dumps(application), "plain/a.yaml": OBJECT % "a", f"plain/{name}": text}
    write(Path("all"), files)

    expected = [(f"all/plain/{name}", f"{message}and renders nothing of the directory", True)] if message else []
    problems = runs("all").problems
    assert [(one.where.partition(":")[0], one.message, one.is_fatal) for one in problems] == expected


@pytest.mark.parametrize(
    ("text", "is_fatal"),
    [(f"{OBJECT % 'b'}---\na: {{\n", True), ("a: {\n", False)],
    ids=["an object and an error", "an error"],
)
def test_a_syntax_error_after_an_object_is_fatal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, is_fatal: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {"application.yaml": json.dumps(APPLICATION), "plain/a.yaml": OBJECT % "a", "plain/b.yaml": text}
    write(Path("all"), files)

    assert any(one.is_fatal for one in runs("all").problems) is is_fatal
