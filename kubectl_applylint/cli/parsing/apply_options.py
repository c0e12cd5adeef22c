"""Flags for how kubectl or Metacontroller applies manifests."""

import argparse

from kubectl_applylint.appliers.flags import DryRun
from kubectl_applylint.appliers.request import Validation
from kubectl_applylint.appliers.unit_applier import ASKED
from kubectl_applylint.cli.parsing.option import group, option, switch
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


APPLY = group(
    "apply options, as in kubectl apply",
    switch("--server-side", help="use server-side apply"),
    switch("--force-conflicts", help="take over fields that other managers own; with --server-side"),
    option("--field-manager", metavar="NAME", help="field manager to use (default: as in kubectl)"),
    switch("--prune", help="delete objects that were removed from the manifests; with -l, --all or --applyset"),
    switch("--all", help="prune regardless of labels"),
    option(
        "--prune-allowlist",
        action="append",
        metavar="GROUP/VERSION/KIND",
        help="prune this kind instead of kubectl's default kinds (core/v1/ConfigMap)",
    ),
    switch("--overwrite", help="overwrite changes by others (default); with --overwrite=false fail instead"),
    switch("--force", help="delete and recreate objects whose change the server rejects"),
    option("--grace-period", type=int, metavar="SECONDS", help="grace period for deleted objects, with --force"),
    option("--subresource", metavar="NAME", help="apply to this subresource (status); with --server-side"),
    option("--dry-run", choices=[*DryRun], help="check a dry run: report what it does not show"),
    option("--validate", choices=VALIDATIONS, help="reject unknown fields (strict, the default), or drop them"),
    option("--applyset", metavar="[RESOURCE.GROUP/]NAME", help="prune the members of this ApplySet; with -n"),
)
"""The options of kubectl apply."""
KUBERC = option(
    "--kuberc",
    metavar="FILE",
    help="the kuberc with the defaults of kubectl apply, for -f and -k (default: KUBERC or ~/.kube/kuberc, which only"
    " kubectl applylint reads; KUBERC=off for none)",
)
"""The preferences of kubectl."""
APPLIER = group(
    "applier options",
    option(
        "--applier",
        choices=("kubectl", METACONTROLLER, *ASKED),
        help="the program that applies the manifests: auto (default), the one that the repository declares for each"
        " unit and kubectl for all others; kubectl or metacontroller; for units compared with an earlier revision, a"
        " snapshot or the cluster also helm3 or helm4 for charts, flux for Kustomizations and helm-controller"
        " for HelmReleases of Flux, argocd for Applications of Argo CD, kapp for any directory",
    ),
    option(
        "--release",
        metavar="NAME",
        help="the release of the chart, with --applier helm3 or helm4 (default: named as its directory)",
    ),
    option(
        "--take-ownership",
        action="store_true",
        help="take over objects that other programs have created, with --applier helm3 or helm4",
    ),
    option(
        "--app",
        metavar="NAME",
        help="the app of kapp that the directory is, with --applier kapp (default: named as its directory)",
    ),
    option(
        "--controller",
        metavar="FILE",
        help="for Metacontroller: the CompositeController or DecoratorController with the update methods by kind",
    ),
    option(
        "--update-method",
        action="append",
        type=_update_method,
        metavar="[KIND=]METHOD",
        help=f"for Metacontroller: update method for children that differ: {', '.join(UpdateMethod)} (default: from the"
        " controller, else OnDelete)",
    ),
    option(
        "--parent",
        type=_object,
        metavar="KIND/NAME",
        help="for Metacontroller: the parent object (default: the owner of the observed children)",
    ),
)
"""The options that choose the applier, and those of Metacontroller."""
COMPARED_APPLIERS = option(
    "--appliers",
    metavar="LIST",
    help="programs to compare, each as if it had also applied the earlier revision: kubectl,kubectl-server,helm3,"
    "helm4,flux,argocd,kapp (default: all); auto is the program of each unit",
)
"""The appliers that ``compare`` compares."""
