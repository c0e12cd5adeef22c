"""The defaults of the user's kuberc in predictions of kubectl apply."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_applylint.cli import applylint, kubectl_applylint
from tests.cli.conftest import CONFIG_MAP

Run = Callable[..., tuple[int, str, str]]
KUBERC = """\
apiVersion: kubectl.config.k8s.io/v1beta1
kind: Preference
defaults:
- command: apply
  options: [{name: NAME, default: "VALUE"}]
"""


def kuberc(name: str = "server-side", value: str = "true") -> str:
    return KUBERC.replace("NAME", name).replace("VALUE", value)


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the home directory, with a manifest and a kuberc."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("KUBERC")
    (tmp_path / "settings.yaml").write_text(CONFIG_MAP)
    (tmp_path / ".kube").mkdir()
    (tmp_path / ".kube" / "kuberc").write_text(kuberc())
    return tmp_path


@pytest.fixture(name="run")
def _run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that plans ``settings.yaml``, by default with the plugin."""
    assert folder

    def run(*argv: str, program: Callable[..., int] = kubectl_applylint) -> tuple[int, str, str]:
        code = program(("plan", "--against", "none", "-o", "json", *argv))
        out, err = capsys.readouterr()
        return code, json.loads(out)["objects"][0]["verdict"] if out else "", err

    return run


def test_the_plugin_uses_the_defaults_of_the_kuberc(run: Run, folder: Path) -> None:
    code, verdict, err = run("-f", "settings.yaml")

    assert (code, verdict) == (0, "serverside-applied")
    assert f"kubectl applylint: {folder}/.kube/kuberc: uses --server-side=true of the defaults of apply\n" in err


def test_flags_and_the_configuration_have_precedence(run: Run, folder: Path) -> None:
    assert run("-f", "settings.yaml", "--server-side=false")[1] == "created"
    (folder / ".applylint.yaml").write_text("server-side: false\n")
    assert run("-f", "settings.yaml")[1] == "created"


def test_units_of_a_repository_have_no_defaults(run: Run) -> None:
    assert run("settings.yaml")[1] == "created"


def test_other_appliers_have_no_defaults(run: Run) -> None:
    assert "kuberc" not in run("-f", "settings.yaml", "--applier", "metacontroller")[2]


def test_applylint_reads_only_a_named_kuberc(run: Run) -> None:
    assert run("-f", "settings.yaml", program=applylint)[1] == "created"
    assert run("-f", "settings.yaml", "--kuberc=.kube/kuberc", program=applylint)[1] == "serverside-applied"


def test_defaults_that_are_not_followed_are_named_without_their_values(run: Run, folder: Path) -> None:
    (folder / ".kube" / "kuberc").write_text(kuberc("token", "correct-horse"))

    err = run("-f", "settings.yaml")[2]

    assert "kuberc: ignores --token of the defaults of apply\n" in err
    assert "correct-horse" not in err


@pytest.mark.parametrize("name", ["output", "wait"])
def test_defaults_without_effect_on_a_prediction_are_not_named(run: Run, folder: Path, name: str) -> None:
    (folder / ".kube" / "kuberc").write_text(kuberc(name, "yaml"))

    assert "kuberc" not in run("-f", "settings.yaml")[2]


@pytest.mark.parametrize("content", [b"{a: [", b"\xff"])
def test_a_broken_kuberc_is_an_error_only_if_named(run: Run, folder: Path, content: bytes) -> None:
    (folder / ".kube" / "kuberc").write_bytes(content)

    code, verdict, err = run("-f", "settings.yaml")
    assert (code, verdict) == (0, "created")
    assert err.startswith("kubectl applylint: continues without kuberc")

    code, verdict, err = run("-f", "settings.yaml", "--kuberc", ".kube/kuberc")
    assert (code, verdict, err.count("\n")) == (2, "", 1)


def test_a_missing_kuberc_is_an_error_only_if_named(run: Run, folder: Path) -> None:
    (folder / ".kube" / "kuberc").unlink()

    assert "kuberc" not in run("-f", "settings.yaml")[2]
    code, _, err = run("-f", "settings.yaml", "--kuberc=nowhere")
    assert (code, err) == (2, "kubectl applylint: kuberc nowhere: No such file or directory\n")


def test_a_kuberc_may_be_a_directory(run: Run, folder: Path) -> None:
    (folder / ".kube" / "kuberc").unlink()
    (folder / ".kube" / "kuberc").mkdir()

    assert "continues without kuberc" in run("-f", "settings.yaml")[2]


def test_an_invalid_value_is_an_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / ".kube" / "kuberc").write_text(kuberc(value="maybe"))

    with pytest.raises(SystemExit, match="2"):
        kubectl_applylint(("plan", "-f", "settings.yaml", "--against", "none"))

    assert "'maybe' is not true or false" in capsys.readouterr().err
