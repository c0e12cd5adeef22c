"""Problems of several units that have one reason."""

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.run.problem_groups import merge_by_reason

PLUGIN = "it requires a plugin"


def test_problems_of_several_units_with_one_reason_are_one() -> None:
    found = [
        (root, Problem(f"{root}/k.yaml:1:2", f"not rendered: {root}: {PLUGIN}", reason=PLUGIN)) for root in "abcdefg"
    ]
    (one,) = merge_by_reason([*found, found[0]])

    assert one.where == "a/k.yaml:1:2"
    assert one.message == f"7 units are not rendered: {PLUGIN} (a, b, c, d, e and 2 more)"


def test_unknown_values_of_one_secret_are_one_problem() -> None:
    reason = "values of Secret shop/settings differ"
    problems = [
        Problem("ks.yaml:3", f"not compared, as it has changed: variable {name} of Secret shop/settings", reason=reason)
        for name in ("DOMAIN", "HOST", "USER")
    ]
    holes = [replace(one, is_hole=True) for one in problems]

    (one,) = merge_by_reason(("apps/web", hole) for hole in holes)
    (every,) = merge_by_reason((root, hole) for root in ("apps/web", "apps/db") for hole in holes)

    assert one.message == "not compared, as it has changed: variable DOMAIN of Secret shop/settings, and 2 more"
    assert every.message == f"2 units are not compared: {reason} (apps/web, apps/db)"


def test_units_with_the_same_root_are_named_by_their_files() -> None:
    found = [("Application/web", Problem(f"{name}.yaml:8", f"web: {PLUGIN}", reason=PLUGIN)) for name in "abc"]
    (one,) = merge_by_reason([*found, found[0]])

    assert (one.where, one.message) == ("a.yaml:8", f"web: {PLUGIN}; the same in b.yaml:8, c.yaml:8")


def test_other_problems_are_reported_once_each() -> None:
    own = [Problem("a:1", "x", reason=PLUGIN), Problem("a:2", "y", reason=PLUGIN)]
    other = Problem("b", "z")

    assert [*merge_by_reason([("a", own[0]), ("b", other), ("a", own[1]), ("c", other)])] == [*own, other]


def test_units_for_which_a_program_reports_the_same_are_named_once() -> None:
    failed = (
        "it cannot be rendered: MalformedYAMLError: yaml: line 9: could not find expected ':' in File: ingress.yaml"
    )
    found = [(root, Problem(f"{root}/kustomization.yaml", failed)) for root in ("aws", "azure", "civo")]
    other = Problem("k3s/kustomization.yaml", "it cannot be rendered: another error")

    one, rest = merge_by_reason([*found, ("k3s", other)])
    assert (one.where, one.message) == ("aws/kustomization.yaml", f"{failed}; the same in azure, civo")
    assert rest == other
