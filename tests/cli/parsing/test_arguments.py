from collections.abc import Mapping, Sequence

import pytest

from kubectl_applylint.appliers.request import Applier, Validation
from kubectl_applylint.appliers.unit_applier import ASKED, AskedApplier
from kubectl_applylint.cli.parsing.arguments import parse
from kubectl_applylint.sources.cluster.connection import Connection


def flags(*argv: str) -> Mapping[str, Sequence[str]]:
    return parse("applylint", ["check", *argv]).flags


@pytest.mark.parametrize(
    ("argv", "files"),
    [
        (["a.yaml", "b"], ("a.yaml", "b")),
        (["-f", "a,b", "--filename=c", "-f=d"], ("a", "b", "c", "d")),
        (["a", "-f", "b", "c"], ("b", "a", "c")),
        (["-"], ("-",)),
        (["--", "-odd"], ("-odd",)),
        ([], ()),
    ],
    ids=["plain", "as kubectl", "mixed", "stdin", "dashes", "none"],
)
def test_files_are_named_with_and_without_a_flag(argv: list[str], files: tuple[str, ...]) -> None:
    assert parse("applylint", ["check", *argv]).files == files


def test_flags_come_as_they_were_typed() -> None:
    assert flags("-n", "shop", "--against=none", "-o", "json=x", "--output=text", "--exit-zero", "--select", "a,b") == {
        "namespace": ("shop",),
        "against": ("none",),
        "output": ("json=x", "text"),
        "exit-zero": ("true",),
        "select": ("a,b",),
    }


def test_the_last_value_of_a_flag_counts_as_for_kubectl() -> None:
    assert flags("-n", "a", "-n", "b") == {"namespace": ("b",)}


def test_arguments_of_one_call_do_not_show_in_the_next() -> None:
    """One parser reads both, and a wrong call in between."""
    first = parse("applylint", ["check", "a.yaml", "-o", "json=x", "-n", "shop"])
    with pytest.raises(SystemExit):
        parse("applylint", ["check", "b.yaml", "-o", "json=y", "--absent"])

    assert parse("applylint", ["check", "c.yaml", "-o", "text"]).flags == {"output": ("text",)}
    assert parse("applylint", ["check", "a.yaml", "-o", "json=x", "-n", "shop"]) == first


@pytest.mark.parametrize(
    ("argv", "number"),
    [
        (["-v"], "1"),
        (["-vv"], "2"),
        (["-v", "4"], "4"),
        (["-v=4"], "4"),
        (["-v4"], "4"),
        (["--v=4"], "4"),
        (["--v"], "1"),
        (["-v", "web.yaml"], "1"),
    ],
    ids=" ".join,
)
def test_verbosity_is_spelled_as_for_kubectl_or_by_itself(argv: list[str], number: str) -> None:
    assert flags(*argv) == {"verbosity": (number,)}


def test_connection_flags_are_kubectls() -> None:
    argv = ["check", "--context=prod", "--as", "jane", "--as-group=a,b", "--as-group", "c", "-s", "https://x:6443"]

    found = parse("applylint", [*argv, "--insecure-skip-tls-verify", "web.yaml", "--disable-compression=false"])

    assert found.connection == Connection(
        context="prod",
        as_user="jane",
        as_groups=("a,b", "c"),
        server="https://x:6443",
        insecure_skip_tls_verify=True,
    )
    assert found.files == ("web.yaml",)
    assert found.connection_flags == (
        "--context",
        "--server",
        "--insecure-skip-tls-verify",
        "--as",
        "--as-group",
        "--disable-compression",
    )


@pytest.mark.parametrize(
    ("argv", "wanted"),
    [([], False), (["-A"], True), (["--all-namespaces"], True), (["-A=false"], False), (["-A", "web.yaml"], True)],
    ids=["not given", "alone", "long", "switched off", "before a file"],
)
def test_a_switch_takes_no_word_that_follows(argv: list[str], wanted: bool) -> None:
    assert parse("applylint", ["check", *argv]).all_namespaces is wanted


def test_a_selector_is_taken_as_it_is_written() -> None:
    assert parse("applylint", ["plan", "-l", "app in (a,b)"]).apply.selector == "app in (a,b)"


@pytest.mark.parametrize(
    ("argv", "validation"),
    [
        (["web.yaml"], Validation.STRICT),
        (["--validate", "web.yaml"], Validation.STRICT),
        (["--validate=false", "web.yaml"], Validation.IGNORE),
        (["web.yaml", "--validate=warn"], Validation.WARN),
    ],
)
def test_validation_is_spelled_as_for_kubectl(argv: list[str], validation: Validation) -> None:
    found = parse("applylint", ["check", *argv])

    assert (found.files, found.apply.validation) == (("web.yaml",), validation)


