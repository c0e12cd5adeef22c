"""Sources of manifests in the commands of a fix."""

from dataclasses import replace

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.core.documents import Rendering
from kubectl_applylint.lint.fixes.sources import source_words, with_sources, without_pipe
from kubectl_applylint.lint.model import Subject
from tests.stories import MANIFEST, subject_of

OVERLAY = Rendering("kubectl kustomize app", "-k app")
CHART = Rendering("helm template shop charts/shop", "-f helm:charts/shop", "shop", "charts/shop")
FIX = """\
# correct {file}, then
kubectl diff {from}
{apply}{prune} {all}
kubectl create -f {file}
kubectl apply set-last-applied {from}
kubectl get {resource}
"""
HELM = "helm template shop charts/shop | "


def print_fix(subject: Subject, template: str = FIX) -> str:
    """Return a fix about a subject."""
    words = {"apply": "kubectl apply", "prune": "", "resource": "deployment/web"}
    sources = source_words(subject, " -n shop", is_placed=False)
    return with_sources(template, subject, sources).format_map({**words, **sources})


def rendered_subject(rendering: Rendering | None, namespace: str = "") -> Subject:
    subject = subject_of(MANIFEST, None, file="base/web.yaml")
    document = replace(subject.document, rendering=rendering, is_templated=rendering == CHART)
    return replace(subject, document=document, flags=Flags(namespace=namespace))


@pytest.mark.parametrize(
    ("subject", "lines"),
    [
        pytest.param(
            rendered_subject(None),
            [
                "# correct base/web.yaml, then",
                "kubectl diff -f base/web.yaml -n shop",
                "kubectl apply -f base/web.yaml -n shop",
                "kubectl create -f base/web.yaml",
                "kubectl apply set-last-applied -f base/web.yaml -n shop",
            ],
            id="a file",
        ),
        pytest.param(
            rendered_subject(OVERLAY, namespace="run"),
            [
                "# correct base/web.yaml, then",
                "kubectl diff -k app -n run",
                "kubectl apply -k app -n run",
                "kubectl create -k app -n run",
                "kubectl kustomize app | kubectl apply set-last-applied -f - -n run",
            ],
            id="a kustomization",
        ),
        pytest.param(
            rendered_subject(CHART),
            [
                "# correct the template base/web.yaml, then",
                f"{HELM}kubectl diff -f -",
                f"{HELM}kubectl apply -f -",
                f"{HELM}kubectl create -f -",
                f"{HELM}kubectl apply set-last-applied -f -",
            ],
            id="a chart",
        ),
    ],
)
def test_commands_read_what_is_applied(subject: Subject, lines: list[str]) -> None:
    assert print_fix(subject).splitlines() == [*lines, "kubectl get deployment/web"]


def test_a_template_is_named_in_the_language_of_the_comment() -> None:
    assert print_fix(rendered_subject(CHART), "# {file} を修正する\n") == "# テンプレート base/web.yaml を修正する\n"


@pytest.mark.parametrize(
    ("comment", "fix"),
    [
        ("# correct {file}\n", "# correct the chart or the values of base/web.yaml\n"),
        ("# {file} を修正する\n", "# base/web.yaml のチャートまたは values を修正する\n"),
    ],
)
def test_the_declaration_of_a_chart_is_not_called_a_template(comment: str, fix: str) -> None:
    subject = rendered_subject(CHART)
    subject = replace(subject, document=replace(subject.document, is_of_chart=True))

    assert print_fix(subject, comment) == fix


def test_an_app_of_kapp_is_deployed_as_its_unit_is() -> None:
    command = "kubectl kustomize app | kapp deploy -a shop -f -"
    subject = replace(rendered_subject(None), flags=Flags(is_unit=True, unit_command=command))

    assert print_fix(subject, "kapp deploy -a APP -f {file} --diff-run\n") == f"{command} --diff-run\n"


@pytest.mark.parametrize("renders", ["kubectl kustomize app", "helm template shop 'my charts/shop'", "…"])
def test_commands_that_only_render_are_removed(renders: str) -> None:
    assert without_pipe(f"{renders} | kubectl apply -f -") == "kubectl apply -f -"


@pytest.mark.parametrize("other", ["rm -r x | kubectl apply -f -", "kubectl kustomize $(rm x) | kubectl apply -f -"])
def test_other_commands_before_a_pipe_stay(other: str) -> None:
    assert without_pipe(other) == other
