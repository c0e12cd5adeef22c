import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
ERROR = 'The Deployment "web" is invalid: spec.selector: Invalid value: {"a":"b"}: field is immutable'
WARNING = (
    "Warning: resource configmaps/a is missing the kubectl.kubernetes.io/last-applied-configuration annotation which is"
)


def type_text(monkeypatch: pytest.MonkeyPatch, text: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))


@pytest.mark.parametrize("words", [["diagnose"], ["diagnose", "-"]], ids=["no argument", "a hyphen"])
def test_errors_from_a_pipe_are_explained(run: Run, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    type_text(monkeypatch, f"configmap/a configured\n{ERROR}\n".encode())

    code, out, err = run(*words)

    assert (code, err) == (1, "")
    assert out.startswith("deployment/web: error: ")
    assert "[selector-change-rejected]" in out
    assert "kubectl delete deployment/web --cascade=orphan" in out


@pytest.mark.parametrize(
    ("text", "flags", "code"),
    [
        ("configmap/a configured", [], 0),
        (WARNING, [], 0),
        (ERROR, [], 1),
        (ERROR, ["--exit-zero"], 0),
        ("error: the moon is full", [], 3),
        (f"{ERROR}\nerror: the moon is full", ["--exit-zero"], 3),
    ],
    ids=["no error", "a warning", "an error", "an error that does not count", "unknown", "one unknown"],
)
def test_the_exit_code_shows_whether_there_was_an_error(run: Run, text: str, flags: list[str], code: int) -> None:
    assert run("diagnose", text, *flags)[0] == code


def test_bytes_that_are_no_text_do_not_end_the_diagnosis(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    type_text(monkeypatch, b"\xff\n" + ERROR.encode())

    assert run("diagnose")[0] == 1


def test_the_explanation_as_json(run: Run) -> None:
    _, out, _ = run("diagnose", ERROR, "-o", "json")

    (error,) = json.loads(out)["errors"]
    assert [explanation["rule"] for explanation in error["explanations"]] == ["selector-change-rejected"]


def test_rules_of_ones_own_explain_too(run: Run, folder: Path) -> None:
    (folder / "mine" / "moon-full").mkdir(parents=True)
    (folder / "mine" / "moon-full" / "rule.yaml").write_text(
        "id: moon-full\nsummary: The moon is full\nseverity: error\nmessage: it is\nwhy: It is.\nfix: wait\n"
        "errors: [{message: 'the {body} is full'}]\n"
    )

    code, out, _ = run("diagnose", "error: the moon is full", "--rules", "mine")

    assert code == 1
    assert "The moon is full [moon-full]" in out


def test_other_formats_are_usage_errors(run: Run) -> None:
    assert run("diagnose", ERROR, "-o", "sarif") == (
        2,
        "",
        "applylint: --output: diagnose has no format sarif; it has text, json\n",
    )


def test_a_broken_rule_folder_is_wrong_use(run: Run, folder: Path) -> None:
    (folder / "mine").mkdir()

    assert run("diagnose", ERROR, "--rules", "mine")[0] == 2
