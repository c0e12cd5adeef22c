import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.validate import validate
from tests.server.stored import kind_of
from tests.server.validate.objects import LABELS, fields, job, template

INDEXED: JsonObject = {"completionMode": "Indexed", "completions": 5, "parallelism": 2}
BAD_SELECTOR = {"matchLabels": LABELS, "matchExpressions": [{"key": "k", "operator": "NotIn", "values": ["b c"]}]}
UID = Unknown("the uid")


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        pytest.param({}, [], id="good"),
        pytest.param({"selector": None}, ["selector", "template.metadata.labels"], id="no selector"),
        pytest.param({"selector": {"matchLabels": {"b": "c"}}}, ["template.metadata.labels"], id="others"),
        pytest.param({"selector": BAD_SELECTOR}, ["selector.matchExpressions[0].values[0]"], id="bad selector"),
    ],
)
def test_jobs(spec: JsonObject, expected: list[str]) -> None:
    assert [field.removeprefix("spec.") for field in fields(job(**spec))] == expected


def test_the_pods_of_an_indexed_job_are_named_after_it() -> None:
    long = job(**INDEXED)
    long["metadata"]["name"] = "a" * 62

    assert fields(long) == ["metadata.name"]


def own(labels: Json, **metadata: Json) -> JsonObject:
    """Return a Job that selects its pods by itself, after what the server makes of it."""
    made = job(
        manualSelector=None,
        selector={"matchLabels": labels},
        pods=template(metadata={"labels": labels}, restartPolicy="Never"),
    )
    return {**made, "metadata": {**made["metadata"], **metadata}}


OWN = {
    "controller-uid": "u",
    "job-name": "x",
    "batch.kubernetes.io/controller-uid": "u",
    "batch.kubernetes.io/job-name": "x",
}


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        pytest.param(own(OWN, uid="u"), [], id="good"),
        pytest.param(
            own({**OWN, "controller-uid": UID, "batch.kubernetes.io/controller-uid": UID}, uid=UID),
            [],
            id="a uid to come",
        ),
        pytest.param(
            own({**OWN, "controller-uid": UID, "batch.kubernetes.io/controller-uid": "5d1a"}, uid=UID),
            ["spec.selector", "spec.template.metadata.labels[batch.kubernetes.io/controller-uid]"],
            id="the uid of another Job",
        ),
        pytest.param(
            own({**OWN, "job-name": "y"}, uid="u"),
            ["spec.selector", "spec.template.metadata.labels[job-name]"],
            id="another",
        ),
        pytest.param(
            own({"job-name": "x"}, uid="u"),
            [
                "spec.template.metadata.labels[batch.kubernetes.io/controller-uid]",
                "spec.template.metadata.labels[batch.kubernetes.io/job-name]",
                "spec.template.metadata.labels[controller-uid]",
            ],
            id="too few",
        ),
    ],
)
def test_jobs_label_their_pods(made: JsonObject, expected: list[str]) -> None:
    assert fields(made) == expected


def test_jobs_from_before_1_27_have_half_of_the_labels() -> None:
    old = own({"controller-uid": "u", "job-name": "x"}, uid="u")

    assert fields(old, old) == []


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        pytest.param({"completions": 1, "parallelism": 5, "backoffLimit": 1}, {}, [], id="what may change"),
        pytest.param({"completions": 5}, {}, ["completions"], id="completions"),
        pytest.param({**INDEXED, "completions": 3, "parallelism": 3}, INDEXED, [], id="in tandem"),
        pytest.param({**INDEXED, "completions": 3}, INDEXED, ["completions"], id="not in tandem"),
        pytest.param(
            {"managedBy": "a/c", "backoffLimitPerIndex": 2, **INDEXED},
            {"managedBy": "a/b", "backoffLimitPerIndex": 1, **INDEXED},
            ["backoffLimitPerIndex", "managedBy"],
            id="the rest",
        ),
        pytest.param({"selector": BAD_SELECTOR}, {"selector": BAD_SELECTOR}, [], id="a bad selector that is stored"),
    ],
)
def test_most_of_a_job_stays(new: JsonObject, old: JsonObject, expected: list[str]) -> None:
    assert [field.removeprefix("spec.") for field in fields(job(**new), job(**old))] == expected


def test_an_unknown_name_is_valid() -> None:
    made = job(**INDEXED, suspend=False)
    made["metadata"]["name"] = Unknown("five characters more")
    made["spec"]["template"]["spec"] |= {"dnsPolicy": "Default", "terminationGracePeriodSeconds": 1}
    made["spec"]["template"]["spec"]["containers"] = [
        {"name": "c", "image": "i", "terminationMessagePolicy": "File", "imagePullPolicy": "Always"}
    ]

    assert validate(made, None, kind_of(made), "1.36") == ()
