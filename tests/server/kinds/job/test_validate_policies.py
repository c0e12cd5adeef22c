import pytest

from kubectl_applylint.core.values import Json, JsonObject
from tests.server.validate.objects import job, messages, template

CODES: JsonObject = {"operator": "In", "values": [1, 2]}
READY: JsonObject = {"type": "Ready", "status": "True"}
PREFIX = "spec.podFailurePolicy.rules[0]"
INDEXED: JsonObject = {"completionMode": "Indexed", "completions": 5}


def rule(**rule: Json) -> JsonObject:
    return {"podFailurePolicy": {"rules": [{"action": "Ignore", **rule}]}}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (rule(onExitCodes=CODES), []),
        (
            rule(onExitCodes=CODES, action="FailIndex"),
            ['action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set'],
        ),
        (
            rule(onExitCodes=CODES, action="x"),
            ['action: Unsupported value: "x": supported values: "Count", "FailIndex", "FailJob", "Ignore"'],
        ),
        (
            rule(onExitCodes=CODES, action=""),
            ['action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]'],
        ),
        (rule(onExitCodes={**CODES, "containerName": "c"}), []),
        (
            rule(onExitCodes={**CODES, "containerName": "other"}),
            [
                'onExitCodes.containerName: Invalid value: "other": must be one of the container or '
                "initContainer names in the pod template"
            ],
        ),
        (
            rule(onExitCodes={"operator": "In", "values": [0]}),
            ["onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator"],
        ),
        (
            rule(onExitCodes={"operator": "NotIn", "values": [2, 1]}),
            ["onExitCodes.values: Invalid value: [2,1]: must be ordered"],
        ),
        (rule(onExitCodes={"operator": "In", "values": [1, 1]}), ["onExitCodes.values[1]: Duplicate value: 1"]),
        (
            rule(onExitCodes={"operator": "In", "values": []}),
            ["onExitCodes.values: Invalid value: []: at least one value is required"],
        ),
        (
            rule(onExitCodes={"operator": "x", "values": [1]}),
            ['onExitCodes.operator: Unsupported value: "x": supported values: "In", "NotIn"'],
        ),
        (
            rule(onExitCodes={"operator": "", "values": [1]}),
            ['onExitCodes.operator: Required value: valid values: ["In" "NotIn"]'],
        ),
        (rule(onPodConditions=[READY]), []),
        (rule(onPodConditions=[{**READY, "status": ""}]), []),
        (
            rule(onPodConditions=[{**READY, "status": "x"}]),
            ['onPodConditions[0].status: Unsupported value: "x": supported values: "False", "True", "Unknown"'],
        ),
        (rule(onPodConditions=[READY] * 21), ["onPodConditions: Too many: 21: must have at most 20 items"]),
    ],
)
def test_invalid_failure_policies_are_rejected(spec: JsonObject, expected: list[str]) -> None:
    assert messages(job(**spec)) == [f"{PREFIX}.{words}" for words in expected]


def test_a_failure_is_one_thing() -> None:
    words = [message.partition(": ")[2].partition(": ")[2] for message in messages(job(**rule()))]
    both = messages(job(**rule(onExitCodes=CODES, onPodConditions=[READY])))

    assert words == ['{"action":"Ignore"}: specifying one of OnExitCodes and OnPodConditions is required']
    assert both[0].endswith(": specifying both OnExitCodes and OnPodConditions is not supported")


def test_failures_count_only_where_pods_end() -> None:
    restarting = job(**rule(onExitCodes=CODES), pods=template(restartPolicy="OnFailure"))

    assert messages(restarting) == [
        'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy '
        "is specified"
    ]
    assert messages(job(**rule(onExitCodes=CODES), podReplacementPolicy="TerminatingOrFailed")) == [
        'spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"'
    ]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([{"succeededIndexes": "0,2-4"}], []),
        ([{"succeededIndexes": "0,2-4", "succeededCount": 4}], []),
        (
            [{"succeededIndexes": "0-1", "succeededCount": 3}],
            [
                "rules[0].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in "
                "the specified succeededIndexes field)"
            ],
        ),
        (
            [{"succeededCount": 6}],
            [
                "rules[0].succeededCount: Invalid value: 6: must be less than or equal to 5 (the number of specified "
                "completions)"
            ],
        ),
        ([], ["rules: Required value: at least one rules must be specified when the successPolicy is specified"]),
        ([{}], ["rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified"]),
        (
            [{"succeededIndexes": "5"}],
            ['rules[0].succeededIndexes: Invalid value: "5": error parsing succeededIndexes: too large index: "5"'],
        ),
        (
            [{"succeededIndexes": "a"}],
            [
                'rules[0].succeededIndexes: Invalid value: "a": error parsing succeededIndexes: cannot convert '
                'string to integer for index: "a"'
            ],
        ),
        (
            [{"succeededIndexes": "3,1"}],
            [
                'rules[0].succeededIndexes: Invalid value: "3,1": error parsing succeededIndexes: non-increasing '
                "order, previous: 3, current: 1"
            ],
        ),
    ],
)
def test_invalid_success_policies_are_rejected(rules: Json, expected: list[str]) -> None:
    made = job(**INDEXED, successPolicy={"rules": rules})

    assert messages(made) == [f"spec.successPolicy.{words}" for words in expected]


def test_only_indexed_jobs_succeed_by_policy() -> None:
    made = job(completions=5, successPolicy={"rules": [{"succeededCount": 1}]})

    assert [message.rpartition(": ")[2] for message in messages(made)] == ["requires indexed completion mode"]
