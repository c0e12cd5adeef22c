"""Cost estimates of expressions, if ``cel-python`` is installed."""

from functools import cache
from typing import Protocol

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.server.validate.custom.decls import Decl


@dataclass(frozen=True, slots=True)
class Rough:
    """The maximum cost of an expression, ``None`` if it cannot be estimated."""

    cost: int | None = None


class CostLibrary(Protocol):
    """The interface of the module that estimates costs."""

    def estimate(self, expression: str, decl: Decl, *, optional: bool) -> int | None:
        """Return the cost of an expression about a value of a type."""


def estimate(expression: str, decl: Decl, *, optional: bool) -> Rough:
    """Return the maximum cost of an expression about a value of a type; ``optional``: ``oldSelf`` is optional."""
    library = _library()
    return Rough() if library is None else Rough(library.estimate(expression, decl, optional=optional))


@cache
def _library() -> CostLibrary | None:
    try:
        # The library takes 0.2 s to import, and few runs have definitions with rules.
        from kubectl_applylint.server.validate.custom import estimating  # noqa: PLC0415
    except ImportError:
        return None
    return estimating
