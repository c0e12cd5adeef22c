import pytest
import yaml

from kubectl_applylint.core.values import Json
from kubectl_applylint.tools.flux.artifacts import CopiedFolder, copied_folder, makers
from tests.units.documents import documents

GIT: dict[str, Json] = {"alias": "repo", "kind": "GitRepository", "name": "flux-system"}


def generator(copies: list[tuple[str, str]]) -> str:
    made = {"name": "apps", "copy": [{"from": start, "to": end} for start, end in copies]}
    spec = {"sources": [GIT], "artifacts": [{"name": "infra"}, made]}
    kind = {"apiVersion": "source.extensions.fluxcd.io/v1beta1", "kind": "ArtifactGenerator"}
    return yaml.safe_dump({**kind, "metadata": {"name": "split"}, "spec": spec})


@pytest.mark.parametrize(
    ("copies", "path", "folder"),
    [
        ([("@repo/apps/**", "@artifact/")], "", "apps"),
        ([("@repo/apps/**", "@artifact/")], "prod", "apps/prod"),
        ([("@repo/**", "@artifact/all/")], "all/apps", "apps"),
        ([("@repo/apps/base/**", "@artifact/base/"), ("@repo/apps/prod/**", "@artifact/prod/")], "prod", "apps/prod"),
        ([("@repo/apps/prod/**", "@artifact/prod")], "prod/eu", "apps/prod/eu"),
        ([("@repo/apps/prod/**", "@artifact/prod/")], "production", None),
        ([("@repo/apps/prod/**", "@artifact/prod/")], "", "apps/prod"),
        ([("@repo/apps/prod/**", "@artifact/prod/"), ("@repo/apps/eu/**", "@artifact/eu/")], "", None),
        ([("@repo/apps/web/app/", "@artifact/apps/web/app/")], "apps/web/app", "apps/web/app"),
        ([("@repo/apps/web", "@artifact/")], "web/app", "apps/web/app"),
        ([("@repo/apps/web", "@artifact/")], "app", None),
        ([("@repo/a/**", "@artifact/"), ("@repo/b/**", "@artifact/")], "", None),
        ([("@repo/apps/*.yaml", "@artifact/")], "", None),
        ([("@repo/*/prod/**", "@artifact/")], "", None),
        ([("@other/apps/**", "@artifact/")], "", None),
        ([("@repo/../apps/**", "@artifact/")], "", None),
        ([("@repo/apps/**", "apps/")], "", None),
        ([], "", None),
    ],
)
def test_a_folder_of_an_artifact_is_one_of_the_repository(
    copies: list[tuple[str, str]], path: str, folder: str | None
) -> None:
    (found,) = documents(generator(copies), "split.yaml")

    assert copied_folder(found, "apps", path) == (None if folder is None else CopiedFolder(folder, GIT))


def test_the_source_of_an_artifact_is_in_the_namespace_of_its_generator() -> None:
    text = generator([("@repo/**", "@artifact/")]).replace("  name: split", "  name: split\n  namespace: flux-system")
    (found,) = documents(text, "split.yaml")
    folder = copied_folder(found, "apps", "")

    assert folder is not None
    assert folder.source == {**GIT, "namespace": "flux-system"}


def test_an_artifact_without_a_generator_has_no_source() -> None:
    (found,) = documents(generator([("@repo/apps/**", "@artifact/")]), "split.yaml")

    assert copied_folder(found, "other", "") is None
    assert makers("other", [found]) == []
    assert makers("apps", [found]) == [found]
