"""The options of renderers, and those that choose the units to render."""

from kubectl_applylint.cli.parsing.fetch_options import ALLOW_HOST, STORE
from kubectl_applylint.cli.parsing.option import option
from kubectl_applylint.cli.parsing.unit_options import ROOTS, TARGET_REVISION

RENDERERS = (
    option(
        "--allow-network",
        action="store_true",
        help="first fetch the charts and remote bases that units need, as applylint fetch does",
    ),
    ALLOW_HOST,
    STORE,
    option("--no-cache", action="store_true", help="render and examine everything again"),
)
"""The options of all commands that run renderers."""
RENDERED_UNITS = (
    option(
        "files",
        nargs="*",
        metavar="PATH",
        help="directories, whose units are rendered, or files with manifests (default: the current directory)",
    ),
    option("-k", "--kustomize", metavar="DIR", help="only the kustomization in this directory, as kubectl does"),
    ROOTS,
    TARGET_REVISION,
    option(
        "--against",
        metavar="REV",
        help="only the units that differ from a git revision (REF, REF..., A..B, index) or a directory (dir:PATH)",
    ),
    *RENDERERS,
)
"""The paths and options that choose the units to render."""
