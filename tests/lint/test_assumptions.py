from dataclasses import replace

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.core.state import Absent, State, Unknown
from kubectl_applylint.lint.assumptions import Assumption, assumption_of
from tests.lint.test_run import RULE, WEB
from tests.rules.stories import subject


@pytest.mark.parametrize(
    ("assumes", "flags", "state", "words"),
    [
        (Assumption.CLIENT_SIDE, Flags(is_tool_assumed=True), State(Unknown("x")), "if it is applied client-side"),
        (Assumption.CLIENT_SIDE, Flags(is_tool_assumed=True), State(Absent()), ""),
        (Assumption.CLIENT_SIDE, Flags(), State(Unknown("x")), ""),
        (
            Assumption.OWN_VALUES,
            Flags(has_own_values_only=True),
            State(Absent()),
            "if the chart is installed with its own values alone",
        ),
        (Assumption.OWN_VALUES, Flags(is_tool_assumed=True), State(Unknown("x")), ""),
    ],
)
def test_an_assumption_holds_where_the_files_do_not_say(
    assumes: Assumption, flags: Flags, state: State, words: str
) -> None:
    one = replace(subject(WEB), flags=flags, state=state)

    assert assumption_of(one, replace(RULE, assumes=(assumes,))) == words
    assert assumption_of(one, RULE) == ""
