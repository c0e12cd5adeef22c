"""Files that sources of Applications name."""

from dataclasses import replace
from typing import Any

import pytest

from kubectl_applylint.run.sides.chart_folders import ChartError
from kubectl_applylint.run.sides.source_files import SourceFiles
from kubectl_applylint.run.sides.stored_side import stored_side
from kubectl_applylint.tools.argocd.helm_options import helm_options

PATHS = ("env/a.yaml", "env/b.yaml", "env/deep/c.yaml", "env/web.yaml", "app/values.yaml", "app/text.txt", "root.yaml")
OWN = stored_side("own", {path: path.encode() for path in PATHS})
OTHER = stored_side("other", {"env/a.yaml": b"other"})
FILES = SourceFiles(OWN, "app", {"other": OTHER, "own": OWN}.get, {"ARGOCD_APP_NAME": "web"}, is_one_of_several=True)


def texts(files: SourceFiles, *names: str, **more: Any) -> list[str]:
    options = helm_options({"valueFiles": [*names], **more}, {})
    return [text.decode() for text in files.value_texts(options)]


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["values.yaml", "../env/b.yaml"], ["app/values.yaml", "env/b.yaml"]),
        (["/env/a.yaml"], ["env/a.yaml"]),
        (["/env/*.yaml"], ["env/a.yaml", "env/b.yaml", "env/web.yaml"]),
        (["/env/**/*.yaml"], ["env/a.yaml", "env/b.yaml", "env/web.yaml", "env/deep/c.yaml"]),
        (["/env/*.yaml", "/env/a.yaml"], ["env/b.yaml", "env/web.yaml", "env/a.yaml"]),
        (["values.yaml", "/root.yaml", "./values.yaml"], ["app/values.yaml", "root.yaml"]),
        (["/env/$ARGOCD_APP_NAME.yaml"], ["env/web.yaml"]),
        (["$other/env/a.yaml", "$own/env/a.yaml"], ["other", "env/a.yaml"]),
        (["$own/env/${ARGOCD_APP_NAME}.yaml"], ["env/web.yaml"]),
    ],
)
def test_value_files(names: list[str], found: list[str]) -> None:
    assert texts(FILES, *names) == found


def test_without_several_sources_a_ref_is_a_variable() -> None:
    assert texts(replace(FILES, referenced=lambda _: None, is_one_of_several=False), "$x/root.yaml") == ["root.yaml"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no.yaml", "its values file no.yaml does not exist"),
        ("/no/*.yaml", "does not exist"),
        ("../../x.yaml", "is outside of its source"),
        ("$no/a.yaml", "is in no source: none has the ref no"),
        ("https://x/y", "is not downloaded"),
    ],
)
def test_value_files_that_are_errors(name: str, message: str) -> None:
    with pytest.raises(ChartError, match=message.replace("$", r"\$")):
        texts(FILES, name)


def test_missing_files_may_be_ignored() -> None:
    assert texts(FILES, "no.yaml", "/no/*", "values.yaml", ignoreMissingValueFiles=True) == ["app/values.yaml"]


def test_parameters_from_files() -> None:
    options = helm_options({"fileParameters": [{"name": "a", "path": "text.txt"}]}, {})

    assert [*FILES.file_settings(options)] == ["a=app/text.txt"]
    with pytest.raises(ChartError, match="the file no of its parameter a does not exist"):
        [*FILES.file_settings(helm_options({"fileParameters": [{"name": "a", "path": "no"}]}, {}))]
