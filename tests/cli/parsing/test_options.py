"""The flags that each command takes, with and without a value, and their help."""

import argparse

import pytest

from kubectl_applylint.cli.parsing.options import ACTIONS, COMMANDS, SWITCHES


def parser(command: str, program: str = "applylint") -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog=f"{program} {command}", exit_on_error=False, allow_abbrev=False)
    for add in COMMANDS[command][1]:
        add(made)
    return made


def flags(command: str) -> dict[str, argparse.Action]:
    return {flag: action for action in parser(command)._actions for flag in action.option_strings}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_flag_has_help_and_is_added_once(command: str) -> None:
    """argparse raises an error if two groups of arguments add one flag."""
    assert [flag for flag, action in flags(command).items() if not action.help] == []
    assert COMMANDS[command][0]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_switch_may_stand_without_a_value(command: str) -> None:
    optional = {flag for flag, action in flags(command).items() if action.nargs == "?"}

    assert optional <= SWITCHES


@pytest.mark.parametrize(
    ("command", "taken", "others"),
    [
        ("check", {"--fail-on", "--prune", "--unit", "-f", "--context", "--lang"}, {"--by", "--to", "--family"}),
        ("plan", {"--prune", "--unit", "--against"}, {"--fail-on", "--select", "--baseline"}),
        ("units", {"-o", "--config"}, {"-f", "--against", "-n"}),
        ("defaults", {"-f", "--kubernetes-version", "--show-secrets"}, {"-n", "--against"}),
        ("handover", {"--to", "--against", "-n"}, {"--by", "--select"}),
        ("diagnose", {"-o", "--rules", "--exit-zero"}, {"-f", "--show-secrets"}),
        ("rules", {"--family", "--coverage", "--lang"}, {"-o", "-f"}),
        ("completion", set(), {"--config", "--timeout"}),
    ],
)
def test_the_flags_of_a_command(command: str, taken: set[str], others: set[str]) -> None:
    found = flags(command).keys()

    assert taken <= found
    assert found.isdisjoint(others)


@pytest.mark.parametrize(
    ("program", "default"), [("applylint", "(default: none)"), ("kubectl applylint", "(default: live)")]
)
def test_the_help_names_the_default_comparison_of_a_plugin(program: str, default: str) -> None:
    (against,) = (each for each in parser("check", program)._actions if "--against" in each.option_strings)

    assert (against.help or "").endswith(default)


@pytest.mark.parametrize(
    ("command", "argv", "name", "value"),
    [
        pytest.param("check", ["a", "b"], "files", ["a", "b"], id="files"),
        pytest.param("check", [], "files", [], id="no files"),
        pytest.param("why", ["deploy/web", "spec.replicas"], "path", "spec.replicas", id="a path"),
        pytest.param("owners", ["--by", "field"], "by", "field", id="an order"),
        pytest.param("check", ["--exit-zero"], "exit_zero", "true", id="true"),
        pytest.param("check", ["--unit", "a", "--unit=b"], "unit", ["a", "b"], id="several roots"),
        pytest.param("check", ["-A"], "all_namespaces", None, id="a switch by itself, which arguments fill in"),
        pytest.param("explain", ["a-b", "c-d"], "rule", ["a-b", "c-d"], id="rules"),
        *(
            pytest.param(command, [action], "action", action, id=f"{command} {action}")
            for command, actions in ACTIONS.items()
            for action in actions
        ),
    ],
)
def test_arguments_are_parsed_to_values(command: str, argv: list[str], name: str, value: object) -> None:
    assert getattr(parser(command).parse_args(argv), name) == value


@pytest.mark.parametrize(
    ("command", "argv"),
    [
        pytest.param("baseline", ["drop"], id="no action"),
        pytest.param("completion", ["tcsh"], id="no shell"),
        pytest.param("migrate", ["--to", "aside"], id="no mode"),
        pytest.param("rules", ["--coverage", "--family", "x"], id="one or the other"),
    ],
)
def test_arguments_of_other_commands_are_errors(command: str, argv: list[str]) -> None:
    with pytest.raises(argparse.ArgumentError):
        parser(command).parse_args(argv)


def test_parts_are_named_and_weighed() -> None:
    found = parser("merge").parse_args(["a.json", "b.json", "--fail-on", "warning", "--show", "info"])

    assert (found.files, found.fail_on, found.show) == (["a.json", "b.json"], "warning", "info")
