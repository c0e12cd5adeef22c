"""The commands, and the flags and words that each of them takes, with their help."""

import argparse
from collections.abc import Mapping

from kubectl_applylint.appliers.request import TOOL_APPLIERS
from kubectl_applylint.cli.parsing.apply_options import APPLIER, APPLY, COMPARED_APPLIERS, KUBERC
from kubectl_applylint.cli.parsing.comment_options import REPORTS
from kubectl_applylint.cli.parsing.fetch_options import FETCHED
from kubectl_applylint.cli.parsing.fix_options import FIXES
from kubectl_applylint.cli.parsing.names import PLUGIN
from kubectl_applylint.cli.parsing.option import AddOption, group, option, switch, true
from kubectl_applylint.cli.parsing.render_options import RENDERED_UNITS, RENDERERS
from kubectl_applylint.cli.parsing.unit_options import SHARING, TARGET_REVISION, TARGETS, UNITS
from kubectl_applylint.sources.cluster.connection import CONNECTION_OPTIONS, ConnectionFlag, OptionType

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


def _files(otherwise: str = "") -> AddOption:
    words = f"manifests, directories of manifests, helm:CHART, or - for stdin{otherwise}"
    return option("files", nargs="*", metavar="FILE", help=words)


def _files_as_kubectl(words: str) -> tuple[AddOption, ...]:
    return (
        option("-f", "--filename", action="append", metavar="FILE", help=words),
        option("-k", "--kustomize", metavar="DIR", help="kustomization directory to render"),
        option("-R", "--recursive", action="store_true", help="also process subdirectories of -f"),
        *RENDERERS,
    )


def _output(forms: str) -> tuple[AddOption, ...]:
    return (_format(f"{forms}; may be repeated"), true("--show-secrets", help="do not mask the values of Secrets"))


def _format(forms: str) -> AddOption:
    return option("-o", "--output", action="append", metavar="FORMAT[=FILE]", help=forms)


def _side(parser: argparse.ArgumentParser) -> None:
    from kubectl_applylint.ownership.migration import MergeSite  # noqa: PLC0415  20 ms that other commands need not wait
    from kubectl_applylint.ownership.tool_migration import Origin  # noqa: PLC0415  20 ms, as above

    target = "target: server-side apply (default), client-side apply, or the program that applies from then on"
    parser.add_argument("--to", choices=[*MergeSite, *TOOL_APPLIERS], help=target)
    source = "the program that has applied so far (default: as recorded in each object)"
    parser.add_argument("--from", dest="origin", choices=[*Origin], help=source)


def _order(parser: argparse.ArgumentParser) -> None:
    from kubectl_applylint.report.ownership.owners import GroupBy  # noqa: PLC0415  17 ms that other commands need not wait

    parser.add_argument(
        "--by", choices=[*GroupBy], help="list the fields of each manager (default), or the managers of each field"
    )


def _against(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--against",
        metavar="STATE",
        help="the live state: live (reads the cluster), none, snapshot:FILE (kubectl get -o json"
        " --show-managed-fields), or the result of applying earlier manifests to an empty cluster: REF, REF..., A..B,"
        " index, REF:path, dir:PATH, file:PATH, last-applied (the last-applied annotations in the cluster),"
        " last-applied:SNAPSHOT"
        f" (default: {'live' if parser.prog.startswith(PLUGIN) else 'none'})",
    )


def _connection_option(one: ConnectionFlag) -> AddOption:
    if one.type is OptionType.BOOLEAN:
        return switch(*one.flags, help=one.help, dest=one.name)
    action = "append" if one.type is OptionType.REPEATED else "store"
    return option(*one.flags, dest=one.name, action=action, metavar="VALUE", help=one.help)


def _families(parser: argparse.ArgumentParser) -> None:
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--family", action="append", metavar="NAME", help="list only the rules of these families")
    either.add_argument(
        "--coverage", action="store_true", help="list all known hazards and what covers each: a rule, plan, or nothing"
    )


