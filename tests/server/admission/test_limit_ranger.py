"""Limit ranges, as kube-apiserver 1.36.3 answered dry runs on 2026-11-21; what they reject is with the quotas."""

import pytest

from kubectl_applylint.core.state import UNSEEN, ClusterView
from kubectl_applylint.core.values import dig
from kubectl_applylint.server.write import Stored
from tests.server.admission.objects import answer_to_create, cluster_view
from tests.server.admission.stories import LIMITS, POD, Story, predicted_answer, stories


@pytest.mark.parametrize("story", [story for story in stories() if story.values[0].note])  # type: ignore[union-attr]  # always a Story
def test_limits_set_resources_and_an_annotation(story: Story) -> None:
    answer = predicted_answer(story)
    pod = answer.object if isinstance(answer, Stored) else answer.intended

    assert pod is not None
    assert dig(pod, "metadata", "annotations", "kubernetes.io/limit-ranger") == story.note
    containers = [*pod["spec"].get("initContainers", []), *pod["spec"]["containers"]]
    assert [container["resources"] for container in containers] == story.resources


@pytest.mark.parametrize(
    ("known", "is_assumed"),
    [(cluster_view(whole=[LIMITS]), False), (UNSEEN, True)],
    ids=["known", "not known"],
)
def test_unread_limits_are_assumed_to_set_nothing(known: ClusterView, is_assumed: bool) -> None:
    answer = answer_to_create(POD, known)

    assert isinstance(answer, Stored)
    assert any("LimitRange" in reason for reason in answer.confidence.reasons) == is_assumed
