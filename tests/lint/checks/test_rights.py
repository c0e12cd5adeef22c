"""Rights of roles, beyond the cases of the rules."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.checks._rights import added_rights, rights_text


def rule(resource: str, *verbs: str, group: str = "", **more: Json) -> JsonObject:
    return {"apiGroups": [group], "resources": [resource], "verbs": [*verbs], **more}


def urls(*paths: str) -> JsonObject:
    return {"nonResourceURLs": [*paths], "verbs": ["get"]}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([rule("pods", "get")], [rule("pods", "get", "list")], "list on pods"),
        ([rule("pods", "*")], [rule("pods", "get")], "-"),
        ([rule("pods", "get", "list")], [rule("pods", "*")], "* on pods"),
        ([rule("*", "get")], [rule("pods/log", "get")], "-"),
        ([rule("*/scale", "get")], [rule("jobs/scale", "get"), rule("jobs", "get")], "get on jobs"),
        ([rule("pods", "get", group="*")], [rule("pods", "get", group="metrics.k8s.io")], "-"),
        ([rule("pods", "get")], [rule("pods", "get", group="metrics.k8s.io")], "get on pods.metrics.k8s.io"),
        ([rule("pods", "get", resourceNames=["a"])], [rule("pods", "get", resourceNames=["a", "b"])], "get on pods/b"),
        ([urls("/healthz/*")], [urls("/healthz/ready", "/metrics")], "get on /metrics"),
        ([urls("*")], [urls("/metrics")], "-"),
        ([], [None, {"verbs": [1], "resources": "pods"}], "-"),
    ],
)
def test_rights_that_an_earlier_rule_covers_are_not_new(before: list[Json], after: list[Json], expected: str) -> None:
    assert rights_text(added_rights(before, after)) == expected


def test_resources_with_the_same_verbs_are_listed_together_and_cut() -> None:
    rules = [rule(f"kind{number}", "list", "get") for number in range(10)]

    assert rights_text(added_rights([], rules)) == "get, list on " + ", ".join(f"kind{n}" for n in range(8)) + " (+2)"


@pytest.mark.parametrize(
    ("right", "expected"),
    [
        (rule("secrets", "list"), True),
        (rule("secrets", "create"), False),
        (rule("secrets", "get", resourceNames=["one"]), False),
        (rule("pods/exec", "create"), True),
        (rule("serviceaccounts", "impersonate"), True),
        (rule("*", "get"), True),
        (rule("*", "get", group="example.com"), False),
        (rule("clusterroles", "bind", group="rbac.authorization.k8s.io"), True),
        (rule("clusterroles", "update", group="rbac.authorization.k8s.io"), False),
    ],
)
def test_rights_that_lead_to_others_are_sensitive(right: JsonObject, expected: bool) -> None:
    assert [one.is_sensitive for one in added_rights([], [right])] == [expected]
