"""The options with which Argo CD renders a chart, as ``spec.source.helm`` sets them.

Mirrors ``helmTemplate`` of Argo CD's repository server: value files, then ``values`` or ``valuesObject``, then
parameters, then those that are texts, then those of files.
"""

import re
from collections.abc import Mapping
from typing import Final

from kubectl_applylint.core.go_yaml import format_yaml
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject, mapping, objects_at, text_at, texts_at

_COMMA: Final = regex(r"(?<!\\),")
_LIST: Final = regex(r"\{.*\}", re.DOTALL)
_SYNTAX: Final = regex(r"[\\,]")
_VARIABLE: Final = regex(r"\$(?:\{(?P<braced>[^}]*)\}|\{|(?P<mark>[*#$@!?0-9-])|(?P<plain>\w+))", re.ASCII)
"""A variable as Go's ``os.Expand`` reads it: a digit or a mark is a name of one character."""
_OF_COMMIT: Final = ("ARGOCD_APP_REVISION", "ARGOCD_APP_REVISION_SHORT", "ARGOCD_APP_REVISION_SHORT_8")
"""The variables whose values depend on the commit, which stay in the text as they are written."""
_KUBERNETES: Final = regex(r"\s*v?(\d+(?:\.\d+)+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class ArgoHelmOptions:
    """The options of one chart of an Application."""

    release: str
    namespace: str
    value_files: tuple[str, ...] = ()
    """The value files as they are written."""
    ignores_missing_files: bool = False
    values: str = field(default="", repr=False)
    """Values in YAML that override those of the files."""
    settings: tuple[str, ...] = field(default=(), repr=False)
    """Arguments of ``--set``."""
    text_settings: tuple[str, ...] = field(default=(), repr=False)
    """Arguments of ``--set-string``."""
    files: tuple[tuple[str, str], ...] = ()
    """The names of parameters with the files whose content is their value."""
    has_definitions: bool = True
    validates_values: bool = True
    kubernetes: str = ""
    api_versions: tuple[str, ...] = ()


def helm_options(helm: JsonObject, variables: Mapping[str, str]) -> ArgoHelmOptions:
    """Return the options of a chart; ``variables`` are those of the build environment of the Application."""
    parameters = objects_at(helm, "parameters")
    texts = [one for one in parameters if one.get("forceString") is True]
    others = [one for one in parameters if one.get("forceString") is not True]
    return ArgoHelmOptions(
        text_at(helm, "releaseName") or variables.get("ARGOCD_APP_NAME", ""),
        text_at(helm, "namespace") or variables.get("ARGOCD_APP_NAMESPACE", ""),
        texts_at(helm, "valueFiles"),
        helm.get("ignoreMissingValueFiles") is True,
        _values(helm),
        tuple(_setting(one, variables) for one in others),
        tuple(_setting(one, variables) for one in texts),
        tuple((text_at(one, "name"), text_at(one, "path")) for one in objects_at(helm, "fileParameters")),
        has_definitions=helm.get("skipCrds") is not True,
        validates_values=helm.get("skipSchemaValidation") is not True,
        kubernetes=kubernetes_version(text_at(helm, "kubeVersion")),
        api_versions=texts_at(helm, "apiVersions"),
    )


def kubernetes_version(text: str) -> str:
    """Return the numbers of a Kubernetes version: ``1.33.1`` of ``v1.33.1-eks-1``; an invalid version as it is."""
    found = _KUBERNETES.match(text)
    return found[1] if found else text


def _values(helm: JsonObject) -> str:
    """Return the inline values; ``valuesObject`` overrides ``values``, also if it is empty."""
    whole = helm.get("valuesObject")
    return format_yaml(whole) if isinstance(whole, dict) else text_at(helm, "values")


def _setting(parameter: JsonObject, variables: Mapping[str, str]) -> str:
    """Return an argument that sets a value, in which commas do not separate values unless it is a list in braces."""
    value = with_variables(text_at(parameter, "value"), variables)
    escaped = value if _LIST.fullmatch(value) else _COMMA.sub(r"\\,", value)
    return f"{text_at(parameter, 'name')}={escaped}"


def file_setting(name: str, content: str) -> str:
    """Return the argument that sets a value to the content of a file, without any syntax in it."""
    escaped = _SYNTAX.sub(r"\\\g<0>", content)
    return f"{name}={chr(92)}{escaped}" if escaped.startswith("{") else f"{name}={escaped}"


def with_variables(text: str, variables: Mapping[str, str]) -> str:
    """Return a text with the variables of the build environment replaced, unknown ones by nothing; ``$$`` is ``$``."""
    return _VARIABLE.sub(lambda found: _value(found, variables), text) if "$" in text else text


def _value(found: re.Match[str], variables: Mapping[str, str]) -> str:
    name = found["braced"] or found["plain"] or ""
    return found[0] if name in _OF_COMMIT else "$" if "$" in (found["mark"], name) else variables.get(name, "")


def build_variables(application: JsonObject, source: JsonObject) -> Mapping[str, str]:
    """Return the variables of the build environment of an Application that do not depend on a commit."""
    spec = mapping(application.get("spec"))
    return {
        "ARGOCD_APP_NAME": text_at(application, "metadata", "name"),
        "ARGOCD_APP_NAMESPACE": text_at(spec, "destination", "namespace"),
        "ARGOCD_APP_PROJECT_NAME": text_at(spec, "project") or "default",
        "ARGOCD_APP_SOURCE_PATH": text_at(source, "path"),
        "ARGOCD_APP_SOURCE_REPO_URL": text_at(source, "repoURL"),
        "ARGOCD_APP_SOURCE_TARGET_REVISION": text_at(source, "targetRevision"),
    }
