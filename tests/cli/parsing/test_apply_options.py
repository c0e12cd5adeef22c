"""Flags of kubectl apply and of Metacontroller, spelled as their own programs take them."""

import argparse

import pytest

from kubectl_applylint.appliers.request import Validation
from kubectl_applylint.cli.parsing.apply_options import APPLIER, APPLY, VALIDATIONS
from kubectl_applylint.cli.parsing.option import AddOption
from kubectl_applylint.tools.metacontroller.children import UpdateMethod


def read(add: AddOption, *argv: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(exit_on_error=False)
    add(parser)
    return parser.parse_args(argv)


@pytest.mark.parametrize(
    ("argv", "name", "value"),
    [
        (
            ["--prune-allowlist=core/v1/ConfigMap", "--prune-allowlist", "x"],
            "prune_allowlist",
            ["core/v1/ConfigMap", "x"],
        ),
        (["--field-manager=ci"], "field_manager", "ci"),
        (["--grace-period=-1"], "grace_period", -1),
        (["--dry-run=server"], "dry_run", "server"),
        (["--validate=warn"], "validate", "warn"),
        (["--overwrite=false"], "overwrite", "false"),
        ([], "force", None),
    ],
)
def test_flags_of_kubectl(argv: list[str], name: str, value: object) -> None:
    assert getattr(read(APPLY, *argv), name) == value


@pytest.mark.parametrize("argv", [["--dry-run=maybe"], ["--validate=loose"], ["--grace-period=soon"]])
def test_values_that_kubectl_does_not_take(argv: list[str]) -> None:
    with pytest.raises(argparse.ArgumentError):
        read(APPLY, *argv)


@pytest.mark.parametrize(
    ("text", "validation"),
    [
        ("true", Validation.STRICT),
        ("strict", Validation.STRICT),
        ("warn", Validation.WARN),
        ("ignore", Validation.IGNORE),
        ("false", Validation.IGNORE),
    ],
)
def test_validation_by_its_old_and_new_names(text: str, validation: Validation) -> None:
    assert VALIDATIONS[text] is validation


@pytest.mark.parametrize(
    ("text", "method"),
    [
        ("InPlace", ("", UpdateMethod.IN_PLACE)),
        ("Pod=Recreate", ("Pod", UpdateMethod.RECREATE)),
        ("pods.v1=OnDelete", ("pods.v1", UpdateMethod.ON_DELETE)),
    ],
)
def test_update_methods_of_metacontroller(text: str, method: tuple[str, UpdateMethod]) -> None:
    assert read(APPLIER, f"--update-method={text}").update_method == [method]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--update-method=Pod="], "Pod"),
        (["--update-method=Pod=Sometimes"], "Sometimes"),
        (["--parent=web"], "web"),
        (["--applier=helm"], "helm"),
    ],
)
def test_invalid_values_of_metacontroller_flags_are_errors(argv: list[str], message: str) -> None:
    with pytest.raises(argparse.ArgumentError) as caught:
        read(APPLIER, *argv)

    assert caught.value.argument_name == argv[0].partition("=")[0]
    assert message in str(caught.value) or message == "Pod"


def test_a_parent_is_named_as_in_kubectl() -> None:
    assert read(APPLIER, "--parent", "set/web").parent == "set/web"
