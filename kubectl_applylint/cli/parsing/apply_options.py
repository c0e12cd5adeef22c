"""Flags for how kubectl or Metacontroller applies manifests."""

import argparse

from kubectl_applylint.appliers.flags import DryRun
from kubectl_applylint.appliers.request import Validation
from kubectl_applylint.appliers.unit_applier import ASKED
from kubectl_applylint.schema.names import parse_object
from kubectl_applylint.tools.metacontroller.children import UpdateMethod, update_method

METACONTROLLER = "metacontroller"
"""The name of Metacontroller as an applier of ``check`` and ``plan``."""
VALIDATIONS = {
    "strict": Validation.STRICT,
    "true": Validation.STRICT,
    "warn": Validation.WARN,
    "ignore": Validation.IGNORE,
    "false": Validation.IGNORE,
}
"""The values of ``--validate``."""


def apply(parser: argparse.ArgumentParser) -> None:
    """Add the flags of kubectl apply."""
    group = parser.add_argument_group("apply options, as in kubectl apply")
    switch(group, "--server-side", help="use server-side apply")
    switch(group, "--force-conflicts", help="take over fields that other managers own; with --server-side")
    group.add_argument("--field-manager", metavar="NAME", help="field manager to use (default: as in kubectl)")
    switch(group, "--prune", help="delete objects that were removed from the manifests; with -l, --all or --applyset")
    switch(group, "--all", help="prune regardless of labels")
    group.add_argument(
        "--prune-allowlist",
        action="append",
        metavar="GROUP/VERSION/KIND",
        help="prune this kind instead of kubectl's default kinds (core/v1/ConfigMap)",
    )
    switch(group, "--overwrite", help="overwrite changes by others (default); with --overwrite=false fail instead")
    switch(group, "--force", help="delete and recreate objects whose change the server rejects")
    group.add_argument(
        "--grace-period", type=int, metavar="SECONDS", help="grace period for deleted objects, with --force"
    )
    group.add_argument("--subresource", metavar="NAME", help="apply to this subresource (status); with --server-side")
    group.add_argument("--dry-run", choices=[*DryRun], help="check a dry run: report what it does not show")
    group.add_argument(
        "--validate", choices=VALIDATIONS, help="reject unknown fields (strict, the default), or drop them"
    )
    group.add_argument(
        "--applyset", metavar="[RESOURCE.GROUP/]NAME", help="prune the members of this ApplySet; with -n"
    )


def children(parser: argparse.ArgumentParser) -> None:
    """Add the flags that choose the applier, and those of Metacontroller."""
    group = parser.add_argument_group("applier options")
    group.add_argument(
        "--applier",
        choices=("kubectl", METACONTROLLER, *ASKED),
        help="the program that applies the manifests: kubectl (default) or metacontroller; for units compared with an"
        " earlier revision, a snapshot or the cluster also helm3 or helm4 for charts, flux for Kustomizations of Flux,"
        " argocd for Applications of Argo CD, kapp for any directory, or auto for the program that the repository"
        " declares for each unit",
    )
    group.add_argument(
        "--release",
        metavar="NAME",
        help="the release of the chart, with --applier helm3 or helm4 (default: named as its directory)",
    )
    group.add_argument(
        "--take-ownership",
        action="store_true",
        help="take over objects that other programs have created, with --applier helm3 or helm4",
    )
    group.add_argument(
        "--app",
        metavar="NAME",
        help="the app of kapp that the directory is, with --applier kapp (default: named as its directory)",
    )
    _add_metacontroller_flags(group)


def _add_metacontroller_flags(group: argparse._ArgumentGroup) -> None:
    """Add the flags of Metacontroller."""
    group.add_argument(
        "--controller",
        metavar="FILE",
        help="for Metacontroller: the CompositeController or DecoratorController with the update methods by kind",
    )
    group.add_argument(
        "--update-method",
        action="append",
        type=_update_method,
        metavar="[KIND=]METHOD",
        help=f"for Metacontroller: update method for children that differ: {', '.join(UpdateMethod)} (default: from the"
        " controller, else OnDelete)",
    )
    group.add_argument(
        "--parent",
        type=_object,
        metavar="KIND/NAME",
        help="for Metacontroller: the parent object (default: the owner of the observed children)",
    )


def _update_method(text: str) -> tuple[str, UpdateMethod]:
    word, _, method = text.rpartition("=")
    try:
        return word, update_method(method)
    except ValueError as fault:
        raise argparse.ArgumentTypeError(str(fault)) from None


def _object(text: str) -> str:
    try:
        return str(parse_object(text))
    except ValueError as fault:
        raise argparse.ArgumentTypeError(str(fault)) from None


def compared_appliers(parser: argparse.ArgumentParser) -> None:
    """Add the flags that choose the appliers to compare."""
    parser.add_argument(
        "--appliers",
        metavar="LIST",
        help="programs to compare, each as if it had also applied the earlier revision: kubectl,kubectl-server,helm3,"
        "helm4,flux,argocd,kapp (default: all); auto is the program of each unit",
    )


def switch(container: argparse._ActionsContainer, *flags: str, **words: str) -> None:
    """Add a boolean flag, with or without a value, as in kubectl: ``--flag=false``."""
    container.add_argument(*flags, type=_boolean, nargs="?", metavar="true|false", **words)  # type: ignore[arg-type]  # all texts


def _boolean(text: str) -> str:
    """Return ``true`` or ``false`` for a text that Go's ``ParseBool`` accepts."""
    if text in ("1", "t", "T", "true", "TRUE", "True"):
        return "true"
    if text in ("0", "f", "F", "false", "FALSE", "False"):
        return "false"
    raise argparse.ArgumentTypeError(f"{text!r} is not true or false")
