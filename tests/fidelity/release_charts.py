"""Random charts, with what charts use: values, built-in objects, named templates, hooks, definitions, subcharts."""

import json
from random import Random

HELPERS = """\
{{- define "shop.name" -}}{{ .Release.Name }}-{{ .Chart.Name }}{{- end }}
{{- define "shop.labels" -}}
app: {{ .Chart.Name }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- with .Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end }}
"""
PARTS = (
    "kinds: {{ kindOf .Values.replicas }}-{{ kindOf .Values.big }}-{{ kindOf .Values.a }}-{{ kindOf .Values.half }}",
    "printed: {{ .Values.big | quote }}",
    "whole: {{ .Values.big | int | quote }}",
    'values: {{ omit .Values "sub" | toYaml | quote }}',
    "release: {{ .Release.Name }}.{{ .Release.Namespace }}.{{ .Release.IsUpgrade }}.{{ .Release.Service }}",
    'apis: {{ .Capabilities.APIVersions.Has "monitoring.coreos.com/v1" | quote }}',
    "version: {{ .Capabilities.KubeVersion.Version | quote }}",
    'newer: {{ semverCompare ">=1.35-0" .Capabilities.KubeVersion.Version | quote }}',
    'tpl: {{ tpl (.Values.odd | default "none" | toString) . | quote }}',
    'lookup: {{ lookup "v1" "Secret" .Release.Namespace "x" | toJson | quote }}',
    'file: {{ .Files.Get "files/some.txt" | quote }}',
    'name: {{ include "shop.name" . }}',
    "tag: {{ (.Values.image).tag | quote }}",
    "sum: {{ .Values.replicas | default 1 | int | add 1 | quote }}",
    "text: {{ .Values.text | toJson }}",
    "sha: {{ .Values | toJson | sha256sum | trunc 20 | quote }}",
    "global: {{ .Values.global | toJson | quote }}",
    'is: {{ eq (.Values.a | toString) "web" | quote }}',
    "template: {{ .Template.Name | base | quote }}",
    'chart: {{ .Chart.AppVersion | default "none" | quote }}',
)
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "shop.name" . }}
  labels: {{- include "shop.labels" . | nindent 4 }}
spec:
  replicas: {{ .Values.replicas | default 1 }}
  selector: {matchLabels: {app: {{ .Chart.Name }}}}
  template:
    metadata:
      labels: {app: {{ .Chart.Name }}}
      annotations: {checksum/config: {{ .Values | toJson | sha256sum }}}
    spec:
      containers:
      - name: main
        image: "{{ (.Values.image).repository | default "shop" }}:{{ (.Values.image).tag | default .Chart.AppVersion }}"
        {{- with .Values.ports }}
        ports: {{- toYaml . | nindent 8 }}
        {{- end }}
"""
SERVICES = """\
{{- range $index, $name := list "web" "api" }}
---
apiVersion: v1
kind: Service
metadata:
  name: shop-{{ $name }}
  {{- if eq $index 1 }}
  labels: {drop: me}
  {{- end }}
spec: {ports: [{port: {{ add 80 $index }}}]}
{{- end }}
"""
HOOK = """\
{{- if .Values.hooks }}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-migrate
  annotations: {"helm.sh/hook": "HOOK", "helm.sh/hook-weight": "-5"}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: "web:1"}]}}}
{{- end }}
"""
TWIN = """\
apiVersion: v1
kind: ServiceAccount
metadata: {name: shop, annotations: {"helm.sh/hook": pre-install}}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: shop}
"""
ITEMS = """\
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: first, namespace: other}
  data: {a: "1"}
- apiVersion: v1
  kind: Secret
  metadata: {name: second}
  stringData: {a: {{ .Values.a | toString | quote }}}
"""
MONITOR = """\
{{- if .Capabilities.APIVersions.Has "monitoring.coreos.com/v1/ServiceMonitor" }}
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: shop, labels: null}
spec: {endpoints: [{port: http}]}
{{- end }}
"""
REQUIRED = (
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: need}\ndata: {a: {{ required "set a" .Values.a | quote }}}\n'
)
DEFINITIONS = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.example.org}
spec: {group: example.org}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: beside}
"""
SCHEMA = json.dumps(
    {"type": "object", "properties": {"replicas": {"type": "number"}, "a": {"type": ["string", "null"]}}}
)
DEFAULTS = """\
a: default
image: {repository: shop, tag: "1"}
deep: {a: {b: default, d: kept}}
big: 1000000
replicas: 1
text: x
global: {zone: us, other: 1}
sub: {a: from-parent}
"""


