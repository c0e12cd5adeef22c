"""The commands, and the flags and words that each of them takes, with their help."""

import argparse

from kubectl_applylint.cli import PLUGIN
from kubectl_applylint.cli.apply_options import apply, children, switch
from kubectl_applylint.sources.connection import CONNECTION_OPTIONS, OptionType

SHELLS = ("bash", "zsh", "fish")
"""The shells that can be taught to complete."""
ACTIONS = {"baseline": ("create", "prune"), "config": ("show", "schema")}
"""What the commands do whose first word says so."""
CONNECTION = tuple(option for option in CONNECTION_OPTIONS if option.name != "namespace")
"""The connection flags; the namespace is an option of ``config``."""
SWITCHES = {
    "-A",
    "--all-namespaces",
    "--server-side",
    "--force-conflicts",
    "--prune",
    "--all",
    "--overwrite",
    "--force",
    "--validate",
    *(flag for option in CONNECTION if option.type is OptionType.BOOLEAN for flag in option.flags),
}
"""Flags that take ``true`` or ``false``, and may be given without; a value stands behind an equals sign."""


def _manifests(parser: argparse.ArgumentParser) -> None:
    _files(parser, "")


def _files(parser: argparse.ArgumentParser, otherwise: str) -> None:
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help=f"manifests, folders of them, helm:CHART, or - for standard input{otherwise}",
    )
    _files_as_kubectl(parser, "the same, as kubectl apply takes it")
    _labels(parser)


def _files_as_kubectl(parser: argparse.ArgumentParser, words: str) -> None:
    parser.add_argument("-f", "--filename", action="append", metavar="FILE", help=words)
    parser.add_argument("-k", "--kustomize", metavar="DIR", help="a folder with a kustomization, which is rendered")
    parser.add_argument("-R", "--recursive", action="store_true", help="look into folders of folders too")
    parser.add_argument(
        "--allow-network", action="store_true", help="let kustomize fetch what a kustomization names by an address"
    )


def _objects(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "objects",
        nargs="*",
        metavar="KIND/NAME",
        help="live objects, as kubectl spells them (deploy/web); without any, and without files, those that kubectl"
        " apply has made",
    )
    _files_as_kubectl(parser, "look at the objects that these manifests describe")
    _labels(parser)
    _places(parser)


def _field(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "objects", nargs=1, metavar="KIND/NAME", help="a live object, as kubectl spells it (deploy/web)"
    )
    parser.add_argument(
        "path",
        metavar="PATH",
        help="a field of it: spec.replicas, 'spec.template.spec.containers[name=web].image'",
    )
    _files_as_kubectl(parser, "the manifests that are applied next (default: what was last applied)")
    _namespace(parser)


def _side(parser: argparse.ArgumentParser) -> None:
    from kubectl_applylint.ownership.migration import Side  # noqa: PLC0415  20 ms that other commands need not wait

    parser.add_argument("--to", choices=[*Side], help="server-side apply (default), or back to client-side apply")


def _taker(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--to",
        required=True,
        metavar="MANAGER",
        help="the new owner: a field manager as the command owners lists them, or the one that applies the manifest",
    )


def _order(parser: argparse.ArgumentParser) -> None:
    from kubectl_applylint.report.owners import By  # noqa: PLC0415  see _side

    parser.add_argument(
        "--by", choices=[*By], help="list the fields of each manager (default), or the managers of each field"
    )


def _input(parser: argparse.ArgumentParser) -> None:
    _files(
        parser,
        ", in any order, of which what is plainly no manifest is passed over; without any, what differs"
        " from the git revision compared with, or the live objects that kubectl apply made",
    )
    _places(parser)


def _labels(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-l", "--selector", metavar="LABELS", help="take only objects with these labels (app=web)")


def _places(parser: argparse.ArgumentParser) -> None:
    _namespace(parser)
    switch(parser, "-A", "--all-namespaces", help="without files: examine what was applied in all namespaces")


def _namespace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-n", "--namespace", metavar="NAME", help="of objects that name none (default: that of the context, or default)"
    )


def _way(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--every-commit",
        action="store_true",
        help="tell instead what all commits between two revisions, applied in turn, make otherwise than the last alone",
    )


def _state(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--against",
        metavar="STATE",
        help="what is live: live (asks the cluster), none, snapshot:FILE (kubectl get -o json --show-managed-fields),"
        " or what earlier manifests make of an empty cluster: REF, REF..., A..B, index, REF:path, dir:PATH, file:PATH,"
        " last-applied (what kubectl has applied to the cluster), last-applied:SNAPSHOT"
        f" (default: {'live' if _is_plugin(parser.prog) else 'none'})",
    )
    _true(
        parser,
        "--allow-unreachable",
        help="go on where the cluster, the snapshot or the revision cannot be read: all that needs it is unknown",
    )
    _version(parser)


