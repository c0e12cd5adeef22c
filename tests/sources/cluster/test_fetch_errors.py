from dataclasses import replace

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.sources.cluster.discovery import ServedKind
from kubectl_applylint.sources.cluster.fetch_errors import FetchError, problems_of, reason
from kubectl_applylint.sources.cluster.http_result import FailedRequest, FailureClass

POD = ServedKind("v1", "Pod", "pods", namespaced=True, verbs=(), preferred=True)
DEPLOYMENT = replace(POD, api_version="apps/v1", kind="Deployment", resource="deployments")
NODE = replace(POD, kind="Node", resource="nodes", namespaced=False)
FORBIDDEN = FailedRequest(FailureClass.FORBIDDEN, 'pods "web" is forbidden: User "jane" cannot get resource "pods"')
FAULTY = FailedRequest(FailureClass.FAULTY, "it answered 500", "look")
AWAY = FailedRequest(FailureClass.UNREACHABLE, "cannot reach it", "check")


@pytest.mark.parametrize(
    ("fetch_error", "words"),
    [
        (
            FetchError(FORBIDDEN, "get", DEPLOYMENT, "shop"),
            "forbidden: user jane cannot get deployments.apps in namespace shop",
        ),
        (FetchError(FORBIDDEN, "list", POD), "forbidden: user jane cannot list pods in all namespaces"),
        (FetchError(FORBIDDEN, "get", NODE), "forbidden: user jane cannot get nodes"),
        (
            FetchError(FailedRequest(FailureClass.FORBIDDEN, "no"), "get", NODE),
            "forbidden: user of the kubeconfig cannot get nodes",
        ),
        (FetchError(FORBIDDEN, "get"), FORBIDDEN.message),
        (FetchError(FAULTY, "list", POD, "shop"), "cannot read pods in namespace shop: it answered 500"),
        (FetchError(AWAY, "get", POD, "shop"), "cannot reach it"),
        (FetchError(FAULTY, "get"), "it answered 500"),
    ],
    ids=["object", "all", "cluster-scoped", "nobody named", "before any kind", "one kind", "all kinds", "discovery"],
)
def test_reasons(fetch_error: FetchError, words: str) -> None:
    assert reason(fetch_error) == words


def test_one_reason_is_one_problem() -> None:
    fetch_errors = [
        FetchError(FORBIDDEN, "get", POD, "shop"),
        FetchError(AWAY, "get", POD, "shop"),
        FetchError(FORBIDDEN, "get", POD, "shop"),
    ]

    assert problems_of([*fetch_errors, FetchError(AWAY, "list", NODE)], "cluster prod", counted=True) == (
        Problem(
            "cluster prod",
            "forbidden: user jane cannot get pods in namespace shop (2 objects skipped)",
            "request the verbs get and list; check with: kubectl auth can-i get pods -n shop",
        ),
        Problem("cluster prod", "cannot reach it (2 objects skipped)", "check"),
    )


def test_kinds_with_one_missing_right_are_named_together() -> None:
    fetch_errors = [FetchError(FORBIDDEN, "list", kind, "shop") for kind in (POD, DEPLOYMENT)]
    many = [FetchError(FORBIDDEN, "list", replace(POD, resource=f"r{number}")) for number in range(9)]

    (first, second, third) = problems_of(
        [*fetch_errors, *many, FetchError(FORBIDDEN, "list", NODE)], "c", counted=False
    )

    assert first.message == "forbidden: user jane cannot list pods, deployments.apps in namespace shop"
    assert first.advice.endswith("kubectl auth can-i --list -n shop")
    assert second.message == "forbidden: user jane cannot list r0, r1, r2, r3 and 5 more kinds in all namespaces"
    assert second.advice.endswith("kubectl auth can-i --list -A")
    assert third.advice.endswith("kubectl auth can-i list nodes")


def test_failures_of_different_kinds_are_distinguished() -> None:
    problems = problems_of([FetchError(FAULTY, "get", POD, "shop"), FetchError(FAULTY, "get", NODE)], "c", counted=True)

    assert [problem.message for problem in problems] == [
        "cannot read pods in namespace shop: it answered 500 (1 object skipped)",
        "cannot read nodes: it answered 500 (1 object skipped)",
    ]


def test_words_about_one_object_do_not_make_many_problems() -> None:
    failures = [replace(FAULTY, message=f"it cannot convert o{number}") for number in range(3)]

    (problem,) = problems_of([FetchError(failure, "get", POD, "shop") for failure in failures], "c", counted=True)

    assert problem.message == "cannot read pods in namespace shop: it cannot convert o0 (3 objects skipped)"


def test_a_faulty_selector_is_reported_once() -> None:
    refused = FailedRequest(FailureClass.REFUSED, "it answered 400: unable to parse requirement")

    assert [
        each.message
        for each in problems_of([FetchError(refused, "list", kind) for kind in (POD, NODE)], "c", counted=False)
    ] == [refused.message]
    assert reason(FetchError(refused, "get", NODE)) == f"cannot read nodes: {refused.message}"


@pytest.mark.parametrize("trouble", [FailureClass.SLOW, FailureClass.BROKEN, FailureClass.GARBLED])
def test_kinds_that_meet_the_same_silence_are_named_together(trouble: FailureClass) -> None:
    silence = FailedRequest(trouble, "it did not answer")
    fetch_errors = [FetchError(silence, "get", POD, "shop"), FetchError(silence, "list", DEPLOYMENT, "shop")]

    assert [each.message for each in problems_of(fetch_errors, "c", counted=True)] == [
        "cannot read pods, deployments.apps in namespace shop: it did not answer (2 objects skipped)"
    ]
