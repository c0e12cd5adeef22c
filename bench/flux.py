"""A repository of Flux, as people have them at home: many Kustomizations, each with a HelmRelease from a registry."""

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kubectl_applylint.sources.render.packed_chart import archive
from tests.sources.store.chart_server import PEM, ChartServer, serving

CHART: Final = "app"
VERSION: Final = "1.0.0"
AUTHORITY: Final = str(PEM / "authority.crt")
CLUSTER: Final = "clusters/home"
_SYNC: Final = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1h, url: "https://example.com/home.git", ref: {branch: main}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1h, prune: true, path: ./clusters/home, sourceRef: {kind: GitRepository, name: flux-system}}
"""
_KUSTOMIZATION: Final = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: %(name)s, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./apps/%(name)s
  targetNamespace: %(namespace)s
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild: {substitute: {APP: %(name)s}}
"""
_RELEASE: Final = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: %(name)s}
spec: {interval: 1h, url: "oci://%(registry)s/charts/app", ref: {tag: 1.0.0}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: %(name)s}
spec:
  interval: 1h
  chartRef: {kind: OCIRepository, name: %(name)s}
  values:
    image: {repository: ghcr.io/example/%(name)s, tag: 2.%(number)d.0}
    labels: {app: "${APP}"}
    replicas: 2
"""
_SETTINGS: Final = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: %(name)s-settings}
data: {level: info, app: "${APP}"}
"""
_TEMPLATES: Final[Mapping[str, bytes]] = {
    "Chart.yaml": b"apiVersion: v2\nname: app\nversion: 1.0.0\nappVersion: 1.0.0\n",
    "values.yaml": b"image: {repository: example, tag: 1.0.0}\nlabels: {}\nreplicas: 1\nport: 8080\n",
    "templates/_labels.tpl": b"""\
{{- define "app.labels" -}}
app.kubernetes.io/name: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- range $name, $text := .Values.labels }}
{{ $name }}: {{ $text | quote }}
{{- end }}
{{- end -}}
""",
    "templates/deployment.yaml": b"""\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
  labels: {{- include "app.labels" . | nindent 4 }}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app.kubernetes.io/name: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app.kubernetes.io/name: {{ .Release.Name }}}}
    spec:
      containers:
        - name: app
          image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"
          ports: [{containerPort: {{ .Values.port }}}]
          envFrom: [{configMapRef: {name: {{ .Release.Name }}-settings}}]
""",
    "templates/service.yaml": b"""\
apiVersion: v1
kind: Service
metadata: {name: {{ .Release.Name }}}
spec:
  selector: {app.kubernetes.io/name: {{ .Release.Name }}}
  ports: [{port: {{ .Values.port }}}]
""",
}


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository whose charts are downloaded, and a folder for the caches of other programs."""

    folder: Path
    cache: Path
    program: Sequence[str]
    settings: Path
    environment: Mapping[str, str]
    """The variables with which programs trust the registry."""

    def command(self, *, compares: bool, keeps: bool) -> list[str]:
        """Return how this program is called: to plan the last commit, or to render everything."""
        wanted = ["plan", "--against", "HEAD~1", "--exit-zero"] if compares else ["render", "."]
        return [*self.program, *wanted, "--config", str(self.settings), *([] if keeps else ["--no-cache"])]


@contextmanager
def repository_with_charts(
    folder: Path, count: int, program: Sequence[str], environment: Mapping[str, str]
) -> Iterator[Repository]:
    """Yield a new repository with its charts in the store of ``program``; a registry serves them until the block ends.

    This program asks a mirror of the registry without TLS.
    """
    charts = {(CHART, VERSION): archive(_TEMPLATES)}
    with serving(ChartServer(charts), "server.crt") as registry, serving(ChartServer(charts)) as mirror:
        address = f"127.0.0.1:{registry.port}"
        write(folder / "repository", count, address)
        settings = folder / "trusted.yaml"
        settings.write_text(f'mirrors: {{"{address}": "http://127.0.0.1:{mirror.port}"}}\n', encoding="utf-8")
        found = Repository(folder / "repository", folder / "cache", program, settings, {"SSL_CERT_FILE": AUTHORITY})
        fetch = [*program, "fetch", ".", "--config", str(settings)]
        subprocess.run(fetch, cwd=found.folder, env=environment, check=True, capture_output=True)
        yield found


def write(folder: Path, count: int, registry: str) -> Path:
    """Write a repository of git with ``count`` applications, whose charts are in a registry.

    Its branch ``settings`` changes one ConfigMap, ``release`` one image in the values of a HelmRelease.
    """
    for name, text in _files(count, registry):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    _git(folder, "init", "-q", "-b", "main")
    _commit(folder)
    for branch, file, was, now in (
        ("settings", "settings.yaml", "level: info", "level: debug"),
        ("release", "release.yaml", "tag: 2.0.0}", "tag: 2.0.1}"),
    ):
        _git(folder, "checkout", "-q", "-b", branch, "main")
        path = folder / "apps" / "app-00" / file
        path.write_text(path.read_text(encoding="utf-8").replace(was, now), encoding="utf-8")
        _commit(folder)
    return folder


def check_out(folder: Path, branch: str) -> None:
    """Check out a branch of a repository that ``write`` has written."""
    _git(folder, "checkout", "-q", branch)


def _files(count: int, registry: str) -> Iterator[tuple[str, str]]:
    """Yield the files of a repository with their texts."""
    yield f"{CLUSTER}/flux-system/gotk-sync.yaml", _SYNC
    for number in range(count):
        words = {
            "name": f"app-{number:02}",
            "namespace": f"team-{number % 5}",
            "number": number,
            "registry": registry,
        }
        home = f"apps/{words['name']}"
        yield f"{CLUSTER}/apps/{words['name']}.yaml", _KUSTOMIZATION % words
        yield f"{home}/kustomization.yaml", "resources: [release.yaml, settings.yaml]\n"
        yield f"{home}/release.yaml", _RELEASE % words
        yield f"{home}/settings.yaml", _SETTINGS % words


def _commit(folder: Path) -> None:
    _git(folder, "add", "-A")
    _git(folder, "-c", "user.name=bench", "-c", "user.email=bench@example.com", "commit", "-q", "-m", "x")


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)
