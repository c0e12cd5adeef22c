"""The cache never holds what Secrets and recognized credentials of a repository hold, however they are rendered."""

import base64
import os
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind
from kubectl_applylint.sources.store.store_place import Store, use_store
from tests.run.running import write
from tests.sources.repositories import create
from tests.sources.store.packed import packed_chart

pytestmark = [pytest.mark.slow, pytest.mark.cluster]
FLUX = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild:
    substitute: {ADMIN_PASSWORD: Zq7-substitute-Kw9xPv3Tq5}
    substituteFrom: [{kind: Secret, name: variables}]
---
apiVersion: v1
kind: Secret
metadata: {name: variables, namespace: flux-system}
stringData: {token: Zq7-variable-Kw9xPv3Tq5}
"""
SOURCE = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: charts, namespace: shop}
spec: {url: "https://user:Zq7-source-Kw9xPv3Tq5@charts.example.com"}
"""
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: %s, namespace: shop}
spec:
  chart: {spec: {chart: web, version: 1.2.3, sourceRef: {kind: HelmRepository, name: charts}}}
%s"""
APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  destination: {namespace: shop, server: https://kubernetes.default.svc}
  source:
    repoURL: https://charts.example.com
    chart: web
    targetRevision: 1.2.3
    helm:
      valuesObject: {settings: {adminPassword: Zq7-object-Kw9xPv3Tq5}}
      parameters: [{name: settings.password, value: Zq7-parameter-Kw9xPv3Tq5}]
"""
TEMPLATE = b"""apiVersion: v1
kind: ConfigMap
metadata: {name: '{{ .Release.Name }}-settings'}
data:
  settings.ini: |
    {{- range $key, $value := .Values.settings }}
    {{ $key | trunc 2 }}x {{ $value }}
    {{- end }}
"""
APPS = ("source", "plain", "from", "inline", "url", "map", "target")
FILES = {
    "cluster/flux.yaml": FLUX,
    "apps/kustomization.yaml": f"resources: [{', '.join(f'{name}.yaml' for name in APPS)}]\n",
    "apps/source.yaml": SOURCE,
    "apps/plain.yaml": """\
apiVersion: v1
kind: ConfigMap
metadata: {name: plain, namespace: shop}
data: {a: '${token}', b: '${ADMIN_PASSWORD}'}
""",
    "apps/from.yaml": RELEASE % ("from", "  valuesFrom: [{kind: Secret, name: values}]\n"),
    "apps/inline.yaml": RELEASE % ("inline", "  values: {settings: {password: Zq7-inline-Kw9xPv3Tq5}}\n"),
    "apps/url.yaml": RELEASE % ("url", "  values: {settings: {at: 'postgres://app:Zq7-url-Kw9xPv3Tq5@db/x'}}\n"),
    "values/values.yaml": """\
apiVersion: v1
kind: Secret
metadata: {name: values, namespace: shop}
stringData: {values.yaml: "settings: {some: Zq7-from-Kw9xPv3Tq5}"}
""",
    "values/map.yaml": """\
apiVersion: v1
kind: ConfigMap
metadata: {name: values, namespace: shop}
data: {values.yaml: "settings: {apiToken: Zq7-map-Kw9xPv3Tq5}", number: "1"}
""",
    "apps/map.yaml": RELEASE % ("map", "  valuesFrom: [{kind: ConfigMap, name: values}]\n"),
    "apps/target.yaml": RELEASE
    % ("target", "  valuesFrom: [{kind: Secret, name: variables-of, valuesKey: t, targetPath: settings.x}]\n"),
    "values/target.yaml": """\
apiVersion: v1
kind: Secret
metadata: {name: variables-of, namespace: shop}
data: {t: WnE3LXRhcmdldC1Ldzl4UHYzVHE1}
""",
    "sets/set.yaml": """\
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: set, namespace: shop}
spec:
  inputsFrom: [{kind: ResourceSetInputProvider, name: provider}]
  inputs: [{name: a, password: Zq7-input-Kw9xPv3Tq5}]
  resources:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: << inputs.name >>, namespace: shop}
    data: {x: << inputs.password >>}
---
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSetInputProvider
metadata: {name: provider, namespace: shop}
spec: {type: Static, defaultValues: {name: b, password: Zq7-provider-Kw9xPv3Tq5}}
""",
    "chart/Chart.yaml": "apiVersion: v2\nname: own\nversion: 1.0.0\n",
    "chart/values.yaml": "settings: {password: Zq7-own-Kw9xPv3Tq5}\n",
    "chart/templates/settings.yaml": TEMPLATE.decode(),
    "generated/kustomization.yaml": """\
secretGenerator: [{name: made, literals: [password=Zq7-generated-Kw9xPv3Tq5]}]
configMapGenerator: [{name: map, literals: [DB_PASSWORD=Zq7-literal-Kw9xPv3Tq5]}]
""",
    "argocd/cm.yaml": """\
apiVersion: v1
kind: ConfigMap
metadata: {name: argocd-cm, namespace: argocd, labels: {app.kubernetes.io/part-of: argocd}}
data: {dex.config: "connectors: [{config: {clientSecret: Zq7-dex-Kw9xPv3Tq5}}]", application.instanceLabelKey: x}
""",
    "argocd/web.yaml": APPLICATION,
    "own/kustomization.yaml": "resources: [deployment.yaml]\n",
    "own/deployment.yaml": """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: own, namespace: shop}
spec:
  selector: {matchLabels: {app: own}}
  template:
    metadata: {labels: {app: own}}
    spec:
      containers: [{name: own, image: own, env: [{name: DB_PASSWORD, value: Zq7-variable-of-Kw9xPv3Tq5}]}]
""",
    "links/kustomization.yaml": "resources: [map.yaml]\n",
    "links/map.yaml": """\
apiVersion: v1
kind: ConfigMap
metadata: {name: links, namespace: shop}
data: {dsn: "postgres://app:Zq7-link-Kw9xPv3Tq5@db/x"}
""",
}