def _version(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kubernetes-version", metavar="1.N", help="of the cluster and of kubectl")


def _is_plugin(program: str) -> bool:
    return program.startswith(PLUGIN)


def _connection(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("connection, for --against live and last-applied, as kubectl takes them")
    for option in CONNECTION:
        if option.type is OptionType.BOOLEAN:
            switch(group, *option.flags, help=option.help, dest=option.name)
        else:
            action = "append" if option.type is OptionType.REPEATED else "store"
            group.add_argument(*option.flags, dest=option.name, action=action, metavar="VALUE", help=option.help)


def _choice_of_rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--select", action="append", metavar="NAME", help="run only these rules or families")
    parser.add_argument("--ignore", action="append", metavar="NAME", help="leave these rules or families out")
    parser.add_argument("--baseline", metavar="FILE", help="the findings that are known, of which nothing is said")
    _true(parser, "--require-reason", help="comments, annotations and settings hide nothing without a reason")


def _judgement(parser: argparse.ArgumentParser) -> None:
    _choice_of_rules(parser)
    _true(parser, "--no-ignores", help="show what comments, annotations, settings and the baseline hide")
    parser.add_argument(
        "--fail-on", metavar="SEVERITY", help="error (default), warning or info: what exit code 1 takes"
    )


def _true(parser: argparse.ArgumentParser, flag: str, *, help: str) -> None:
    parser.add_argument(flag, action="store_const", const="true", help=help)


def _folders(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rules", action="append", metavar="DIR", help="a folder with rules of your own, maybe by family"
    )


def _output(parser: argparse.ArgumentParser, forms: str) -> None:
    parser.add_argument("-o", "--output", action="append", metavar="FORMAT[=FILE]", help=f"{forms}; may be repeated")
    _true(parser, "--show-secrets", help="do not mask what Secrets hold")


def _document(parser: argparse.ArgumentParser) -> None:
    _output(parser, "text (default: YAML, coloured for a terminal), yaml, json")


def _form(parser: argparse.ArgumentParser) -> None:
    _output(parser, "text (default), concise, json, sarif, github, gitlab, junit, markdown")
    _exit_zero(parser)
    _detail(parser)


def _page(parser: argparse.ArgumentParser) -> None:
    _output(parser, "text (default), json")
    _detail(parser)


def _page_with_code(parser: argparse.ArgumentParser) -> None:
    _exit_zero(parser)
    _page(parser)


def _errors(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="*", metavar="TEXT", help="what was printed (default: standard input, kubectl apply ... 2>&1 |)"
    )


def _diagnosis(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", action="append", metavar="FORMAT[=FILE]", help="text (default), json")
    _exit_zero(parser)


def _exit_zero(parser: argparse.ArgumentParser) -> None:
    _true(parser, "--exit-zero", help="end with 0 where it would be 1")


def _detail(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-v",
        dest="verbosity",
        metavar="N",
        help="say more: rules that could not run, changes as expected, whole values",
    )


def _look(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="a configuration file that is trusted (default: the nearest .applylint.yaml or pyproject.toml, of which"
        " only what cannot hurt is followed)",
    )
    parser.add_argument("--color", metavar="WHEN", help="auto (default), always or never")


def _limit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--timeout", metavar="DURATION", help="how long the run may take as a whole (30s, 5m; default: for ever)"
    )


def _language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lang", metavar="LANGUAGE", help="en or ja (default: that of the locale, else en)")


def _shells(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="what to source: applylint completion bash > FILE")


def _listed(parser: argparse.ArgumentParser) -> None:
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--family", action="append", metavar="NAME", help="list only the rules of these families")
    group.add_argument(
        "--coverage", action="store_true", help="list all known hazards, and what holds each: a rule, plan, or nothing"
    )


def _action(parser: argparse.ArgumentParser, words: str) -> None:
    actions = ACTIONS[parser.prog.rpartition(" ")[2]]
    parser.add_argument("action", choices=actions, metavar="|".join(actions), help=words)


def _baseline_action(parser: argparse.ArgumentParser) -> None:
    _action(parser, "write down what is found now, or take out what does not occur any more")


def _config_action(parser: argparse.ArgumentParser) -> None:
    _action(parser, "every setting and what decides it, or the JSON schema of .applylint.yaml for editors")


def _names(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rule", nargs="+", metavar="RULE", help="the id of a rule")


COMMANDS = {
    "check": (
        "report the hazards of applying these manifests",
        (_input, apply, children, _state, _judgement, _folders, _form, _look, _limit, _language, _connection),
    ),
    "plan": (
        "foretell what the apply does to each object",
        (_input, apply, children, _state, _form, _look, _limit, _language, _connection),
    ),
    "revert": ("tell what reverting a change does not undo", (_input, apply, _state, _form, _look, _limit)),
    "again": (
        "tell what a second apply still changes",
        (_input, _way, apply, _state, _form, _look, _limit, _connection),
    ),
    "defaults": (
        "print manifests with the defaults that a server fills in",
        (_manifests, _version, _document, _look, _limit),
    ),
    "owners": (
        "list who owns which field of live objects",
        (_objects, _order, _state, _page, _look, _limit, _connection),
    ),
    "why": (
        "explain where the value and the owner of a live field come from",
        (_field, _state, _page, _look, _limit, _connection),
    ),
    "adopt": (
        "print how an object was created, and the next commands until kubectl apply manages it",
        (_objects, _state, _page_with_code, _look, _limit, _connection),
    ),
    "migrate": (
        "plan the steps from client-side to server-side apply, or back",
        (_manifests, _namespace, _side, _state, _page_with_code, _look, _limit, _connection),
    ),
    "handover": (
        "print the next safe command to move a field to another owner",
        (_field, _taker, _state, _page_with_code, _look, _limit, _connection),
    ),
    "diagnose": (
        "explain errors that kubectl apply has printed, given as arguments or on standard input",
        (_errors, _folders, _diagnosis, _look, _limit),
    ),
    "baseline": (
        "keep the findings that are known in a file, so that check tells only of new ones",
        (_baseline_action, _input, apply, _state, _choice_of_rules, _folders, _look, _limit, _connection),
    ),
    "config": (
        "show the settings and where each comes from, or their schema",
        (_config_action, _namespace, _state, _judgement, _folders, _look),
    ),
    "explain": ("tell what a rule is about, with examples", (_names, _folders, _look, _language)),
    "rules": ("list the rules by family", (_listed, _folders, _look, _language)),
    "completion": ("print what makes a shell complete applylint", (_shells,)),
}
"""What each command does, and the groups of arguments that it takes."""
