"""Units that kapp deploys: what it remembers of an app, or what stands for that."""

import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.state import Absent, ObjectRef, labels_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.run.compare.against import Against, AgainstKind
from kubectl_applylint.run.compare.live_source import LiveSource, no_live_source
from kubectl_applylint.run.compare.snapshot_source import in_snapshot
from kubectl_applylint.run.load.reading import Reading
from kubectl_applylint.run.load.unit_policies import with_live_state
from kubectl_applylint.run.loaded_units import LoadedUnits
from kubectl_applylint.run.request import Request
from kubectl_applylint.schema.load import load
from kubectl_applylint.sources.cluster.read_results import Objects, States
from kubectl_applylint.sources.text.manifests import read_text
from kubectl_applylint.tools.kapp.app import UNKNOWN_LABEL, KappApp
from kubectl_applylint.tools.kapp.deploy import KappDeploy
from kubectl_applylint.tools.kapp.unit import (
    UNIT_PROGRAM,
    app_objects,
    deploy_from_cluster,
    first_deploy,
    with_configs,
    with_named,
    without_configs,
)
from tests.engine.test_set_apply import config
from tests.rules.stories import document
from tests.run.compare.test_history import settings
from tests.run.running import load_units, plan
from tests.sources.repositories import Repo, create
from tests.tools.helm.test_unit import managers

APP, PROD = KappApp("shop", "shop", UNKNOWN_LABEL), KappApp("shop", "prod", UNKNOWN_LABEL)
BEFORE = {"shop/one.yaml": settings("one"), "shop/two.yaml": settings("two"), "shop/same.yaml": settings("same")}


def read(*manifests: JsonObject) -> Reading:
    here = tuple(map(document, manifests or (config("a"),)))
    return Reading(load("1.36"), here, (), (), (), None, (), ())


def deployed_objects(found: Reading) -> Reading:
    """Return the objects of an app that the earlier revision has deployed."""
    is_new = False
    first: Reading = UNIT_PROGRAM.compared(Applier.KAPP, (APP, APP), (found, read()), no_live_source(), is_new)[0]
    return first


def test_objects_that_kapp_deploys_get_the_label_of_the_app() -> None:
    found = deployed_objects(read())
    (written,) = found.here

    assert isinstance(found.policy, KappDeploy)
    assert APP.owns(written.object)


def app_record(name: str = "shop", **spec: Json) -> JsonObject:
    """Return the ConfigMap of an app whose label has the value 1."""
    text = json.dumps({"labelKey": "kapp.k14s.io/app", "labelValue": "1", **spec})
    metadata = {"name": name, "namespace": "prod"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"spec": text}}


def labelled_config(name: str, app: str = "1") -> JsonObject:
    """Return a ConfigMap with the label of an app."""
    metadata = {"name": name, "namespace": "prod", "labels": {"kapp.k14s.io/app": app}}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}


def snapshot_of(folder: Path, *items: JsonObject) -> LiveSource:
    (folder / "snapshot.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    return in_snapshot(str(folder / "snapshot.json"))


def test_a_record_has_the_label_the_kinds_and_the_namespaces_of_an_app(tmp_path: Path) -> None:
    kinds: Json = [{"Group": "apps", "Kind": "Deployment"}, {"Group": "", "Kind": "ConfigMap"}]
    record = app_record(usedGKs=kinds, lastChange={"namespaces": ["web"]})
    known = frozenset([("apps", "Deployment"), ("", "ConfigMap")])
    (policy, problems), (older, _) = (
        deploy_from_cluster(PROD, snapshot_of(tmp_path, one), read()) for one in (record, app_record())
    )

    assert (policy.app, problems) == (KappApp("shop", "prod", "1", known, frozenset(["web"])), ())
    assert older.app.kinds is None


def test_the_record_with_the_whole_name_comes_first(tmp_path: Path) -> None:
    source = snapshot_of(tmp_path, app_record(labelValue="2"), app_record("shop.apps.k14s.io"))

    assert deploy_from_cluster(PROD, source, read())[0].app.label == "1"


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"labelKey": "kapp.k14s.io/app"}', '{"labelValue": "1"}'])
def test_kapp_does_not_begin_where_the_record_is_damaged(text: str, tmp_path: Path) -> None:
    policy, (problem,) = deploy_from_cluster(
        PROD, snapshot_of(tmp_path, {**app_record(), "data": {"spec": text}}), read()
    )

    assert policy.refusal.endswith("did not contain parseable app metadata")
    assert (str(problem.where), problem.message) == (
        "configmap/shop in prod",
        "its data.spec does not describe an app of kapp",
    )


