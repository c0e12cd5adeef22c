"""Lookup of the parent object; for an ApplySet tests/cluster/test_applysets.py compares it with kubectl."""

from dataclasses import replace

import pytest

from kubectl_applylint.appliers.applyset import NO_NAMESPACE, NOT_CREATED, PARENT_TYPE, ApplySet, read
from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.prune import ByLabels
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.compare.live_source import LiveSource, no_live_source
from kubectl_applylint.run.load.parents import resolve_parent, with_parent
from kubectl_applylint.sources.cluster.read_results import Objects
from kubectl_applylint.tools.metacontroller.children import Sync
from tests.run.load.test_run_input import DEFINITION

LAMP: JsonObject = {"apiVersion": "x.io/v1", "kind": "Lamp", "metadata": {"name": "mine"}}
DEPLOYMENT: JsonObject = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "mine", "namespace": "n"}}


def parent_definition(scope: str = "Cluster") -> JsonObject:
    definition: JsonObject = DEFINITION
    metadata = {**definition["metadata"], "labels": {PARENT_TYPE: "true"}}
    return {**definition, "metadata": metadata, "spec": {**definition["spec"], "scope": scope}}


def known(*objects: JsonObject, definitions: tuple[JsonObject, ...] = (), problem: str = "") -> LiveSource:
    problems = (Problem("cluster prod", problem),) if problem else ()
    return replace(
        no_live_source(),
        origin="cluster prod",
        named=lambda spelled, namespace: Objects(objects, problems),
        definitions=lambda kinds: Objects(definitions, ()),
    )


@pytest.mark.parametrize(
    ("word", "source", "definitions", "parent", "fault"),
    [
        pytest.param(
            "lamps.x.io",
            known(LAMP, definitions=(parent_definition(),)),
            (),
            ObjectRef("x.io/v1", "Lamp", "", "mine"),
            "",
            id="asked",
        ),
        pytest.param(
            "Lamp.x.io",
            no_live_source(),
            (parent_definition(),),
            ObjectRef("x.io/v1", "Lamp", "", "mine"),
            "",
            id="in the set",
        ),
        pytest.param(
            "lamp",
            no_live_source(),
            (parent_definition("Namespaced"),),
            ObjectRef("x.io/v1", "Lamp", "n", "mine"),
            "",
            id="namespaced, without the group",
        ),
        pytest.param(
            "lamps.x.io",
            known(LAMP, definitions=(DEFINITION,)),
            (),
            ObjectRef("x.io/v1", "Lamp", "", "mine"),
            'resource "x.io/v1, Resource=lamps" is not permitted as an ApplySet parent',
            id="not marked",
        ),
        pytest.param(
            "deploy",
            known(DEPLOYMENT),
            (),
            ObjectRef("apps/v1", "Deployment", "n", "mine"),
            'resource "apps/v1, Resource=deployments" is not permitted as an ApplySet parent',
            id="a built-in kind",
        ),
        pytest.param("lamps.x.io", known(), (), ObjectRef("", "", "n", "mine"), NOT_CREATED, id="not there"),
    ],
)
def test_the_kind_of_the_parent_is_found_out(
    word: str, source: LiveSource, definitions: tuple[JsonObject, ...], parent: ObjectRef, fault: str
) -> None:
    policy, problems = resolve_parent(read(f"{word}/mine", "n"), source, definitions)

    assert isinstance(policy, ApplySet)
    assert (policy.parent, policy.fault, problems) == (parent, fault, ())


def test_a_namespaced_parent_needs_a_namespace() -> None:
    policy, _ = resolve_parent(read("lamps.x.io/mine", ""), no_live_source(), [parent_definition("Namespaced")])

    assert isinstance(policy, ApplySet)
    assert policy.fault == NO_NAMESPACE


@pytest.mark.parametrize("source", [no_live_source(), known(problem="no such kind")], ids=["nobody", "trouble"])
def test_an_unknown_kind_is_a_problem(source: LiveSource) -> None:
    policy, problems = resolve_parent(read("lamps.x.io/mine", "n"), source, ())

    assert policy is None
    assert problems[-1].message == "the kind of its parent is unknown"


@pytest.mark.parametrize("policy", [None, ByLabels(), read("mine", "n")], ids=["none", "labels", "secret"])
def test_a_known_parent_is_not_read(policy: ByLabels | ApplySet | None) -> None:
    assert resolve_parent(policy, no_live_source(), ()) == (policy, ())


@pytest.mark.parametrize(
    ("found", "uid"), [((LAMP,), "1"), ((), None), ((LAMP, LAMP), None)], ids=["there", "not there", "several"]
)
def test_the_parent_of_children_is_read_where_it_can_be(found: tuple[JsonObject, ...], uid: str | None) -> None:
    objects = tuple({**one, "metadata": {**one["metadata"], "uid": "1"}} for one in found)
    flags = with_parent(Flags(sync=Sync(parent="lamp/mine")), known(*objects))

    assert flags.sync is not None
    assert (flags.sync.owner or {}).get("uid") == uid


@pytest.mark.parametrize("flags", [Flags(), Flags(sync=Sync())], ids=["kubectl", "no parent named"])
def test_nothing_is_read_of_a_parent_that_is_not_named(flags: Flags) -> None:
    assert with_parent(flags, known(LAMP)) == flags
