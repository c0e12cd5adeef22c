"""Objects that are rendered, as a seed draws them: by an overlay over a base, by a chart with values, by a pipe."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

import yaml

from kubectl_applylint.core.values import JsonObject
from tests.cluster.desk import HPA
from tests.cluster.yamltext import dump

KINDS: Final = ("Deployment", "ConfigMap", "Service", "Secret")
FORMS: Final = ("kustomization", "folder", "chart", "pipe")
COMMANDS: Final = ("adopt", "migrate", "handover", "check")
HISTORIES: Final = ("applied", "applied older", "server-side", "created", "mixed", "partly there")
_ASKED: Final = {"migrate": ("server", "client"), "handover": (HPA, HPA, "scaler")}
_IMAGES: Final = ("web:1", "web:2", "web:3-rc1")
_MEMORY: Final = ("64Mi", "128Mi", "1Gi")


@dataclass(frozen=True, slots=True)
class Variant:
    """The values that an overlay or a file with values changes in the base or the chart."""

    image: str = "web:1"
    memory: str = "64Mi"
    replicas: int | None = 2
    """``None`` where nothing sets it."""
    team: str = ""
    """A label of all objects; empty for none."""
    prefix: str = ""
    names_namespace: bool = False
    """Whether the objects say which namespace they are of."""


@dataclass(frozen=True, slots=True)
class RenderedCase:
    """A way to render objects, how they came to be live, and the command that is asked about them."""

    seed: int
    form: str
    kinds: tuple[str, ...]
    base: Variant
    variant: Variant
    """The manifests that are applied."""
    older: Variant
    """The manifests that were applied before."""
    history: str
    is_scaled: bool
    command: str
    to: str
    """The side or the manager that the command names."""
    shows_secrets: bool

    @property
    def names(self) -> Mapping[str, str]:
        """The names of the objects by kind."""
        return {kind: f"{self.variant.prefix}{_NAMES[kind]}" for kind in self.kinds}


_NAMES: Final = {"Deployment": "web", "ConfigMap": "settings", "Service": "web", "Secret": "token"}
_CHANGED: Final = "apps/web/overlays/dev"


def drawn(seed: int) -> RenderedCase:
    """Return the case of a seed."""
    random = Random(f"rendered {seed}")
    form = FORMS[seed % len(FORMS)]
    command = COMMANDS[seed // len(FORMS) % len(COMMANDS)]
    others = [kind for kind in KINDS[1:] if random.random() < 0.5]
    base = Variant()
    variant = Variant(
        image=random.choice(_IMAGES[1:]),
        memory=random.choice(_MEMORY[1:]),
        replicas=random.choice((1, 3, 4)),
        team=random.choice(("", "blue")),
        prefix=random.choice(("", "dev-")),
        names_namespace=random.random() < 0.5,
    )
    histories = [one for one in HISTORIES if command != "handover" or one != "partly there"]
    return RenderedCase(
        seed=seed,
        form=form,
        kinds=("Deployment", *others),
        base=base,
        variant=variant,
        older=replace(variant, image=random.choice(_IMAGES), memory=random.choice(_MEMORY), team="old"),
        history=random.choice(histories),
        is_scaled=command == "handover" or random.random() < 0.4,
        command=command,
        to=random.choice(_ASKED.get(command, ("",))),
        shows_secrets=random.random() < 0.5,
    )


def objects(case: RenderedCase, variant: Variant, namespace: str) -> Sequence[JsonObject]:
    """Return the objects as they have to come out of what renders them, written independently of that."""
    where = {"namespace": namespace} if variant.names_namespace else {}
    labels = {"labels": {"team": variant.team}} if variant.team else {}
    return [
        {**one, "metadata": {"name": f"{variant.prefix}{one['metadata']['name']}", **where, **labels}}
        for one in (_plain(kind, variant) for kind in case.kinds)
    ]


def _plain(kind: str, variant: Variant) -> JsonObject:
    """Return an object of the base."""
    named: JsonObject = {"kind": kind, "metadata": {"name": _NAMES[kind]}}
    match kind:
        case "Deployment":
            container = {"name": "web", "image": variant.image, "resources": {"limits": {"memory": variant.memory}}}
            replicas = {} if variant.replicas is None else {"replicas": variant.replicas}
            template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [container]}}
            spec = {**replicas, "selector": {"matchLabels": {"app": "web"}}, "template": template}
            return {"apiVersion": "apps/v1", **named, "spec": spec}
        case "ConfigMap":
            return {"apiVersion": "v1", **named, "data": {"memory": variant.memory}}
        case "Secret":
            return {"apiVersion": "v1", **named, "stringData": {"token": f"held-{variant.memory}"}}
        case _:
            port = {"port": 80, "targetPort": 8080}
            return {"apiVersion": "v1", **named, "spec": {"selector": {"app": "web"}, "ports": [port]}}


def write_sources(case: RenderedCase, folder: Path, namespace: str, variant: Variant) -> None:
    """Write what renders ``variant``: in every form files hold other values than what comes out."""
    if case.form == "chart":
        _write_chart(case, folder, namespace, variant)
    else:
        _write_overlay(case, folder, namespace, variant)


def _object_of_kind(kind: str) -> JsonObject:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": _NAMES[kind]}}


def _write_overlay(case: RenderedCase, folder: Path, namespace: str, variant: Variant) -> None:
    base = replace(case.base, replicas=case.base.replicas if variant.replicas is not None else None)
    _write(folder, "apps/web/base/all.yaml", *(_plain(kind, base) for kind in case.kinds))
    _write(folder, "apps/web/base/kustomization.yaml", {"resources": ["all.yaml"]})
    patch = {"metadata": {"name": "web"}, "apiVersion": "apps/v1", "kind": "Deployment"}
    spec = {key: value for key, value in _plain("Deployment", variant)["spec"].items() if key != "selector"}
    _write(folder, f"{_CHANGED}/patch.yaml", {**patch, "spec": spec})
    values = {"ConfigMap": "data", "Secret": "stringData"}
    patches = [
        {"patch": dump({**_object_of_kind(kind), key: _plain(kind, variant)[key]})}
        for kind, key in values.items()
        if kind in case.kinds
    ]
    whole = {
        "resources": ["../../base"],
        "patches": [{"path": "patch.yaml"}, *patches],
        **({"namespace": namespace} if variant.names_namespace else {}),
        **({"namePrefix": variant.prefix} if variant.prefix else {}),
        **({"labels": [{"pairs": {"team": variant.team}}]} if variant.team else {}),
    }
    _write(folder, f"{_CHANGED}/kustomization.yaml", whole)


_CHART: Final = {
    "Deployment": """apiVersion: apps/v1
