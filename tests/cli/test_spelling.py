import pytest

from kubectl_applylint.cli.spelling import spelled_out


@pytest.mark.parametrize(
    ("typed", "spelled"),
    [
        (["-v"], ["-v1"]),
        (["-vv"], ["-v2"]),
        (["-v", "4", "a.yaml"], ["-v4", "a.yaml"]),
        (["-v=4"], ["-v4"]),
        (["--v=4"], ["-v4"]),
        (["--v", "a.yaml"], ["-v1", "a.yaml"]),
        (["-A", "a.yaml"], ["-A=true", "a.yaml"]),
        (["-A=false", "--namespace", "a"], ["-A=false", "--namespace", "a"]),
    ],
    ids=" ".join,
)
def test_arguments_get_one_spelling(typed: list[str], spelled: list[str]) -> None:
    assert list(spelled_out(typed, {"-A"})) == spelled