def random_chart(random: Random) -> dict[str, str]:
    """Return the files of a chart."""
    files = {
        "templates/_helpers.tpl": HELPERS,
        "templates/config.yaml": _config(random, "config"),
        "values.yaml": DEFAULTS,
        "values-prod.yaml": "a: prod\ndeep: {a: {d: 2}}\nbig: 5000000\n",
        "ci/values.yaml": "list: [1]\nimage: {tag: ci}\nlabels: {ci: 'yes'}\n",
        "files/some.txt": "some {{ text }}\n",
        "templates/NOTES.txt": "Notes {{ .Release.Name }}",
    }
    optional = {
        "templates/deployment.yaml": (0.7, DEPLOYMENT),
        "templates/services.yaml": (0.6, SERVICES),
        "templates/hook.yaml": (
            0.5,
            HOOK.replace("HOOK", random.choice(["pre-upgrade", "test", "post-install,pre-delete", "odd"])),
        ),
        "templates/twin.yaml": (0.08, TWIN),
        "templates/items.yaml": (0.2, ITEMS),
        "templates/monitor.yaml": (0.4, MONITOR),
        "templates/need.yaml": (0.2, REQUIRED),
        "templates/deep/config.yml": (0.2, _config(random, "deep")),
        "templates/empty.yaml": (0.2, "# nothing\n---\n---\n"),
        "templates/generated.yaml": (0.02, "apiVersion: v1\nkind: Pod\nmetadata: {generateName: x-}\n"),
        "crds/lamps.yaml": (0.4, DEFINITIONS),
        "values.schema.json": (0.2, SCHEMA),
    }
    files |= {path: text for path, (share, text) in optional.items() if random.random() < share}
    chart = {"apiVersion": "v2", "name": "shop", "version": "1.2.3+build"}
    if random.random() < 0.7:
        chart["appVersion"] = random.choice(["2.0", "v3"])
    if random.random() < 0.05:
        chart["kubeVersion"] = ">=1.35.0-0"
    dependencies = _subcharts(random, files)
    files["Chart.yaml"] = json.dumps({**chart, **({"dependencies": dependencies} if dependencies else {})})
    return files


def _config(random: Random, name: str) -> str:
    chosen = "\n".join(f"  {one}" for one in random.sample(PARTS, random.randint(3, 8)))
    return (
        "apiVersion: v1\nkind: ConfigMap\n"
        f'metadata:\n  name: {name}\n  labels: {{{{- include "shop.labels" . | nindent 4 }}}}\ndata:\n{chosen}\n'
    )


def _subcharts(random: Random, files: dict[str, str]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for name in ("sub", "extra"):
        if random.random() > 0.4:
            continue
        dependency: dict[str, object] = {"name": name, "version": "0.1.0", "repository": "https://charts.example.org"}
        choices: dict[str, object] = {
            "condition": f"{name}.enabled",
            "tags": ["extra"],
            "alias": f"{name}-alias",
            "import-values": [{"child": "exported", "parent": "imported"}],
        }
        dependency |= {key: value for key, value in choices.items() if random.random() < 0.3}
        found.append(dependency)
        start = f"charts/{name}"
        files[f"{start}/Chart.yaml"] = json.dumps({"apiVersion": "v2", "name": name, "version": "0.1.0"})
        files[f"{start}/values.yaml"] = "a: own\nexported: {x: 1000000}\n"
        files[f"{start}/templates/config.yaml"] = (
            _config(random, f"{name}-config")
            .replace('{{- include "shop.labels" . | nindent 4 }}', "{x: y1}")
            .replace('{{ include "shop.name" . }}', "none")
        )
        if random.random() < 0.3:
            files[f"{start}/crds/more.yaml"] = DEFINITIONS.replace("lamps", name)
    return found
