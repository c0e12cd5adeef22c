from dataclasses import replace

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import UnitApplier
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.cluster_diff import Unapplied
from kubectl_applylint.engine.errors import ErrorText
from kubectl_applylint.lint.dispatch import Dispatch, traits_of
from kubectl_applylint.lint.model import Need, Rule, Subject
from kubectl_applylint.lint.run import lint
from kubectl_applylint.tools.flux.kustomization import FluxKustomization
from tests.lint.test_run import RULE, WEB, WIDGET
from tests.rules.stories import subject


def concerns(rule: Rule, asked: Subject) -> bool:
    return traits_of(asked).concerns(rule)


@pytest.mark.parametrize(
    ("kinds", "manifest", "concerned"),
    [
        ((), WIDGET, True),
        (("Deployment",), WEB, True),
        (("StatefulSet",), WEB, False),
        (("Deployment.apps",), WEB, True),
        (("Widget",), WIDGET, False),
        (("Widget.example.com",), WIDGET, True),
        (("Service",), {**WIDGET, "apiVersion": "serving.knative.dev/v1", "kind": "Service"}, False),
    ],
    ids=["all kinds", "kind", "another kind", "kind and group", "custom", "custom with group", "custom namesake"],
)
def test_a_rule_concerns_its_kinds(kinds: tuple[str, ...], manifest: JsonObject, concerned: bool) -> None:
    assert concerns(replace(RULE, kinds=kinds), subject(manifest)) is concerned


@pytest.mark.parametrize(
    ("appliers", "concerned"), [((), True), (("kubectl-client",), True), (("kubectl-server",), False)], ids=str
)
def test_a_rule_concerns_its_appliers(appliers: tuple[str, ...], concerned: bool) -> None:
    assert concerns(replace(RULE, appliers=appliers), subject(WEB)) is concerned
    assert lint([subject(WEB)], [replace(RULE, appliers=appliers)]).problems == ()


def test_the_flags_of_the_apply_choose_the_applier() -> None:
    server_side = subject(WEB, flags=Flags(server_side=True))

    assert concerns(replace(RULE, appliers=("kubectl-server",)), server_side)
    assert not concerns(replace(RULE, appliers=("kubectl-client",)), server_side)


@pytest.mark.parametrize(("command", "concerned"), [("-k app", True), ("", False)])
def test_rules_about_kubectl_do_not_concern_units_of_other_tools(command: str, concerned: bool) -> None:
    web = replace(subject(WEB), flags=Flags(is_unit=True, unit_arguments=command))

    assert concerns(replace(RULE, appliers=("kubectl-client",)), web) is concerned
    assert concerns(RULE, web)


@pytest.mark.parametrize(
    ("appliers", "concerned"), [(("kubectl-client", "flux"), True), (("flux",), False)], ids=["kubectl too", "alone"]
)
def test_a_unit_without_a_tool_has_rules_for_kubectl(appliers: tuple[str, ...], concerned: bool) -> None:
    web = replace(subject(WEB), flags=Flags(is_unit=True))

    assert concerns(replace(RULE, appliers=appliers), web) is concerned


@pytest.mark.parametrize(
    ("tool", "concerned"), [("flux", True), ("argocd", False), ("helm3", True), ("helm", True), ("fleet", True)]
)
def test_a_rule_about_other_tools_does_not_concern_a_unit_predicted_as_applied_by_kubectl(
    tool: str, concerned: bool
) -> None:
    web = replace(subject(WEB), flags=Flags(is_unit=True, unit_tool=tool))

    assert concerns(replace(RULE, appliers=("kubectl-client", "flux", "helm3")), web) is concerned


@pytest.mark.parametrize(("tool", "concerned"), [("flux", True), ("argocd", False), ("kubectl", False)])
def test_a_rule_concerns_units_of_its_tools_that_are_predicted_as_applied_by_kubectl(
    tool: str, concerned: bool
) -> None:
    web = replace(subject(WEB), flags=Flags(is_unit=True, unit_tool=tool))

    assert concerns(replace(RULE, appliers=("flux",), units=("flux",)), web) is concerned


