import pytest

from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.rulebook.families import Choice, Family, choose, family_of, faults, ids_of

RULES = rulebook.built_in().rules


def test_a_family_is_read() -> None:
    found = family_of({"summary": "Ports\n", "ja": {"summary": "ポート"}}, "ports")

    assert found == Family("ports", "Ports", {"ja": {"summary": "ポート"}})
    assert found.in_language("ja").summary == "ポート"
    assert found.in_language("fr").summary == "Ports"


def test_faults_of_a_family_are_named() -> None:
    assert list(faults({"summary": "Ports"}, "ports", ())) == []
    assert list(faults({"summary": ""}, "ports", ["ports"])) == [
        (("summary",), "summary: empty"),
        ((), "'ports' is the id of a rule; give the folder of the family another name"),
    ]


def test_rules_are_named_by_id_and_by_family() -> None:
    family = {rule.id for rule in RULES if rule.family == "kustomize"}

    assert ids_of(["kustomize", "live-change-undone", "nothing"], RULES) == {*family, "live-change-undone"}


KUSTOMIZE = ids_of(["kustomize"], RULES)
PORT = "kustomize-patch-loses-port"


@pytest.mark.parametrize(
    ("select", "ignore", "running"),
    [
        ([], [], {rule.id for rule in RULES}),
        (["kustomize"], [], KUSTOMIZE),
        (["kustomize"], [PORT], KUSTOMIZE - {PORT}),
        ([PORT], ["kustomize"], {PORT}),
        ([PORT, "kustomize"], ["kustomize"], {PORT}),
        ([PORT], [PORT], set()),
        ([PORT], ["prune"], {PORT}),
    ],
    ids=["all", "family", "but one", "only one", "one and all", "none", "other family"],
)
def test_the_more_specific_selection_counts(select: list[str], ignore: list[str], running: set[str]) -> None:
    assert choose(RULES, select, ignore, frozenset()).running == running


def test_protected_rules_of_an_ignored_family_run() -> None:
    found = choose(RULES, ["kustomize"], ["kustomize"], frozenset({PORT, "prune-deletes-volume"}))

    assert found == Choice(frozenset({PORT}), KUSTOMIZE - {PORT}, (PORT,))
