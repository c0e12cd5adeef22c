"""Units that are accepted as incomplete."""

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.run.discover.accepted import with_accepted
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.loaded_units import LoadedUnit
from kubectl_applylint.units.accepted import AcceptedGap
from kubectl_applylint.units.model import Applied, Form, Unit

OBJECT = {"apiVersion": "v1", "kind": "Kustomization", "metadata": {"name": "web", "namespace": "flux"}}
UNIT = Unit("apps/web", Form.KUSTOMIZATION, frozenset(), Applied(tool_object=OBJECT))
PROBLEM = Problem("apps/web/kustomization.yaml:2:1", "not rendered: no luck")
RUN = LoadedUnit(UNIT, RunInput(problems=(PROBLEM,)))


@pytest.mark.parametrize(
    ("pattern", "is_accepted"),
    [("apps/web", True), ("apps/*", True), ("**", True), ("Kustomization/flux/web", True), ("apps", False)],
)
def test_a_unit_is_accepted_by_its_root_or_by_what_declares_it(pattern: str, is_accepted: bool) -> None:
    (run,) = with_accepted([RUN], [AcceptedGap(pattern, "the plugin is not here")])

    assert run.input.problems == (() if is_accepted else (PROBLEM,))
    assert (run.gap, run.accepted) == (("not rendered: no luck", "the plugin is not here") if is_accepted else ("", ""))


def test_a_cluster_that_does_not_answer_is_never_accepted() -> None:
    run = replace(RUN, input=replace(RUN.input, is_unreachable=True))

    assert [*with_accepted([run], [AcceptedGap("**", "later")])] == [run]


def test_a_submodule_is_accepted_by_its_path() -> None:
    run = LoadedUnit(None, RunInput(problems=(Problem("vendor/lib", "the submodule changed"),)))
    (accepted,) = with_accepted([run], [AcceptedGap("vendor/*", "checked there")])

    assert accepted.input.problems == ()


def test_objects_that_a_declaration_applies_are_accepted_by_its_name() -> None:
    release = Problem("a.yaml:1:1", "HelmRelease media/sonarr changed", subject="HelmRelease/media/sonarr")
    run = replace(RUN, input=replace(RUN.input, problems=(release, PROBLEM)))
    (accepted,) = with_accepted([run], [AcceptedGap("HelmRelease/**", "rendered by flux build")])

    assert accepted.input.problems == (PROBLEM,)
    assert (accepted.gap, accepted.accepted) == (release.message, "rendered by flux build")
