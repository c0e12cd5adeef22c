"""The commands against a cluster, and its failures: each is reported once, and the run continues."""

import json
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from kubectl_applylint.cli import applylint, kubectl_applylint
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import Json, JsonObject
from tests.cli.conftest import PASSWORD, SELECTOR, live_deployment
from tests.sources.apiserver import (
    BASICS,
    Answering,
    ApiServer,
    Reply,
    Request,
    aggregated_discovery,
    forbidden,
    not_found,
    pem,
    resource,
    serving,
    status,
)

pytestmark = pytest.mark.slow

Run: TypeAlias = Callable[..., tuple[int, str, str]]
Serve: TypeAlias = Callable[..., AbstractContextManager[ApiServer]]

WEB = "/apis/apps/v1/namespaces/shop/deployments/web"
SETTINGS, TOKEN = "/api/v1/namespaces/shop/configmaps/settings", "/api/v1/namespaces/shop/secrets/token"
FOUND: Mapping[str, Answering] = {
    WEB: Reply(200, live_deployment()),
    SETTINGS: not_found("configmaps", "settings"),
    TOKEN: not_found("secrets", "token"),
    "/api/v1/namespaces/shop": Reply(200, {"metadata": {"name": "shop"}, "status": {"phase": "Active"}}),
}
FILES = ("web.yaml", "settings.yaml", "secret.yaml")


def write_kubeconfig(path: Path, url: str, user: JsonObject | None = None, **cluster: Json) -> None:
    context = {"cluster": "c", "user": "jane", "namespace": "shop"}
    content = {
        "current-context": "prod",
        "contexts": [{"name": "prod", "context": context}],
        "clusters": [{"name": "c", "cluster": {**({"server": url} if url else {}), **cluster}}],
        "users": [{"name": "jane", "user": user or {}}],
    }
    path.write_text(json.dumps(content))


