import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.model import Finding, Report, Severity
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.formats.openreports import MOST_RESULTS, open_reports
from tests.cluster.cluster import Cluster
from tests.cluster.crds import install, uninstall
from tests.report.samples import DOUBTFUL, FINDING, REPORT, RULE

PAGE = (Path(__file__).parents[3] / "docs" / "ci.md").read_text()


def reports_of(report: Report) -> list[dict[str, Any]]:
    """Return the reports, the one about the cluster first."""
    found: list[dict[str, Any]] = json.loads(open_reports(report, Context(rules={RULE.id: RULE})))["items"]
    return found


def of_cluster(finding: Finding) -> Finding:
    return replace(finding, ref=ObjectRef("v1", "Namespace", "", "shop"))


def test_a_namespace_has_one_report() -> None:
    cluster, shop = reports_of(Report(findings=(FINDING, DOUBTFUL)))

    assert (cluster["kind"], cluster["results"]) == ("ClusterReport", [])
    assert (shop["kind"], shop["metadata"]["namespace"], shop["metadata"]["name"]) == ("Report", "shop", "applylint")
    assert shop["summary"] == {"pass": 0, "fail": 1, "warn": 1, "error": 0, "skip": 0}
    assert shop["results"][0] == {
        "policy": "selector-changed",
        "result": "fail",
        "severity": "high",
        "source": "applylint",
        "message": FINDING.message,
        "resources": [{"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop", "name": "web"}],
        "properties": {"place": "web.yaml:5:3", "fingerprint": "5e1ec70a"},
    }


def test_other_findings_and_what_could_not_be_read_belong_to_the_cluster() -> None:
    (cluster,) = reports_of(Report(findings=(of_cluster(DOUBTFUL),), problems=REPORT.problems))

    assert [(each["policy"], each["result"]) for each in cluster["results"]] == [
        ("incomplete", "error"),
        ("last-applied-missing", "warn"),
    ]
    assert "broken.yaml:3:1" in cluster["results"][0]["message"]


def test_findings_of_severity_info_are_left_out() -> None:
    assert len(reports_of(Report(findings=(replace(FINDING, severity=Severity.INFO),)))) == 1


def test_a_report_is_bounded_and_counts_all() -> None:
    many = [replace(DOUBTFUL, message="long " * 1000) for _ in range(MOST_RESULTS)]
    _, shop = reports_of(Report(findings=(*many, FINDING)))

    assert len(shop["results"]) == MOST_RESULTS
    assert shop["results"][0]["policy"] == "selector-changed"
    assert shop["summary"]["warn"] == MOST_RESULTS
    assert shop["metadata"]["annotations"] == {"applylint/left-out": "1 result"}
    assert len(json.dumps(shop)) < 1_400_000


DEFINITION = {
    "type": "object",
    "properties": {
        "source": {"type": "string"},
        "configuration": {
            "type": "object",
            "required": ["limits"],
            "properties": {"limits": {"type": "object", "properties": {"maxResults": {"type": "integer"}}}},
        },
        "summary": {
            "type": "object",
            "properties": {name: {"type": "integer"} for name in ("pass", "fail", "warn", "error", "skip")},
        },
        "results": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["policy"],
                "properties": {
                    "policy": {"type": "string"},
                    "category": {"type": "string"},
                    "source": {"type": "string"},
                    "message": {"type": "string"},
                    "result": {"type": "string", "enum": ["pass", "fail", "warn", "error", "skip"]},
                    "severity": {"type": "string", "enum": ["critical", "high", "low", "medium", "info"]},
                    "properties": {"type": "object", "additionalProperties": {"type": "string"}},
                    "resources": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                name: {"type": "string"} for name in ("apiVersion", "kind", "name", "namespace")
                            },
                        },
                    },
                },
            },
        },
    },
}
"""The written fields are as https://openreports.io requires."""


@pytest.fixture(name="report_definitions")
def _report_definitions(cluster: Cluster) -> Iterator[None]:
    """Both kinds of reports on the server."""
    crds = [definition("Report", "reports", "Namespaced"), definition("ClusterReport", "clusterreports", "Cluster")]
    made_here = install(cluster.api, crds)
    yield
    uninstall(cluster.api, made_here)


def definition(kind: str, plural: str, scope: str) -> dict[str, Any]:
    version = {"name": "v1alpha1", "served": True, "storage": True, "schema": {"openAPIV3Schema": DEFINITION}}
    names = {"kind": kind, "listKind": f"{kind}List", "plural": plural, "singular": kind.lower()}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {
            "name": f"{plural}.openreports.io",
            "annotations": {"api-approved.kubernetes.io": "unapproved"},
        },
        "spec": {"group": "openreports.io", "scope": scope, "names": names, "versions": [version]},
    }


@pytest.mark.usefixtures("report_definitions")
def test_the_server_takes_the_reports(cluster: Cluster, namespace: str) -> None:
    ours = replace(FINDING, ref=replace(FINDING.ref, namespace=namespace))
    text = open_reports(Report(findings=(ours, of_cluster(DOUBTFUL)), problems=REPORT.problems), Context())

    done = cluster.run("apply", "--validate=strict", "-f", "-", stdin=text)

    assert done.code == 0, done.stderr
    assert "report.openreports.io/applylint created" in done.stdout


@pytest.mark.usefixtures("report_definitions")
def test_the_documented_commands_remove_reports_without_results(cluster: Cluster, namespace: str) -> None:
    ours = replace(FINDING, ref=replace(FINDING.ref, namespace=namespace))
    written = (line for line in PAGE.splitlines() if re.match("    kubectl (delete|apply) .*report", line))
    delete, apply = (shlex.split(line.replace("reports.json", "-"))[1:] for line in written)
    here = [word for text in delete for word in (["-n", namespace] if text == "-A" else [text])]

    first = cluster.run(*apply, stdin=open_reports(Report(findings=(ours,)), Context()))
    gone = cluster.run(*here)
    second = cluster.run(*apply, stdin=open_reports(Report(), Context()))

    assert (first.code, gone.code, second.code) == (0, 0, 0), first.stderr + gone.stderr + second.stderr
    assert 'report.openreports.io "applylint" deleted' in gone.stdout


def test_the_documented_job_is_taken(cluster: Cluster, namespace: str) -> None:
    job = re.findall("```yaml\n(apiVersion: batch/v1\nkind: CronJob\n.*?)```", PAGE, re.DOTALL)[0]

    done = cluster.run(
        "apply", "--dry-run=server", "-f", "-", stdin=job.replace("namespace: applylint", f"namespace: {namespace}")
    )

    assert done.code == 0, done.stderr
    assert done.stderr == ""
