"""Positions of objects by their line."""

from kubectl_applylint.core.location import Span
from kubectl_applylint.core.paths import fields
from kubectl_applylint.run.sides.line_positions import LinePositions


def test_only_the_object_itself_has_a_position() -> None:
    positions = LinePositions(7)

    assert positions.value(()) == Span(7, 1, 7, 1)
    assert positions.value(fields("spec")) is positions.key(fields("spec")) is None
