import pytest

from kubectl_applylint.core.location import NOWHERE, Location, Span


@pytest.mark.parametrize(
    ("location", "text", "is_text"),
    [
        pytest.param(Location("a.yaml", Span(3, 5, 4, 1)), "a.yaml:3:5", True, id="where it begins"),
        pytest.param(Location("-", Span(1, 1, 1, 1)), "-:1:1", True, id="standard input"),
        pytest.param(Location("deployment.apps/web", NOWHERE), "deployment.apps/web", False, id="an object"),
    ],
)
def test_a_location_is_written_with_file_line_and_column(location: Location, text: str, is_text: bool) -> None:
    assert (str(location), location.is_text) == (text, is_text)


def test_locations_sort_by_file_then_by_number_of_the_line() -> None:
    lines = [Location("b", Span(1, 1, 1, 2)), Location("a", Span(10, 1, 10, 2)), Location("a", Span(9, 2, 9, 3))]

    assert [*map(str, sorted(lines))] == ["a:9:2", "a:10:1", "b:1:1"]
