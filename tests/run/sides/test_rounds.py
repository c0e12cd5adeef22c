"""The units of each round of declarations."""

from collections.abc import Sequence

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.run.sides.rounds import Rounds, endless_problems
from kubectl_applylint.units.model import Applied, Form, Reason, Unit


def unit(name: str, file: str = "chart/templates/app.yaml") -> Unit:
    ref = ObjectRef("argoproj.io/v1alpha1", "Application", "argocd", name)
    applied = Applied("argocd", reason=Reason(name, file, 6), declared_by=ref)
    return Unit(f"Application/argocd/{name}", Form.RELEASE, frozenset(), applied)


def following(rounds: Rounds, *names: str, file: str = "chart/templates/app.yaml") -> Sequence[str]:
    found = rounds.following([unit(name, file) for name in names], lambda one: one)
    return [one.root.rpartition("/")[2] for one in found]


def test_a_unit_is_in_one_round() -> None:
    rounds = Rounds()
    rounds.add([unit("root")])

    assert following(rounds, "root", "a", "b") == ["a", "b"]
    assert following(rounds, "a", "c") == ["c"]


def test_both_sides_of_a_unit_are_in_one_round() -> None:
    assert following(Rounds(), "a", "a") == ["a", "a"]


def test_a_template_that_renders_itself_ends() -> None:
    rounds = Rounds()
    found = [following(rounds, f"{level}-a", f"{level}-b") for level in range(6)]
    (problem,) = endless_problems(rounds.endless[:2])

    assert [len(one) for one in found] == [2, 2, 2, 2, 0, 0]
    assert (problem.where, problem.message) == (
        "chart/templates/app.yaml:6",
        "each object declares another one of the same kind without end:"
        " Application/argocd/4-a and 1 more are not examined",
    )


def test_a_template_that_multiplies_itself_ends_sooner() -> None:
    rounds = Rounds()
    found = [following(rounds, *(f"{level}-{number}" for number in range(6**level))) for level in range(1, 4)]

    assert [len(one) for one in found] == [6, 36, 0]


def test_many_units_of_two_levels_are_examined() -> None:
    rounds = Rounds()
    found = [following(rounds, *(f"{level}-{number}" for number in range(20**level))) for level in range(1, 3)]

    assert [len(one) for one in found] == [20, 400]


def test_each_place_has_its_own_levels() -> None:
    rounds = Rounds()
    for level in range(5):
        following(rounds, f"{level}-a")

    assert following(rounds, "other", file="other.yaml") == ["other"]