@pytest.mark.parametrize(
    ("owners", "label"), [([], UNKNOWN_LABEL), (["1"], "1"), (["1", "1"], "1"), (["1", "2"], UNKNOWN_LABEL)]
)
def test_without_the_record_the_set_names_the_app_and_deletions_are_unknown(
    owners: list[str], label: str, tmp_path: Path
) -> None:
    items = [labelled_config(f"m{number}", owner) for number, owner in enumerate(owners)]
    other = labelled_config("other", "3")
    policy, (problem,) = deploy_from_cluster(PROD, snapshot_of(tmp_path, other, *items), read(*items))

    assert policy.app == KappApp("shop", "prod", label)
    assert problem.message.startswith("what kapp deletes is not known for certain: the snapshot ")


def test_an_app_that_a_cluster_does_not_have_is_deployed_for_the_first_time() -> None:
    source = replace(
        no_live_source(), origin="cluster c", states=lambda refs, kinds: States(dict.fromkeys(refs, Absent()), ())
    )
    policy, problems = deploy_from_cluster(PROD, source, read())

    assert (policy.app, problems) == (replace(PROD, kinds=frozenset()), ())
    assert [*first_deploy(policy, source)] == [
        "app shop in prod: not in the cluster c, predicted as its first deploy by kapp; --app NAME names another app"
    ]
    assert app_objects(policy.app, source, []).objects == ()


def test_a_record_that_may_not_be_read_is_a_problem() -> None:
    policy, (problem,) = deploy_from_cluster(PROD, replace(no_live_source("forbidden"), origin="cluster c"), read())

    assert (policy.app.label, problem.message) == (
        UNKNOWN_LABEL,
        "what kapp deletes is not known for certain: forbidden",
    )
    assert [*first_deploy(policy, no_live_source())] == []


CONFIG = """\
apiVersion: kapp.k14s.io/v1alpha1
kind: Config
additionalLabels: {team: a}
rebaseRules:
- {ytt: {overlayContractV1: {overlay.yml: ""}}}
- {path: [data], type: remove}
---
apiVersion: kind.x-k8s.io/v1alpha4
kind: Cluster
"""


def test_configs_are_read_but_for_rebase_rules_of_ytt() -> None:
    given = read_text(CONFIG, "kapp.yaml")
    policy, (problem,) = with_configs(KappDeploy(PROD), (), replace(read(), configs=given.skipped))

    assert [rule["type"] for config in policy.configs for rule in config["rebaseRules"]] == ["remove"]
    assert (problem.where, problem.message) == ("kapp.yaml:1", "rebase rules of ytt are not predicted")
    assert [one.line for one in without_configs(given, policy).skipped] == [8]
    assert without_configs(given, KappDeploy(PROD)) is given
    written = with_live_state(replace(read(), policy=policy), ClusterModel()).here[0].object["metadata"]
    assert written["labels"]["team"] == "a"


def test_objects_of_an_app_are_of_its_kinds_and_of_those_of_its_set() -> None:
    asked: list[tuple[object, ...]] = []

    def answer(words: Collection[str], selector: str, namespaces: Collection[str]) -> Objects:
        asked.append((words, selector, sorted(namespaces)))
        return Objects((), ())

    source = replace(no_live_source(), labelled=answer)
    refs = [ObjectRef("apps/v1", "Deployment", "web", "a")]
    for kinds in (frozenset([("", "Secret")]), None):
        app_objects(replace(PROD, label="1", kinds=kinds, namespaces=frozenset(["prod"])), source, refs)

    assert asked == [
        (["Secret", "Deployment.apps"], "kapp.k14s.io/app=1", ["prod", "web"]),
        ([], "kapp.k14s.io/app=1", ["prod", "web"]),
    ]