@pytest.fixture(name="kubeconfig")
def _kubeconfig(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the kubeconfig that is found; nothing is cached outside of the test."""
    monkeypatch.setenv("KUBECONFIG", str(folder / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    return folder / "config"


@pytest.fixture(name="serve")
def _serve(kubeconfig: Path) -> Serve:
    """Return a function that runs a server which the kubeconfig leads to."""

    @contextmanager
    def serve(replies: Mapping[str, Answering] = FOUND, certificate: str = "", **cluster: Any) -> Iterator[ApiServer]:
        with serving({**BASICS, **replies}, certificate) as server:
            write_kubeconfig(kubeconfig, server.url, **cluster)
            yield server

    return serve


@pytest.fixture(name="plugin")
def _plugin(kubeconfig: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs the plugin and gives its exit code, output and errors."""

    def run(*argv: str) -> tuple[int, str, str]:
        code = kubectl_applylint(argv)
        return code, *capsys.readouterr()

    return run


def problems(out: str, server: ApiServer | None = None) -> list[str]:
    """Return the problems in a report, the server's address and all advice left out."""
    lines = [line.partition("problem: ")[2].partition(";")[0] for line in out.splitlines() if "problem: " in line]
    return [line.replace(server.url, "SERVER") for line in lines] if server else lines


def test_the_plugin_asks_the_cluster_of_the_kubeconfig(serve: Serve, plugin: Run) -> None:
    with serve() as server:
        code, out, err = plugin("check", *FILES)

    assert (code, err) == (1, "kubectl applylint: compared with cluster prod (v1.36.3)\n")
    assert SELECTOR in out
    assert {request.method for request in server.requests} == {"GET"}
    assert {*FOUND} <= {*server.requested_paths()}


def test_applylint_reads_the_cluster_only_with_against_live(
    serve: Serve, kubeconfig: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve() as server:
        applylint(["check", "web.yaml"])
        unasked = server.requested_paths()
        code = applylint(["check", "web.yaml", "--against=live"])

    assert (unasked, code) == ([], 1)
    assert "compared with cluster prod (v1.36.3)" in capsys.readouterr().err


def test_the_cluster_is_asked_for_what_was_last_applied(serve: Serve, plugin: Run) -> None:
    with serve():
        code, out, err = plugin("plan", "web.yaml", "settings.yaml", "--against=last-applied", "-o", "concise")
    unreached, _, problem = plugin("plan", "web.yaml", "--against=last-applied")

    assert (code, err) == (1, "kubectl applylint: compared with last-applied of cluster prod (v1.36.3)\n")
    assert "configmap/settings in shop: created" in out
    assert (unreached, problem.count("\n")) == (3, 1)


def test_the_flags_are_kubectls(serve: Serve, plugin: Run, kubeconfig: Path, tmp_path: Path) -> None:
    bare = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bare, labels: {app: bare}}\n"
    (tmp_path / "bare.yaml").write_text(bare)
    other = tmp_path / "other"
    replies = {"/api/v1/namespaces/bank/configmaps/bare": not_found("configmaps", "bare")}
    with serve(replies, "server", **{"certificate-authority": pem("authority.crt")}) as server:
        kubeconfig.rename(other)
        flags = (f"--kubeconfig={other}", "--context=prod", "--token=abc", "--as=jane", "-n", "bank", "-l", "app=bare")
        code, out, err = plugin("plan", "-f", "bare.yaml,settings.yaml", *flags)

    assert (code, "configmap/bare in bank: created" in out) == (0, True)
    assert "skipped, not matching the selector: 1 object" in err
    assert server.requests[-1].header("Authorization") == ["Bearer abc"]
    assert server.requests[-1].header("Impersonate-User") == ["jane"]


def list_reply(*items: JsonObject) -> Reply:
    return Reply(200, {"metadata": {}, "items": list(items)})


def everything_empty(prefix: str) -> dict[str, Answering]:
    """Return empty lists of all kinds that the server has, in one namespace or in all."""
    core = ["configmaps", "pods", "secrets"]
    paths = [f"/api/v1{prefix}/{plural}" for plural in core]
    paths += [f"/apis/{path}" for path in (f"apps/v1{prefix}/deployments", f"example.com/v1{prefix}/widgets")]
    paths += [f"/apis/autoscaling/v2{prefix}/horizontalpodautoscalers", f"/apis/example.com/v1{prefix}/gadgets"]
    paths += ["/api/v1/nodes", "/api/v1/namespaces"]
    return {
        **dict.fromkeys(paths, list_reply()),
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions": list_reply(),
    }


@pytest.mark.parametrize(
    ("flags", "prefix", "where"),
    [
        ([], "/namespaces/shop", "namespace shop"),
        (["-n", "bank"], "/namespaces/bank", "namespace bank"),
        (["-A"], "", "all namespaces"),
    ],
    ids=["of the context", "named", "all"],
)
def test_without_files_what_was_applied_is_examined_by_itself(
    flags: list[str], prefix: str, where: str, serve: Serve, plugin: Run
) -> None:
    deployments = f"/apis/apps/v1{prefix}/deployments"
    shop = {"/api/v1/namespaces/shop": Reply(200, {"metadata": {"name": "shop"}, "status": {"phase": "Active"}})}
    with serve({**everything_empty(prefix), **shop, deployments: list_reply(live_deployment())}):
        code, out, err = plugin("plan", *flags, "-l", "app=web")

    assert "\n\ndeployment.apps/web in shop: " in out
    assert (
        err
        == f"kubectl applylint: checked the objects that kubectl apply created in {where} of cluster prod (v1.36.3)\n"
    )
    assert code == 0


def test_an_object_with_an_unknown_manifest_is_checked_but_not_predicted(serve: Serve, plugin: Run) -> None:
    live = live_deployment()
    broken = {**live, "metadata": {**live["metadata"], "annotations": {LAST_APPLIED: "see git"}}}
    replies = {**everything_empty("/namespaces/shop"), "/apis/apps/v1/namespaces/shop/deployments": list_reply(broken)}
    with serve(replies):
        planned, plan, notes = plugin("plan")
        checked, found, _ = plugin("check")

    assert (planned, plan) == (0, "no objects\n")
    assert "the last-applied configuration of 1 of these objects is unknown; check explains why" in notes
    assert (checked, "[last-applied-unreadable-rejected]" in found) == (1, True)


def test_a_snapshot_is_examined_by_itself_too(run: Run) -> None:
    code, out, err = run("plan", "--against", "snapshot:prod.json", "-A")

    assert code == 0
    assert "\n\ndeployment.apps/web in shop: " in out
    assert err == (
        "applylint: checked the objects that kubectl apply created in all namespaces of snapshot prod.json"
        " (written today)\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "reply", "message"),
    [
        (
            TOKEN,
            forbidden("jane", "get", "secrets", "shop"),
            "forbidden: user jane cannot get secrets in namespace shop (1 object skipped)",
        ),
        (
            TOKEN,
            status(500, "InternalError", "etcd is away"),
            "cannot read secrets in namespace shop: SERVER answered 500 Internal Server Error: etcd is away"
            " (1 object skipped)",
        ),
        (
            TOKEN,
            Reply(200, {"metadata": {"name": "token"}}, cut=4),
            "cannot read secrets in namespace shop: the response of SERVER was truncated (1 object skipped)",
        ),
        (
            TOKEN,
            Reply(hangs=True),
            "cannot read secrets in namespace shop: SERVER did not answer within 0.5 s (1 object skipped)",
        ),
    ],
    ids=["403", "500", "truncated", "hanging"],
)
def test_a_kind_that_fails_is_reported_once_and_the_run_continues(
    path: str, reply: Reply, message: str, serve: Serve, plugin: Run
) -> None:
    with serve({**FOUND, path: reply}) as server:
        code, out, err = plugin("check", *FILES, "--request-timeout=500ms")

    assert code == 3
    assert SELECTOR in out
    assert problems(out, server) == [message]
    assert "in 3 objects; incomplete: 1 problem\n" in out
    assert "Traceback" not in out + err


@pytest.mark.slow
def test_ten_thousand_objects_are_read_page_by_page(serve: Serve, plugin: Run) -> None:
    names = ["web", *(f"other-{number}" for number in range(9_999))]
    live = live_deployment()
    items = [{**live, "metadata": {**live["metadata"], "name": name}} for name in names]
    plain = [{**item, "metadata": {"name": item["metadata"]["name"], "namespace": "shop"}} for item in items[1:]]

    def page(request: Request) -> Reply:
        start = int(request.query.get("continue", "0"))
        more = {"continue": str(start + 500)} if start + 500 < len(items) else {}
        return Reply(200, {"metadata": more, "items": [items[0], *plain][start : start + 500]})

    deployments = "/apis/apps/v1/namespaces/shop/deployments"
    with serve({**everything_empty("/namespaces/shop"), deployments: page}) as server:
        code, out, _ = plugin("plan")

    assert (code, "\n\ndeployment.apps/web in shop: " in out) == (0, True)
    assert server.requested_paths().count(deployments) == 20
    assert {request.method for request in server.requests} == {"GET"}


def test_an_object_that_is_deleted_meanwhile_counts_as_absent(serve: Serve, plugin: Run) -> None:
    with serve({**FOUND, WEB: not_found("deployments.apps", "web")}):
        code, out, _ = plugin("plan", "web.yaml")

    assert (code, "deployment.apps/web in shop: created" in out) == (0, True)


def test_custom_resources_whose_definition_comes_with_them_fail_at_first(
    serve: Serve, plugin: Run, folder: Path
) -> None:
    names = {"kind": "Lamp", "plural": "lamps", "singular": "lamp"}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "lamps.x.io"},
        "spec": {"group": "x.io", "names": names, "scope": "Namespaced", "versions": [version]},
    }
    (folder / "crd.json").write_text(json.dumps(definition))
    (folder / "lamp.json").write_text('{"apiVersion": "x.io/v1", "kind": "Lamp", "metadata": {"name": "lamp"}}')
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/lamps.x.io"
    with serve({path: not_found("customresourcedefinitions.apiextensions.k8s.io", "lamps.x.io")}):
        code, out, _ = plugin("plan", "-f", "crd.json", "-f", "lamp.json")
        alone, rejected, _ = plugin("plan", "lamp.json")

    assert (code, "lamp.x.io/lamp in shop: rejected" in out) == (1, True)
    assert 'no matches for kind "Lamp" in version "x.io/v1": ensure CRDs are installed first' in out
    assert (alone, len(problems(rejected))) == (3, 1)