kind: Deployment
metadata:
{{- include "meta" (dict "name" "web" "top" .) }}
spec:
{{- if .Values.replicas }}
  replicas: {{ .Values.replicas }}
{{- end }}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: {{ .Values.image }}
          resources: {limits: {memory: {{ .Values.memory }}}}
""",
    "ConfigMap": """apiVersion: v1
kind: ConfigMap
metadata:
{{- include "meta" (dict "name" "settings" "top" .) }}
data: {memory: {{ .Values.memory }}}
""",
    "Service": """apiVersion: v1
kind: Service
metadata:
{{- include "meta" (dict "name" "web" "top" .) }}
spec:
  selector: {app: web}
  ports: [{port: 80, targetPort: 8080}]
""",
    "Secret": """apiVersion: v1
kind: Secret
metadata:
{{- include "meta" (dict "name" "token" "top" .) }}
stringData: {token: held-{{ .Values.memory }}}
""",
}
_META: Final = """{{ define "meta" }}
  name: {{ .top.Values.prefix }}{{ .name }}
{{- if .top.Values.namespace }}
  namespace: {{ .top.Values.namespace }}
{{- end }}
{{- if .top.Values.team }}
  labels: {team: {{ .top.Values.team }}}
{{- end }}
{{- end }}
"""


def _write_chart(case: RenderedCase, folder: Path, namespace: str, variant: Variant) -> None:
    _write(folder, "charts/shop/Chart.yaml", {"apiVersion": "v2", "name": "shop", "version": "1.0.0"})
    _write(folder, "charts/shop/values.yaml", _values(case.base, ""))
    _write(folder, "charts/dev.yaml", _values(variant, namespace if variant.names_namespace else ""))
    (folder / "charts/shop/templates").mkdir(exist_ok=True)
    (folder / "charts/shop/templates/_meta.tpl").write_text(_META)
    for kind in case.kinds:
        (folder / f"charts/shop/templates/{kind.lower()}.yaml").write_text(_CHART[kind])


def _values(variant: Variant, namespace: str) -> JsonObject:
    names = ("image", "memory", "replicas", "team", "prefix")
    return {**{name: getattr(variant, name) for name in names}, "namespace": namespace}


def _write(folder: Path, name: str, *content: JsonObject) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump_all(content, sort_keys=False))


def command_line(case: RenderedCase, words: str) -> str:
    """Return the command line for the objects; ``words`` is the command with its other arguments."""
    match case.form:
        case "kustomization":
            return f"kubectl applylint {words} -k {_CHANGED}"
        case "folder":
            return f"kubectl applylint {words} -f {_CHANGED}"
        case "chart":
            return f"kubectl applylint {words} -f helm:charts/shop:charts/dev.yaml"
        case _:
            return f"{PIPE} | kubectl applylint {words} -f -"


PIPE: Final = f"kubectl kustomize {_CHANGED}"
"""The command that writes to the pipe."""
