import subprocess
import sys
from collections.abc import Iterator

import pytest

from kubectl_applylint.server.validate.custom import estimates
from kubectl_applylint.server.validate.custom.decls import Decl
from kubectl_applylint.server.validate.custom.estimates import Rough, estimate

ESTIMATING = "kubectl_applylint.server.validate.custom.estimating"
INTEGER = Decl("int", 0, 1)


@pytest.fixture(name="without_library")
def _without_library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the import of what needs cel-python fail."""
    monkeypatch.setitem(sys.modules, ESTIMATING, None)
    monkeypatch.delattr(ESTIMATING, raising=False)
    estimates._library.cache_clear()
    yield
    estimates._library.cache_clear()


@pytest.mark.parametrize(
    ("expression", "cost"),
    [
        pytest.param("self > 0", 2, id="known"),
        pytest.param("self.foo()", None, id="unknown function"),
        pytest.param("(", None, id="no expression"),
    ],
)
def test_the_cost_of_an_expression(expression: str, cost: int | None) -> None:
    assert estimate(expression, INTEGER, optional=False) == Rough(cost)


def test_old_self_is_a_value_or_an_optional_one() -> None:
    assert estimate("oldSelf.orValue(0) == self", INTEGER, optional=True) != Rough()
    assert estimate("oldSelf.orValue(0) == self", INTEGER, optional=False) == Rough()
    assert estimate("oldSelf + 1 > self", INTEGER, optional=False) != Rough()


def test_lark_alone_is_not_the_library() -> None:
    """Other packages install Lark, too."""
    script = (
        "import sys; sys.modules['celpy'] = None;"
        "from kubectl_applylint.server.validate.custom.decls import Decl;"
        "from kubectl_applylint.server.validate.custom.estimates import Rough, estimate;"
        "assert estimate('self > 0', Decl('int', 0, 1), optional=False) == Rough()"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.usefixtures("without_library")
def test_without_the_library_no_cost_is_known() -> None:
    assert estimate("self > 0", INTEGER, optional=False) == Rough()
