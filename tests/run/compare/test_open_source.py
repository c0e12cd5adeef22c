"""Sources of live state by what is compared with."""

import json
from pathlib import Path

import pytest

from kubectl_applylint.run.compare.against import NOTHING, read_against
from kubectl_applylint.run.compare.open_source import UsageError, open_source
from kubectl_applylint.sources.cluster.connection import Connection
from tests.cli.conftest import DEPLOYMENT, live_deployment


@pytest.fixture(name="files", autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("web.yaml").write_text(DEPLOYMENT)
    Path("prod.json").write_text(json.dumps({"kind": "List", "apiVersion": "v1", "items": [live_deployment()]}))


@pytest.mark.parametrize(
    ("text", "origin", "has_base", "recalls"),
    [
        ("none", "", False, False),
        ("snapshot:prod.json", "snapshot prod.json", False, False),
        ("last-applied:prod.json", "snapshot prod.json", False, True),
        ("dir:.", "directory .", True, False),
        ("file:web.yaml", "file web.yaml", True, False),
    ],
)
def test_a_source_is_opened(text: str, origin: str, has_base: bool, recalls: bool) -> None:
    with open_source(read_against(text)) as source:
        assert (source.origin, source.base is not None, source.uses_last_applied, source.problems) == (
            origin,
            has_base,
            recalls,
            (),
        )


@pytest.mark.parametrize("text", ["snapshot:no.json", "last-applied:no.json", "dir:no", "file:no", "main"])
def test_an_unreadable_source_has_a_problem(text: str) -> None:
    with open_source(read_against(text), ["web.yaml"]) as source:
        assert (source.origin, source.uses_last_applied, len(source.problems)) == ("", False, 1)


def test_nothing_is_no_problem() -> None:
    with open_source(NOTHING) as source:
        assert (source.origin, source.problems) == ("", ())


def test_an_invalid_connection_is_rejected() -> None:
    Path("config").write_text("apiVersion: v1\nkind: Config\n")

    with (
        pytest.raises(UsageError, match="nowhere"),
        open_source(read_against("live"), connection=Connection(kubeconfig="config", context="nowhere")),
    ):
        pass
