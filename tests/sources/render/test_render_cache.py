"""Cached renderings, keyed by all their input, without Secrets."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.sources.render.render_cache import FailedRendering, cached_objects, key_of
from kubectl_applylint.sources.render.render_programs import rendered_text
from kubectl_applylint.sources.system.cache_folder import use_folder
from kubectl_applylint.sources.text.manifests import read_text

CONFIG_MAP = b"kind: ConfigMap\ndata: {a: b}\n"
TOOL = ["/bin/sh", "build", "app/kustomization.yaml"]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with use_folder(str(tmp_path / "cache")):
        yield tmp_path / "cache" / "renders"


def output(key: str, render: Callable[[], bytes | Problem], values: Sequence[JsonObject] = ()) -> bytes | Problem:
    found = cached_objects(key, render, lambda printed: read_text(printed, "app"), lambda: values)
    return found if isinstance(found, Problem) else found[0]


def again() -> bytes:
    raise AssertionError("rendered again")


def test_an_output_is_cached(folder: Path) -> None:
    assert output("k", lambda: CONFIG_MAP) == CONFIG_MAP
    assert output("k", again) == CONFIG_MAP
    assert output("other", lambda: b"---\n") == b"---\n"


def test_a_problem_is_not_cached(folder: Path) -> None:
    problem = Problem("app", "it cannot be rendered", "")

    assert output("k", lambda: problem) is problem
    assert output("k", lambda: CONFIG_MAP) == CONFIG_MAP


NIL = 'it cannot be rendered: Error: /tmp/one/tree/a.yaml:1:2: executing "a.yaml" at <.Values.a.b>: nil pointer'


@pytest.mark.parametrize(
    ("message", "is_kept"),
    [
        pytest.param(NIL, True, id="in a template"),
        pytest.param("Error: execution error at (/tmp/one/tree/a.yaml:1:2): set a", True, id="required"),
        pytest.param("Error: values don't meet the specifications of the schema", True, id="in the values"),
        pytest.param("helm timed out after 120 s (render-timeout)", False, id="a limit"),
        pytest.param("Error: open a: permission denied", False, id="of the system"),
        pytest.param(f"{NIL} hunter22", False, id="with a credential"),
    ],
)
def test_the_message_of_a_failed_template_is_cached(folder: Path, message: str, is_kept: bool) -> None:
    def render(folder: str, rendering: Callable[[], bytes | Problem]) -> bytes | Problem:
        failed = FailedRendering(f"{folder}/tree", f"try it: helm {folder}", folder)
        values: list[JsonObject] = [{"password": "hunter22"}]
        found = cached_objects("k", rendering, lambda printed: read_text(printed, "app"), lambda: values, failed)
        return found if isinstance(found, Problem) else found[0]

    problem = Problem("/tmp/one/tree", message, "try it: helm /tmp/one", is_refused=True)

    assert render("/tmp/one", lambda: problem) == problem
    assert (folder / "k").exists() == is_kept
    assert not is_kept or b"/tmp/one" not in (folder / "k").read_bytes()
    later = render("/tmp/two", again if is_kept else lambda: CONFIG_MAP)
    expected = Problem("/tmp/two/tree", message.replace("one", "two"), "try it: helm /tmp/two", is_refused=True)
    assert later == (expected if is_kept else CONFIG_MAP)


def test_an_output_without_manifests_is_rendered_once_and_not_cached(folder: Path) -> None:
    def render(rendering: Callable[[], bytes | Problem]) -> Problem | object:
        failed = FailedRendering("app", "try it: helm")
        return cached_objects("k", rendering, lambda printed: rendered_text(printed, "app", "helm"), failed=failed)

    first = render(lambda: b"apiVersion: v1\nkind: ConfigMap\n---\npassword: hunter22\n")

    assert isinstance(first, Problem)
    assert "what is not a manifest, in line 4" in first.message
    assert render(again) == first
    assert b"hunter22" not in (folder / "k").read_bytes()


@pytest.mark.parametrize(
    ("rendered", "is_kept"),
    [
        (b"kind: Secret\ndata: {a: Yg==}\n", False),
        (b"kind: ConfigMap\n---\napiVersion: v1\nstringData:\n  a: b\nkind: Secret\n", False),
        (b'{"kind": "Secret", "data": {"a": "Yg=="}}', False),
        (b"kind: SecretList\nitems: []\n", False),
        (b"kind: List\nitems:\n- kind: Secret\n  data: {a: Yg==}\n", False),
        (b"kind: Secret\nmetadata:\n  annotations: {kubectl.kubernetes.io/last-applied-configuration: '{}'}\n", False),
        (b"data: {}\nkind: Secret\nmetadata: {name: filled-by-a-controller}\n", True),
        (b"kind: SealedSecret\nspec: {encryptedData: {a: b}}\n---\ndata: {a: b}\nkind: ConfigMap\n", True),
    ],
    ids=["data", "strings", "JSON", "list of Secrets", "list", "last-applied", "nothing in it", "sealed"],
)
def test_outputs_with_secrets_are_not_cached(folder: Path, rendered: bytes, is_kept: bool) -> None:
    output("k", lambda: rendered)

    assert (folder / "k").exists() == is_kept


HEAD = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"


@pytest.mark.parametrize(
    ("data", "is_kept"),
    [
        (b"data: {password: hidden}", False),
        (b"data: {dsn: 'postgres://app:hidden@db/x'}", False),
        (b"data: {key: 'ghp_0123456789abcdefghijABCDEFGHIJ012345'}", False),
        (b"data: {key: '-----BEGIN PRIVATE KEY-----'}", False),
        (b"data: {settings.ini: 'x=hidden'}", False),
        (b"data: {dsn: 'postgres://app:$(PASSWORD)@db/x', settings.ini: 'x=shown'}", True),
    ],
    ids=["key", "URL", "token", "private key", "value", "reference"],
)
def test_outputs_with_credentials_are_not_cached(folder: Path, data: bytes, is_kept: bool) -> None:
    output("k", lambda: HEAD + data, [{"db": {"password": "hidden", "host": "shown"}}, {"token": ""}])

    assert (folder / "k").exists() == is_kept


def test_a_rendering_is_cached_by_all_its_input(folder: Path) -> None:
    files = {"app/kustomization.yaml": b"resources: [a.yaml]", "app/a.yaml": b"a"}
    others = [
        key_of(["/bin/ls", *TOOL[1:]], files),
        key_of([*TOOL[:-1], "other/kustomization.yaml"], files),
        key_of(TOOL, {**files, "app/a.yaml": b"b"}),
        key_of(TOOL, {**files, "app/b.yaml": b""}),
        key_of(TOOL, {"app/kustomization.yaml": b"resources: [a.yaml]app/a.yaml", "": b"a"}),
    ]

    assert key_of(TOOL, dict(reversed(files.items()))) == key_of(TOOL, files)
    assert len({key_of(TOOL, files), *others}) == len(others) + 1
    assert all(others)


@pytest.mark.parametrize("text", [b"configMapGenerator: [{envs: [a.env]}]", b"secretGenerator:\n- env: a.env"])
def test_outputs_with_env_files_are_not_cached(folder: Path, text: bytes) -> None:
    assert key_of(TOOL, {}, [text]) == ""


def test_nothing_is_cached_without_a_key() -> None:
    assert key_of(TOOL, {}) == ""
    assert [output("", lambda: b"---\n"), output("", lambda: CONFIG_MAP)] == [b"---\n", CONFIG_MAP]
