"""The steps of the action for GitHub, Forgejo and Gitea (``action.yml``): ``fetch``, ``check`` and ``report``.

Inputs are environment variables with the prefix ``INPUT_``; the event is the file that ``GITHUB_EVENT_PATH`` names.
Nothing of them is part of a script.
"""

import hashlib
import json
import os
import re
import secrets
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kubectl_applylint.core.change_classes import ChangeClass
from kubectl_applylint.core.records import dataclass

from .github_api import Api, ApiError

_COMMIT: Final = re.compile(r"[0-9a-f]{40,64}")
_INCOMPLETE: Final = 3
_CACHED: Final = ("renders", "results")
"""The directories of the cache that may be kept between jobs; they hold no Secret."""


@dataclass(frozen=True, slots=True)
class Job:
    """One run of the action."""

    variables: Mapping[str, str]
    event: Mapping[str, Any]

    @property
    def folder(self) -> Path:
        """The directory of the reports, outside of the checkout."""
        return Path(self.variables["APPLYLINT_REPORTS"])

    @property
    def packed_charts(self) -> Path:
        """The file of public charts, which the cache keeps."""
        return Path(self.variables["APPLYLINT_CACHE_DIR"]) / "charts.store"

    def given(self, name: str) -> str:
        """Return an input, empty if it is absent."""
        return self.variables.get(f"INPUT_{name.upper().replace('-', '_')}", "").strip()

    def is_on(self, name: str) -> bool:
        """Whether an input is switched on."""
        return self.given(name).lower() == "true"

    def lines(self, name: str) -> list[str]:
        """Return the lines of an input."""
        return [line.strip() for line in self.given(name).splitlines() if line.strip()]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one step and return its exit code."""
    (step,) = sys.argv[1:] if argv is None else argv
    job = read_job(os.environ)
    job.folder.mkdir(parents=True, exist_ok=True)
    return {"fetch": fetch, "check": check, "report": report}[step](job)


def read_job(variables: Mapping[str, str]) -> Job:
    """Return the run that environment variables describe."""
    event = json.loads(Path(variables["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    return Job(variables, event)


def compared_state(job: Job) -> str:
    """Return the value of ``--against``: the merge base with the target branch, or the commit before a push."""
    if job.given("against"):
        return job.given("against")
    event = job.event
    match job.variables.get("GITHUB_EVENT_NAME"):
        case "push":
            commit = event.get("before")
        case "merge_group":
            commit = event["merge_group"].get("base_sha")
        case _:
            commit = event.get("pull_request", {}).get("base", {}).get("sha")
    return f"{commit}..." if _COMMIT.fullmatch(str(commit)) else "none"


def fetch(job: Job) -> int:
    """Download the charts that the cache lacks, and pack the public ones for it."""
    packed = job.packed_charts
    hosts = [word for host in job.lines("allow-host") for word in ("--allow-host", host)]
    state = compared_state(job)
    compared = [] if state == "none" else ["--against", state]
    words = ["fetch", *job.lines("paths"), *compared, *hosts]
    if packed.is_file() and _run(job, [*words, "--store", str(packed)], is_shown=False).returncode == 0:
        return 0
    done = _run(job, [*words, "-o", "json"], is_shown=False)
    sys.stderr.write(done.stderr)
    if done.returncode not in {0, _INCOMPLETE}:
        return done.returncode
    sources = json.loads(done.stdout)["sources"]
    if any(each["private"] for each in sources):
        packed.unlink(missing_ok=True)
        return _set_outputs(job, {"private": "true"})
    if sources:
        _run(job, [*words, "-o", str(packed)], is_shown=False)
    return 0


def check(job: Job) -> int:
    """Predict and check the changes; write annotations, reports and outputs. Findings do not fail this step."""
    folder = job.folder
    words = [*_places(job), "--against", compared_state(job), *_charts(job), *shlex.split(job.given("args"))]
    marker = secrets.token_hex(16)
    print(f"::stop-commands::{marker}", flush=True)  # a plan quotes what others have written
    _run(job, ["plan", *words, "-o", "concise", "-o", f"json={folder / 'plan.json'}", "--exit-zero"])
    print(f"::{marker}::", flush=True)
    limit = ["--fail-on", job.given("fail-on")] if job.given("fail-on") else []
    files = ["-o", f"json={folder / 'check.json'}", "-o", f"sarif={folder / 'applylint.sarif'}"]
    code = _run(job, ["check", *words, *limit, "-o", "github", *files]).returncode
    return _set_outputs(job, {"exit-code": str(code), **outputs(folder), "cache-key": cache_key(job)})


def outputs(folder: Path) -> dict[str, str]:
    """Return the outputs of the action that the reports have; empty values for what they lack."""
    checked = _read(folder / "check.json")
    files = {
        f"{name}-file": str(folder / file)
        for name, file in (("plan", "plan.json"), ("check", "check.json"), ("sarif", "applylint.sarif"))
        if (folder / file).is_file()
    }
    conclusions = {one.get("class"): one.get("conclusion", "") for one in (_read(folder / "plan.json"), checked)}
    worst = next((each.value for each in reversed(ChangeClass) if each.value in conclusions), "")
    words = {"class": worst, "conclusion": conclusions.get(worst, "")}
    return {"findings": str(len(checked["findings"])) if checked else "", **words, **files}


def cache_key(job: Job) -> str:
    """Return a key for the content of the cache, empty if the cache must not be kept."""
    if job.given("private") == "true":
        return ""
    root = Path(job.variables["APPLYLINT_CACHE_DIR"])
    kept = (path for name in _CACHED for path in (root / name).rglob("*") if path.is_file())
    names = sorted(path.relative_to(root).as_posix() for path in kept)
    packed = job.packed_charts.read_bytes() if job.packed_charts.is_file() else b""
    return hashlib.sha256("\n".join(names).encode() + packed).hexdigest()[:32] if names or packed else ""


def report(job: Job) -> int:
    """Write the summary, and send the comment and the SARIF file if the token may write."""
    text = _comment_text(job)
    if text:
        with Path(job.variables["GITHUB_STEP_SUMMARY"]).open("a", encoding="utf-8") as summary:
            summary.write(text)
    api = Api(job.variables["GITHUB_API_URL"], job.variables["GITHUB_REPOSITORY"], job.variables.get("TOKEN", ""))
    number = job.event.get("pull_request", {}).get("number")
    if text and number and job.is_on("comment"):
        _try("The comment was not written; the summary of the job has its text", lambda: api.comment(number, text))
    sarif = job.folder / "applylint.sarif"
    if job.is_on("sarif") and sarif.is_file():
        place = job.variables["GITHUB_SHA"], job.variables["GITHUB_REF"]
        log = _read(sarif)
        category = f"applylint{job.given('name') and '-'}{job.given('name')}/"
        log["runs"][0]["automationDetails"] = {"id": category}
        _try("Code scanning did not accept the report; sarif: false skips it", lambda: api.upload(log, *place))
    return 0


def _try(otherwise: str, send: Callable[[], None]) -> None:
    """Send something, or print a notice why that is not possible."""
    try:
        send()
    except ApiError as error:
        print(f"::notice::{otherwise} ({error}).")


def _comment_text(job: Job) -> str:
    """Return the reports as a comment, empty if there is none."""
    variables, folder = job.variables, job.folder
    reports = [str(path) for path in (folder / "plan.json", folder / "check.json") if path.is_file()]
    if not reports:
        return ""
    commit = job.event.get("pull_request", {}).get("head", {}).get("sha") or variables["GITHUB_SHA"]
    server, name = variables["GITHUB_SERVER_URL"], variables["GITHUB_REPOSITORY"]
    marker = ["--marker", job.given("name")] if job.given("name") else []
    link = f"{server}/{name}/actions/runs/{variables['GITHUB_RUN_ID']}"
    done = _run(job, ["comment", *reports, "--commit", commit, "--artifact", link, *marker], is_shown=False)
    sys.stderr.write(done.stderr)
    return done.stdout


def _places(job: Job) -> list[str]:
    """Return the files to look at: all, if they are compared with nothing and none is named."""
    return job.lines("paths") or (["."] if compared_state(job) == "none" else [])


def _charts(job: Job) -> list[str]:
    return ["--store", str(job.packed_charts)] if job.packed_charts.is_file() else []


def _run(job: Job, words: list[str], *, is_shown: bool = True) -> "subprocess.CompletedProcess[str]":
    """Run ``applylint`` with these arguments, shown in the log or captured."""
    settings = {"XDG_CONFIG_HOME": _mirrors(job)} if job.lines("mirrors") else {}
    programs = f"{job.variables.get('APPLYLINT_PROGRAMS', '')}{os.pathsep}{job.variables['PATH']}".lstrip(os.pathsep)
    env = {name: value for name, value in job.variables.items() if name != "TOKEN"} | {"PATH": programs}
    command = [sys.executable, "-I", "-m", "kubectl_applylint", *words]
    return subprocess.run(command, env=env | settings, capture_output=not is_shown, encoding="utf-8", check=False)


def _mirrors(job: Job) -> str:
    """Write the mirrors into a configuration, and return the directory that has it."""
    folder = job.folder / "settings" / "applylint"
    folder.mkdir(parents=True, exist_ok=True)
    pairs = (line.partition("=") for line in job.lines("mirrors"))
    mirrors = {host.strip(): other.strip() for host, _, other in pairs}
    (folder / "config.yaml").write_text(json.dumps({"mirrors": mirrors}), encoding="utf-8")
    return str(folder.parent)


def _read(path: Path) -> dict[str, Any]:
    """Return the JSON of a report, empty if there is none."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def _set_outputs(job: Job, values: Mapping[str, str]) -> int:
    with Path(job.variables["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as file:
        file.writelines(f"{name}={value}\n" for name, value in values.items())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
