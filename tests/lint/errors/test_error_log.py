from dataclasses import replace
from time import perf_counter

import pytest

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.lint.errors.diagnose import diagnose
from kubectl_applylint.lint.errors.error_log import LoggedError, logged_errors
from kubectl_applylint.rulebook.rulebook import built_in

SELECTOR = FieldError("spec.selector", "", "Invalid value: {}: field is immutable")
LABELS = FieldError("spec.template.metadata.labels", "", "Required value")
WEB = LoggedError(1, (), kind="Deployment", name="web")
LONG = """\
Error from server (Invalid): error when applying patch:
{"spec":{"selector":{"matchLabels":{"app":"x"}}}}
to:
Resource: "apps/v1, Resource=deployments", GroupVersionKind: "apps/v1, Kind=Deployment"
Name: "web", Namespace: "shop"
for: "deploy/web.yaml": error when patching "deploy/web.yaml": Deployment.apps "web" is invalid: """
MERGE = """\
error: error when applying patch:

to:
Resource: "/v1, Resource=services", GroupVersionKind: "/v1, Kind=Service"
Name: "np", Namespace: "default"
for: "STDIN": error when patching "STDIN": creating patch with:
original:
{"spec":{"ports":[{"port":80}]}}

current:
{}

for: map: map[] does not contain declared merge key: port
"""


def only(text: str) -> LoggedError:
    (failure,) = logged_errors(text)
    return failure


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        (
            'The Deployment "web" is invalid: spec.selector: Invalid value: {}: field is immutable',
            replace(WEB, causes=(SELECTOR,)),
        ),
        (
            'The Deployment "web" is invalid: \n* spec.selector: Invalid value: {}: field is immutable\n'
            "* spec.template.metadata.labels: Required value\n",
            replace(WEB, causes=(SELECTOR, LABELS)),
        ),
        (
            LONG
            + "[spec.selector: Invalid value: {}: field is immutable, spec.template.metadata.labels: Required value]",
            replace(WEB, causes=(SELECTOR, LABELS), namespace="shop", file="deploy/web.yaml"),
        ),
        (
            LONG + "spec.selector: Invalid value: {}: field is immutable",
            replace(WEB, causes=(SELECTOR,), namespace="shop", file="deploy/web.yaml"),
        ),
        (
            'Error: UPGRADE FAILED: cannot patch "web" with kind Deployment: Deployment.apps "web" is invalid: '
            "spec.selector: Invalid value: {}: field is immutable",
            replace(WEB, causes=(SELECTOR,)),
        ),
        (
            'The request is invalid: patch: Invalid value: "map[]": cannot restore map from string',
            LoggedError(1, (FieldError("patch", "", 'Invalid value: "map[]": cannot restore map from string'),)),
        ),
        (
            'Error from server (NotFound): error when creating "web.yaml": namespaces "shop" not found',
            LoggedError(1, (FieldError("", "", 'namespaces "shop" not found'),), file="web.yaml"),
        ),
        (
            MERGE,
            LoggedError(
                1,
                (FieldError("", "", "map: map[] does not contain declared merge key: port"),),
                kind="Service",
                name="np",
                namespace="default",
                file="STDIN",
            ),
        ),
        (
            'Error from server (Conflict): Operation cannot be fulfilled on configmaps "settings": modified',
            LoggedError(1, (FieldError("", "", "modified"),), kind="configmaps", name="settings"),
        ),
        (
            'error: Apply failed with 2 conflicts: conflicts with "kubectl" with subresource "scale" using apps/v1:\n'
            "- .spec.replicas\n- .spec.paused\nPlease review the fields above--they currently have other managers.",
            LoggedError(
                1,
                tuple(
                    FieldError(
                        path,
                        "FieldManagerConflict",
                        'conflict with "kubectl" with subresource "scale" using apps/v1',
                    )
                    for path in (".spec.replicas", ".spec.paused")
                ),
            ),
        ),
        (
            'error: resource mapping not found for name: "w" namespace: "shop" from "w.yaml": no matches for kind "W" '
            'in version "x/v1"\nensure CRDs are installed first',
            LoggedError(
                1,
                (
                    FieldError(
                        "",
                        "",
                        'resource mapping not found for name: "w" namespace: "shop" from "w.yaml": no matches for kind '
                        '"W" in version "x/v1"\nensure CRDs are installed first',
                    ),
                ),
                name="w",
                namespace="shop",
                file="w.yaml",
            ),
        ),
        (
            "Error from server: failed to create typed patch object (shop/web; apps/v1, Kind=Deployment): .spec.x: y",
            replace(
                WEB,
                causes=(
                    FieldError(
                        "", "", "failed to create typed patch object (shop/web; apps/v1, Kind=Deployment): .spec.x: y"
                    ),
                ),
                namespace="shop",
            ),
        ),
        (
            "Warning: resource configmaps/settings is missing the annotation",
            LoggedError(
                1,
                (FieldError("", "", "resource configmaps/settings is missing the annotation"),),
                kind="configmaps",
                name="settings",
                warning=True,
            ),
        ),
        (
            '\x1b[31m2026-11-21T12:00:00.1Z ##[error]The Deployment "web" is invalid: spec.selector: Invalid value: '
            "{}: field is immutable\x1b[0m",
            replace(WEB, causes=(SELECTOR,)),
        ),
        ("field is immutable", LoggedError(1, (FieldError("", "", "field is immutable"),), loose=True)),
    ],
    ids=[
        "one cause",
        "several causes",
        "several errors in one run",
        "with the patch",
        "Helm",
        "a patch that cannot be read",
        "a file",
        "kubectl's own failure",
        "a resource in the plural",
        "conflicts",
        "no such kind",
        "a typed object",
        "a warning",
        "a log with colours and times",
        "a part of a message",
    ],
)
def test_an_error_is_taken_apart(text: str, failure: LoggedError) -> None:
    assert only(text) == failure


