"""What the tests of recorders share."""

from typing import Final

import pytest

from tests.cluster.api import Resource, Resources
from tests.fidelity.charts import Stock
from tests.fidelity.edits import donors
from tests.fidelity.manifests import BASES, load_all

EVERYWHERE: Final = {"ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition", "PriorityClass"}


@pytest.fixture(name="stock", scope="session")
def _stock() -> Stock:
    """The manifests that recorders draw from."""
    bases = load_all([BASES])
    resources: Resources = {
        (item["apiVersion"], item["kind"]): Resource("", "", item["kind"] not in EVERYWHERE) for item in bases
    }
    return Stock(resources, bases, donors(bases))
