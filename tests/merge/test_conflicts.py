import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.merge.conflicts import check_overwrite
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.schema.load import load

SCHEMA = load("1.36")


def conflict(patch: Json, original: Json, current: Json, kind: tuple[str, str] = ("apps/v1", "Deployment")) -> bool:
    found = SCHEMA.kind(*kind)
    assert found is not None
    try:
        check_overwrite(patch, original, current, found.root)
    except MergeError:
        return True
    return False


def spec(**content: Json) -> Json:
    return {"spec": content}


def pod(**content: Json) -> Json:
    return spec(template={"spec": content})


@pytest.mark.parametrize(
    ("patch", "original", "current", "expected"),
    [
        pytest.param(spec(replicas=1), spec(replicas=2), spec(replicas=3), True, id="a scalar"),
        pytest.param(spec(replicas=3), spec(replicas=2), spec(replicas=3), False, id="the same change"),
        pytest.param(spec(replicas=None), spec(replicas=2), spec(replicas=3), True, id="a deletion"),
        pytest.param(spec(paused=True), spec(replicas=2), spec(replicas=3), False, id="another field"),
        pytest.param(pod(tolerations=[]), pod(), pod(tolerations=[{"key": "a"}]), True, id="lists of other lengths"),
        pytest.param(
            spec(selector={"$patch": "replace"}), spec(selector={}), spec(selector={"a": {}}), True, id="a directive"
        ),
        pytest.param(
            pod(containers=[{"name": "a", "image": "1"}]),
            pod(containers=[{"name": "a", "image": "2"}]),
            pod(containers=[{"name": "a", "image": "3"}]),
            True,
            id="an element",
        ),
        pytest.param(
            pod(containers=[{"name": "b", "image": "1"}]),
            pod(containers=[{"name": "a", "image": "2"}]),
            pod(containers=[{"name": "a", "image": "3"}]),
            False,
            id="another element",
        ),
        pytest.param(
            pod(tolerations=[{"key": "a", "value": "1"}]),
            pod(tolerations=[]),
            pod(tolerations=[{"key": "a", "effect": "NoExecute"}]),
            False,
            id="other fields of an entry in a list that is replaced",
        ),
        pytest.param(
            pod(tolerations=[{"key": "a"}]), pod(tolerations=[]), pod(tolerations=[{"key": "b"}]), True, id="one field"
        ),
        pytest.param(
            pod(containers=[{"name": "a", "args": ["x", "y"]}]),
            pod(containers=[{"name": "a", "args": []}]),
            pod(containers=[{"name": "a", "args": ["y", "x"]}]),
            False,
            id="scalars in another order",
        ),
        pytest.param(
            pod(containers=[{"name": "a", "args": ["x", "y"]}]),
            pod(containers=[{"name": "a", "args": []}]),
            pod(containers=[{"name": "a", "args": ["y", "z"]}]),
            True,
            id="other scalars",
        ),
        pytest.param(
            pod(**{"$setElementOrder/containers": [{"name": "a"}], "containers": [{"name": "a", "image": "1"}]}),
            pod(containers=[{"name": "a"}]),
            pod(containers=[{"name": "b"}, {"name": "a"}]),
            False,
            id="the order of a list",
        ),
    ],
)
def test_a_patch_conflicts_with_another_change_in_the_cluster(
    patch: Json, original: Json, current: Json, expected: bool
) -> None:
    assert conflict(patch, original, current) is expected


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"), [(["x", "y"], ["y", "x"], False), (["x"], ["y"], True)], ids=["order", "content"]
)
def test_lists_of_scalars_are_compared_sorted(mine: Json, theirs: Json, expected: bool) -> None:
    live = spec(externalIPs=theirs)

    assert conflict(spec(externalIPs=mine), spec(), live, ("v1", "Service")) is expected


def test_merging_scalars_never_conflict() -> None:
    assert not conflict(
        {"metadata": {"finalizers": ["a"]}}, {"metadata": {"finalizers": ["b"]}}, {"metadata": {"finalizers": ["c"]}}
    )


def test_two_empty_lists_are_an_error_of_their_own() -> None:
    assert conflict(spec(externalIPs=[]), spec(), spec(externalIPs=[]), ("v1", "Service"))
