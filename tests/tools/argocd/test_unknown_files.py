"""Patterns of files that sets may apply which are not evaluated."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.argocd.unknown_files import files_of_application, files_of_set

HERE = "https://example.com/o/r"
OTHER = "https://example.com/o/other"


def application(*sources: JsonObject) -> JsonObject:
    return {"spec": {"sources": [{"repoURL": HERE, **one} for one in sources]}}


@pytest.mark.parametrize(
    ("sources", "files"),
    [
        ([{"path": "apps/{{name}}"}], ("apps/*/**",)),
        ([{"path": "./apps/{{ .values.path }}/x/"}], ("apps/**/x/**",)),
        ([{"path": "{{path}}"}], ()),
        ([{"path": "apps/{{name}}", "repoURL": OTHER}], ()),
        ([{"path": "apps", "repoURL": "{{url}}"}], ()),
        (
            [{"chart": "web", "repoURL": "ghcr.io/o", "helm": {"valueFiles": ["$v/envs/{{env}}/v.yaml", "x.yaml"]}}],
            ("envs/*/v.yaml",),
        ),
        ([{"path": "web", "helm": {"valueFiles": ["/all/{{env}}.yaml"]}}], ("web/**", "all/*.yaml")),
    ],
    ids=["one folder", "any folders", "any path", "other repository", "any repository", "values", "values of the root"],
)
def test_files_of_an_application(sources: list[JsonObject], files: tuple[str, ...]) -> None:
    assert files_of_application(application(*sources), (HERE,)) == files


def test_files_of_a_set() -> None:
    git: Json = {
        "repoURL": HERE,
        "files": [{"path": "envs/*/config.json"}, {"path": "envs/old/*", "exclude": True}],
        "directories": [{"path": "apps/*"}],
        "template": application({"path": "own/{{name}}"}),
    }
    other: Json = {"repoURL": OTHER, "files": [{"path": "x/*.json"}]}
    spec = {
        "generators": [{"merge": {"generators": [{"clusters": {}}, {"git": git}, {"git": other}]}}],
        "template": application({"path": "{{path}}"}),
        "templatePatch": f"sources: [{{repoURL: {HERE}, path: charts/{{{{ .name }}}}/x}}] # a/b",
    }

    assert files_of_set({"spec": spec}, (HERE,)) == (
        "own/*/**",
        "envs/*/config.json",
        "apps/*/**",
        "charts/**",
        "a/**",
    )
