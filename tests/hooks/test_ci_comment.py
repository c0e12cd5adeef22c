"""The scripts that post a comment: run by a shell as the runners do, with programs that stand for GitHub and GitLab."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kubectl_applylint.cli import applylint
from tests.hooks.test_ci import JOBS, step
from tests.tree import ROOT

pytestmark = pytest.mark.slow

Post = Callable[..., subprocess.CompletedProcess[str]]
MARKER = "<!-- applylint:plan -->"
OLD = f"{MARKER}\nold"
FAKE = f"""#!{sys.executable}
import json, os, pathlib, subprocess, sys
state = pathlib.Path(os.environ["STATE"])
held = json.loads(state.read_text())
"""
GH = (
    FAKE
    + """
words = sys.argv[2:]
place = next(word for word in words if word.startswith("repos/"))
if not held["may_write"] and "--method" in words:
    sys.exit("gh: Resource not accessible by integration (HTTP 403)")
if "--jq" in words:
    notes = json.dumps(held["notes"])
    sys.exit(subprocess.run(["jq", words[words.index("--jq") + 1]], input=notes, text=True).returncode)
body = pathlib.Path(words[words.index("--field") + 1].removeprefix("body=@")).read_text()
held["sent"].append([words[words.index("--method") + 1], place, body])
state.write_text(json.dumps(held))
"""
)
CURL = (
    FAKE
    + """
words = sys.argv[1:]
assert "PRIVATE-TOKEN: t0ken" in words
address = next(word for word in words if word.startswith("https://"))
if not held["may_write"]:
    sys.exit(22)
if address.endswith("/user"):
    print(json.dumps({"id": 7}))
elif "?" in address:
    page = int(address.rpartition("=")[2])
    print(json.dumps(held["notes"][2 * page - 2 : 2 * page]))
else:
    body = pathlib.Path(words[words.index("--data-urlencode") + 1].removeprefix("body@")).read_text()
    held["sent"].append([words[words.index("--request") + 1], address, body])
    state.write_text(json.dumps(held))
"""
)
API = "https://git.example/api/v4/projects/9/merge_requests/12/notes"
GITHUB_ENV = {
    "GITHUB_SERVER_URL": "https://github.example",
    "GITHUB_REPOSITORY": "team/deploy",
    "GITHUB_RUN_ID": "33",
    "NUMBER": "12",
    "COMMIT": "0a1b2c3",
}
GITLAB_ENV = {
    "APPLYLINT_TOKEN": "t0ken",
    "CI_API_V4_URL": "https://git.example/api/v4",
    "CI_COMMIT_SHA": "0a1b2c3",
    "CI_JOB_URL": "https://git.example/team/deploy/-/jobs/33",
    "CI_MERGE_REQUEST_IID": "12",
    "CI_MERGE_REQUEST_PROJECT_ID": "9",
}


def github_note(number: int, body: str, user: str = "github-actions[bot]") -> Any:
    return {"id": number, "body": body, "user": {"login": user}}


def gitlab_note(number: int, body: str, user: int = 7) -> Any:
    return {"id": number, "body": body, "author": {"id": user}}


@pytest.fixture(name="reports", scope="module")
def _reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the reports that the steps before leave, by the names of their files."""
    folder = tmp_path_factory.mktemp("reports")
    change = (str(ROOT / "examples/change/after"), "--against", f"dir:{ROOT / 'examples/change/before'}")
    for command in ("plan", "check"):
        out = f"json={folder / command}.json"
        applylint([command, *change, "-o", out])
    return {file.name: file.read_text() for file in folder.iterdir()}


@pytest.fixture(name="place")
def _place(tmp_path: Path, reports: dict[str, str]) -> Path:
    """Return a folder with reports, and with programs that stand for others."""
    for folder in ("bin", "work.tmp", "work"):
        (tmp_path / folder).mkdir()
    for name, text in {"gh": GH, "curl": CURL}.items():
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    for name, text in reports.items():
        (tmp_path / "work.tmp" / name).write_text(text)
    return tmp_path


