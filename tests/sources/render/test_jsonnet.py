"""Files in Jsonnet, evaluated by the real program, and imports that lead out of their source."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.sources.render.jsonnet import MISSING_TOOL, JsonnetFile, render
from kubectl_applylint.sources.system.cache_folder import use_folder
from kubectl_applylint.sources.text.manifests import Input
from tests.sources.render.test_kustomize import program

FILES = {
    "app/main.jsonnet": b"local map = import 'map.libsonnet'; [map(std.extVar('name')), map(importstr '../text.txt')]",
    "lib/map.libsonnet": b"function(name) {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: name}}",
    "app/one.jsonnet": b"function(name) (import '../lib/map.libsonnet')(name)",
    "app/code.jsonnet": b"std.extVar('object')",
    "app/text.jsonnet": b"'text'",
    "app/broken.jsonnet": b"{",
    "app/far.jsonnet": b"import 'no.libsonnet'",
    "text.txt": b"from-text",
}
MAIN = JsonnetFile(
    "app/main.jsonnet",
    FILES,
    lambda paths: {path: FILES[path] for path in paths if path in FILES},
    ("app", "lib"),
    ("--ext-str", "name=web"),
)
ONE = replace(MAIN, path="app/one.jsonnet", arguments=("--tla-str", "name=x"))


def evaluate(text: bytes, **more: object) -> Input:
    """Return what is made of a file with a text, by a program that must not be started."""
    file = replace(MAIN, contents=lambda paths: dict.fromkeys(paths, text), **more)  # type: ignore[arg-type]  # fields
    return render(file, "main.jsonnet")


def names(found: Input) -> list[str]:
    return [one.ref.name for one in found.documents]


def test_without_the_program_a_problem_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")

    (problem,) = render(MAIN, "main.jsonnet").problems
    assert (problem.where, problem.message, problem.advice) == ("main.jsonnet", MISSING_TOOL, "install jsonnet")


@pytest.fixture(name="forbidden")
def _forbidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that a program writes when it is started."""
    (tmp_path / "bin").mkdir()
    program(tmp_path, "jsonnet", f"touch {tmp_path}/started")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    return tmp_path / "started"


@pytest.mark.parametrize(
    "text",
    [
        b"importstr '/proc/self/environ'",
        b'importstr"/etc/passwd"',
        b"importbin /* x */ '/dev/zero'",
        b"import // x\n # y\n '../../../etc/passwd'",
        b"importstr 'a/../../../etc/passwd'",
        b'importstr "\\u002fproc/self/environ"',
        b"importstr @'/proc/self/environ'",
        b"importstr |||\n  /proc/self/environ\n|||",
        b"{a: 1import '/etc/passwd'}",
    ],
)
def test_an_import_that_leads_out_of_the_source_starts_nothing(forbidden: Path, text: bytes) -> None:
    (problem,) = evaluate(text).problems

    assert problem.message.startswith("it is not evaluated: the ")
    assert not forbidden.exists()


def test_code_of_a_variable_imports_nothing(forbidden: Path) -> None:
    (problem,) = evaluate(b"{}", codes=("importstr '/proc/self/environ'",)).problems

    assert problem.message == "it is not evaluated: code of a variable has an import"
    assert not forbidden.exists()


@pytest.fixture(name="path_with_jsonnet")
def _path_with_jsonnet(jsonnet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(jsonnet.parent), prepend=":")


@pytest.mark.usefixtures("path_with_jsonnet")
def test_objects_are_evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JSONNET_PATH", "/elsewhere")

    assert names(render(MAIN, "main.jsonnet")) == ["web", "from-text"]
    assert names(render(ONE, "one.jsonnet")) == ["x"]
    code = ("--ext-code", "object={apiVersion: 'v1', kind: 'Secret', metadata: {name: 'a' + 'b'}}")
    assert names(render(replace(MAIN, path="app/code.jsonnet", arguments=code), "code.jsonnet")) == ["ab"]


@pytest.mark.usefixtures("path_with_jsonnet")
@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("app/text.jsonnet", "it is neither an object nor a list of objects"),
        ("app/broken.jsonnet", "it cannot be rendered: app/broken.jsonnet:1:2"),
        ("app/far.jsonnet", "it cannot be rendered: RUNTIME ERROR: couldn't open import"),
    ],
)
def test_a_file_that_cannot_be_evaluated_is_a_problem(path: str, message: str) -> None:
    (problem,) = render(replace(MAIN, path=path), path).problems

    assert problem.message.startswith(message)


@pytest.mark.usefixtures("path_with_jsonnet")
def test_the_trace_of_an_error_is_cut() -> None:
    endless = replace(MAIN, contents=lambda paths: dict.fromkeys(paths, b"local f(n) = f(n + 1) + [n]; f(0)"))
    (problem,) = render(endless, "main.jsonnet").problems

    assert problem.message.startswith("it cannot be rendered: RUNTIME ERROR: max stack frames exceeded.")
    assert len(problem.message) < 200


PRINTING = "cat $(eval echo \\${$#})"
"""A program that prints the file that it evaluates."""


@pytest.fixture(name="start_log")
def _record_of_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file with a line for each start of a program that prints its file, with a cache of results."""
    (tmp_path / "bin").mkdir()
    program(tmp_path, "jsonnet", f"echo >> {tmp_path}/started; {PRINTING}")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    with use_folder(str(tmp_path / "cache")):
        yield tmp_path / "started"


def starts(start_log: Path, files: Sequence[JsonnetFile]) -> int:
    for file in files:
        assert not render(file, "main.jsonnet").problems
    return start_log.read_text().count("\n")


def jsonnet_file(item: str, **more: object) -> JsonnetFile:
    """Return a file that is evaluated to an object of a kind."""
    text = ('{"apiVersion": "v1", "metadata": {"name": "a"}, ' + item + "}").encode()
    return replace(MAIN, contents=lambda paths: dict.fromkeys(paths, text), **more)  # type: ignore[arg-type]  # fields


CONFIG = '"kind": "ConfigMap", "data": {"b": "c"}'


@pytest.mark.parametrize(
    ("other", "count"),
    [
        (jsonnet_file(CONFIG), 1),
        (jsonnet_file(CONFIG.replace("c", "d")), 2),
        (jsonnet_file(CONFIG, arguments=("--ext-str", "name=shop")), 2),
        (jsonnet_file(CONFIG, libraries=("lib",)), 2),
        (jsonnet_file(CONFIG, path="lib/main.jsonnet"), 2),
    ],
    ids=["same", "text", "argument", "libraries", "path"],
)
def test_results_are_cached_by_all_their_input(start_log: Path, other: JsonnetFile, count: int) -> None:
    assert starts(start_log, [jsonnet_file(CONFIG), other]) == count


@pytest.mark.parametrize(
    "file",
    [
        jsonnet_file('"kind": "Secret", "stringData": {"b": "c"}'),
        jsonnet_file(
            '"kind": "ConfigMap", "data": {"b": "zq8-Xw2!kv"}', arguments=("--ext-str", "password=zq8-Xw2!kv")
        ),
    ],
    ids=["Secret", "credential among the arguments"],
)
def test_results_with_secrets_are_not_cached(start_log: Path, file: JsonnetFile) -> None:
    assert starts(start_log, [file, file]) == 2


def test_results_of_another_program_do_not_count(start_log: Path) -> None:
    starts(start_log, [jsonnet_file(CONFIG)])
    program(start_log.parent, "jsonnet", f"echo >> {start_log}; {PRINTING} # newer")

    assert starts(start_log, [jsonnet_file(CONFIG)]) == 2
