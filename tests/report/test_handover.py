"""What ``handover`` prints."""

import json

import pytest

from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.ownership.handover import Deed, Step
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.handover import handover_json, handover_text, mask_step

WEB = ObjectRef("apps/v1", "Deployment", "shop", "web")
SECRET = ObjectRef("v1", "Secret", "shop", "token")
RUN = Step(Deed.RUN, "this shares it", "kubectl apply -f - <<'EOF'\n{}\nEOF", has_values=True)
EDIT = Step(Deed.EDIT, "take it out of a.yaml", place=Location("a.yaml", Span(3, 1, 3, 9)))


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (RUN, "# this shares it\nkubectl apply -f - <<'EOF'\n{}\nEOF\n"),
        (EDIT, "# a.yaml:3:1: edit: take it out of a.yaml\n"),
        (Step(Deed.DONE, "done: it is"), "# done: it is\n"),
        (Step(Deed.STUCK, "why not"), "# no safe step: why not\n"),
    ],
    ids=lambda value: value.deed.value if isinstance(value, Step) else "",
)
def test_a_step_as_a_shell_takes_it(step: Step, text: str) -> None:
    assert handover_text([(WEB, step)], [], Context()) == text


def test_a_line_break_does_not_end_the_comment() -> None:
    assert handover_text([(WEB, Step(Deed.DONE, "a\nrm b"))], [], Context()) == "# a\\nrm b\n"


def test_words_wrap_as_comments() -> None:
    lines = handover_text([(WEB, Step(Deed.DONE, "word " * 20))], [], Context(width=40)).splitlines()

    assert len(lines) > 1
    assert all(line.startswith("# ") for line in lines)


def test_json() -> None:
    told = json.loads(handover_json([(WEB, EDIT)], [Problem("a", "b")]))

    assert told["version"] == "handover-v1"
    assert told["objects"][0] == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "namespace": "shop",
        "name": "web",
        "step": "edit",
        "words": "take it out of a.yaml",
        "command": None,
        "place": "a.yaml:3:1",
    }


def test_a_command_with_values_of_a_secret_is_withheld() -> None:
    masked = mask_step(RUN, SECRET)

    assert (masked.deed, masked.command) == (Deed.STUCK, "")
    assert (mask_step(RUN, WEB), mask_step(EDIT, SECRET)) == (RUN, EDIT)
