"""The commands, and the flags and words that each of them takes, with their help."""

import argparse

from kubectl_applylint.appliers.request import TOOL_APPLIERS
from kubectl_applylint.cli.parsing.apply_options import apply, children, compared_appliers, switch
from kubectl_applylint.cli.parsing.comment_options import reports
from kubectl_applylint.cli.parsing.fix_options import fixes
from kubectl_applylint.cli.parsing.merge_options import parts, weight
from kubectl_applylint.cli.parsing.names import PLUGIN
from kubectl_applylint.cli.parsing.render_options import rendered_units, renderers
from kubectl_applylint.cli.parsing.unit_options import listed_units, sharing, which_targets, which_units
from kubectl_applylint.sources.cluster.connection import CONNECTION_OPTIONS, OptionType

SHELLS = ("bash", "zsh", "fish")
"""The shells that can be taught to complete."""
ACTIONS = {"baseline": ("create", "prune"), "config": ("show", "schema")}
"""Actions of the commands whose first word is an action."""
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
        help=f"manifests, directories of manifests, helm:CHART, or - for stdin{otherwise}",
    )
    parser.add_argument(
        "--skip-non-manifests", action="store_true", help="skip FILEs that are not manifests, as hooks do"
    )
    _files_as_kubectl(parser, "same as FILE, as in kubectl apply")
    _labels(parser)


def _files_as_kubectl(parser: argparse.ArgumentParser, words: str) -> None:
    parser.add_argument("-f", "--filename", action="append", metavar="FILE", help=words)
    parser.add_argument("-k", "--kustomize", metavar="DIR", help="kustomization directory to render")
    parser.add_argument("-R", "--recursive", action="store_true", help="also process subdirectories of -f")
    renderers(parser)


def _objects(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "objects",
        nargs="*",
        metavar="KIND/NAME",
        help="live objects (deploy/web or deploy web); default without files: all objects that kubectl apply created",
    )
    _files_as_kubectl(parser, "the live objects that these manifests describe")
    _labels(parser)
    _places(parser)


def _field(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "objects", nargs="+", metavar="KIND/NAME", help="a live object, as in kubectl (deploy/web or deploy web)"
    )
    parser.add_argument(
        "path",
        metavar="PATH",
        help="a field path: spec.replicas, 'spec.template.spec.containers[name=web].image'",
    )
    _files_as_kubectl(parser, "the manifests to apply next (default: the last-applied ones)")
    _namespace(parser)


def _side(parser: argparse.ArgumentParser) -> None:
    from kubectl_applylint.ownership.migration import MergeSite  # noqa: PLC0415  20 ms that other commands need not wait
    from kubectl_applylint.ownership.tool_migration import Origin  # noqa: PLC0415  20 ms, as above

    target = "target: server-side apply (default), client-side apply, or the program that applies from then on"
    parser.add_argument("--to", choices=[*MergeSite, *TOOL_APPLIERS], help=target)
    source = "the program that has applied so far (default: as recorded in each object)"
    parser.add_argument("--from", dest="origin", choices=[*Origin], help=source)


def _taker(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--to",
        required=True,
        metavar="MANAGER",
        help="the new owner: a field manager as listed by the command owners, or the one that applies the manifest",
    )


def _order(parser: argparse.ArgumentParser) -> None:
    from kubectl_applylint.report.ownership.owners import GroupBy  # noqa: PLC0415  17 ms that other commands need not wait

    parser.add_argument(
        "--by", choices=[*GroupBy], help="list the fields of each manager (default), or the managers of each field"
    )


def _input(parser: argparse.ArgumentParser) -> None:
    _files(
        parser,
        ", in any order; files that are clearly not manifests are skipped; default: the files that differ from the git"
        " revision compared with, or the live objects that kubectl apply created",
    )
    _places(parser)


def _files_by_units(parser: argparse.ArgumentParser) -> None:
    _input(parser)
    which_units(parser)


def _labels(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-l", "--selector", metavar="LABELS", help="only objects with these labels (app=web)")


def _places(parser: argparse.ArgumentParser) -> None:
    _namespace(parser)
    switch(parser, "-A", "--all-namespaces", help="without files: check the applied objects of all namespaces")


def _namespace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-n",
        "--namespace",
        metavar="NAME",
        help="namespace for objects without one (default: that of the context, or default)",
    )


