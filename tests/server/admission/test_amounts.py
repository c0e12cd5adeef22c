"""Limits and quotas, as kube-apiserver 1.36.3 answered dry runs on 2026-11-21."""

from fractions import Fraction

import pytest

from kubectl_applylint.core.state import UNSEEN, Surroundings
from kubectl_applylint.core.values import JsonObject, dig
from kubectl_applylint.server.admission.amounts import Amount, added, amounts
from kubectl_applylint.server.defaults import apply_defaults
from kubectl_applylint.server.write import Answer, Stored
from tests.server.admission.objects import around, created, patched, said
from tests.server.admission.stories import PLACE, Story, stories
from tests.server.stored import kind_of

LIMITS, QUOTAS = ("", "LimitRange", PLACE), ("", "ResourceQuota", PLACE)
POD: JsonObject = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "x", "namespace": PLACE},
    "spec": {"containers": [{"name": "a", "image": "i"}]},
}
QUOTA: JsonObject = {
    "apiVersion": "v1",
    "kind": "ResourceQuota",
    "metadata": {"name": "q", "namespace": PLACE},
    "status": {"hard": {"cpu": "1"}, "used": {"cpu": "0"}},
}


def live(item: JsonObject) -> JsonObject:
    """Return an object with its defaults, as a server tells of it."""
    return apply_defaults(item, kind_of(item), "1.36")


def told(story: Story) -> Answer:
    known = around(*map(live, story.around), whole=[LIMITS, QUOTAS])
    if story.then is None:
        return created(story.manifest, known)
    before = created(story.manifest, UNSEEN)

    assert isinstance(before, Stored)
    return patched(before.object, story.then, known)


@pytest.mark.parametrize("story", stories())
def test_what_limits_and_quotas_leave(story: Story) -> None:
    assert said(told(story)) == (403 if story.said else 0, [story.said] if story.said else [])


@pytest.mark.parametrize("story", [story for story in stories() if story.values[0].note])  # type: ignore[union-attr]  # always a Story
def test_what_limits_set(story: Story) -> None:
    answer = told(story)
    pod = answer.object if isinstance(answer, Stored) else answer.intended

    assert pod is not None
    assert dig(pod, "metadata", "annotations", "kubernetes.io/limit-ranger") == story.note
    containers = [*pod["spec"].get("initContainers", []), *pod["spec"]["containers"]]
    assert [container["resources"] for container in containers] == story.resources


@pytest.mark.parametrize(
    ("known", "is_assumed"),
    [(around(whole=[LIMITS]), False), (UNSEEN, True)],
    ids=["known", "not known"],
)
def test_that_no_limits_set_anything_is_assumed_where_nobody_looked(known: Surroundings, is_assumed: bool) -> None:
    answer = created(POD, known)

    assert isinstance(answer, Stored)
    assert any("LimitRange" in reason for reason in answer.confidence.reasons) == is_assumed


def test_what_a_pod_must_say_depends_on_limits_that_may_be_there() -> None:
    assert said(created(POD, around(QUOTA)))[0] == 0
    assert said(created(POD, around(QUOTA, whole=[LIMITS])))[0] == 403


def test_a_pod_whose_overhead_is_not_known_here_is_not_measured() -> None:
    limits = around(QUOTA, whole=[LIMITS])
    costly = {**POD["spec"], "runtimeClassName": "heavy", "resources": {"requests": {"cpu": "2"}}}

    assert said(created({**POD, "spec": costly}, limits))[0] == 0


def test_amounts_keep_their_suffixes() -> None:
    total = added(amounts({"memory": "512Mi", "cpu": "1"}), amounts({"memory": "512Mi"}))

    assert {name: str(amount) for name, amount in total.items()} == {"memory": "1Gi", "cpu": "1"}
    assert str(Amount(Fraction(1, 2), "1")) == "500m"
