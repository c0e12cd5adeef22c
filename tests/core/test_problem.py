from kubectl_applylint.core.documents import Document, InCluster
from kubectl_applylint.core.problem import Problem, UnreadableError, as_fatal
from kubectl_applylint.core.state import ref_of


def test_a_run_that_ends_says_where_and_why() -> None:
    problem = Problem("a.yaml:3:1", "not YAML", "check the indentation")

    assert str(UnreadableError(problem)) == "a.yaml:3:1: not YAML"
    assert UnreadableError(problem).problem is problem


def test_problems_with_the_same_text_are_one() -> None:
    """A run reports each problem once, and the omitted object elsewhere."""
    document = Document("a.yaml", 0, {}, ref_of({}), InCluster())

    assert len({Problem("a", "m"), Problem("a", "m", document=document, is_refused=True)}) == 1
    assert len({Problem("a", "m"), Problem("a", "m", "advice"), Problem("b", "m")}) == 3


def test_a_fatal_problem_says_its_effect() -> None:
    found = as_fatal(Problem("a.yaml:3:1", "not YAML", "check the indentation"), "nothing is applied")

    assert (found.message, found.is_fatal) == ("not YAML; nothing is applied", True)
    assert found.advice == "check the indentation"
