"""Error messages of kustomize, as kustomize 5.8.1 and kubectl 1.32 print them."""

import pytest

from kubectl_applylint.sources.render.kustomize_errors import error_without_helm_call, innermost_error


def through(path: str, error: str) -> str:
    """Return the error of a folder as kustomize reports it for a kustomization that refers to the folder."""
    chain = f"accumulation err='accumulating resources from '../x': '{path}' must resolve to a file'"
    return f"accumulating resources: {chain}: {error}"


EMPTY = "couldn't make target for path '/r/base': kustomization.yaml is empty"
COMPONENT = (
    "accumulating components: accumulateDirectory: \"recursed accumulation of path '/r/part': no resource matches "
    'strategic merge patch \\"ConfigMap.v1.[noGrp]/zz.[noNs]\\": no matches"'
)
OF_FILE = (
    "accumulating resources: accumulation err='merging resources from 'y.yaml': may not add resource with an already "
    "registered id: ConfigMap.v1.[noGrp]/a.[noNs]': must build at directory: '/r/app/y.yaml': file is not directory"
)


@pytest.mark.parametrize(
    ("complaint", "error"),
    [
        ("trouble configuring builtin PatchTransformer", "trouble configuring builtin PatchTransformer"),
        (
            "trouble configuring builtin HelmChartInflationGenerator with config: ` name: web version: 1 `: no x.yaml",
            "HelmChartInflationGenerator: no x.yaml",
        ),
        (through("/r/app", "recursed accumulation of path '/r/app': no matches for Id a"), "no matches for Id a"),
        (through("/r/app", "couldn't make target for path '/r/app': kustomization.yaml is empty"), EMPTY[-27:]),
        (
            through("/r/app", "recursed accumulation of path '/r/app': " + through("/r/base", EMPTY)),
            "/r/base: kustomization.yaml is empty",
        ),
        (
            through("/r/app", f"recursed accumulation of path '/r/app': {COMPONENT}"),
            '/r/part: no resource matches strategic merge patch "ConfigMap.v1.[noGrp]/zz.[noNs]": no matches',
        ),
        (
            through("/r/app", f"recursed accumulation of path '/r/app': {OF_FILE}"),
            "merging resources from 'y.yaml': may not add resource with an already registered id: "
            "ConfigMap.v1.[noGrp]/a.[noNs]",
        ),
    ],
    ids=["own", "without its config", "of the folder", "empty folder", "of a base", "of a component", "of a file"],
)
def test_the_error_is_that_of_the_innermost_folder(complaint: str, error: str) -> None:
    assert innermost_error(complaint, "/r/app") == error


def test_an_error_of_helm_is_without_the_command() -> None:
    call = " : unable to run: 'helm template rel /t/web' with env=[A=b] (is 'helm' installed?): exit status 1"

    assert error_without_helm_call(f"Error: no color{call}") == "Error: no color"
    assert error_without_helm_call("no matches for Id a") == "no matches for Id a"
