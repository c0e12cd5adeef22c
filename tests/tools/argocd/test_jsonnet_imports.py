"""The files that files in Jsonnet of an Application import."""

from collections.abc import Collection
from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.argocd.application_sources import sources_of
from kubectl_applylint.tools.argocd.jsonnet_imports import imported_files
from kubectl_applylint.tools.argocd.special_files import special_files

FILES: Final = {
    "apps/web/main.jsonnet": b"(import '../../lib/web.libsonnet') + (import 'own.json') + (import 'db/x.libsonnet')",
    "apps/web/own.json": b"{}",
    "apps/web/inner/more.jsonnet": b"importstr 'text.txt'",
    "apps/web/inner/text.txt": b"import '../../../lib/other.libsonnet'",
    "apps/plain/a.yaml": b"",
    "apps/far/a.jsonnet": b"import '/etc/passwd'",
    "lib/web.libsonnet": b"import 'names.libsonnet'",
    "lib/names.libsonnet": b"import 'web.libsonnet'",
    "lib/other.libsonnet": b"{}",
    "vendor/db/x.libsonnet": b"{}",
}


@pytest.mark.parametrize(
    ("path", "directory", "imported"),
    [
        ("apps/web", {}, {"apps/web/own.json", "lib/web.libsonnet", "lib/names.libsonnet"}),
        (
            "apps/web",
            {"recurse": True, "jsonnet": {"libs": ["vendor"]}},
            {
                "apps/web/own.json",
                "apps/web/inner/text.txt",
                "lib/web.libsonnet",
                "lib/names.libsonnet",
                "lib/other.libsonnet",
                "vendor/db/x.libsonnet",
            },
        ),
        ("apps/plain", {}, set()),
        ("apps/far", {}, set()),
        ("../outside", {}, set()),
    ],
    ids=["imports of imports", "subfolders and libraries", "no file in Jsonnet", "import of a system file", "outside"],
)
def test_files_in_jsonnet_read_what_they_import(path: str, directory: JsonObject, imported: Collection[str]) -> None:
    application = {"spec": {"source": {"repoURL": "https://example.com/o/r", "path": path, "directory": directory}}}
    (source,) = sources_of(application)

    assert imported_files(source, special_files(frozenset(FILES)), FILES, FILES.__getitem__) == imported
