"""Kustomizations that refer to each other so often that their rendering doubles with every level."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.scene import Case, missing_words, play

pytestmark = pytest.mark.slow
LEVELS = 24
CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
KUSTOMIZATION = "resources: [../a{0}, ../b{0}]\nnamePrefix: {1}\n"


def graph() -> Iterator[tuple[str, str]]:
    """Yield the files of kustomizations; each refers to both of the level below."""
    for name in "ab":
        yield f"{name}0/kustomization.yaml", f"resources: [a.yaml]\nnamePrefix: {name}\n"
        yield f"{name}0/a.yaml", CONFIG_MAP
        for level in range(LEVELS):
            yield f"{name}{level + 1}/kustomization.yaml", KUSTOMIZATION.format(level, name)
    yield "top/kustomization.yaml", f"resources: [../a{LEVELS}, ../b{LEVELS}]\n"


@pytest.mark.parametrize("against", ["none", "HEAD"])
def test_kustomizations_that_double_end_in_time(against: str, tmp_path: Path) -> None:
    case = Case(
        name="kustomizations that double",
        run=("applylint", "check", "top", "--against", against, "--timeout", "30s"),
        exit=(3,),
        says=("top/kustomization.yaml: problem: ", "timed out after 4 s (render-timeout)"),
        commits=(dict(graph()),),
        files={"a0/a.yaml": f"{CONFIG_MAP}data: {{a: b}}\n"},
        environment={"APPLYLINT_RENDER_TIMEOUT": "4s"},
    )
    ending = play(case, tmp_path)

    assert ending.damage == (), ending.text[-2000:]
    assert ending.code in case.exit, ending.text[-2000:]
    assert missing_words(case, ending.text) == [], ending.text[-2000:]