NO_PLUGIN = {"apiVersion": "client.authentication.k8s.io/v1", "command": "no-such-login", "interactiveMode": "Never"}
Prepare: TypeAlias = Callable[[Path], None]


def refusing(kubeconfig: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        write_kubeconfig(kubeconfig, f"http://127.0.0.1:{free.getsockname()[1]}")


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (lambda path: write_kubeconfig(path, ""), "the cluster has no server"),
        (lambda path: None, "no kubeconfig found, so the cluster is unknown"),
        (refusing, "cannot reach SERVER: it refused the connection"),
        (
            lambda path: write_kubeconfig(path, "https://127.0.0.1:1", {"exec": NO_PLUGIN}),
            "the credential plugin 'no-such-login' of user 'jane' cannot be run",
        ),
    ],
    ids=["no server", "no kubeconfig", "refused", "no plugin"],
)
@pytest.mark.parametrize("command", ["check", "plan", "again"])
def test_a_cluster_that_cannot_be_asked_ends_the_run_before_anything_is_predicted(
    command: str, prepare: Prepare, message: str, kubeconfig: Path, plugin: Run
) -> None:
    prepare(kubeconfig)

    code, out, err = plugin(command, *FILES)

    assert (code, out, err.count("\n")) == (3, "", 1)
    (problem,) = problems(err)
    assert problem.startswith(message.partition("SERVER")[0])
    assert problem.endswith(message.rpartition("SERVER")[2]) or "plugin" in problem
    assert err.endswith("; nothing was checked (to continue without it: --allow-unreachable)\n")