@pytest.mark.parametrize(
    ("appliers", "needs", "concerned"),
    [
        ((), (), True),
        (("flux",), (), True),
        (("kubectl-client", "kubectl-server", "helm4"), (), False),
        ((), (Need.LAST_APPLIED,), False),
    ],
    ids=["any applier", "its own", "others", "the annotation of kubectl"],
)
def test_a_unit_of_another_program_has_rules_of_its_own(
    appliers: tuple[str, ...], needs: tuple[Need, ...], concerned: bool
) -> None:
    by_flux = UnitApplier(Applier.FLUX, FluxKustomization("web", "flux-system"))
    web = replace(subject(WEB), flags=Flags(is_unit=True, unit_arguments="-k web", unit_applier=by_flux))

    assert concerns(replace(RULE, appliers=appliers, needs=needs), web) is concerned


@pytest.mark.parametrize(("needs", "concerned"), [((Need.UNAPPLIED,), True), ((Need.MANIFEST,), False)], ids=str)
def test_objects_that_are_not_applied_have_rules_of_their_own(needs: tuple[Need, ...], concerned: bool) -> None:
    left = replace(subject(WEB), unapplied=Unapplied.STAYS)

    assert concerns(replace(RULE, needs=needs), left) is concerned
    assert concerns(replace(RULE, needs=needs), subject(WEB)) is not concerned


def test_a_rule_without_a_check_looks_at_nothing() -> None:
    assert not concerns(replace(RULE, check=""), subject(WEB))


def test_rules_are_ordered_by_how_well_they_explain_a_rejection() -> None:
    any_error = replace(RULE, id="any-error", needs=(Need.UNEXPLAINED,))
    one_error = replace(RULE, id="one-error", errors=(ErrorText(field="spec", message="immutable"),))
    other_kind = replace(RULE, id="other-kind", kinds=("Service",))

    rules = Dispatch([any_error, other_kind, RULE, one_error]).planned_rules(subject(WEB))

    assert [(planned.rule.id, planned.looks) for planned in rules.each] == [
        ("one-error", True),
        ("thing-breaks", True),
        ("any-error", True),
    ]


@pytest.mark.parametrize(("command", "turns"), [("-k app", [True]), ("", [False])])
def test_a_rule_about_the_annotation_only_explains_where_another_tool_applies(command: str, turns: list[bool]) -> None:
    rule = replace(RULE, family="last-applied", appliers=("kubectl-client",))
    web = replace(subject(WEB), flags=Flags(is_unit=True, unit_arguments=command))

    assert [planned.looks for planned in Dispatch([rule]).planned_rules(web).each] == turns


def test_objects_with_the_same_traits_share_their_rules() -> None:
    rules = Dispatch([RULE])
    other: JsonObject = {**WEB, "metadata": {"name": "other"}}

    assert rules.planned_rules(subject(WEB)) is rules.planned_rules(subject(other))


@pytest.mark.parametrize(
    ("ready", "is_rejected", "ids"),
    [
        (True, True, ["one-error", "thing-breaks"]),
        (True, False, ["thing-breaks"]),
        (False, True, []),
        (Unknown("no cluster"), False, ["one-error", "thing-breaks"]),
    ],
    ids=["rejected", "accepted", "nothing to look at", "the reason why rules could not run is always reported"],
)
def test_rules_without_anything_to_report_are_left_out(
    ready: Unknown | bool, is_rejected: bool, ids: list[str]
) -> None:
    one_error = replace(
        RULE, id="one-error", check="rejections", errors=(ErrorText(field="spec", message="immutable"),)
    )
    rules = Dispatch([RULE, one_error]).planned_rules(subject(WEB))

    relevant = rules.relevant([ready] * len(rules.needs), lambda: is_rejected)

    assert [planned.rule.id for planned in relevant] == ids
    assert rules.relevant([ready] * len(rules.needs), lambda: is_rejected) is relevant


def test_rules_that_are_not_about_errors_need_no_prediction() -> None:
    rules = Dispatch([RULE]).planned_rules(subject(WEB))

    assert [planned.rule.id for planned in rules.relevant([True], lambda: pytest.fail("asked"))] == ["thing-breaks"]