def cached_texts(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the entries of a cache, unpacked and as they are."""
    for path in (one for one in folder.rglob("*") if one.is_file()):
        content = path.read_bytes()
        yield str(path.relative_to(folder)), content
        try:
            yield str(path.relative_to(folder)), zlib.decompress(content[32:])
        except zlib.error:
            continue


def test_no_value_of_a_secret_is_cached(tmp_path: Path, helm: Path, kubectl: Path) -> None:
    cache, repo = tmp_path / "cache", create(tmp_path / "repo")
    cache.mkdir(mode=0o700)
    more = [("templates/settings.yaml", TEMPLATE)]
    with use_store(Store(str(cache))):
        for url in ("https://user:x@charts.example.com", "https://charts.example.com"):
            store.add(ChartSource(SourceKind.HELM, url, "web", "1.2.3"), packed_chart(more=more))
    repo.commit(FILES)
    write(repo.folder, {path: text.replace("Kw9xPv3Tq5", "Jw8yQu2Rp4") for path, text in FILES.items()})

    environ = {**os.environ, "APPLYLINT_CACHE_DIR": str(cache), "PYTHONPATH": os.getcwd()}
    environ["PATH"] = os.pathsep.join([str(helm.parent), str(kubectl.parent), os.environ["PATH"]])
    for command in (["plan", "--against", "HEAD"], ["check", "--against", "HEAD"], ["check", "."], ["units"]):
        program = [sys.executable, "-m", "kubectl_applylint", *command]
        done = subprocess.run(program, cwd=repo.folder, env=environ, capture_output=True, text=True, timeout=120)
        assert done.returncode in (0, 1, 3), done.stderr

    entries = dict(enumerate(cached_texts(cache)))
    assert any(name.startswith("renders") for name, _ in entries.values())
    words = [b"Kw9xPv3Tq5", b"Jw8yQu2Rp4"]
    forms = [*words, *(base64.b64encode(bytes(shift) + word)[4:12] for word in words for shift in range(3))]
    assert {name: text for name, text in entries.values() if any(form in text for form in forms)} == {}
