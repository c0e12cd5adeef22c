"""Hostile names on disk and in manifests, through the commands: neither stream of a job log acts on its reader."""

from contextlib import suppress
from pathlib import Path

import pytest

from kubectl_applylint.cli import applylint
from tests.readers import commands, sections, steering

NAME = "a\n::stop-commands::x\r##[error]b\x1b[2Jsection_start:1:c\r\x1b[0K\u202e"
MANIFEST = """\
apiVersion: "apps/v1"
kind: Deployment
metadata: {name: "%(name)s", namespace: "%(name)s"}
spec:
  selector: {matchLabels: {app: "%(name)s"}}
  template: {metadata: {labels: {app: other}}, spec: {containers: [{name: "%(name)s", image: "%(name)s", unknown: 1}]}}
---
apiVersion: "%(name)s"
kind: "%(name)s"
metadata: {name: web}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: "%(name)s"}
data: {a: 1, b: !!int "%(name)s"}
"""
QUOTED = NAME.replace("\n", "\\n").replace("\r", "\\r").replace("\x1b", "\\e").replace("\u202e", "\\u202e")
SAID = f'The Deployment "{NAME}" is invalid: spec.selector: Invalid value: "{NAME}": field is immutable\n'
FORMS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown", "html")


@pytest.fixture(name="hostile")
def _hostile(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file whose name and whose content are hostile, in the folder of the run."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    file = folder / f"{NAME.replace('/', '')}.yaml"
    file.write_text(MANIFEST % {"name": QUOTED})
    return file


def act(out: str, err: str, meant: str = "(none)") -> list[str]:
    """Return what acts on the reader of a job log, but for the commands that are meant."""
    found = [line for text in (out, err) for line in commands(text) if not line.startswith(meant)]
    return [*found, *steering(out), *steering(err), *sections(out), *sections(err)]


@pytest.mark.parametrize(
    "argv",
    [
        *(("check", "-o", form, "-v9") for form in FORMS),
        *(("plan", "-o", form, "-v9") for form in FORMS if form not in ("sarif", "github", "gitlab")),
        ("defaults",),
        ("render",),
        ("render", "-o", "json"),
        ("again",),
        ("check", "--against", f"dir:{NAME}"),
        ("check", "--against", NAME),
        ("check", "--baseline", NAME),
        ("check", "--controller", NAME),
        ("check", f"--{NAME}"),
        ("check", "-o", f"json=no/{NAME}"),
        ("explain", NAME),
        ("plan", "--kubernetes-version", NAME),
    ],
    ids=lambda argv: " ".join(argv).replace(NAME, "NAME"),
)
def test_no_line_of_either_stream_acts(
    argv: tuple[str, ...], hostile: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with suppress(SystemExit):
        applylint([argv[0], *([] if argv[0] == "explain" else [hostile.name]), *argv[1:]])
    out, err = capsys.readouterr()

    assert out + err
    assert act(out, err, "::error " if "github" in argv else "(none)") == []


def test_an_explained_error_has_no_action(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    applylint(["diagnose", SAID])

    assert act(*capsys.readouterr()) == []
