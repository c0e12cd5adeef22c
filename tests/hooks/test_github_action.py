"""The action: its steps run as a runner runs them, in a real repository, against a server that stands for the API."""

import base64
import gzip
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from hooks import github_action
from hooks.github_action import Job, cache_key, compared_state, outputs
from tests.hooks.planted import LINKS, plant
from tests.hooks.runner import ACTION, STEPS, Runner, path_here, python_here
from tests.tree import ROOT

ZERO = "0" * 40
MARKER = "<!-- applylint:plan -->"
BAD = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {}}\n"


class Server:
    """A fake of the API of GitHub, with its comments and the requests that it received."""

    def __init__(self) -> None:
        self.comments: list[dict[str, Any]] = []
        self.requests: list[tuple[str, str, Any]] = []
        self.refuses = False
        served = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                content = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"null")
                is_read = self.command == "GET"
                assert self.headers["Authorization"] == "Bearer t0ken"
                if not is_read and not served.refuses:
                    served.requests.append((self.command, self.path, content))
                is_first = self.path.endswith("page=1")
                body = json.dumps((served.comments if is_first else []) if is_read else {}).encode()
                self.send_response(403 if served.refuses and not is_read else 200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PATCH = answer

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()


@pytest.fixture(name="server")
def _server() -> Iterator[Server]:
    server = Server()
    yield server
    server.http.shutdown()
    server.http.server_close()


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    done = subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True, encoding="utf-8")
    return done.stdout.strip()


@pytest.fixture(name="checkout")
def _checkout(tmp_path: Path) -> Path:
    """Return a repository whose last commit brings a bad manifest, and modules that Python must not import."""
    checkout = tmp_path / "checkout"
    shutil.copytree(ROOT / "examples" / "shop", checkout / "shop")
    git(checkout, "init", "-q")
    git(checkout, "add", "-A")
    git(checkout, "commit", "-q", "-m", "a")
    plant(checkout)
    for name in LINKS:
        (checkout / name).unlink()
    (checkout / "shop" / "bad.yaml").write_text(BAD, encoding="utf-8")
    git(checkout, "add", "shop")
    git(checkout, "commit", "-q", "-m", "b")
    return checkout


def job(checkout: Path, server: Server, kind: str, event: dict[str, Any], **inputs: str) -> Runner:
    """Return a job of the action for an event."""
    folder = checkout.parent / "temporary"
    folder.mkdir(exist_ok=True)
    (folder / "event.json").write_text(json.dumps(event), encoding="utf-8")
    variables = {
        "PATH": path_here(),
        "HOME": str(checkout.parent),
        "GITHUB_ACTIONS": "true",
        "GITHUB_API_URL": f"http://127.0.0.1:{server.http.server_port}",
        "GITHUB_EVENT_NAME": kind,
        "GITHUB_EVENT_PATH": str(folder / "event.json"),
        "GITHUB_REF": "refs/pull/12/merge",
        "GITHUB_REPOSITORY": "team/deploy",
        "GITHUB_RUN_ID": "33",
        "GITHUB_SERVER_URL": "https://github.example",
        "GITHUB_SHA": git(checkout, "rev-parse", "HEAD"),
        "JOB_TOKEN": "t0ken",
    }
    given = {name.replace("_", "-"): value for name, value in inputs.items()}
    return Runner(folder, checkout, variables, {"fetch": "false", **given}, python_here()).run()


def pull_request(checkout: Path) -> dict[str, Any]:
    base, head = git(checkout, "rev-parse", "HEAD~1"), git(checkout, "rev-parse", "HEAD")
    return {"pull_request": {"number": 12, "base": {"sha": base}, "head": {"sha": head}}}


@pytest.mark.slow
def test_a_pull_request_gets_annotations_a_summary_a_comment_and_sarif(checkout: Path, server: Server) -> None:
    done = job(checkout, server, "pull_request", pull_request(checkout), fetch="true")

    assert done.code == 1, done.log
    assert "::error file=shop/bad.yaml,line=4," in done.log
    assert "PWNED" not in done.log
    assert done.summary().startswith(f"{MARKER}\n### applylint plan (rejected): 1 rejected")
    (method, path, comment), (_, scanning, sent) = server.requests
    assert (method, path, comment["body"]) == ("POST", "/repos/team/deploy/issues/12/comments", done.summary())
    log = json.loads(gzip.decompress(base64.b64decode(sent["sarif"])))
    assert (scanning, sent["ref"]) == ("/repos/team/deploy/code-scanning/sarifs", "refs/pull/12/merge")
    assert log["runs"][0]["automationDetails"] == {"id": "applylint/"}
    assert done.result("exit-code") == "1"
    assert int(done.result("findings")) >= 1
    for name in ("plan", "check", "sarif"):
        json.loads(Path(done.result(f"{name}-file")).read_text(encoding="utf-8"))