def _way(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--every-commit",
        action="store_true",
        help="report instead what differs between applying all commits of a range in order and applying only the last",
    )


def _state(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--against",
        metavar="STATE",
        help="the live state: live (reads the cluster), none, snapshot:FILE (kubectl get -o json"
        " --show-managed-fields), or the result of applying earlier manifests to an empty cluster: REF, REF..., A..B,"
        " index, REF:path, dir:PATH, file:PATH, last-applied (the last-applied annotations in the cluster),"
        " last-applied:SNAPSHOT"
        f" (default: {'live' if parser.prog.startswith(PLUGIN) else 'none'})",
    )
    _true(
        parser,
        "--allow-unreachable",
        help="continue if the cluster, snapshot or revision cannot be read, with an unknown live state",
    )
    _version(parser)


def _version(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--kubernetes-version", metavar="1.N", help="Kubernetes version to assume, for the cluster and kubectl"
    )


def _connection(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("connection, for --against live and last-applied, as in kubectl")
    for option in CONNECTION:
        if option.type is OptionType.BOOLEAN:
            switch(group, *option.flags, help=option.help, dest=option.name)
        else:
            action = "append" if option.type is OptionType.REPEATED else "store"
            group.add_argument(*option.flags, dest=option.name, action=action, metavar="VALUE", help=option.help)


def _choice_of_rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--select", action="append", metavar="NAME", help="run only these rules or families")
    parser.add_argument("--ignore", action="append", metavar="NAME", help="skip these rules or families")
    parser.add_argument("--baseline", metavar="FILE", help="file with known findings, which are not reported")
    _true(
        parser, "--require-reason", help="ignores (in comments, annotations, settings) without a reason have no effect"
    )


def _judgement(parser: argparse.ArgumentParser) -> None:
    _choice_of_rules(parser)
    parser.add_argument(
        "--show-known", action="store_true", help="with --against: also list the findings that existed before"
    )
    _true(parser, "--no-ignores", help="report findings despite ignores and baseline")
    weight(parser)


def _true(parser: argparse.ArgumentParser, flag: str, *, help: str) -> None:
    parser.add_argument(flag, action="store_const", const="true", help=help)


def _folders(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rules", action="append", metavar="DIR", help="directory with your own rules, or families of rules"
    )


def _output(parser: argparse.ArgumentParser, forms: str) -> None:
    parser.add_argument("-o", "--output", action="append", metavar="FORMAT[=FILE]", help=f"{forms}; may be repeated")
    _true(parser, "--show-secrets", help="do not mask the values of Secrets")


def _document(parser: argparse.ArgumentParser) -> None:
    _output(parser, "text (default: YAML, coloured for a terminal), yaml, json")


def _rendering(parser: argparse.ArgumentParser) -> None:
    _output(parser, "yaml (default), json, dir=PATH (a file for each object)")


def _list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", action="append", metavar="FORMAT[=FILE]", help="text (default), json")


def _form(parser: argparse.ArgumentParser) -> None:
    _output(
        parser,
        "text (default), concise, json, sarif, github, gitlab, junit, markdown, rdjsonl, html, openreports, part",
    )
    _exit_zero(parser)


def _page(parser: argparse.ArgumentParser) -> None:
    _output(parser, "text (default), json")


def _page_with_code(parser: argparse.ArgumentParser) -> None:
    _exit_zero(parser)
    _page(parser)


def _errors(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="*", metavar="TEXT", help="the output of kubectl (- or nothing: stdin, kubectl apply ... 2>&1 |)"
    )


def _diagnosis(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", action="append", metavar="FORMAT[=FILE]", help="text (default), json")
    _exit_zero(parser)


def _exit_zero(parser: argparse.ArgumentParser) -> None:
    _true(parser, "--exit-zero", help="exit with 0 instead of 1")


def _detail(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-v",
        dest="verbosity",
        metavar="N",
        help="verbose: skipped rules, server defaults, values kept from live, full values, the traceback of a bug",
    )


def _look(parser: argparse.ArgumentParser) -> None:
    _detail(parser)
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="trusted configuration file (default: the nearest .applylint.yaml or pyproject.toml, with"
        " security-relevant settings ignored)",
    )
    parser.add_argument("--color", metavar="WHEN", help="when to use color: auto (default), always or never")
    parser.add_argument(
        "--no-pager",
        action="store_true",
        help="do not show output that is longer than the screen in APPLYLINT_PAGER, PAGER or less",
    )


def _limit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--timeout", metavar="DURATION", help="time limit for the whole run (30s, 5m; default: none)")


def _language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lang", metavar="LANGUAGE", help="language of messages: en or ja (default: from the locale, else en)"
    )