def test_allow_unreachable_continues_without_the_cluster(kubeconfig: Path, plugin: Run) -> None:
    refusing(kubeconfig)

    code, out, err = plugin("check", *FILES, "--allow-unreachable")

    assert (code, len(problems(out))) == (3, 1)
    assert err == "kubectl applylint: the live state is unknown: it could not be read\n"
    assert "in 3 objects; incomplete: 1 problem\n" in out


def test_without_the_cluster_nothing_is_planned_as_a_fresh_install(kubeconfig: Path, plugin: Run) -> None:
    refusing(kubeconfig)

    code, out, _ = plugin("plan", *FILES, "--allow-unreachable", "-o", "json")

    assert code == 3
    assert {item["verdict"] for item in json.loads(out)["objects"]} == {"unknown"}


@pytest.mark.parametrize("form", ["text", "concise", "markdown", "junit", "json"])
def test_an_object_that_cannot_be_read_is_unknown_and_never_created(form: str, serve: Serve, plugin: Run) -> None:
    with serve({**FOUND, TOKEN: forbidden("jane", "get", "secrets", "shop")}):
        code, out, _ = plugin("plan", "secret.yaml", "-o", form)

    assert code == 3
    assert "unknown" in out
    assert "created" not in out


def test_an_unknown_kind_is_reported_with_its_place_and_a_suggestion(serve: Serve, plugin: Run, folder: Path) -> None:
    (folder / "odd.yaml").write_text("apiVersion: apps/v1\nkind: Deplyoment\nmetadata: {name: a}\n")
    (folder / "old.yaml").write_text("apiVersion: autoscaling/v9\nkind: HorizontalPodAutoscaler\nmetadata: {name: a}\n")
    with serve():
        code, out, _ = plugin("plan", "odd.yaml", "old.yaml")

    text = " ".join(out.split())
    assert (code, "created" in out) == (3, False)
    assert "odd.yaml:2:1: problem: the cluster has no kind Deplyoment in apps/v1, so" in text
    assert "did you mean Deployment?" in text
    assert "the cluster serves HorizontalPodAutoscaler as autoscaling/v1, autoscaling/v2" in text


