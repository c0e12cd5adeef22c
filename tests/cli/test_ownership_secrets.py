"""The commands about ownership, and ``revert``, show no value of a Secret and no credential, in any of their forms."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_applylint.appliers.request import TOOL_APPLIERS
from kubectl_applylint.cli import applylint
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import JsonObject
from tests.cli.test_secrets import (
    COPIED,
    DEPLOYMENT,
    EDITED,
    NEW,
    OLD,
    SECRET,
    SETTINGS,
    leaked_values,
    live_deployment,
    live_secret,
    secret_text,
)

Written = Callable[..., str]
FILES = "secret.yaml,web.yaml,settings.yaml"
NAMES = ("secret/token", "deploy/web", "cm/settings", "-n", "shop")
ENV = "spec.template.spec.containers[name=web].env"
PATHS = {
    "secret/token": ["data", "data.password", "data.gone", "stringData", "metadata.annotations", "type"],
    "deploy/web": [
        *("spec", "metadata.annotations", ENV),
        *(f"{ENV}[name={name}]" for name in ("PASSWORD", "URL", "EXTRA")),
    ],
    "cm/settings": ["data", "data.url", "data.note", "metadata.annotations.note"],
}


def live_settings() -> JsonObject:
    names = {"name": "settings", "namespace": "shop"}
    data = {"url": f"x?p={OLD}", "note": EDITED, "gone": f"https://web:{COPIED}@db"}
    last = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": names, "data": {**data, "note": OLD}}
    annotations = {LAST_APPLIED: json.dumps(last), "note": f"is {EDITED}"}
    return {**last, "metadata": {**names, "annotations": annotations}, "data": data}


@pytest.fixture(name="written")
def _written(folder: Path, capsys: pytest.CaptureFixture[str]) -> Written:
    """Return a function that runs a command in both forms, and gives all that it writes."""
    items = [live_secret(secret_text()), live_deployment(OLD), live_settings()]
    (folder / "prod.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    for name, text in {"secret.yaml": SECRET, "web.yaml": DEPLOYMENT, "settings.yaml": SETTINGS}.items():
        (folder / name).write_text(text)

    def run(*argv: str, against: str = "snapshot:prod.json") -> str:

        code = applylint([*argv, "--against", against, "-o", "text,json=json.out", "-v9"])
        assert code in (0, 1, 3), capsys.readouterr()
        return "\n".join([*capsys.readouterr(), (folder / "json.out").read_text()])

    return run


@pytest.mark.sampled(12)
@pytest.mark.parametrize(("name", "path"), [(name, path) for name, paths in PATHS.items() for path in paths])
@pytest.mark.parametrize("command", [["why"], ["handover", "--to=flux"], ["handover", "--to=kubectl"]], ids=" ".join)
def test_no_value_of_a_field_is_shown(command: list[str], name: str, path: str, written: Written) -> None:
    word, *flags = command
    text = written(word, name, path, "-n", "shop", "-f", FILES, *flags)

    assert name.partition("/")[2] in text
    assert leaked_values(text) == []


@pytest.mark.parametrize("to", ["server", "client", *TOOL_APPLIERS])
def test_no_value_is_shown_on_the_way_to_another_program(to: str, written: Written) -> None:
    text = written("migrate", *FILES.split(","), "--to", to)

    assert "secret/token in shop" in text
    assert leaked_values(text) == []


@pytest.mark.parametrize(
    "argv",
    [
        ["adopt", "-f", FILES],
        ["adopt", *NAMES],
        ["owners", "-A"],
        ["owners", "--by=field", "-f", FILES],
        ["owners", *NAMES],
    ],
    ids=" ".join,
)
def test_no_value_is_shown_with_owners(argv: list[str], written: Written) -> None:
    text = written(*argv)

    assert "secret/token in shop" in text
    assert leaked_values(text) == []


def test_no_value_is_shown_that_a_revert_leaves(folder: Path, written: Written) -> None:
    (folder / "secret.yaml").write_text(f"{SECRET}immutable: true\n")
    text = written("revert", *FILES.split(","), against="last-applied:prod.json")

    assert "secret/token" in text
    assert leaked_values(text) == []


@pytest.mark.parametrize(
    ("argv", "values"),
    [
        (["why", "secret/token", "data", "-n", "shop", "-f", FILES], {NEW, OLD, EDITED, COPIED}),
        (["why", "cm/settings", "data", "-n", "shop", "-f", FILES], {NEW, OLD, EDITED}),
        (["migrate", *FILES.split(","), "--to=helm3"], {NEW, EDITED}),
        (["owners", "-A"], {OLD, EDITED, COPIED}),
    ],
    ids=["why", "why another object", "migrate", "owners"],
)
def test_the_values_are_shown_where_they_are_asked_for(argv: list[str], values: set[str], written: Written) -> None:
    assert values <= set(leaked_values(written(*argv, "--show-secrets")))
