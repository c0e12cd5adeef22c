"""The flags of renderers, and the words and flags that choose the units to render."""

import argparse

from kubectl_applylint.cli.parsing.unit_options import roots


def renderers(parser: argparse.ArgumentParser) -> None:
    """Add the flags of all commands that run renderers."""
    parser.add_argument("--allow-network", action="store_true", help="let kustomize fetch remote resources")
    parser.add_argument("--no-cache", action="store_true", help="render and examine everything again")


def rendered_units(parser: argparse.ArgumentParser) -> None:
    """Add the paths and flags that choose the units to render."""
    parser.add_argument(
        "files",
        nargs="*",
        metavar="PATH",
        help="directories, whose units are rendered, or files with manifests (default: the current directory)",
    )
    parser.add_argument("-k", "--kustomize", metavar="DIR", help="only the kustomization in this directory")
    roots(parser)
    renderers(parser)