def test_a_kind_that_discovery_shows_exists_though_no_definition_may_be_read(
    serve: Serve, plugin: Run, folder: Path
) -> None:
    names = {"kind": "Widget", "plural": "widgets", "singular": "widget"}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {"group": "example.com", "names": names, "scope": "Namespaced", "versions": [version]},
    }
    (folder / "crd.json").write_text(json.dumps(definition))
    (folder / "w.json").write_text('{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}}')
    replies = {
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com": forbidden(
            "jane", "get", "customresourcedefinitions", ""
        ),
        "/apis/example.com/v1/namespaces/shop/widgets/w": not_found("widgets", "w"),
    }
    with serve({**FOUND, **replies}):
        code, out, _ = plugin("plan", "-f", "crd.json", "-f", "w.json")

    assert "no matches for kind" not in out
    assert "widget.example.com/w in shop: created" in out
    assert "customresourcedefinition.apiextensions.k8s.io/widgets.example.com: unknown" in out
    assert code == 3


BUDGET = """\
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
"""


def test_a_version_in_discovery_is_served_even_if_kubernetes_removed_it(
    serve: Serve, plugin: Run, folder: Path
) -> None:
    (folder / "budget.yaml").write_text(BUDGET)
    budgets = [resource("poddisruptionbudgets", "PodDisruptionBudget")]
    replies = {
        "/apis": aggregated_discovery({"policy": {"v1": budgets, "v1beta1": budgets}}),
        "/apis/policy/v1beta1/namespaces/shop/poddisruptionbudgets/web": not_found(
            "poddisruptionbudgets.policy", "web"
        ),
    }
    with serve(replies):
        _, planned, notes = plugin("plan", "budget.yaml")
        _, checked, _ = plugin("check", "budget.yaml")
        _, asked, _ = plugin("plan", "budget.yaml", "--kubernetes-version", "1.36")

    assert "poddisruptionbudget.policy/web in shop: created" in planned
    assert "no matches for kind" not in planned + checked
    assert "no definition of the kind was found: 1 PodDisruptionBudget (policy/v1beta1)" in notes
    assert 'no matches for kind "PodDisruptionBudget" in version "policy/v1beta1"' in asked


@pytest.mark.parametrize("command", ["owners", "why", "adopt", "handover"])
def test_commands_about_objects_end_too(command: str, kubeconfig: Path, plugin: Run) -> None:
    refusing(kubeconfig)
    words = {"why": ["spec.replicas"], "handover": ["spec.replicas", "--to", "hpa"]}

    code, out, err = plugin(command, "deploy/web", *words.get(command, []))

    assert (code, out, err.count("\n")) == (3, "", 1)


@pytest.mark.parametrize("command", ["check", "plan"])
def test_reports_for_programs_hold_why_there_is_nothing_else(
    command: str, kubeconfig: Path, plugin: Run, folder: Path
) -> None:
    refusing(kubeconfig)

    code, out, err = plugin(command, *FILES, "-o", "json", "-o", "text=report.txt")

    report = json.loads(out)
    assert (code, err.count("\n"), len(report["problems"])) == (3, 1, 1)
    assert [report.get("findings", []), report.get("objects", [])] == [[], []]
    assert "it refused the connection" in (folder / "report.txt").read_text()


