"""The overlay through which a kustomization is rendered, so that each object names the file that it comes from."""

import os
import shlex
from collections.abc import Collection, Sequence
from functools import partial
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import mapping
from kubectl_applylint.sources.render.helm import find_tool as find_helm
from kubectl_applylint.sources.render.kustomize_errors import error_without_helm_call, innermost_error
from kubectl_applylint.sources.render.render_programs import output
from kubectl_applylint.sources.system import inner_path
from kubectl_applylint.sources.system.inner_path import InnerPath
from kubectl_applylint.sources.text.classify import KUSTOMIZATION_FILES
from kubectl_applylint.sources.text.manifests import first_document

_RESTRICTED: Final = regex(r"security; file '[^']*' is not in or below ")
"""Matches the error of kustomize about a file outside of the folder of a kustomization."""
_OUTSIDE: Final = (
    "kustomize reads no file outside of the folder of a kustomization, which Flux lets it do, and Argo CD with "
    "LoadRestrictionsNone in kustomize.buildOptions; render it elsewhere and pipe the output: "
    "kubectl kustomize --load-restrictor LoadRestrictionsNone FOLDER | … -f -"
)

_OTHER_HELM: Final = regex(r"unknown shorthand flag: 'c' in -c")
"""Matches the error of kustomize before 5.8 about Helm 4, which has no flag ``-c`` of ``helm version``."""
_OLD_KUSTOMIZE: Final = "kustomize before 5.8 cannot run Helm 4 for its helmCharts"
_OLD_KUSTOMIZE_ADVICE: Final = "install kustomize 5.8, or Helm 3"


def listing_field(kustomization: bytes) -> str:
    """Return the field in which another kustomization lists this one: a Component is not among ``resources``."""
    is_component = b"Component" in kustomization and mapping(first_document(kustomization)).get("kind") == "Component"
    return "components" if is_component else "resources"


def build_overlay(
    tool: Sequence[str],
    folder: str,
    overlay: str,
    kustomization: str,
    metadata: Collection[str],
    *,
    field: str = "resources",
) -> bytes | Problem:
    """Run a tool on an overlay of a kustomization in ``folder``, and return its output.

    ``overlay`` is an empty folder for it, ``metadata`` are options of ``buildMetadata``, ``field`` lists ``folder``.
    """
    text = f"{field}: [{_yaml_quote(_target(overlay, folder))}]\nbuildMetadata: [{', '.join(sorted(metadata))}]\n"
    inner_path.create(overlay, InnerPath(KUSTOMIZATION_FILES[:1]), text.encode("utf-8", "surrogateescape"))
    advice = f"try it: {' '.join(tool)} {folder}"
    explain = partial(_explain, overlay, folder)
    made = output([*tool, overlay], kustomization, advice, explain=explain)
    if isinstance(made, Problem) and _RESTRICTED.search(made.message):
        return replace(made, message=f"not rendered: {_OUTSIDE}", reason=_OUTSIDE)
    if isinstance(made, Problem) and _OTHER_HELM.search(made.message):
        if os.name == "posix":
            return output([*tool, *_helm_options(overlay), overlay], kustomization, advice, explain=explain)
        return Problem(kustomization, f"not rendered: {_OLD_KUSTOMIZE}", _OLD_KUSTOMIZE_ADVICE, reason=_OLD_KUSTOMIZE)
    return made


def _helm_options(overlay: str) -> tuple[str, ...]:
    """Return the flags with which kustomize before 5.8 runs Helm 4, through a script in ``overlay``.

    kustomize calls ``helm version -c`` and accepts Helm 3 only; its arguments of ``helm template`` are valid for both.
    """
    script = f'#!/bin/sh\n[ "$1" = version ] && exec echo v3.0.0\nexec {shlex.quote(find_helm())} "$@"\n'
    name = InnerPath(("helm",))
    inner_path.create(overlay, name, script.encode("utf-8", "surrogateescape"), is_executable=True)
    return ("--helm-command", os.path.join(overlay, str(name)))


def _yaml_quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _explain(overlay: str, folder: str, complaint: str) -> str:
    """Return the tool's error message, or that of Helm, without mentions of the generated overlay."""
    real = os.path.realpath(overlay)
    error = innermost_error(error_without_helm_call(complaint), folder)
    error = error.replace(f"'{_target(overlay, folder)}'", f"'{folder}'")
    return error.replace(real, folder).replace(overlay, folder)


def _target(overlay: str, folder: str) -> str:
    """Return the relative path of a kustomization, as its overlay refers to it."""
    # kustomize accepts no absolute paths, and resolves symlinks before checking them.
    return os.path.relpath(os.path.realpath(folder), os.path.realpath(overlay))
