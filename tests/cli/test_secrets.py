"""No value of a Secret and no credential shows, whatever is asked for and whatever goes wrong.

Recognisable values are planted wherever one can stand; then all that the commands write is looked through: what they
print, the files that ``-o`` names, and what they leave in the cache.
"""

import base64
import json
import stat
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from kubectl_applylint.cli import applylint, kubectl_applylint
from kubectl_applylint.cli.show import RENDERERS
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import JsonObject
from tests.cli.test_live import write_kubeconfig
from tests.sources.apiserver import BASICS, Answering, Reply, pem, serving, status
from tests.sources.repositories import create

NEW, OLD, EDITED = "planted-new-value", "planted-old-value", "planted-edited-value"
LINES = "planted-first-line\nplanted-second-line"
ODD, NUMBER = 'planted "quoted" \\ value', 80808080
COPIED = "planted-copied-value"
TOKEN, PASSWORD, PLUGIN_TOKEN = "planted-token-4711", "planted-password-4711", "planted-exec-token-0123456789abcdef"
PLANTED = (
    NEW,
    OLD,
    EDITED,
    "planted-alone",
    *LINES.split("\n"),
    "planted \\",
    str(NUMBER),
    COPIED,
    TOKEN,
    PASSWORD,
    PLUGIN_TOKEN,
)


def base64_text(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


SECRET = f"""\
apiVersion: v1
kind: Secret
metadata: {{name: token, namespace: shop}}
data: {{password: {base64_text(NEW)}, kept: {base64_text(OLD)}}}
stringData:
  copied: {COPIED}
  odd: {json.dumps(ODD)}
  lines: |
    {LINES.replace(chr(10), chr(10) + "    ")}
"""
DEPLOYMENT = f"""\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: shop}}
spec:
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      containers:
      - name: web
        image: web:2
        env:
        - {{name: PASSWORD, value: {COPIED}}}
        - {{name: URL, value: "postgres://web:{NEW}@db/shop"}}
        - {{name: API_TOKEN, value: planted-alone-in-variable}}
        - {{name: OTHER, value: "https://a:planted-alone-in-url@b"}}
        args: [--password={NEW}, --coded={base64_text(COPIED)}]
        livenessProbe: {{httpGet: {{port: 80, httpHeaders: [{{name: Authorization, value: "Basic {COPIED}"}}]}}}}
"""
SETTINGS = f"""\
apiVersion: v1
kind: ConfigMap
metadata: {{name: settings, namespace: shop, annotations: {{note: "was {NEW}"}}}}
data: {{url: "x?p={NEW}", json: '{{"a": {json.dumps(json.dumps(ODD))[1:-1]}}}'}}
"""
ALONE = "planted-alone"
"""Begins values that stand nowhere else, so that only their place shows what they are."""
HEADER = "apiVersion: v1\nkind: Secret\nmetadata: {name: broken, namespace: shop}\n"
# Each is wrong in another way, next to a value.
BROKEN: Mapping[str, str] = {
    "syntax.yaml": f"{HEADER}stringData:\n  a: {NEW}\n b: [{OLD}\n",
    "base64.yaml": f"{HEADER}data: {{a: {NEW}}}\n",
    "number.yaml": f"{HEADER}stringData: {{a: {NUMBER}}}\n",
    "text.yaml": f"{HEADER}stringData: {NEW}\n",
    "twice.yaml": f"{HEADER}stringData: {{a: {NEW}, a: {OLD}}}\n",
    "again.yaml": f"{HEADER}stringData:\n  a: |\n    {NEW}\n  a: |\n    {OLD}\n",
    "key.yaml": f"{HEADER}stringData: {{? [{NEW}] : a}}\n",
    "list.yaml": f"apiVersion: v1\nkind: SecretList\nitems: [{{metadata: {{name: g}}, stringData: {{a: {NEW}}}}}]\n",
    "tag.yaml": f"{HEADER}stringData: {{a: !!int {NEW}}}\n",
    "alias.yaml": f"{HEADER}stringData: {{a: *{NEW}}}\n",
    "alone-alias.yaml": f"{HEADER}stringData: {{a: *{ALONE}-1}}\n",
    "alone-tag.yaml": f"{HEADER}stringData: {{a: !!int {ALONE}-2}}\n",
    "misspelled.yaml": f"{HEADER}stringdata: {{a: {ALONE}-3}}\nData: {{a: {ALONE}-4}}\npassword: {ALONE}-5\n",
    "types.yaml": f"{HEADER}type: [{ALONE}-6]\nimmutable: {ALONE}-7\nstringData: {{a: b}}\n",
    "kind.yaml": f"{HEADER.replace('Secret', 'secret')}stringData: {{a: {ALONE}-8}}\n",
    "below.yaml": f"{HEADER}stringData: {{a: {{b: {ALONE}-9}}}}\nmetadata: {{name: c, password: {ALONE}-0}}\n",
}


def live_secret(annotation: str) -> JsonObject:
    data = {
        "password": base64_text(EDITED),
        "kept": base64_text(OLD),
        "gone": base64_text(OLD),
        "copied": base64_text(COPIED),
    }
    metadata = {"name": "token", "namespace": "shop", "annotations": {LAST_APPLIED: annotation}}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "type": "Opaque", "data": data}