def _shells(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="the shell: applylint completion bash > FILE, then source FILE")


def _families(parser: argparse.ArgumentParser) -> None:
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--family", action="append", metavar="NAME", help="list only the rules of these families")
    group.add_argument(
        "--coverage", action="store_true", help="list all known hazards and what covers each: a rule, plan, or nothing"
    )


def _action(parser: argparse.ArgumentParser, words: str) -> None:
    actions = ACTIONS[parser.prog.rpartition(" ")[2]]
    parser.add_argument("action", choices=actions, metavar="|".join(actions), help=words)


def _baseline_action(parser: argparse.ArgumentParser) -> None:
    _action(parser, "create: save the current findings; prune: remove findings that no longer occur")


def _config_action(parser: argparse.ArgumentParser) -> None:
    _action(parser, "show: all settings and their sources; schema: JSON schema of .applylint.yaml for editors")


def _names(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rule", nargs="+", metavar="RULE", help="rule id")


_OF_REPORTS = (_look, _limit, _language, _connection)
COMMANDS = {
    "check": (
        "report hazards of applying these manifests",
        (_files_by_units, sharing, apply, children, _state, _judgement, fixes, _folders, _form, *_OF_REPORTS),
    ),
    "plan": (
        "predict what the apply does to each object",
        (_files_by_units, sharing, which_targets, apply, children, _state, _form, *_OF_REPORTS),
    ),
    "compare": (
        "show which objects of a change depend on the program that applies it",
        (_files_by_units, compared_appliers, _state, _page, _look, _limit),
    ),
    "revert": ("show what reverting a change does not undo", (_input, apply, _state, _form, _look, _limit)),
    "again": (
        "show what a second apply still changes",
        (_input, _way, apply, _state, _form, _look, _limit, _connection),
    ),
    "comment": ("print reports as a comment for a pull request", (reports, _look)),
    "merge": (
        "merge the partial reports of several machines into one",
        (parts, weight, _folders, _form, _look, _limit),
    ),
    "units": ("list the units of a repository: what is applied together", (listed_units, _list, _look, _limit)),
    "render": ("print what the tool of each unit applies", (rendered_units, _version, _rendering, _look, _limit)),
    "defaults": (
        "print manifests with the server's defaults filled in",
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
        "plan the steps to server-side apply, back, or to another program",
        (_manifests, _namespace, _side, _state, _page_with_code, _look, _limit, _connection),
    ),
    "handover": (
        "print the next safe command to move a field to another owner",
        (_field, _taker, _state, _page_with_code, _look, _limit, _connection),
    ),
    "diagnose": (
        "explain errors of kubectl apply, Helm, Flux, Argo CD and kapp, from arguments or stdin",
        (_errors, _folders, _diagnosis, _look, _limit),
    ),
    "baseline": (
        "save known findings to a file, so that check reports only new ones",
        (_baseline_action, _input, apply, _state, _choice_of_rules, _folders, _look, _limit, _connection),
    ),
    "config": (
        "show the settings with their sources, or their schema",
        (_config_action, _namespace, _state, _judgement, _folders, _look),
    ),
    "explain": ("explain a rule, with examples", (_names, _folders, _look, _language)),
    "rules": ("list the rules by family", (_families, _folders, _look, _language)),
    "lsp": (
        "serve an editor over stdin and stdout, as a language server",
        (_namespace, _version, _choice_of_rules, _folders, _detail),
    ),
    "completion": ("print a shell completion script", (_shells, _detail)),
}
"""What each command does, and the groups of arguments that it takes."""