def test_lines_without_an_error_are_skipped() -> None:
    text = "configmap/a configured\nservice/web unchanged (dry run)\n\nwarning: error calculating patch from openapi v3"

    assert logged_errors(text) == ()


def test_each_error_is_reported_once_with_its_first_line() -> None:
    error = 'The Deployment "web" is invalid: spec.selector: Invalid value: {}: field is immutable\n'
    other = "error: unable to read it\n"

    found = logged_errors(f"service/web configured\n{error}{other}{error}")

    assert [(failure.line, failure.name) for failure in found] == [(2, "web"), (3, "")]


def test_helm_reports_several_objects_in_one_error() -> None:
    text = """\
level=WARN msg="upgrade failed" name=app error="cannot patch"
Error: UPGRADE FAILED: cannot patch "web" with kind Deployment: Deployment.apps "web" is invalid: spec.selector: \
Invalid value: {}: field is immutable && cannot patch "db" with kind Service: Service "db" is invalid: spec.ports: \
Required value
"""

    found = logged_errors(text)

    assert [(one.line, one.kind, one.name, one.causes) for one in found] == [
        (2, "Deployment", "web", (SELECTOR,)),
        (2, "Service", "db", (FieldError("spec.ports", "", "Required value"),)),
    ]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("PersistentVolumeClaim/shop/data immutable field detected, failed to wait", ("data", "shop")),
        ("ClusterRole/reader dry-run failed (Forbidden): no", ("reader", "")),
        ('Service "web" in namespace "shop" exists and cannot be imported into the current release', ("web", "shop")),
    ],
)
def test_tools_name_the_object_first(text: str, named: tuple[str, str]) -> None:
    found = only(text)

    assert (found.name, found.namespace) == named


