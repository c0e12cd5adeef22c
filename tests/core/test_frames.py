"""The traceback of a fault of the program."""

from pathlib import Path

from kubectl_applylint.core.frames import frames_of


def fail(password: str) -> None:
    try:
        raise KeyError(password)
    except KeyError as first:
        raise ValueError(f"no {password}") from first


def test_frames_name_places_and_types_without_values() -> None:
    try:
        fail("hunter2")
    except ValueError as fault:
        found = frames_of(fault)

    file, begin = Path(__file__), fail.__code__.co_firstlineno
    assert found == (
        f'  File "{file}", line {begin + 2}, in fail',
        "KeyError",
        f'  File "{file}", line {test_frames_name_places_and_types_without_values.__code__.co_firstlineno + 2}, in'
        " test_frames_name_places_and_types_without_values",
        f'  File "{file}", line {begin + 4}, in fail',
        "ValueError",
    )
