"""The ways to declarative management walked on a real server with a real kubectl: every step is as it was predicted.

The stories are those of the page on declarative configuration: objects made by imperative commands, by imperative
object configuration, with and without ``--save-config``, and what others have written since.
"""

from collections.abc import Callable

import pytest

from kubectl_applylint.core.paths import get, parse
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import MISSING, JsonObject
from tests.cluster.desk import Desk

WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web}
spec:
  replicas: 3
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
        - {name: web, image: "web:1"}
"""
TWO = WEB.replace("web:1", "web:2")
SIDECAR = WEB + '        - {name: sidecar, image: "sidecar:1"}\n'
SETTINGS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, labels: {app: web}}\ndata: {a: '1', b: '2'}\n"


def not_there(desk: Desk) -> None:
    desk.write(WEB)


def create(desk: Desk) -> None:
    desk.write(SIDECAR)
    desk.does("kubectl create -f web.yaml")
    desk.write(TWO)


def replace(desk: Desk) -> None:
    desk.write(SIDECAR)
    desk.does("kubectl apply -f web.yaml")
    desk.does("kubectl replace -f web.yaml")
    desk.write(TWO)


def create_with_annotation(desk: Desk) -> None:
    desk.write(WEB)
    desk.does("kubectl create --save-config -f web.yaml")
    desk.write(TWO)


def stale(desk: Desk) -> None:
    desk.write(WEB)
    desk.does("kubectl apply -f web.yaml")
    desk.does("kubectl set image deployment/web web=web:9")
    desk.scale(7)


def unreadable(desk: Desk) -> None:
    desk.write(WEB)
    desk.does("kubectl create -f web.yaml")
    desk.does(f"kubectl annotate deployment/web {LAST_APPLIED}=junk")


def foreign(desk: Desk) -> None:
    desk.write(WEB)
    desk.does("kubectl create --field-manager=helm -f web.yaml")
    desk.scale(7)


def apply(desk: Desk) -> None:
    desk.write(SIDECAR)
    desk.does("kubectl apply -f web.yaml")
    desk.write(WEB)


def server_side(desk: Desk) -> None:
    desk.write(WEB)
    desk.does("kubectl apply --server-side -f web.yaml")
    desk.write(TWO)


STORIES = {
    "absent": not_there,
    "created": create,
    "lost": replace,
    "saved": create_with_annotation,
    "stale": stale,
    "unreadable": unreadable,
    "foreign": foreign,
    "client_side": apply,
    "server_side": server_side,
}


def plan(desk: Desk, words: str = "-f web.yaml") -> JsonObject:
    (item,) = desk.report(f"adopt {words}")["objects"]
    found: JsonObject = item
    return found


def content(live: JsonObject) -> JsonObject:
    """Return the object without what every write changes."""
    made = ("managedFields", "resourceVersion", "generation", "annotations")
    return {**live, "metadata": {key: value for key, value in live["metadata"].items() if key not in made}}


def walk(desk: Desk, steps: list[JsonObject], kind: str = "Deployment") -> None:
    """Do what each step says, and hold it against what it predicted."""
    for step in (step for step in steps if step["command"]):
        before = content(desk.live(kind)) if "set-last-applied" in step["command"] else {}
        done = desk.sh(step["command"])
        if step["command"].startswith("kubectl diff"):
            assert done.returncode == 1, done.stderr
            continue
        assert done.returncode == 0, done.stderr
        live = desk.live(kind)
        assert not before or content(live) == before
        check(step["effect"], live, done.stdout)


def check(effect: JsonObject | None, live: JsonObject, message: str) -> None:
    if effect is None:
        return
    verdict = effect["verdict"]
    assert f"/web {verdict}" in message or (verdict == "configured" and "/web replaced" in message)
    for reset in effect["resets"]:
        assert get(live, parse(reset["path"])) == reset["after"]
    for gone in effect["deletes"]:
        assert get(live, parse(gone["path"])) is MISSING
    for stays in effect["stays"]:
        assert get(live, parse(stays["path"])) is not MISSING


@pytest.mark.parametrize("story", STORIES)
def test_an_adoption_succeeds_as_predicted(story: str, desk: Desk) -> None:
    STORIES[story](desk)
    found = plan(desk)
    assert found["before"] == story
    assert found["after"] in ("client_side", "saved", "server_side")

    walk(desk, found["steps"])

    later = plan(desk)
    assert later["before"] in ("client_side", "saved", "server_side")
    assert [step["kind"] for step in later["steps"]] == ["done"]
    flag = " --server-side" * (story == "server_side")
    assert desk.sh(f"kubectl diff{flag} -f web.yaml -n {desk.namespace}").stdout == ""


@pytest.mark.parametrize("story", ["created", "lost", "foreign"])
def test_a_replace_keeps_only_what_the_file_says(story: str, desk: Desk) -> None:
    STORIES[story](desk)
    alternative = plan(desk)["alternative"]

    walk(desk, [alternative])

    assert alternative["effect"]["stays"] == []
    assert plan(desk)["before"] in ("saved", "client_side")
    assert [step["kind"] for step in plan(desk)["steps"]] == ["done"]


def test_remaining_and_reset_fields_are_named(desk: Desk) -> None:
    stale(desk)
    effect = plan(desk)["steps"][-1]["effect"]

    resets = {reset["path"]: (reset["before"], reset["writers"][0]["manager"]) for reset in effect["resets"]}
    assert resets == {
        "spec.replicas": (7, "kube-controller-manager"),
        "spec.template.spec.containers[name=web].image": ("web:9", "kubectl-set"),
    }


def test_removed_fields_are_deleted_after_saving_the_earlier_file(desk: Desk) -> None:
    create(desk)
    steps = plan(desk)["steps"]
    (desk.folder / "then.yaml").write_text(SIDECAR)

    for step in steps:
        line = step["command"]
        desk.sh(line.replace("web.yaml", "then.yaml") if "set-last-applied" in line else line)

    assert "Pass the file as it was when the object was created" in steps[0]["why"]
    assert [box["name"] for box in desk.live()["spec"]["template"]["spec"]["containers"]] == ["web"]


def to_the_file(desk: Desk, reset: JsonObject) -> None:
    desk.write(WEB.replace("replicas: 3", f"replicas: {reset['before']}"))


def to_the_writer(desk: Desk, reset: JsonObject) -> None:
    out = desk.run(reset["handover"], desk.reader).stdout
    assert "remove spec.replicas from web.yaml" in out
    desk.write(WEB.replace("  replicas: 3\n", ""))


@pytest.mark.parametrize("way", [to_the_file, to_the_writer], ids=["to the file", "to its writer"])
def test_a_field_changes_its_writer_and_keeps_its_value(way: Callable[[Desk, JsonObject], None], desk: Desk) -> None:
    foreign(desk)
    (reset,) = plan(desk)["steps"][-1]["effect"]["resets"]

    way(desk, reset)
    steps = plan(desk)["steps"]
    walk(desk, steps)

    assert (reset["path"], reset["before"], reset["after"]) == ("spec.replicas", 7, 3)
    assert [each for step in steps if step["effect"] for each in step["effect"]["resets"]] == []
    assert desk.live()["spec"]["replicas"] == 7


COMMANDS: dict[str, tuple[str, str]] = {
    "Deployment": ("kubectl create deployment web --image=web:1 --replicas=2", "created"),
    "Pod": ("kubectl run web --image=web:1", "imperative"),
    "Service": ("kubectl create service clusterip web --tcp=80", "created"),
    "ConfigMap": ("kubectl create configmap web --from-literal=a=1", "created"),
}


@pytest.mark.parametrize("kind", COMMANDS)
def test_an_imperative_object_is_exported_cleaned_and_adopted(kind: str, desk: Desk) -> None:
    command, state = COMMANDS[kind]
    desk.does(command)
    before = content(desk.live(kind))
    (export,) = plan(desk, f"{kind}/web")["steps"]
    assert desk.sh(export["command"]).returncode == 0
    file = export["command"].split()[-1]

    edit, *_ = steps = plan(desk, f"-f {file}")["steps"]
    assert (edit["kind"], plan(desk, f"-f {file}")["before"]) == ("edit", state)
    desk.sh(
        remove_command(file, edit["why"].partition("remove the fields that only the server writes: ")[2].split(", "))
    )
    steps = plan(desk, f"-f {file}")["steps"]
    walk(desk, steps, kind)

    assert [step["kind"] for step in plan(desk, f"-f {file}")["steps"]] == ["done"]
    assert content(desk.live(kind)) == before


def test_a_lost_file_is_restored_from_the_live_object(desk: Desk) -> None:
    stale(desk)
    (export,) = plan(desk, "deploy/web")["steps"]

    done = desk.sh(export["command"])

    assert done.returncode == 0, done.stderr
    assert [step["kind"] for step in plan(desk, "-f deployment_web.yaml")["steps"]] == ["run", "run", "run"]
    walk(desk, plan(desk, "-f deployment_web.yaml")["steps"])
    assert desk.sh(f"kubectl diff -f web.yaml -n {desk.namespace}").stdout == ""


def remove_command(file: str, paths: list[str]) -> str:
    """Return a command that removes fields from a file, as an editor does."""
    code = (
        "import sys,yaml; t=yaml.safe_load(open(sys.argv[1]))\n"
        "for path in sys.argv[2:]:\n"
        "  *way,last=path.split('.'); at=t\n"
        "  for name in way: at=at[name]\n"
        "  del at[last]\n"
        "yaml.safe_dump(t,open(sys.argv[1],'w'))"
    )
    return f'python3 -c "{code}" {file} {" ".join(paths)}'


def test_an_exported_manifest_is_not_adopted_as_it_is(desk: Desk) -> None:
    """The page leaves one thing to the reader: the version of an export stops the next apply but one."""
    desk.does("kubectl create configmap web --from-literal=a=1")
    desk.sh(f"kubectl get configmap/web -o yaml -n {desk.namespace} > web.yaml")
    desk.does("kubectl replace --save-config -f web.yaml")
    desk.does("kubectl label configmap/web team=shop")

    assert "metadata.resourceVersion" in plan(desk)["steps"][0]["why"]
    assert desk.sh(f"kubectl apply -f web.yaml -n {desk.namespace}").returncode == 1


def test_a_file_with_something_new_is_adopted_by_the_apply_itself(desk: Desk) -> None:
    desk.write(WEB)
    desk.does("kubectl create -f web.yaml")
    desk.write(f"{TWO}---\n{SETTINGS}")
    found = {item["kind"]: item for item in desk.report("adopt -f web.yaml")["objects"]}

    commands = [step["command"].split(" -f")[0] for step in found["Deployment"]["steps"]]
    refused = desk.sh(f"kubectl apply set-last-applied --create-annotation -f web.yaml -n {desk.namespace}")

    assert commands == ["kubectl diff", "kubectl apply"]
    assert refused.returncode == 1
    walk(desk, found["Deployment"]["steps"])
    assert [item["before"] for item in desk.report("adopt -f web.yaml")["objects"]] == ["client_side", "client_side"]


def beside(name: str, labels: str) -> str:
    """Return the manifest of an object that another user has applied to the same namespace."""
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, labels: {labels}}}\n"


def by_delete(desk: Desk, cleanup: JsonObject) -> str:
    return str(cleanup["command"])


def by_prune(desk: Desk, cleanup: JsonObject) -> str:
    (desk.folder / "web.yaml").unlink()
    return str(cleanup["prune"])


@pytest.mark.parametrize("way", [by_delete, by_prune], ids=["recommended", "alternative"])
def test_an_object_is_deleted_as_predicted(way: Callable[[Desk, JsonObject], str], desk: Desk) -> None:
    (desk.folder / "beside").mkdir()
    (desk.folder / "beside" / "web.yaml").write_text(f"{beside('twin', '{app: web}')}---\n{beside('far', '{}')}")
    desk.does("kubectl apply -f beside")
    (desk.folder / "other.yaml").write_text(beside("other", "{app: web, tier: back}"))
    desk.write(SETTINGS)
    desk.does("kubectl apply -f .")
    cleanup = next(item["cleanup"] for item in desk.report("adopt -f .")["objects"] if item["name"] == "web")

    done = desk.sh(way(desk, cleanup))

    assert done.returncode == 0, done.stderr
    assert desk.cluster.get(desk.path("ConfigMap")).status == 404
    left = desk.sh(f"kubectl get configmaps -o name -n {desk.namespace}").stdout.splitlines()
    twins = ["configmap/twin"] if way is by_delete else []
    assert left == ["configmap/far", "configmap/other", *twins]
