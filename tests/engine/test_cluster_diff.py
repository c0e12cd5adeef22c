import pytest

from kubectl_applylint.core.state import ObjectRef, Unknown
from kubectl_applylint.engine.cluster_diff import NO_DIFF, ClusterDiff, Unapplied

OLD = ObjectRef("apps/v1", "Deployment", "shop", "old")
NEW = ObjectRef("apps/v1", "Deployment", "shop", "new")


@pytest.mark.parametrize(
    ("fate", "is_deletion"),
    [
        (Unapplied.STAYS, False),
        (Unapplied.OTHER_KIND, False),
        (Unapplied.OTHER_NAMESPACE, False),
        (Unapplied.OTHER_TOOL, False),
        (Unapplied.FAILURE, False),
        (Unapplied.PRUNED, True),
        (Unapplied.PRUNED_UNSELECTED, True),
    ],
)
def test_only_prune_deletes(fate: Unapplied, is_deletion: bool) -> None:
    assert fate.is_deletion == is_deletion


def test_without_a_run_nothing_is_known_of_other_objects() -> None:
    assert isinstance(NO_DIFF.before(OLD), Unknown)
    assert isinstance(NO_DIFF.after(OLD), Unknown)
    assert not NO_DIFF.is_refused(OLD)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        pytest.param(OLD, NEW.identity, id="renamed"),
        pytest.param(ObjectRef("apps/v1beta1", "Deployment", "shop", "old"), NEW.identity, id="in another version"),
        pytest.param(NEW, None, id="not renamed"),
        pytest.param(ObjectRef("apps/v1", "Deployment", "other", "old"), None, id="in another namespace"),
    ],
)
def test_the_successor_of_a_renamed_object(asked: ObjectRef, found: tuple[str, ...] | None) -> None:
    assert ClusterDiff(renamed={NEW.identity: OLD}).successor(asked) == found
