import json
from pathlib import Path

import pytest

from kubectl_applylint.cli import kubectl_applylint
from tests.cluster.audit import misdeeds, requests
from tests.cluster.cluster import Cluster

READER = "system:serviceaccount:default:user"


def entry(verb: str, user: str, program: str = "kubectl-applylint/0.1.0") -> str:
    who = {"user": {"username": user}} if user else {}
    return json.dumps({"verb": verb, "requestURI": "/api/v1/x", "userAgent": program, **who})


@pytest.mark.parametrize(
    ("line", "misdeeds_found"),
    [
        (entry("get", READER), []),
        (entry("list", READER), []),
        (entry("get", ""), []),
        (entry("patch", "admin", "kubectl/v1.36.3"), []),
        (entry("get", "admin"), ["get /api/v1/x by admin"]),
        (entry("create", READER), [f"create /api/v1/x by {READER}"]),
        (entry("watch", READER), [f"watch /api/v1/x by {READER}"]),
    ],
    ids=["got", "listed", "unknown user", "kubectl", "administrator", "written", "watched"],
)
def test_only_readers_that_read_do_nothing_wrong(line: str, misdeeds_found: list[str]) -> None:
    assert misdeeds([line, line, '{"verb": "delete", "requestURI": "/kubectl-applylint/"}']) == misdeeds_found


def test_the_server_logs_each_run(reader: Cluster, tmp_path: Path) -> None:
    if reader.audit is None:
        pytest.skip("only our own server writes a log that the tests can read")
    kubectl_applylint(["check", "-n", "default", f"--kubeconfig={reader.kubeconfig}", f"--cache-dir={tmp_path}"])

    seen = list(requests(reader.audit.read_text().splitlines()))

    assert {request["verb"] for request in seen} <= {"get", "list"}
    assert any(request["requestURI"].startswith("/api/v1/namespaces/default/configmaps") for request in seen)