@pytest.fixture(name="post")
def _post(place: Path) -> Post:
    """Return a function that runs a script in a shell, and what was sent."""

    def post(script: str, env: dict[str, str], *notes: Any, may_write: bool = True) -> Any:
        (place / "state.json").write_text(json.dumps({"notes": notes, "sent": [], "may_write": may_write}))
        around = {
            "PATH": os.pathsep.join([str(place / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]),
            "STATE": str(place / "state.json"),
            "RUNNER_TEMP": str(place / "work.tmp"),
            "GITHUB_STEP_SUMMARY": str(place / "summary.md"),
            "CI_PROJECT_DIR": str(place / "work"),
        }
        return subprocess.run(
            ["bash", "-e", "-c", script],
            cwd=place / "work",
            env=around | env,
            capture_output=True,
            text=True,
            check=False,
        )

    return post


def sent(place: Path) -> list[list[str]]:
    found: list[list[str]] = json.loads((place / "state.json").read_text())["sent"]
    return found


def on_github(post: Post, *notes: Any, may_write: bool = True, **env: str) -> None:
    done = post(step("Comment")["run"], GITHUB_ENV | env, *notes, may_write=may_write)

    assert done.returncode == 0, done.stderr


def on_gitlab(post: Post, *notes: Any, may_write: bool = True, **env: str) -> int:
    return post("\n".join(JOBS["gitlab"]["after_script"]), GITLAB_ENV | env, *notes, may_write=may_write).returncode


def test_the_first_run_posts_a_comment_on_github(post: Post, place: Path) -> None:
    on_github(post, github_note(1, "LGTM"))
    ((method, path, body),) = sent(place)

    assert (method, path) == ("POST", "repos/team/deploy/issues/12/comments")
    assert body.startswith(f"{MARKER}\n### applylint plan (rejected): 1 rejected")
    assert "\n### applylint check (rejected): " in body
    assert "commit 0a1b2c3" in body
    assert not (place / "summary.md").exists()


def test_later_runs_update_it_on_github(post: Post, place: Path) -> None:
    other = github_note(2, f"{MARKER}\nmine", user="mallory")
    on_github(post, github_note(1, f"see {MARKER}"), other, github_note(34, OLD), github_note(5, OLD))

    assert [each[:2] for each in sent(place)] == [["PATCH", "repos/team/deploy/issues/comments/34"]]


@pytest.mark.parametrize(("number", "may_write"), [("12", False), ("", True)], ids=["fork", "push"])
def test_without_a_comment_there_is_a_summary_on_github(post: Post, place: Path, number: str, may_write: bool) -> None:
    on_github(post, may_write=may_write, NUMBER=number)

    assert sent(place) == []
    assert (place / "summary.md").read_text().startswith(MARKER)


def test_the_first_run_posts_a_comment_on_gitlab(post: Post, place: Path) -> None:
    assert on_gitlab(post, *(gitlab_note(number, "LGTM") for number in range(5))) == 0
    ((method, address, body),) = sent(place)

    assert (method, address) == ("POST", API)
    assert body.startswith(f"{MARKER}\n### applylint plan (rejected): 1 rejected")
    assert body == (place / "work/applylint-reports/applylint.md").read_text()


def test_later_runs_update_it_on_gitlab(post: Post, place: Path) -> None:
    others = [gitlab_note(1, f"see {MARKER}"), gitlab_note(2, OLD, user=8), gitlab_note(3, "a"), gitlab_note(4, "b")]

    assert on_gitlab(post, *others, gitlab_note(34, OLD)) == 0
    assert [each[:2] for each in sent(place)] == [["PUT", f"{API}/34"]]


def test_without_a_token_the_text_is_an_artifact_on_gitlab(post: Post, place: Path) -> None:
    assert on_gitlab(post, APPLYLINT_TOKEN="") == 0
    assert sent(place) == []
    assert all((place / "work" / name).exists() for name in JOBS["gitlab"]["artifacts"]["paths"] if "sarif" not in name)


def test_a_token_without_rights_posts_nothing_on_gitlab(post: Post, place: Path) -> None:
    assert on_gitlab(post, may_write=False) != 0
    assert sent(place) == []
    assert (place / "work/applylint-reports/applylint.md").exists()