def test_names_of_new_versions_are_looked_up() -> None:
    source = replace(no_live_source(), states=lambda refs, kinds: States(dict.fromkeys(refs, Absent()), ()))
    found = read()
    (name,) = (document.ref.identity for document in found.here)

    assert with_named(ClusterModel(), found, source).known == {name: Absent()}
    assert with_named(ClusterModel({name: Absent()}), found, no_live_source()).known == {name: Absent()}


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = create(tmp_path / "repo")
    repo.commit(BEFORE)
    monkeypatch.chdir(repo.folder)
    return repo


def plan_change(flags: Flags) -> tuple[LoadedUnits, dict[str, Outcome]]:
    """Return the runs of a plan against the last commit, and the verdict of each object by its name."""
    runs = load_units(Request(files=(".",), flags=flags, against=Against(AgainstKind.GIT, "HEAD")))
    return runs, {outcome.ref.name: outcome for _, outcome in plan(runs).outcomes}


@pytest.mark.slow
def test_kapp_deletes_what_leaves_the_set_and_updates_what_changes(repo: Repo) -> None:
    repo.write({"shop/one.yaml": settings("one", "c"), "shop/two.yaml": None, "shop/new.yaml": settings("new")})
    runs, found = plan_change(Flags(asked=AskedApplier(Applier.KAPP)))

    assert {name: outcome.verdict.value for name, outcome in found.items()} == {
        "new": "created",
        "one": "configured",
        "two": "pruned",
    }
    assert managers(found["one"]) == {"kapp"}
    assert [write.method for write in found["one"].requests] == ["PUT", "PUT"]
    assert any(note.startswith("predicted as applied by kapp; ") for note in runs.notes)


@pytest.mark.slow
def test_a_versioned_object_gets_another_name_and_the_old_one_stays(repo: Repo) -> None:
    repo.commit({"shop/v.yaml": settings("v").replace("name: v", "name: v, annotations: {kapp.k14s.io/versioned: ''}")})
    repo.write(
        {"shop/v.yaml": settings("v", "c").replace("name: v", "name: v, annotations: {kapp.k14s.io/versioned: ''}")}
    )
    _, found = plan_change(Flags(asked=AskedApplier(Applier.KAPP)))

    assert {name: outcome.verdict.value for name, outcome in found.items()} == {"v-ver-1": "kept", "v-ver-2": "created"}


LABELLING = "apiVersion: kapp.k14s.io/v1alpha1\nkind: Config\nadditionalLabels: {team: a}\n"


@pytest.mark.slow
def test_configs_in_files_that_did_not_change_count(repo: Repo) -> None:
    repo.commit({"shop/kapp.yaml": LABELLING})
    repo.write({"shop/one.yaml": settings("one", "c"), "shop/new.yaml": settings("new")})
    runs, found = plan_change(Flags(asked=AskedApplier(Applier.KAPP)))

    assert [problem for run in runs.each for problem in run.input.problems] == []
    for name in ("new", "one"):
        assert labels_of(found[name].result or {})["team"] == "a"
    assert [change.path for change in found["one"].changes if "team" in str(change.path)] == []


@pytest.mark.slow
def test_a_changed_config_is_reported_because_it_affects_all_objects(repo: Repo) -> None:
    repo.commit({"shop/kapp.yaml": LABELLING})
    repo.write({"shop/one.yaml": settings("one", "c"), "shop/kapp.yaml": LABELLING.replace("a}", "b}")})
    runs, found = plan_change(Flags(asked=AskedApplier(Applier.KAPP)))

    (problem,) = runs.each[0].input.problems
    assert (problem.where, problem.message) == (
        "shop/kapp.yaml:1",
        "Configs of kapp changed: objects that did not change are not predicted",
    )
    assert labels_of(found["one"].result or {})["team"] == "b"