def _action(command: str, words: str) -> AddOption:
    return option("action", choices=ACTIONS[command], metavar="|".join(ACTIONS[command]), help=words)


_LABELS = option("-l", "--selector", metavar="LABELS", help="only objects with these labels (app=web)")
_NAMESPACE = option(
    "-n",
    "--namespace",
    metavar="NAME",
    help="namespace for objects without one (default: that of the context, or default)",
)
_PLACES = (
    _NAMESPACE,
    switch("-A", "--all-namespaces", help="without files: check the applied objects of all namespaces"),
)
_GIVEN_FILES = (
    option("--skip-non-manifests", action="store_true", help="skip FILEs that are not manifests, as hooks do"),
    *_files_as_kubectl("same as FILE, as in kubectl apply"),
    _LABELS,
)
_MANIFESTS = (_files(), *_GIVEN_FILES)
_INPUT = (
    _files(
        ", in any order; files that are clearly not manifests are skipped; default: the files that differ from the git"
        " revision compared with, or the live objects that kubectl apply created"
    ),
    *_GIVEN_FILES,
    *_PLACES,
)
_OBJECTS = (
    option(
        "objects",
        nargs="*",
        metavar="KIND/NAME",
        help="live objects (deploy/web or deploy web); default without files: all objects that kubectl apply created",
    ),
    *_files_as_kubectl("the live objects that these manifests describe"),
    _LABELS,
    *_PLACES,
)
_FIELD = (
    option("objects", nargs="+", metavar="KIND/NAME", help="a live object, as in kubectl (deploy/web or deploy web)"),
    option("path", metavar="PATH", help="a field path: spec.replicas, 'spec.template.spec.containers[name=web].image'"),
    *_files_as_kubectl("the manifests to apply next (default: the last-applied ones)"),
    _NAMESPACE,
)
_TAKER = option(
    "--to",
    required=True,
    metavar="MANAGER",
    help="the new owner: a field manager as listed by the command owners, or the one that applies the manifest",
)
_EVERY_COMMIT = option(
    "--every-commit",
    action="store_true",
    help="report instead what differs between applying all commits of a range in order and applying only the last",
)
_VERSION = option(
    "--kubernetes-version", metavar="1.N", help="Kubernetes version to assume, for the cluster and kubectl"
)
_STATE = (
    _against,
    true(
        "--allow-unreachable",
        help="continue if the cluster, snapshot or revision cannot be read, with an unknown live state",
    ),
    _VERSION,
)
_CONNECTION = group(
    "connection, for --against live and last-applied, as in kubectl", *map(_connection_option, CONNECTION)
)
_CHOICE_OF_RULES = (
    option("--select", action="append", metavar="NAME", help="run only these rules or families"),
    option("--ignore", action="append", metavar="NAME", help="skip these rules or families"),
    option("--baseline", metavar="FILE", help="file with known findings, which are not reported"),
    true("--require-reason", help="ignores (in comments, annotations, settings) without a reason have no effect"),
)
_WEIGHT = (
    option(
        "--show",
        metavar="SEVERITY",
        help="lowest severity listed in text: error, warning or info (default: all, infos as one line per rule)",
    ),
    option(
        "--fail-on",
        metavar="SEVERITY",
        help="lowest severity that causes exit code 1: error (default), warning or info",
    ),
)
_JUDGEMENT = (
    *_CHOICE_OF_RULES,
    option("--show-known", action="store_true", help="with --against: also list the findings that existed before"),
    true("--no-ignores", help="report findings despite ignores and baseline"),
    *_WEIGHT,
)
_STATISTICS = option(
    "--statistics", action="store_true", help="count findings by rule instead of listing them; formats: text, json"
)
_FOLDERS = option("--rules", action="append", metavar="DIR", help="directory with your own rules, or families of rules")
_PARTS = option("files", nargs="+", metavar="PART", help="parts of a report (check -o part=PART), or - for stdin")
_PATHS = option("files", nargs="*", metavar="PATH", help="list only the units of these paths (default: all)")
_DEFINED = option("files", nargs="*", metavar="PATH", help="files and directories to search (default: the repository)")
_ERRORS = option(
    "files", nargs="*", metavar="TEXT", help="the output of kubectl (- or nothing: stdin, kubectl apply ... 2>&1 |)"
)
_EXIT_ZERO = true("--exit-zero", help="exit with 0 instead of 1")
_DETAILED_EXITCODE = true(
    "--detailed-exitcode",
    help="exit with 0 if nothing changes, 2 if something changes, 1 if an apply would be rejected, for a finding at or"
    " above --fail-on, or for a usage error,"
    " 3 if incomplete",
)
_FORM = (
    *_output("text (default), concise, json, sarif, github, gitlab, junit, markdown, rdjsonl, html, openreports, part"),
    _EXIT_ZERO,
)
_FORM_OF_PLAN = (
    *_output("text (default), concise, json, junit, markdown, html, diff (unified, as kubectl diff), part"),
    _EXIT_ZERO,
)
_PAGE = _output("text (default), json")
_LIST = _format("text (default), json")
_DETAIL = option(
    "-v",
    dest="verbosity",
    metavar="N",
    help="verbose: skipped rules, server defaults, values kept from live, full values, which unit declares which, the"
    " traceback of a bug",
)
_LOOK = (
    _DETAIL,
    option(
        "--config",
        metavar="FILE",
        help="trusted configuration file (default: the nearest .applylint.yaml or pyproject.toml, with"
        " security-relevant settings ignored)",
    ),
    option("--color", metavar="WHEN", help="when to use color: auto (default), always or never"),
    option(
        "--no-pager",
        action="store_true",
        help="do not show output that is longer than the screen in APPLYLINT_PAGER, PAGER or less",
    ),
)
_LOOK_AND_LIMIT = (
    *_LOOK,
    option("--timeout", metavar="DURATION", help="time limit for the whole run (30s, 5m; default: none)"),
)
_LANGUAGE = option(
    "--lang", metavar="LANGUAGE", help="language of messages: en or ja (default: from the locale, else en)"
)
_OF_REPORTS = (*_LOOK_AND_LIMIT, _LANGUAGE, _CONNECTION)
_APPLY = (APPLY, KUBERC, APPLIER)
COMMANDS: Mapping[str, tuple[str, tuple[AddOption, ...]]] = {
    "check": (
        "report hazards of applying these manifests",
        (*_INPUT, *UNITS, *SHARING, *_APPLY, *_STATE, *_JUDGEMENT, _STATISTICS, FIXES, _FOLDERS, *_FORM, *_OF_REPORTS),
    ),
    "plan": (
        "predict what the apply does to each object",
        (*_INPUT, *UNITS, *SHARING, TARGETS, *_APPLY, *_STATE, *_FORM_OF_PLAN, _DETAILED_EXITCODE, *_OF_REPORTS),
    ),
    "compare": (
        "show which objects of a change depend on the program that applies it",
        (*_INPUT, *UNITS, COMPARED_APPLIERS, *_STATE, *_PAGE, *_LOOK_AND_LIMIT),
    ),
    "revert": ("show what reverting a change does not undo", (*_INPUT, APPLY, *_STATE, *_FORM, *_LOOK_AND_LIMIT)),
    "again": (
        "show what a second apply still changes",
        (*_INPUT, _EVERY_COMMIT, APPLY, *_STATE, *_FORM, *_LOOK_AND_LIMIT, _CONNECTION),
    ),
    "comment": ("print reports as a comment for a pull request", (*REPORTS, *_LOOK)),
    "merge": (
        "merge the partial reports of several machines into one",
        (_PARTS, *_WEIGHT, _FOLDERS, *_FORM, _DETAILED_EXITCODE, *_LOOK_AND_LIMIT),
    ),
    "units": (
        "list the units of a repository: what is applied together",
        (_PATHS, TARGET_REVISION, _LIST, *_LOOK_AND_LIMIT),
    ),
    "definitions": (
        "list the custom kinds with a known definition",
        (_DEFINED, _LIST, *_LOOK_AND_LIMIT),
    ),
    "render": (
        "print what the tool of each unit applies",
        (
            *RENDERED_UNITS,
            _VERSION,
            *_output("yaml (default), json, dir=PATH (a file for each object)"),
            *_LOOK_AND_LIMIT,
        ),
    ),
    "fetch": (
        "download the charts that units need into the store",
        (*FETCHED, TARGET_REVISION, _VERSION, *_LOOK_AND_LIMIT),
    ),
    "defaults": (
        "print manifests with the server's defaults filled in",
        (
            *_MANIFESTS,
            _VERSION,
            *_output("text (default: YAML, coloured for a terminal), yaml, json"),
            *_LOOK_AND_LIMIT,
        ),
    ),
    "owners": (
        "list who owns which field of live objects",
        (*_OBJECTS, _order, *_STATE, *_PAGE, *_LOOK_AND_LIMIT, _CONNECTION),
    ),
    "why": (
        "explain where the value and the owner of a live field come from",
        (*_FIELD, *_STATE, *_PAGE, *_LOOK_AND_LIMIT, _CONNECTION),
    ),
    "adopt": (
        "print how an object was created, and the next commands until kubectl apply manages it",
        (*_OBJECTS, *_STATE, _EXIT_ZERO, *_PAGE, *_LOOK_AND_LIMIT, _CONNECTION),
    ),
    "migrate": (
        "plan the steps to server-side apply, back, or to another program",
        (*_MANIFESTS, _NAMESPACE, _side, *_STATE, _EXIT_ZERO, *_PAGE, *_LOOK_AND_LIMIT, _CONNECTION),
    ),
    "handover": (
        "print the next safe command to move a field to another owner",
        (*_FIELD, _TAKER, *_STATE, _EXIT_ZERO, *_PAGE, *_LOOK_AND_LIMIT, _CONNECTION),
    ),
    "diagnose": (
        "explain errors of kubectl apply, Helm, Flux, Argo CD and kapp, from arguments or stdin",
        (_ERRORS, _FOLDERS, _LIST, _EXIT_ZERO, *_LOOK_AND_LIMIT),
    ),
    "baseline": (
        "save known findings to a file, so that check reports only new ones",
        (
            _action("baseline", "create: save the current findings; prune: remove findings that no longer occur"),
            *(*_INPUT, APPLY, *_STATE, *_CHOICE_OF_RULES, _FOLDERS, *_LOOK_AND_LIMIT, _CONNECTION),
        ),
    ),
    "config": (
        "show the settings with their sources, or their schema",
        (
            _action(
                "config", "show: all settings and their sources; schema: JSON schema of .applylint.yaml for editors"
            ),
            *(_NAMESPACE, *_STATE, *_JUDGEMENT, _FOLDERS, *_LOOK),
        ),
    ),
    "init": (
        "propose a hook, a CI file and a configuration for the repository",
        (option("--write", action="store_true", help="create the proposed files that do not exist"), _DETAIL),
    ),
    "explain": (
        "explain a rule, with examples",
        (option("rule", nargs="+", metavar="RULE", help="rule id"), _FOLDERS, *_LOOK, _LANGUAGE),
    ),
    "rules": ("list the rules by family", (_families, _FOLDERS, *_LOOK, _LANGUAGE)),
    "lsp": (
        "serve an editor over stdin and stdout, as a language server",
        (_NAMESPACE, _VERSION, *_CHOICE_OF_RULES, _FOLDERS, _DETAIL),
    ),
    "completion": (
        "print a shell completion script",
        (
            option("shell", choices=SHELLS, help="the shell: applylint completion bash > FILE, then source FILE"),
            _DETAIL,
        ),
    ),
}
"""What each command does, and its options."""