def live_deployment(value: str) -> JsonObject:
    env = [{"name": "PASSWORD", "value": value}, {"name": "EXTRA", "value": EDITED}]
    template = {
        "metadata": {"labels": {"app": "web"}},
        "spec": {"containers": [{"name": "web", "image": "web:1", "env": env}]},
    }
    header = {"apiVersion": "apps/v1", "kind": "Deployment"}
    names = {"name": "web", "namespace": "shop"}
    spec = {"replicas": 1, "selector": {"matchLabels": {"app": "web"}}, "template": template}
    annotation = json.dumps({**header, "metadata": names, "spec": spec})
    return {**header, "metadata": {**names, "annotations": {LAST_APPLIED: annotation}}, "spec": spec}


def secret_text() -> str:
    names = {"name": "token", "namespace": "shop"}
    strings = {"gone": OLD, "copied": COPIED, "lines": LINES}
    return json.dumps({"apiVersion": "v1", "kind": "Secret", "metadata": names, "stringData": strings})


def list_reply(*items: JsonObject) -> Reply:
    return Reply(200, {"metadata": {}, "items": list(items)})


def cluster(annotation: str) -> dict[str, Answering]:
    """Return what a server answers that holds both objects, by themselves and in lists."""
    secret, deployment = live_secret(annotation), live_deployment(OLD)
    return {
        **BASICS,
        "/api/v1/namespaces/shop": Reply(200, {"metadata": {"name": "shop"}, "status": {"phase": "Active"}}),
        "/api/v1/namespaces/shop/secrets/token": Reply(200, secret),
        "/api/v1/namespaces/shop/secrets": list_reply(secret),
        "/apis/apps/v1/namespaces/shop/deployments/web": Reply(200, deployment),
        "/apis/apps/v1/namespaces/shop/deployments": list_reply(deployment),
    }


