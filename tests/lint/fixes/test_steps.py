from dataclasses import replace

import pytest

from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.lint.fixes.steps import FixStep, FixStepKind, edit_lines, fix_steps
from kubectl_applylint.lint.model import Edit, Proof
from tests.report.samples import FINDING

DECISION, COMMAND, WAIT = FixStepKind.DECISION, FixStepKind.COMMAND, FixStepKind.WAIT


@pytest.mark.parametrize(
    ("fix", "steps"),
    [
        ("# stop it\nkubectl apply -f a", [FixStep(DECISION, "stop it"), FixStep(COMMAND, "kubectl apply -f a")]),
        ("# one\n# two", [FixStep(DECISION, "one"), FixStep(DECISION, "two")]),
        ("# write:\n#   a: b", [FixStep(DECISION, "write:\na: b")]),
        ("printf x |\n  kubectl apply -f -", [FixStep(COMMAND, "printf x |\n  kubectl apply -f -")]),
        ("Keep the old one.", [FixStep(DECISION, "Keep the old one.")]),
        ("kubectl wait --for=delete pod/a", [FixStep(WAIT, "kubectl wait --for=delete pod/a")]),
        ("kubectl rollout status deploy/a", [FixStep(WAIT, "kubectl rollout status deploy/a")]),
        ("kubectl delete sts/a", [FixStep(COMMAND, "kubectl delete sts/a", loses=("downtime",))]),
        (
            "kubectl delete sts/a --cascade=orphan",
            [FixStep(COMMAND, "kubectl delete sts/a --cascade=orphan", loses=("orphaned pods",))],
        ),
        (
            "kubectl delete namespace/shop",
            [FixStep(COMMAND, "kubectl delete namespace/shop", loses=("downtime", "every object in it"))],
        ),
        ("kubectl rollout restart d/a", [FixStep(COMMAND, "kubectl rollout restart d/a", loses=("restart",))]),
        ("", []),
    ],
)
def test_a_fix_is_steps(fix: str, steps: list[FixStep]) -> None:
    assert [*fix_steps(replace(FINDING, fix=fix))] == steps


def edit(span: Span, text: str) -> Edit:
    return Edit(Location("web.yaml", span), text)


def test_edits_come_first_and_say_what_they_lose() -> None:
    found = replace(
        FINDING,
        fix="kubectl apply -f a",
        edits=(edit(Span(3, 1, 4, 1), ""),),
        proof=Proof(Verdict.CONFIGURED, restarts=True),
    )

    assert fix_steps(found)[0] == FixStep(
        FixStepKind.EDIT, "in web.yaml: delete line 3", found.edits, ("restart",), found.proof
    )


@pytest.mark.parametrize(
    ("one", "line"),
    [
        (edit(Span(3, 1, 4, 1), ""), "in web.yaml: delete line 3"),
        (edit(Span(3, 1, 6, 1), ""), "in web.yaml: delete lines 3 to 5"),
        (edit(Span(3, 1, 4, 1), "  a: b\n"), "in web.yaml line 3: write a: b"),
        (edit(Span(3, 1, 5, 1), "- a\n- b\n"), "in web.yaml lines 3 to 4: write - a / - b"),
        (edit(Span(3, 1, 3, 1), "  a: b\n"), "in web.yaml add above line 3: a: b"),
        (edit(Span(3, 1, 3, 9), "a: c"), "in web.yaml line 3: write a: c"),
    ],
)
def test_an_edit_names_its_lines(one: Edit, line: str) -> None:
    assert [*edit_lines(replace(FINDING, edits=(one,)))] == [line]


def test_a_long_text_is_not_shown() -> None:
    found = replace(FINDING, edits=(edit(Span(3, 1, 4, 1), "a" * 1000),))

    assert [*edit_lines(found)] == ["in web.yaml line 3: change it as `applylint check --fix --diff` shows"]
