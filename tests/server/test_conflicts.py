"""Conflicts of managers in the words of kube-apiserver 1.36.3."""

import pytest

from kubectl_applylint.core.outcome import Conflict, FieldError, Owner
from kubectl_applylint.core.paths import parse
from kubectl_applylint.merge.fieldset import of_paths
from kubectl_applylint.merge.server_side import APPLY, UPDATE, Clash, Identity
from kubectl_applylint.server.conflicts import conflict_errors, conflicts, manager_text, status_message

HPA = Clash(Identity("hpa", UPDATE, "apps/v1", "scale"), of_paths([("f:spec", "f:replicas")]))
CI = Clash(Identity("ci", APPLY, ""), of_paths([("f:spec", "f:paused"), ("f:metadata", "f:labels", "f:a.b/c")]))
EDIT = Clash(Identity("ci", UPDATE, "v1"), of_paths([("f:data",)]))


@pytest.mark.parametrize(
    ("clash", "text"),
    [
        pytest.param(CI, '"ci"', id="an applier"),
        pytest.param(EDIT, '"ci" using v1', id="an updater"),
        pytest.param(HPA, '"hpa" with subresource "scale" using apps/v1', id="an updater of a subresource"),
        pytest.param(Clash(Identity('"é', APPLY, ""), of_paths([])), '"\\"é"', id="quotes"),
    ],
)
def test_a_manager_is_named_with_operation_subresource_and_version(clash: Clash, text: str) -> None:
    assert manager_text(clash.manager) == text


def test_there_is_one_cause_for_each_path_sorted_by_manager() -> None:
    hpa = 'conflict with "hpa" with subresource "scale" using apps/v1'

    assert conflict_errors([HPA, CI]) == (
        FieldError(".metadata.labels.a.b/c", "FieldManagerConflict", 'conflict with "ci"'),
        FieldError(".spec.paused", "FieldManagerConflict", 'conflict with "ci"'),
        FieldError(".spec.replicas", "FieldManagerConflict", hpa),
    )
    assert conflicts([HPA]) == (Conflict(parse("spec.replicas"), Owner("hpa", "Update", "scale"), hpa),)


def test_the_same_conflicts_have_paths_and_owners() -> None:
    found = conflicts([HPA, CI])

    assert [conflict.path for conflict in found] == [
        parse('metadata.labels["a.b/c"]'),
        parse("spec.paused"),
        parse("spec.replicas"),
    ]
    assert [str(conflict.owner) for conflict in found] == ["ci", "ci", "hpa (update of scale)"]


@pytest.mark.parametrize(
    ("clashes", "message"),
    [
        pytest.param(
            [EDIT], 'Apply failed with 1 conflict: conflict with "ci" using v1: .data', id="one path of one manager"
        ),
        pytest.param(
            [EDIT, CI],
            'Apply failed with 3 conflicts: conflicts with "ci":\n- .metadata.labels.a.b/c\n- .spec.paused\n'
            'conflicts with "ci" using v1:\n- .data',
            id="several, appliers before updaters of the name",
        ),
    ],
)
def test_the_message_names_all(clashes: list[Clash], message: str) -> None:
    assert status_message(clashes) == message