@pytest.mark.parametrize(
    ("against", "meant"), [("liv", "live"), ("Live", "live"), ("snapshto:prod.json", "snapshot"), ("nome", "none")]
)
def test_a_misspelled_state_is_wrong_use(against: str, meant: str, plugin: Run) -> None:
    code, out, err = plugin("check", *FILES, "--against", against)

    assert (code, out) == (2, "")
    assert err == f"kubectl applylint: --against: git has no revision {against!r}; did you mean {meant}?\n"


@pytest.mark.parametrize("against", ["snapshot:gone.json", "dir:gone", "file:gone", "last-applied:gone.json", "v1.2.3"])
def test_anything_else_that_cannot_be_read_ends_the_run_as_well(against: str, plugin: Run) -> None:
    code, out, err = plugin("plan", *FILES, "--against", against)

    assert (code, out, err.count("\n")) == (3, "", 1)


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (
            status(401, "Unauthorized", "Unauthorized"),
            "SERVER does not accept the credentials of user 'jane' (401): they have expired or are wrong",
        ),
        (Reply(hangs=True), "SERVER did not answer within 0.5 s"),
        (status(500, "InternalError", "down"), "SERVER answered 500 Internal Server Error"),
        (
            Reply(200, b"<html>", {"Content-Type": "text/html"}),
            "SERVER answered with text/html that is not a JSON object",
        ),
        (Reply(drops=True), "SERVER closed the connection without an answer"),
    ],
    ids=["expired token", "hanging", "500", "no API server", "hangs up"],
)
def test_a_server_that_does_not_introduce_itself_leaves_the_run_incomplete(
    reply: Reply, message: str, serve: Serve, plugin: Run
) -> None:
    with serve({"/version": reply}) as server:
        code, out, err = plugin("check", *FILES, "--request-timeout=500ms")

    assert (code, out) == (3, "")
    assert [line.partition("; nothing")[0] for line in problems(err, server)] == [message]


def test_a_wrong_authority_is_reported(serve: Serve, plugin: Run) -> None:
    authority = {"certificate-authority": pem("other-authority.crt")}
    with serve(certificate="server", **authority) as server:
        code, _, err = plugin("check", *FILES)

    assert code == 3
    assert problems(err, server) == ["the certificate of SERVER is signed by an authority that is not trusted"]


@pytest.mark.parametrize(
    ("flag", "line"),
    [
        (
            "--context=none",
            "--context: the context 'none' does not exist; list them with: kubectl config get-contexts",
        ),
        ("--request-timeout=soon", "--request-timeout: not a length of time: 'soon'; write it like 10s, 2m or 1h"),
    ],
)
def test_a_wrong_connection_flag_is_wrong_use(flag: str, line: str, serve: Serve, plugin: Run) -> None:
    with serve():
        code, out, err = plugin("check", *FILES, flag)

    assert (code, out, err) == (2, "", f"kubectl applylint: {line}\n")


def test_a_kubeconfig_named_by_flag_that_cannot_be_parsed_is_wrong_use(plugin: Run, folder: Path) -> None:
    (folder / "broken").write_text("a: [")

    code, out, err = plugin("check", *FILES, "--kubeconfig=broken")

    assert (code, out) == (2, "")
    assert err.startswith("kubectl applylint: broken")
    assert err.count("\n") == 1


def test_machine_readable_output_names_the_cluster(serve: Serve, plugin: Run) -> None:
    with serve({**FOUND, TOKEN: forbidden("jane", "get", "secrets", "shop")}):
        code, out, _ = plugin("check", *FILES, "-o", "json")

    report = json.loads(out)
    assert code == 3
    assert report["notes"] == ["compared with cluster prod (v1.36.3)"]
    assert len(report["problems"]) == 1
    assert PASSWORD not in out
