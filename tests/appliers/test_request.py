import pytest

from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.state import Absent, ObjectRef, State
from kubectl_applylint.schema.load import load
from tests.stories import MANIFEST

SCHEMA = load("1.36")


@pytest.mark.parametrize(
    ("applier", "given", "manager"),
    [
        pytest.param(Applier.KUBECTL_CLIENT, None, "kubectl-client-side-apply", id="client-side"),
        pytest.param(Applier.KUBECTL_SERVER, None, "kubectl", id="server-side"),
        pytest.param(Applier.KUBECTL_REPLACE, None, "kubectl-replace", id="replace"),
        pytest.param(Applier.METACONTROLLER, None, "metacontroller", id="Metacontroller"),
        pytest.param(Applier.KUBECTL_SERVER, "ci", "ci", id="a name of its own"),
        pytest.param(Applier.KUBECTL_SERVER, "", "kubectl", id="an empty name is none, as of --field-manager="),
    ],
)
def test_the_name_under_which_a_manifest_is_written(applier: Applier, given: str | None, manager: str) -> None:
    """As the field managers of real applies are called, see the recordings in tests/fidelity."""
    assert ApplyRequest(MANIFEST, State(Absent()), SCHEMA, applier, given).manager == manager


def test_the_object_and_its_kind_are_those_of_the_manifest() -> None:
    request = ApplyRequest(MANIFEST, State(Absent()), SCHEMA)

    assert request.ref == ObjectRef("apps/v1", "Deployment", "shop", "web")
    assert request.kind == SCHEMA.kind("apps/v1", "Deployment")


@pytest.mark.parametrize("content", [{}, {"apiVersion": "x.io/v1", "kind": "Lamp"}], ids=["nothing", "another kind"])
def test_a_kind_without_a_schema_is_unknown(content: dict[str, str]) -> None:
    assert ApplyRequest(content, State(Absent()), SCHEMA).kind is None


@pytest.mark.parametrize(
    ("applier", "package"), [(Applier.HELM3, "helm"), (Applier.HELM4, "helm"), (Applier.ARGOCD, "argocd")]
)
def test_versions_of_a_program_share_a_package(applier: Applier, package: str) -> None:
    assert applier.package == package
