"""The inputs of ResourceSets."""

import pytest
import yaml

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.flux.resource_sets import SetInputs, inputs_of, provider_names
from tests.units.documents import documents


def resource_set(**spec: Json) -> Document:
    kind = {"apiVersion": "fluxcd.controlplane.io/v1", "kind": "ResourceSet"}
    item = {**kind, "metadata": {"name": "apps", "namespace": "flux-system"}, "spec": spec}
    (found,) = documents(yaml.safe_dump(item), "apps.yaml")
    return found


def provider(kind: str) -> JsonObject:
    metadata = {"name": "teams", "namespace": "flux-system"}
    spec = {"type": kind, "defaultValues": {"name": "b"}}
    return {
        "apiVersion": "fluxcd.controlplane.io/v1",
        "kind": "ResourceSetInputProvider",
        "metadata": metadata,
        "spec": spec,
    }


def test_inputs_are_those_of_the_set_and_of_static_providers() -> None:
    found = resource_set(inputs=[{"name": "a"}], inputsFrom=[{"name": "teams"}])
    sets = inputs_of(found, {"teams": provider("Static")}.get).sets

    assert provider_names(found.object) == ("teams",)
    assert [(one["name"], one["provider"]["kind"], one["provider"]["name"]) for one in sets] == [
        ("a", "ResourceSet", "apps"),
        ("b", "ResourceSetInputProvider", "teams"),
    ]


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ({"inputsFrom": [{"name": "other"}]}, "ResourceSetInputProvider other is not in the files"),
        (
            {"inputsFrom": [{"name": "teams"}]},
            "its inputs are those of ResourceSetInputProvider teams of type GitHubPullRequest",
        ),
        ({"inputsFrom": [{"selector": {"matchLabels": {"a": "b"}}}]}, "its inputs are selected by labels"),
        ({"inputStrategy": {"name": "Permute"}}, "its inputs are permuted"),
    ],
)
def test_inputs_that_are_not_known_have_a_reason(spec: dict[str, Json], reason: str) -> None:
    providers = {"teams": provider("GitHubPullRequest")}

    assert inputs_of(resource_set(**spec), providers.get) == SetInputs(reason=reason)
