"""``--applier metacontroller``: what a sync does to the children that a hook wants."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.metacontroller.write import ANNOTATION

Run = Callable[..., tuple[int, str, str]]
OWNER = {"apiVersion": "example.com/v1", "kind": "Shop", "name": "main", "uid": "1", "controller": True}
CONTROLLER = """\
apiVersion: metacontroller.k8s.io/v1alpha1
kind: CompositeController
metadata: {name: shops}
spec:
  childResources:
    - {apiVersion: v1, resource: configmaps, updateStrategy: {method: Recreate}}
"""


CHILD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {}, namespace: shop}}\ndata: {{a: '2'}}\n"


def observed_child(name: str, owner: JsonObject = OWNER, **data: str) -> Json:
    names: JsonObject = {"name": name, "namespace": "shop"}
    wanted = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": names, "data": data}
    metadata = {**names, "annotations": {ANNOTATION: json.dumps(wanted)}, "ownerReferences": [owner]}
    return {**wanted, "metadata": metadata}


@pytest.fixture(autouse=True)
def _children(folder: Path) -> None:
    (folder / "wanted.yaml").write_text("---\n".join(map(CHILD.format, ("web", "new", "taken"))))
    (folder / "shops.yaml").write_text(CONTROLLER)
    stranger = {**OWNER, "name": "other", "uid": "2"}
    items = [
        observed_child("web", a="1"),
        observed_child("old"),
        observed_child("taken", stranger, a="1"),
        observed_child("theirs", stranger),
    ]
    (folder / "live.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))


def plan(run: Run, *argv: str) -> dict[str, tuple[str, list[str]]]:
    """Return verdict and methods of the requests by object."""
    _, out, _ = run(
        "plan", "wanted.yaml", "--applier", "metacontroller", "--against", "snapshot:live.json", "-o", "json", *argv
    )
    objects = json.loads(out)["objects"]
    return {each["name"]: (each["verdict"], [write["method"] for write in each["requests"]]) for each in objects}


UNTOUCHED = {"taken": ("rejected", list[str]()), "new": ("created", ["POST"]), "old": ("pruned", ["DELETE"])}


@pytest.mark.parametrize(
    ("argv", "web"),
    [
        ([], ("unchanged", [])),
        (["--controller", "shops.yaml"], ("configured", ["DELETE", "POST"])),
        (["--controller", "shops.yaml", "--update-method", "cm=InPlace"], ("configured", ["PUT"])),
        (["--update-method=InPlace"], ("configured", ["PUT"])),
        (["--update-method=Recreate", "--update-method=deploy=InPlace"], ("configured", ["DELETE", "POST"])),
    ],
    ids=["left", "controller", "flag above controller", "flag", "flag of another kind"],
)
def test_children_are_created_updated_recreated_left_and_deleted(
    run: Run, argv: list[str], web: tuple[str, list[str]]
) -> None:
    assert plan(run, "--parent", "shop/main", *argv) == {"web": web, **UNTOUCHED}


def test_children_of_several_parents_need_the_flag_parent(run: Run) -> None:
    argv = ("plan", "wanted.yaml", "--applier", "metacontroller", "--against", "snapshot:live.json")
    _, out, err = run(*argv)

    assert "pruned" not in out
    assert "the existing ones belong to 2 parents; specify the parent with --parent KIND/NAME" in err


def test_a_deleted_child_is_not_reported_as_not_pruned(run: Run) -> None:
    argv = ("check", "wanted.yaml", "--applier", "metacontroller", "--parent", "shop/main", "--update-method=InPlace")

    assert run(*argv, "--against", "snapshot:live.json", "-o", "concise")[1].splitlines() == [
        "wanted.yaml:11:1: error: the apply of configmap/taken fails: it already exists and is not a child:"
        " it belongs to shop/other; creating it fails, and it does not change [apply-rejected]",
        "1 error in 4 objects",
    ]


OF_PARENT = ("--applier=metacontroller", "--parent=shop/main", "--controller=shops.yaml")
PARENT: JsonObject = {"apiVersion": "example.com/v1", "kind": "Shop", "metadata": {"name": "main", "uid": "1"}}


def with_parent(folder: Path, **selector: Json) -> None:
    """Let the snapshot have the parent, with a selector."""
    known = json.loads((folder / "live.json").read_text())
    parent = {**PARENT, "metadata": {**PARENT["metadata"], "namespace": "shop"}, "spec": {"selector": selector}}
    (folder / "live.json").write_text(json.dumps({**known, "items": [*known["items"], parent]}))


def test_one_child_that_the_parent_does_not_select_stops_all(run: Run, folder: Path) -> None:
    with_parent(folder, matchLabels={"shop": "main"})
    argv = (
        "plan",
        "wanted.yaml",
        "--applier=metacontroller",
        "--parent=shop/main",
        "--controller=shops.yaml",
        "-n",
        "shop",
    )
    _, out, _ = run(*argv, "--against", "snapshot:live.json")

    assert "labels on desired child ConfigMap shop/web don't match parent selector" in out
    assert "created" not in out


def test_a_parent_that_selects_nothing_is_a_mistake(run: Run, folder: Path) -> None:
    with_parent(folder)
    argv = (
        "plan",
        "wanted.yaml",
        "--applier=metacontroller",
        "--parent=shop/main",
        "--controller=shops.yaml",
        "-n",
        "shop",
    )

    assert (
        ".spec.selector must have either matchLabels, matchExpressions, or both"
        in run(*argv, "--against", "snapshot:live.json")[1]
    )


def test_no_answer_deletes_all_children(run: Run, folder: Path) -> None:
    with_parent(folder, matchExpressions=[{"key": "other", "operator": "DoesNotExist"}])
    (folder / "none.json").write_text('{"apiVersion": "v1", "kind": "List", "items": []}')
    argv = ("plan", "none.json", "--applier=metacontroller", "--parent=shop/main", "--controller", "shops.yaml")
    _, out, _ = run(*argv, "-n", "shop", "--against", "snapshot:live.json", "-o", "concise")

    assert "configmap/old in shop: pruned" in out


def test_an_earlier_answer_of_the_hook_stands_for_the_cluster(run: Run, folder: Path) -> None:
    (folder / "old").mkdir()
    (folder / "old" / "old.yaml").write_text(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: old, namespace: shop}\n"
    )
    _, out, _ = run("plan", "wanted.yaml", "--applier=metacontroller", "--against", "dir:old", "-o", "concise")

    assert "configmap/old in shop: pruned" in out


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (
            ["--controller", "shops.yaml"],
            "--controller, --update-method and --parent only work with --applier meta",
        ),
        (["--applier=metacontroller", "--controller", "no.yaml"], '--controller: no.yaml: the path "no.yaml" does not'),
        (
            ["--applier=metacontroller", "--controller", "wanted.yaml"],
            "wanted.yaml: expected one controller, found",
        ),
        (["--applier=metacontroller", "--controller", "web.yaml"], "web.yaml: neither a CompositeController nor a"),
        (
            ["--applier=metacontroller", "--server-side"],
            "the flags of kubectl apply have no effect with --applier metacontroller",
        ),
        (
            ["--applier=metacontroller", "--update-method=Foo"],
            "'Foo' is not an update method; supported: OnDelete",
        ),
        (["--applier=helm3"], "--applier helm3: compare with the installed revision: --against main, --against"),
        (["--applier=helm4", "--against=dir:."], "--applier helm4: name directories with charts, without -f, -k"),
        (
            ["--applier=flux", "--against=dir:."],
            "--applier flux: name directories with Kustomizations of Flux, without",
        ),
        (
            ["--applier=kapp", "--against=last-applied"],
            "--applier kapp: compare with the installed revision: --against main, --against dir:PATH or --against live",
        ),
        (
            ["--applier=argocd", "--against=dir:."],
            "--applier argocd: name directories with Applications of Argo CD, without",
        ),
        (["--applier=metacontroller", "--parent=shop"], "'shop' is not an object; write it like deployment/web"),
    ],
    ids=[
        "kubectl",
        "no file",
        "several",
        "no controller",
        "flags of kubectl",
        "no method",
        "no revision",
        "no directory",
        "no directory of Flux",
        "no revision of kapp",
        "no directory of Argo CD",
        "no parent",
    ],
)
def test_wrong_use(run: Run, capsys: pytest.CaptureFixture[str], argv: list[str], words: str) -> None:
    try:
        code, _, err = run("plan", "wanted.yaml", *argv)
    except SystemExit as ended:
        code, err = ended.code, capsys.readouterr().err  # type: ignore[assignment]  # argparse ends with numbers

    assert code == 2
    assert words in err


def test_released_children_are_listed(run: Run, folder: Path) -> None:
    with_parent(folder, matchExpressions=[{"key": "other", "operator": "DoesNotExist"}])
    known = json.loads((folder / "live.json").read_text())
    old = {**observed_child("old"), "metadata": {**observed_child("old")["metadata"], "labels": {"other": "1"}}}
    (folder / "live.json").write_text(json.dumps({**known, "items": [old, *known["items"][2:]]}))
    argv = ("--parent=shop/main", "--controller=shops.yaml", "-n", "shop")

    assert plan(run, *argv)["old"] == ("configured", ["PUT"])
    assert "configmap/old" not in run("check", "wanted.yaml", "--applier=metacontroller", *argv)[1]


ROLLING = CONTROLLER.replace("Recreate", "RollingInPlace")


def test_a_child_waits_for_the_rollout_of_its_revision(run: Run, folder: Path) -> None:
    with_parent(folder, matchExpressions=[{"key": "other", "operator": "DoesNotExist"}])
    (folder / "shops.yaml").write_text(ROLLING)
    known = json.loads((folder / "live.json").read_text())
    metadata = {"name": "r1", "namespace": "shop", "ownerReferences": [OWNER]}
    children = [{"apiGroup": "", "kind": "ConfigMap", "names": ["web", "new"]}]
    head = {"apiVersion": "metacontroller.k8s.io/v1alpha1", "kind": "ControllerRevision", "metadata": metadata}
    revision = {**head, "parentPatch": {"spec": {}}, "children": children}
    (folder / "live.json").write_text(json.dumps({**known, "items": [*known["items"], revision]}))

    verdicts = plan(run, "--parent=shop/main", "--controller=shops.yaml", "-n", "shop")
    assert verdicts == {
        "web": ("configured", ["PUT"]),
        "new": ("created", []),
        "taken": ("rejected", []),
        "old": ("pruned", ["DELETE"]),
    }


def test_a_rejection_by_the_next_sync_is_reported_once_with_a_remedy_for_hooks(run: Run, folder: Path) -> None:
    ports = [{"name": name, "port": 53, "protocol": name.upper()} for name in ("tcp", "udp")]
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "dns", "namespace": "shop"}}
    (folder / "dns.yaml").write_text(json.dumps({**service, "spec": {"selector": {"a": "b"}, "ports": ports}}))
    argv = ("--applier=metacontroller", "--update-method=InPlace", "--against", "snapshot:live.json")

    assert "rejected (HTTP 422), after it was created" in run("plan", "dns.yaml", *argv)[1]
    found = json.loads(run("check", "dns.yaml", *argv, "-o", "json")[1])["findings"]
    assert [each["rule"] for each in found] == ["child-list-entries-collapse"]


@pytest.mark.parametrize(("controller", "is_reported"), [(CONTROLLER, False), (ROLLING, True)])
def test_a_parent_that_loses_its_revisions_is_reported_without_desired_children(
    run: Run, folder: Path, controller: str, is_reported: bool
) -> None:
    with_parent(folder, matchLabels={"shop": "main"})
    (folder / "shops.yaml").write_text(controller)
    (folder / "none.json").write_text('{"apiVersion": "v1", "kind": "List", "items": []}')
    err = run("plan", "none.json", *OF_PARENT, "-n", "shop", "--against", "snapshot:live.json")[2]

    assert ("shop/main loses its ControllerRevisions" in err) == is_reported
