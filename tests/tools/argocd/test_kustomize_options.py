"""The kustomization that Argo CD builds."""

from typing import Any

import pytest

from kubectl_applylint.tools.argocd.kustomize_options import KustomizeOptionsError, with_kustomize_options

VARIABLES = {"ARGOCD_APP_NAME": "web"}


@pytest.mark.parametrize(
    ("own", "options", "found"),
    [
        ({"resources": ["a"]}, {}, {"resources": ["a"]}),
        (
            {"namePrefix": "old-"},
            {"namePrefix": "new-", "nameSuffix": "-x", "namespace": "shop"},
            {"namePrefix": "new-", "nameSuffix": "-x", "namespace": "shop"},
        ),
        (
            {"images": [{"name": "web", "newTag": "1"}, {"name": "z"}]},
            {"images": ["web:2", "db=registry:5000/db@sha256:00"]},
            {
                "images": [
                    {"name": "db", "newName": "registry:5000/db", "digest": "sha256:00"},
                    {"name": "web", "newTag": "2"},
                    {"name": "z"},
                ]
            },
        ),
        ({}, {"images": ["host:5000/web:1"]}, {"images": [{"name": "host:5000/web", "newTag": "1"}]}),
        ({}, {"images": ["web:$ARGOCD_APP_NAME"]}, {"images": [{"name": "web", "newTag": "web"}]}),
        (
            {"images": [{"name": "web", "newName": "old", "newTag": "1"}]},
            {"images": ["web=*:2", "db=new:*"]},
            {"images": [{"name": "db", "newName": "new"}, {"name": "web", "newName": "old", "newTag": "2"}]},
        ),
        ({}, {"replicas": [{"name": "web", "count": "3"}]}, {"replicas": [{"name": "web", "count": 3}]}),
        ({"commonLabels": {"a": "b"}}, {"commonLabels": {"c": "d"}}, {"commonLabels": {"a": "b", "c": "d"}}),
        ({}, {"commonLabels": {"c": '"$ARGOCD_APP_NAME"'}}, {"commonLabels": {"c": "web"}}),
        (
            {"commonLabels": {"a": "b"}},
            {"commonLabels": {"a": "d"}, "forceCommonLabels": True},
            {"commonLabels": {"a": "d"}},
        ),
        (
            {"labels": [{"pairs": {"a": "b"}, "includeSelectors": True}, {"pairs": {"e": "f"}}]},
            {"commonLabels": {"c": "d"}, "labelWithoutSelector": True},
            {"labels": [{"pairs": {"a": "b"}, "includeSelectors": True}, {"pairs": {"e": "f", "c": "d"}}]},
        ),
        (
            {},
            {"commonLabels": {"c": "d"}, "labelWithoutSelector": True, "labelIncludeTemplates": True},
            {"labels": [{"includeTemplates": True, "pairs": {"c": "d"}}]},
        ),
        ({}, {"commonAnnotations": {"a": "$ARGOCD_APP_NAME"}}, {"commonAnnotations": {"a": "$ARGOCD_APP_NAME"}}),
        (
            {},
            {"commonAnnotations": {"a": "$ARGOCD_APP_NAME"}, "commonAnnotationsEnvsubst": True},
            {"commonAnnotations": {"a": "web"}},
        ),
        (
            {"patches": [{"path": "a"}]},
            {"patches": [{"patch": "b", "path": "", "target": {"kind": "Service"}}]},
            {"patches": [{"path": "a"}, {"patch": "b", "target": {"kind": "Service"}}]},
        ),
        ({"components": ["a"]}, {"components": ["b", "a"]}, {"components": ["a", "b"]}),
    ],
)
def test_the_options_of_an_application(own: dict[str, Any], options: dict[str, Any], found: dict[str, Any]) -> None:
    assert with_kustomize_options(own, options, VARIABLES) == found


@pytest.mark.parametrize(
    ("own", "options", "message"),
    [
        ({"commonLabels": {"a": "b"}}, {"commonLabels": {"a": "c"}}, "the kustomization has the label a already"),
        (
            {"commonAnnotations": {"a": "b"}},
            {"commonAnnotations": {"a": "c"}},
            "the kustomization has the annotation a already",
        ),
        (
            {},
            {"commonLabels": {"a": "c"}, "labelIncludeTemplates": True},
            "labelIncludeTemplates requires labelWithoutSelector",
        ),
        ({}, {"images": ["web"]}, "the image web has neither a tag nor a digest nor another name"),
        ({}, {"replicas": [{"name": "web", "count": "many"}]}, "'many' is not a number of replicas"),
    ],
)
def test_options_that_kustomize_rejects(own: dict[str, Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(KustomizeOptionsError, match=message):
        with_kustomize_options(own, options, VARIABLES)
