import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.validate import validate
from tests.server.stored import kind_of
from tests.server.validate.objects import job, template

STARTED: JsonObject = {"startTime": "2026-11-21T00:00:00Z"}
SUSPENDED: JsonObject = {**STARTED, "conditions": [{"type": "Suspended", "status": "True"}]}
LABELLED: JsonObject = {"labels": {"app": "a", "more": "x"}}
ELSEWHERE = template(metadata=LABELLED, nodeSelector={"a": "b"}, affinity={"nodeAffinity": {}})
LARGER = template(container={"resources": {"limits": {"cpu": "1"}}})
OTHER = template(container={"image": "other"})
RENAMED = template(container={"name": "other", "resources": {"limits": {"cpu": "1"}}})


def fields(pods: Json, version: str, *, status: Json = None, suspend: bool = True, stored: Json = None) -> list[str]:
    """Return the errors of other pods for a stored Job, without those of the rest of its template."""
    new, old = (job(pods=each, suspend=suspend, status=status) for each in (pods, stored or template()))
    found = validate(new, old, kind_of(new), version)
    return [refusal.field for refusal in found if refusal.message.endswith("field is immutable")]


@pytest.mark.parametrize(
    ("pods", "status", "suspend", "of_1_35", "of_1_36"),
    [
        pytest.param(template(), {}, True, [], [], id="nothing changes"),
        pytest.param(ELSEWHERE, {}, True, [], [], id="elsewhere"),
        pytest.param(ELSEWHERE, {}, False, ["spec.template"], ["spec.template"], id="not suspended"),
        pytest.param(ELSEWHERE, STARTED, True, ["spec.template"], ["spec.template"], id="has started"),
        pytest.param(ELSEWHERE, SUSPENDED, True, ["spec.template"], [], id="has started and is suspended"),
        pytest.param(
            ELSEWHERE, {**SUSPENDED, "active": 1}, True, ["spec.template"], ["spec.template"], id="is running"
        ),
        pytest.param(LARGER, {}, True, ["spec.template"], [], id="larger"),
        pytest.param(OTHER, {}, True, ["spec.template"], ["spec.template.spec"], id="another image"),
        pytest.param(RENAMED, {}, True, ["spec.template"], ["spec.template.spec"], id="another name"),
    ],
)
def test_pods_stay_but_for_where_they_run(
    pods: Json, status: Json, suspend: bool, of_1_35: list[str], of_1_36: list[str]
) -> None:
    found = [fields(pods, version, status=status, suspend=suspend) for version in ("1.35", "1.36")]

    assert found == [of_1_35, of_1_36]


def test_an_affinity_may_go_and_stay() -> None:
    near = template(affinity={"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": []}})
    together = template(affinity={"podAffinity": {}})

    assert fields(template(), "1.36", stored=near) == []
    assert fields(template(), "1.36", stored=together) == ["spec.template.spec"]
    assert fields(together, "1.36", stored=together) == []


def test_containers_may_not_come() -> None:
    two = template()
    two["spec"]["containers"] = [*two["spec"]["containers"], {"name": "d", "image": "i"}]

    assert fields(two, "1.36") == ["spec.template.spec"]


def test_all_labels_may_go() -> None:
    bare = {"spec": template()["spec"]}

    assert fields(bare, "1.35", stored=template(metadata=LABELLED)) == []


def test_labels_of_the_server_are_not_validated_again_since_1_37() -> None:
    """``Strategy.ValidateUpdate`` of ``pkg/registry/batch/job``: no longer all that a new Job is asked for."""
    selector = {"matchLabels": {"app": "a"}}
    old = job(pods=template(), suspend=True, selector=selector, manualSelector=False)
    new = job(pods=template(metadata={"labels": {"app": "b"}}), suspend=True, selector=selector, manualSelector=False)
    label = "spec.template.metadata.labels[job-name]"
    found = {
        version: label in [refusal.field for refusal in validate(new, old, kind_of(new), version)]
        for version in ("1.36", "1.37")
    }

    assert found == {"1.36": True, "1.37": False}