@pytest.mark.slow
def test_a_later_run_updates_its_own_comment(checkout: Path, server: Server) -> None:
    bodies = {1: ("mallory", f"{MARKER}\nmine"), 2: ("github-actions[bot]", "x"), 3: ("forgejo-actions", f"{MARKER}\n")}
    server.comments = [{"id": n, "user": {"login": user}, "body": body} for n, (user, body) in bodies.items()]

    job(checkout, server, "pull_request", pull_request(checkout), sarif="false")

    assert [request[:2] for request in server.requests] == [("PATCH", "/repos/team/deploy/issues/comments/3")]


@pytest.mark.slow
def test_a_token_that_may_only_read_leaves_the_summary(checkout: Path, server: Server) -> None:
    server.refuses = True

    done = job(checkout, server, "pull_request", pull_request(checkout), fail_on="error", name="shop")

    assert (done.code, done.result("exit-code")) == (1, "1")
    assert done.summary().startswith("<!-- applylint:shop -->")
    assert [line for line in done.log.splitlines() if line.startswith("::notice::")] == [
        "::notice::The comment was not written; the summary of the job has its text (HTTP 403).",
        "::notice::Code scanning did not accept the report; sarif: false skips it (HTTP 403).",
    ]


@pytest.mark.slow
def test_a_merge_queue_has_no_comment(checkout: Path, server: Server) -> None:
    event = {"merge_group": {"base_sha": git(checkout, "rev-parse", "HEAD~1")}}

    done = job(checkout, server, "merge_group", event, sarif="false", args="--kubernetes-version '1.33' --exit-zero")

    assert (done.code, done.result("exit-code"), server.requests) == (0, "0", [])
    assert "### applylint plan (rejected): 1 rejected" in done.summary()


@pytest.mark.slow
def test_a_push_is_compared_with_the_commit_before(checkout: Path, server: Server) -> None:
    whole = job(checkout, server, "push", {"before": git(checkout, "rev-parse", "HEAD~1")}, sarif="false")
    part = job(checkout, server, "push", {"before": ZERO}, sarif="false", paths="shop/web.yaml\nshop/none.yaml")

    assert (whole.code, whole.result("exit-code")) == (1, "1")
    assert "none.yaml" in part.log


def test_pull_request_target_is_rejected(checkout: Path, server: Server) -> None:
    done = job(checkout, server, "pull_request_target", pull_request(checkout))

    assert (done.code, len(done.log.splitlines()), done.used) == (2, 1, [])
    assert done.log.startswith("::error::applylint does not run on pull_request_target")


@pytest.mark.early(65)
@pytest.mark.cluster  # It needs a package registry, which CI has.
def test_the_action_installs_itself_and_checks(checkout: Path, server: Server) -> None:
    done = job(checkout, server, "pull_request", pull_request(checkout))
    own = {**done.variables, "RUNNER_TEMP": str(done.folder), "PIP_NO_COMPILE": os.environ["PIP_NO_COMPILE"]}
    prepared = {"python": python_here()["python"]}
    again = Runner(done.folder, checkout, own, done.inputs, prepared).run()

    assert (again.code, again.log.count("::error file=shop/bad.yaml")) == (1, 2), again.log
    assert again.outputs["install"]["python"] == str(done.folder / "applylint-venv" / "bin" / "python")
    assert "PWNED" not in again.log


@pytest.mark.slow
def test_the_cache_is_saved_once_for_the_same_content(checkout: Path, server: Server) -> None:
    first = job(checkout, server, "schedule", {}, sarif="false")
    kept = [path for line in first.used[1]["with"]["path"].split() for path in Path(line).rglob("*")]
    key = first.outputs["check"]["cache-key"]
    prepared = {**python_here(), "restore": {"cache-matched-key": f"applylint-Linux--{key}"}}
    second = Runner(first.folder, checkout, first.variables, first.inputs, prepared).run()

    assert kept
    assert [step["name"] for step in first.used] == ["Restore the cache", "Save the cache"]
    assert first.used[1]["with"]["key"] == f"applylint-Linux--{key}"
    assert second.used == []