@pytest.fixture(name="written")
def _written(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Return a function that runs the plugin and gives all that it wrote anywhere."""
    monkeypatch.setenv("KUBECONFIG", str(folder / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    monkeypatch.setenv("TMPDIR", str(folder / "cache"))
    (folder / "cache").mkdir()
    for name, text in {"secret.yaml": SECRET, "web.yaml": DEPLOYMENT, "settings.yaml": SETTINGS, **BROKEN}.items():
        (folder / name).write_text(text)

    def run(*argv: str) -> str:
        kubectl_applylint([*argv, "--cache-dir=cache"])
        out, err = capsys.readouterr()
        kept = [*folder.glob("*.out"), *(path for path in (folder / "cache").rglob("*") if path.is_file())]
        return "\n".join((out, err, *(path.read_text(errors="replace") for path in kept)))

    return run


def leaked_values(text: str) -> list[str]:
    """Return the planted values that a text shows, plainly or in base64."""
    return [value for value in PLANTED if value in text or base64_text(value) in text]


def every_form(command: str) -> str:
    """Return what has a command write every form that it has: text to standard output, and each to a file."""
    return ",".join(["text", *(f"{form}={form}.out" for form in RENDERERS[command])])


WITHOUT_CHANGE = ("check", "plan", "again")
"""The commands that can do without an earlier revision."""
WAY = "again --every-commit"


@pytest.mark.slow
@pytest.mark.parametrize("command", WITHOUT_CHANGE)
@pytest.mark.parametrize(
    ("verbosity", "annotation"), [("-v9", secret_text()), ("-v0", secret_text()[:-3])], ids=["all", "cut"]
)
def test_no_form_shows_a_value(
    command: str, verbosity: str, annotation: str, folder: Path, written: Callable[..., str]
) -> None:
    with serving(cluster(annotation), "server") as server:
        user = {"token": TOKEN}
        write_kubeconfig(folder / "config", server.url, user, **{"certificate-authority": pem("authority.crt")})
        flags = ["-o", every_form(command), verbosity]
        by_files = written(command, "secret.yaml", "web.yaml", "settings.yaml", *BROKEN, *flags)
        by_itself = written(command, *flags)

    assert "token" in by_files or command == "again"  # a rejected object is not applied again
    assert leaked_values(by_files) == []
    assert leaked_values(by_itself) == []


def test_a_baseline_shows_no_value(folder: Path, written: Callable[..., str]) -> None:
    with serving(cluster(secret_text())) as server:
        write_kubeconfig(folder / "config", server.url)
        text = written("baseline", "create", "secret.yaml", "web.yaml", "--baseline=known.out")

    assert '"object": "secret/token"' in text
    assert leaked_values(text) == []


def test_the_values_are_there_to_be_shown(folder: Path, written: Callable[..., str]) -> None:
    with serving(cluster(secret_text())) as server:
        write_kubeconfig(folder / "config", server.url)
        text = written("plan", "secret.yaml", "web.yaml", "-o", "json", "--show-secrets")

    assert {NEW, OLD, EDITED, COPIED, "planted-first-line"} <= set(leaked_values(text))


EXEC = {"apiVersion": "client.authentication.k8s.io/v1", "interactiveMode": "Never"}


def credential_plugin(path: Path, script: str) -> JsonObject:
    path.write_text(f"#!{sys.executable}\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return {"exec": {**EXEC, "command": str(path)}}


GRANTED = {"apiVersion": EXEC["apiVersion"], "kind": "ExecCredential", "status": {"token": PLUGIN_TOKEN}}


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    "user",
    [
        lambda path: {"token": TOKEN},
        lambda path: {"username": "jane", "password": PASSWORD},
        lambda path: credential_plugin(path, f"print({json.dumps(GRANTED)!r})"),
        lambda path: credential_plugin(path, f"import sys; print('{PLUGIN_TOKEN}'); sys.exit('no: {PLUGIN_TOKEN}')"),
        lambda path: credential_plugin(path, f'print(\'{{"status": "{PLUGIN_TOKEN}"}}\')'),
        lambda path: {"token": f"{TOKEN}\n{TOKEN}"},
        lambda path: {"client-certificate-data": base64_text(PASSWORD), "client-key-data": base64_text(TOKEN)},
    ],
    ids=["token", "password", "exec", "failed exec", "odd exec", "two lines", "no certificate"],
)
@pytest.mark.parametrize(
    "answer",
    [
        Reply(200, {"gitVersion": "v1.36.3"}),
        status(401, "Unauthorized", "Unauthorized"),
        status(500, "InternalError", f"etcd lost {COPIED} and {base64_text(NEW)}"),
        Reply(200, f"<html>{COPIED}".encode(), {"Content-Type": "text/html"}),
    ],
    ids=["granted", "401", "500", "no JSON"],
)
def test_no_credential_shows_in_what_goes_wrong(
    user: Callable[[Path], JsonObject], answer: Reply, folder: Path, written: Callable[..., str]
) -> None:
    replies = {**cluster(secret_text()), "/version": answer}
    with serving(replies, "server") as server:
        authority = {"certificate-authority": pem("authority.crt")}
        write_kubeconfig(folder / "config", server.url, user(folder / "login"), **authority)
        text = written("check", "secret.yaml", "-v9")

    assert leaked_values(text) == []


@pytest.mark.parametrize("command", sorted(RENDERERS.keys() - {WAY}))
def test_no_form_shows_a_value_of_a_change(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "before.yaml").write_text(SECRET.replace(NEW, OLD) + "---\n" + DEPLOYMENT.replace(NEW, OLD))
    (folder / "after.yaml").write_text(SECRET + "---\n" + DEPLOYMENT + "---\n" + SETTINGS)
    applylint([*command.split(), "after.yaml", "--against", "file:before.yaml", "-o", every_form(command), "-v9"])
    out, err = capsys.readouterr()
    kept = {path.stem: path.read_text() for path in folder.glob("*.out")}

    assert kept.keys() == set(RENDERERS[command])
    assert leaked_values("".join((out, err, *kept.values()))) == []


def test_no_form_shows_a_value_of_a_way(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = create(folder)
    for text in (SECRET.replace(NEW, OLD), SECRET + "immutable: true\n", SECRET.replace(NEW, EDITED)):
        repo.commit({"secret.yaml": text})
    code = applylint([*WAY.split(), "secret.yaml", "--against", "HEAD~2", "-o", every_form(WAY), "-v9"])
    out, err = capsys.readouterr()
    kept = {path.stem: path.read_text() for path in folder.glob("*.out")}

    assert code == 1
    assert kept.keys() == set(RENDERERS[WAY])
    assert leaked_values("".join((out, err, *kept.values()))) == []


def test_an_explained_error_shows_no_value(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error_text = f'The Secret "a" is invalid: data[a]: Invalid value: "{NEW}": immutable\n'
    other = f'The Service "a" is invalid: spec.externalName: Invalid value: "https://web:{OLD}@host": wrong\n'
    applylint(["diagnose", error_text + other])
    out = capsys.readouterr().out

    assert "https://web:********@host" in out
    assert leaked_values(out) == []


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html"])
def test_a_secret_that_is_pruned_is_masked_where_it_is_repeated(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No file has it any more: it is known from the cluster alone."""
    monkeypatch.chdir(tmp_path)
    metadata = {"namespace": "shop", "labels": {"app": "x"}}
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "data": {"old": base64_text(OLD)},
        "metadata": {**metadata, "name": "gone"},
    }
    live = {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": OLD}, "metadata": {**metadata, "name": "settings"}}
    items = [_applied_object(secret), _applied_object(live)]
    Path("prod.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    Path("settings.yaml").write_text(json.dumps({**live, "data": {"a": "other"}}))

    words = ["-f", "settings.yaml", "--prune", "-l", "app=x", "--against", "snapshot:prod.json", "-o", form]
    applylint(["plan", *words])

    output = "".join(capsys.readouterr())
    assert "gone" in output
    assert OLD not in output
    assert base64_text(OLD) not in output


def _applied_object(item: JsonObject) -> JsonObject:
    """Return an object as kubectl has applied it."""
    annotations = {LAST_APPLIED: json.dumps({**item, "data": {}})}
    return {**item, "metadata": {**item["metadata"], "annotations": annotations}}
