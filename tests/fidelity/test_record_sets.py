"""The recorder of sets: a seed stands for its cases, and a new recording scores like any other."""

from itertools import islice
from pathlib import Path

import pytest
import yaml

from tests.cluster.api import Resource, Resources
from tests.cluster.cluster import Cluster
from tests.cluster.crds import install, uninstall
from tests.fidelity.edits import donors
from tests.fidelity.manifests import BASES, load_all
from tests.fidelity.record import definitions
from tests.fidelity.record_sets import FORMS, CasePlan, Stock, plan_case, record_cases, studio, write
from tests.fidelity.score_sets import score
from tests.fidelity.sets import read_stories

pytestmark = pytest.mark.slow

EVERYWHERE = {"ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition", "PriorityClass"}


@pytest.fixture(name="plans", scope="module")
def _plans() -> list[CasePlan]:
    bases = load_all([BASES])
    resources: Resources = {
        (item["apiVersion"], item["kind"]): Resource("", "", item["kind"] not in EVERYWHERE) for item in bases
    }

    stock = Stock(resources, bases, donors(bases))
    return [plan for number in range(60) for plan in [plan_case(stock, "t", number)] if plan is not None]


def test_cases_are_applied_in_every_way(plans: list[CasePlan]) -> None:
    assert {plan.form for plan in plans} == FORMS.keys()
    assert all(plan.args[:3] == ("apply", "-f", "{DIR}") for plan in plans)
    assert all("SET" not in word for plan in plans for word in plan.args)


def test_objects_are_in_the_namespace_of_the_case_by_name_or_by_flag(plans: list[CasePlan]) -> None:
    for plan in plans:
        named = {item["metadata"].get("namespace") for item in plan.base} - {None}
        assert named <= {plan.namespace}
        assert plan.names_namespace or ("-n" in plan.args and named == set())


def test_the_files_hold_the_objects(plans: list[CasePlan]) -> None:
    for plan in plans:
        for objects, files in ((plan.base, plan.base_files), (plan.head, plan.head_files)):
            written = [item for text in files.values() for item in yaml.load_all(text, yaml.CSafeLoader)]
            assert len(written) == len(objects)


def test_a_change_removes_renames_and_edits(plans: list[CasePlan]) -> None:
    names = [[{item["metadata"].get("name") for item in side} for side in (plan.base, plan.head)] for plan in plans]

    assert any(before - after for before, after in names)
    assert any(name and name.endswith("-v2") for _, after in names for name in after - {None})
    assert any(set(plan.base_files) != set(plan.head_files) for plan in plans)


@pytest.mark.cluster
def test_a_new_recording_reads_like_any_other(cluster: Cluster, tmp_path: Path) -> None:
    file, bases = tmp_path / "sets.jsonl.gz", load_all([BASES])
    installed = install(cluster.api, definitions(bases))
    try:
        counts = write(file, {"server": cluster.version}, islice(record_cases(studio(cluster, bases), "test"), 3))
    finally:
        uninstall(cluster.api, installed)
    results = [score(story) for story in read_stories(file)]

    assert (sum(counts.values()), len(results)) == (3, 3)
    assert [scored.crash for scored in results if scored.crash] == []