@pytest.mark.parametrize(
    ("name", "event", "state"),
    [
        ("push", {"before": "a" * 40}, "a" * 40 + "..."),
        ("merge_group", {"merge_group": {"base_sha": "b" * 40}}, "b" * 40 + "..."),
        ("pull_request", {"pull_request": {"base": {"sha": "c" * 40}}}, "c" * 40 + "..."),
        ("push", {"before": "--output=x"}, "none"),
        ("schedule", {}, "none"),
    ],
)
def test_an_event_has_a_state_to_compare_with(name: str, event: dict[str, Any], state: str) -> None:
    assert compared_state(Job({"GITHUB_EVENT_NAME": name}, event)) == state


def test_the_outputs_have_the_class_and_the_conclusion_of_the_report(tmp_path: Path) -> None:
    assert outputs(tmp_path) == {"findings": "", "class": "", "conclusion": ""}
    content = {"findings": [1, 2], "class": "rejected", "conclusion": "failure"}
    (tmp_path / "check.json").write_text(json.dumps(content), encoding="utf-8")

    assert outputs(tmp_path) == {
        "findings": "2",
        "class": "rejected",
        "conclusion": "failure",
        "check-file": str(tmp_path / "check.json"),
    }


@pytest.mark.parametrize(
    ("plan", "check", "words"),
    [
        ("attention", None, ("attention", "that of attention")),
        ("routine", "rejected", ("rejected", "that of rejected")),
        ("incomplete", "rejected", ("incomplete", "that of incomplete")),
        ("a word of another version", None, ("", "")),
    ],
)
def test_the_class_is_the_worst_of_the_plan_and_the_check(
    plan: str, check: str | None, words: tuple[str, str], tmp_path: Path
) -> None:
    def class_entries(name: str) -> dict[str, str]:
        return {"class": name, "conclusion": f"that of {name}"}

    (tmp_path / "plan.json").write_text(json.dumps(class_entries(plan)), encoding="utf-8")
    content = {"findings": [], **(class_entries(check) if check else {})}
    (tmp_path / "check.json").write_text(json.dumps(content), encoding="utf-8")

    found = outputs(tmp_path)
    assert (found["class"], found["conclusion"]) == words


@pytest.mark.parametrize(("private", "packs"), [([True], False), ([False], True), ([], False)])
def test_only_public_charts_are_packed(
    private: list[bool], packs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[list[str]] = []

    def run(job: Job, words: list[str], *, is_shown: bool = True) -> "subprocess.CompletedProcess[str]":
        ran.append(words)
        return subprocess.CompletedProcess(words, 3, json.dumps({"sources": [{"private": one} for one in private]}), "")

    monkeypatch.setattr(github_action, "_run", run)
    files = {"APPLYLINT_CACHE_DIR": str(tmp_path), "GITHUB_OUTPUT": str(tmp_path / "output")}
    inputs = {"INPUT_ALLOW_HOST": "quay.io/a\nghcr.io", "INPUT_AGAINST": "main..."}

    assert github_action.fetch(Job({**files, **inputs}, {})) == 0
    words = ["fetch", "--against", "main...", "--allow-host", "quay.io/a", "--allow-host", "ghcr.io", "-o"]
    assert ran == [[*words, "json"], *([[*words, str(tmp_path / "charts.store")]] if packs else [])]
    assert (tmp_path / "output").exists() == any(private)


def test_mirrors_are_a_trusted_configuration(tmp_path: Path) -> None:
    variables = {"APPLYLINT_REPORTS": str(tmp_path), "INPUT_MIRRORS": "ghcr.io=harbor.example/ghcr\n"}
    folder = Path(github_action._mirrors(Job(variables, {})))

    assert json.loads((folder / "applylint" / "config.yaml").read_text(encoding="utf-8")) == {
        "mirrors": {"ghcr.io": "harbor.example/ghcr"}
    }


def test_private_charts_are_not_cached(tmp_path: Path) -> None:
    (tmp_path / "charts.store").write_bytes(b"x")
    variables = {"APPLYLINT_CACHE_DIR": str(tmp_path)}

    assert len(cache_key(Job(variables, {}))) == 32
    assert cache_key(Job(variables | {"INPUT_PRIVATE": "true"}, {})) == ""


def test_inputs_are_variables_and_actions_are_pinned() -> None:
    scripts = [step["run"] for step in STEPS if "run" in step]
    used = [step["uses"] for step in STEPS if "uses" in step]

    assert [script for script in scripts if "${{" in script] == []
    assert [name for name in used if len(name.partition("@")[2]) != 40] == []
    assert [step["name"] for step in STEPS if "TOKEN" in step.get("env", {})] == ["Report"]
    assert set(ACTION["inputs"]) == {
        *("paths", "against", "fail-on", "version", "args", "name", "sarif", "comment", "cache"),
        *("helm-version", "kustomize-version", "jsonnet-version", "fetch", "allow-host", "mirrors"),
    }