def test_recursion_and_rules_to_explain() -> None:
    assert parse("applylint", ["plan", "-R", "x"]).recursive
    assert parse("applylint", ["explain", "a", "b"]).asked == ("a", "b")


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["check", "--bogus"], "applylint check: unrecognized arguments: --bogus (see applylint check --help)\n"),
        (
            ["plan", "--family", "x"],
            "applylint plan: unrecognized arguments: --family; --family is a flag of rules"
            " (see applylint plan --help)\n",
        ),
        (
            ["check", "--agianst=none", "x"],
            "applylint check: unrecognized arguments: --agianst=none; did you mean --against?"
            " (see applylint check --help)\n",
        ),
        (
            ["completion", "bash", "zsh"],
            "applylint completion: unrecognized arguments: zsh (see applylint completion --help)\n",
        ),
        (
            ["chek"],
            "applylint: argument COMMAND: invalid choice: 'chek'; did you mean check? (see applylint --help)\n",
        ),
        (
            ["config", "shw"],
            "applylint config: argument show|schema: invalid choice: 'shw'; did you mean show?"
            " (see applylint config --help)\n",
        ),
        (
            ["check", "--applier=x"],
            "applylint check: argument --applier: invalid choice: 'x'; choose from kubectl, metacontroller, auto,"
            " helm3, helm4, flux, argocd, kapp, helm-controller (see applylint check --help)\n",
        ),
        (
            ["check", "-n"],
            "applylint check: argument -n/--namespace: expected one argument (see applylint check --help)\n",
        ),
        (
            ["check", "-A=yes"],
            "applylint check: argument -A/--all-namespaces: 'yes' is not true or false (see applylint check --help)\n",
        ),
        (["check", "--select="], ""),
    ],
    ids=[
        "unknown",
        "not of this command",
        "misspelled flag",
        "word",
        "misspelled command",
        "misspelled choice",
        "no choice",
        "no value",
        "no boolean",
        "empty",
    ],
)
def test_a_wrong_flag_is_reported_in_one_line(argv: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    if not line:
        assert parse("applylint", argv).flags == {"select": ("",)}
        return
    with pytest.raises(SystemExit) as ended:
        parse("applylint", argv)

    assert ended.value.code == 2
    assert capsys.readouterr() == ("", line)


def test_a_release_is_of_helm(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse("applylint", ["plan", "--applier", "flux", "--release", "web"])

    assert "--release only works with --applier helm3 or helm4" in capsys.readouterr().err
    assert parse("applylint", ["plan", "--applier", "helm4", "--release", "web"]).apply.asked == AskedApplier(
        Applier.HELM4, "web"
    )


def test_metacontroller_is_asked_for_by_the_flag_alone() -> None:
    found = parse("applylint", ["check", "--applier", "metacontroller", "--field-manager", "metacontroller"])

    assert found.flags == {"field-manager": ("metacontroller",)}
    assert parse("applylint", ["plan", "--applier", "kapp"]).flags == {"applier": ("kapp",)}


def test_flags_of_kubectl_that_helm_has_are_flags_of_helm(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--force", "--force-conflicts", "--server-side=false", "--take-ownership")
    found = parse("applylint", ["plan", "--applier", "helm4", *words])

    assert found.apply.asked == AskedApplier(Applier.HELM4, flags=words)
    assert not found.apply.force
    assert parse("applylint", ["plan", "--force"]).apply.force
    with pytest.raises(SystemExit):
        parse("applylint", ["plan", "--applier", "kapp", "--take-ownership"])
    assert "--take-ownership only works with --applier helm3 or helm4" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "plan"])
def test_a_program_beside_kubectl_is_asked_for(command: str) -> None:
    assert parse("applylint", [command]).apply.asked is None
    for name, applier in ASKED.items():
        assert parse("applylint", [command, "--applier", name]).apply.asked == AskedApplier(applier)


def test_an_app_is_of_kapp(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse("applylint", ["plan", "--applier", "flux", "--app", "web"])

    assert "--app only works with --applier kapp" in capsys.readouterr().err
    assert parse("applylint", ["plan", "--applier", "kapp", "--app", "web"]).apply.asked == AskedApplier(
        Applier.KAPP, "web"
    )


def test_an_unknown_command_is_reported_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse("applylint", ["inspect"])

    err = capsys.readouterr().err
    assert (ended.value.code, err.count("\n")) == (2, 1)
    assert all(name in err for name in ("inspect", "check", "plan", "explain", "rules"))


@pytest.mark.parametrize("argv", [[], ["--help"], ["check", "-h"]], ids=" ".join)
def test_help_calls_the_program_as_it_was_called(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse("kubectl applylint", argv)

    out = capsys.readouterr().out
    assert ended.value.code == 0
    assert out.startswith("usage: kubectl applylint ")
    assert "exit codes:" in out


def test_the_name_that_other_programs_have_for_a_command_is_understood(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse("applylint", ["lint"])

    assert "'lint'; did you mean check?" in capsys.readouterr().err
