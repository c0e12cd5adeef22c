import pytest

from kubectl_applylint.core.spelling import meant, nearest

NAMES = ["fail-on", "field-manager", "port-listed-twice"]


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        ("fail_on", "did you mean fail-on?"),
        ("FailOn", "did you mean fail-on?"),
        ("port-listed-twise", "did you mean port-listed-twice?"),
        ("xyz", "see the list"),
    ],
)
def test_the_most_alike_name_is_asked_for(word: str, answer: str) -> None:
    assert meant(word, NAMES, otherwise="see the list") == answer


@pytest.mark.parametrize(("likeness", "found"), [(0.75, "sessionAffinity"), (0.9, "sessionAffinity"), (1.0, "")])
def test_the_required_likeness_is_an_argument(likeness: float, found: str) -> None:
    assert nearest("sessionafinity", ["sessionAffinity", "type"], likeness=likeness) == found
