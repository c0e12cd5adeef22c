"""The history of a release in a cluster or snapshot."""

from pathlib import Path

from kubectl_applylint.core.state import ref_of
from kubectl_applylint.tools.helm.release import Release
from kubectl_applylint.tools.helm.stored import StoredHistory, read_history
from tests.sources.cluster.test_helm_releases import secret
from tests.stories import SCHEMA
from tests.tools.helm.test_unit import snapshot

RELEASE = Release("shop", "apps")


def test_objects_are_in_the_namespace_of_the_release_and_records_in_another(tmp_path: Path) -> None:
    source = snapshot(tmp_path, secret(1, status="superseded"), secret(2, apply_method="ssa"))
    found = read_history(RELEASE, "prod", source, SCHEMA)

    assert [(one.version, one.status, one.apply_method) for one in found.revisions] == [
        (1, "superseded", ""),
        (2, "deployed", "ssa"),
    ]
    assert [ref_of(item).namespace for one in found.revisions for item in one.manifests] == ["apps", "apps"]
    assert read_history(RELEASE, "apps", source, SCHEMA) == StoredHistory()
