import pytest

from tests.fidelity.children_stories import ChildrenStory, Scored
from tests.fidelity.judge import Judgement
from tests.fidelity.score_children import examples, shares

PARENT = {"apiVersion": "families.example.com/v1", "kind": "InPlaceFamily", "metadata": {"name": "family"}}
STORY = ChildrenStory("s-1", {}, PARENT, "kids", [], {}, {}, [], "1.36")


def result(*, right: bool) -> Scored:
    return Scored(STORY, {"run": [Judgement(right, ["why"])]})


def test_figures_are_counted_over_all_and_for_each_kind_of_parent() -> None:
    groups = shares([result(right=True), result(right=False)])

    assert {key: str(share) for key, share in groups.items()} == {
        ("run", "all"): "1/2",
        ("run", "InPlaceFamily"): "1/2",
    }


@pytest.mark.parametrize(("right", "number"), [(True, 0), (False, 1)])
def test_examples_are_what_was_predicted_wrongly(right: bool, number: int) -> None:
    assert len([*examples([result(right=right)])]) == number
