"""The clusters of Kustomizations that nothing in the files applies."""

from collections.abc import Mapping, Sequence

import pytest

from kubectl_applylint.core.state import Identity
from kubectl_applylint.run.sides.home_folders import home_folders
from tests.run.sides.test_declared_graph import kustomization
from tests.units.documents import documents


def identity(name: str) -> Identity:
    return documents(kustomization(name, name))[0].ref.identity


@pytest.mark.parametrize(
    ("roots", "homes"),
    [
        ({"prod": ["a"], "prod/apps": ["b"], "prod/apps/web": ["c"]}, {"prod/apps": "prod", "prod/apps/web": "prod"}),
        ({"prod": ["a"], "prod/apps": ["a"]}, {"prod/apps": "prod/apps"}),
        ({"prod/apps": ["a"], "prod/infra": ["b"]}, {"prod/apps": "prod/apps", "prod/infra": "prod/infra"}),
        ({"": ["a"], "prod/apps": ["b"]}, {"prod/apps": "prod/apps"}),
        ({"prod": ["a"], "production": ["b"]}, {"production": "production"}),
    ],
    ids=["below a root", "equal names", "no root above", "the top", "a prefix"],
)
def test_a_folder_below_roots_is_of_their_cluster(roots: Mapping[str, Sequence[str]], homes: Mapping[str, str]) -> None:
    found = home_folders((folder, identity(name)) for folder, names in roots.items() for name in names)

    assert {folder: found[folder] for folder in homes} == homes
