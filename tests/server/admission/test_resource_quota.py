"""Quotas beside limit ranges, as kube-apiserver 1.36.3 answered dry runs on 2026-11-21."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.admission.objects import answer_to_create, cluster_view, status_and_messages
from tests.server.admission.stories import LIMITS, PLACE, POD, Story, predicted_answer, stories

QUOTA: JsonObject = {
    "apiVersion": "v1",
    "kind": "ResourceQuota",
    "metadata": {"name": "q", "namespace": PLACE},
    "status": {"hard": {"cpu": "1"}, "used": {"cpu": "0"}},
}


@pytest.mark.parametrize("story", stories())
def test_limits_and_quotas_accept_or_reject_objects(story: Story) -> None:
    assert status_and_messages(predicted_answer(story)) == (
        403 if story.said else 0,
        [story.said] if story.said else [],
    )


def test_required_resources_of_a_pod_depend_on_possible_limits() -> None:
    assert status_and_messages(answer_to_create(POD, cluster_view(QUOTA)))[0] == 0
    assert status_and_messages(answer_to_create(POD, cluster_view(QUOTA, whole=[LIMITS])))[0] == 403


def test_a_pod_whose_overhead_is_not_known_here_is_not_measured() -> None:
    limits = cluster_view(QUOTA, whole=[LIMITS])
    costly = {**POD["spec"], "runtimeClassName": "heavy", "resources": {"requests": {"cpu": "2"}}}

    assert status_and_messages(answer_to_create({**POD, "spec": costly}, limits))[0] == 0
