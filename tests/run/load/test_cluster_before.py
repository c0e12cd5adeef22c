"""The cluster that an apply meets."""

from dataclasses import replace

from kubectl_applylint.appliers.flags import NO_FLAGS
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import Absent, Present, Unknown, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.compare.base import Base
from kubectl_applylint.run.compare.live_source import LiveSource, no_live_source, source_of_base
from kubectl_applylint.run.load.cluster_before import ClusterBefore, cluster_before_and_reading
from kubectl_applylint.run.load.reading import NEWEST_RECORDED, make_reading
from kubectl_applylint.sources.cluster.read_results import States
from kubectl_applylint.sources.text.manifests import Input, read_text

MANIFEST = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop}\n"
GIVEN = read_text(MANIFEST, "a.yaml")
LIVE: JsonObject = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "shop"}}


def before(source: LiveSource) -> ClusterBefore:
    was = source.base.given if source.base else Input()
    past, now = (make_reading(one, source, NO_FLAGS, NEWEST_RECORDED) for one in (was, GIVEN))
    return cluster_before_and_reading(source, past, now, NO_FLAGS, NEWEST_RECORDED)[0]


def test_the_cluster_before_is_the_result_of_the_earlier_manifests() -> None:
    found = before(source_of_base(Base("main", GIVEN)))

    assert isinstance(found.before.cluster.state(ref_of(LIVE)).live, Present)
    assert found.problems == ()


def test_earlier_manifests_that_are_not_applied_leave_it_unknown() -> None:
    found = before(source_of_base(Base("main", GIVEN, is_applied=False)))

    assert isinstance(found.before.cluster.state(ref_of(LIVE)).live, Unknown)


def test_the_cluster_before_is_read_from_the_source() -> None:
    ref = ref_of(LIVE)
    problem = Problem("cluster prod", "it does not answer")
    source = replace(
        no_live_source(), origin="cluster prod", states=lambda refs, defined: States({ref: Absent()}, (problem,))
    )

    found = before(source)

    assert isinstance(found.before.cluster.state(ref).live, Absent)
    assert found.problems == (problem,)