def test_argo_cd_reports_several_objects_in_one_error() -> None:
    found = logged_errors(
        'one or more synchronization tasks completed unsuccessfully, reason: error when patching "/dev/shm/70": '
        'Deployment.apps "web" is invalid: spec.selector: Invalid value: {}: field is immutable,error when patching '
        '"/dev/shm/71": Service "db" is invalid: spec.ports: Required value'
    )

    assert [(one.kind, one.name, one.causes, one.loose) for one in found] == [
        ("Deployment", "web", (SELECTOR,), False),
        ("Service", "db", (FieldError("spec.ports", "", "Required value"),), False),
    ]


def test_kapp_folds_what_the_server_says() -> None:
    text = """\
kapp: Error: update deployment/web (apps/v1) namespace: shop:
  Updating resource deployment/web (apps/v1) namespace: shop:
    API server says:
      Deployment.apps "web" is invalid:

  - spec.selector: Invalid value: {}: field is immutable

  - spec.replicas: Invalid value: -1: must be greater than or equal to 0

 (reason: Invalid)
error: another one
"""
    web, other = logged_errors(text)

    replicas = FieldError("spec.replicas", "", "Invalid value: -1: must be greater than or equal to 0")
    assert (web.line, web.kind, web.name, web.causes) == (1, "Deployment", "web", (SELECTOR, replicas))
    assert other.line == 11


def test_kapp_breaks_a_line_before_a_single_reason() -> None:
    text = """\
kapp: Error: update service/web (v1) namespace: shop:
  Updating resource service/web (v1) namespace: shop:
    API server says:
      Service "web" is invalid: spec.ports:
        Required value (reason: Invalid)
"""
    assert only(text).causes == (FieldError("spec.ports", "", "Required value"),)


def test_kapp_lists_objects_over_which_it_stops() -> None:
    text = """\
kapp: Error: Ownership errors:
- Resource 'configmap/a (v1) namespace: shop' is already associated with a different label 'kapp.k14s.io/app=1'
- Resource 'clusterrole/b (rbac.authorization.k8s.io/v1) cluster' is already associated with a different label 'x=1'
"""
    assert [(one.kind, one.name, one.namespace) for one in logged_errors(text)] == [
        ("configmap", "a", "shop"),
        ("clusterrole", "b", ""),
    ]


def test_text_around_the_errors_is_loose() -> None:
    found = logged_errors("Run deploy.sh\n\nerror: it failed\nfor a reason\ndeployment.apps/web created\nbye")

    assert [(failure.line, failure.loose, failure.causes[0].message) for failure in found] == [
        (1, True, "Run deploy.sh"),
        (3, False, "it failed\nfor a reason"),
        (6, True, "bye"),
    ]


def test_nothing_is_no_error() -> None:
    assert logged_errors("") == logged_errors("\n \n") == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "error: " + "a[" * 50_000,
        "error: " + 'a.b "c" ' * 20_000,
        'The A "b" is invalid: [' + "a.b: Required value, " * 10_000 + "]",
        'error: conflict with "x":' + "\n- .a.b" * 10_000,
        "x" * 200_000,
        "error: " + "a." * 100_000,
        "error: " + " object (" * 20_000,
        "[" * 200_000,
        "error: " + "Invalid value: " * 15_000,
    ],
    ids=[
        "open brackets",
        "quoted words",
        "many causes",
        "many conflicts",
        "one word",
        "dots",
        "objects",
        "[",
        "values",
    ],
)
def test_reading_a_long_text_is_quick(text: str) -> None:
    """Four seconds would be many times what it takes; without bounds some of these take minutes."""
    start = perf_counter()

    assert len(logged_errors(text)) == 1
    diagnose(logged_errors(text), built_in().rules)
    assert perf_counter() - start < 4


def test_the_end_of_a_long_message_counts() -> None:
    message = f'The Job "a" is invalid: spec.template: Invalid value: {"x" * 100_000}: field is immutable'

    (failure,) = logged_errors(message)

    assert failure.causes[0].field == "spec.template"
    assert failure.causes[0].message.endswith("x: field is immutable")
    assert " characters) …" in failure.causes[0].message
