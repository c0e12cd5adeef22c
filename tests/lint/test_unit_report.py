"""Units in reports."""

from kubectl_applylint.core.problem import Compared
from kubectl_applylint.lint.unit_report import UnitReport


def test_a_unit_without_a_reason_is_compared_completely() -> None:
    assert UnitReport("apps/web", "folder", "kubectl").compared is Compared.YES
