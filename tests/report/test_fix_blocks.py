"""A block for each alternative of a fix."""

from dataclasses import replace

import pytest

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.lint.model import Proof
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.fix_blocks import FixBlock, fix_blocks
from kubectl_applylint.report.review.markdown import report_markdown
from kubectl_applylint.report.text import findings_text
from tests.report.samples import FINDING, REPORT

FIX = """\
# best: restore the old selector
kubectl apply -f web.yaml
# or replace the workload
kubectl delete deployment/web --cascade=orphan
kubectl apply -f web.yaml
"""
REPLACED = replace(FINDING, fix=FIX)


@pytest.mark.parametrize(
    ("command", "loss"),
    [
        ("kubectl delete namespace/shop", "# this also deletes every object in it"),
        ("kubectl delete customresourcedefinition/gears.example.com", "# this also deletes every object of its kind"),
        (
            "kubectl delete persistentvolumeclaim/data -n shop",
            "# this also deletes its data, unless the volume is retained",
        ),
    ],
)
def test_a_deletion_lists_objects_that_it_also_deletes(command: str, loss: str) -> None:
    found = replace(FINDING, fix=f"# if it is no longer needed\n{command}\nkubectl delete service/web\n")

    assert [*fix_blocks((found,), Context())] == [
        FixBlock(
            "", ("# if it is no longer needed", loss, command), ("downtime", loss.removeprefix("# this also deletes "))
        ),
        FixBlock("", ("kubectl delete service/web",), ("downtime",), continues=True),
    ]


def test_each_alternative_has_a_title_and_its_own_lines() -> None:
    assert [*fix_blocks((REPLACED,), Context())] == [
        FixBlock("best: restore the old selector", ("kubectl apply -f web.yaml",)),
        FixBlock("replace the workload", ("kubectl delete deployment/web --cascade=orphan",), ("orphaned pods",)),
        FixBlock("", ("kubectl apply -f web.yaml",), continues=True),
    ]


def test_a_result_stands_below_the_command_that_it_is_of() -> None:
    found = replace(REPLACED, command_proofs=((4, Proof(Verdict.CREATED)),))
    first, second, third = fix_blocks((found,), Context())

    assert [line for block in (first, second) for line in block.lines if line.startswith("# ")] == []
    assert third.lines[-1].startswith("# after this: created")


def test_a_page_separates_alternatives() -> None:
    report = replace(REPORT, findings=(REPLACED,), outcomes=())

    text = findings_text(report, Context())
    assert (
        "    fix: # best: restore the old selector\n         kubectl apply -f web.yaml\n    or: (deletes) # replace the"
        in text
    )
    comment = report_markdown(report, Context(command="check"))
    assert "best: restore the old selector</b>\n\n```sh\nkubectl apply -f web.yaml\n```\n\n<b>replace" in comment
    assert "<b>replace the workload (deletes)</b>\n\n```sh\nkubectl delete" in comment
    assert "--cascade=orphan\n```\n\nthen\n\n```sh\nkubectl apply -f web.yaml\n```" in comment


def test_a_command_that_deletes_or_restarts_is_marked_in_a_block_of_its_own() -> None:
    fix = "kubectl apply -f a\n# afterwards\nkubectl rollout restart deployment/web\nkubectl get pods\n# done\n"

    assert [(block.lines, block.mark) for block in fix_blocks((replace(FINDING, fix=fix),), Context())] == [
        (("kubectl apply -f a",), ""),
        (("# afterwards", "kubectl rollout restart deployment/web"), "restarts"),
        (("kubectl get pods", "# done"), ""),
    ]


def test_no_fix_is_no_block() -> None:
    assert [*fix_blocks((replace(FINDING, fix=""),), Context())] == []
