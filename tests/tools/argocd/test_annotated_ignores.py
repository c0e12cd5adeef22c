"""Ignored differences in an annotation of Argo CD 3.6."""

from pathlib import Path

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.tools.argocd.annotated_ignores import annotated_rules
from kubectl_applylint.tools.argocd.ignores import IgnoreRule
from tests.rules.stories import document
from tests.run.running import DIR, WEB, plan, runs, write

APPLICATION = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  source: {path: shop}
  destination: {name: in-cluster, namespace: shop}
  syncPolicy: {syncOptions: [%s]}
"""
ANNOTATED = WEB.replace(
    "{name: web}\nspec:",
    '{name: web, annotations: {argocd.argoproj.io/ignore-differences: "jsonPointers: [/spec/replicas]"}}\nspec:',
    1,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("jsonPointers:\n- /spec/replicas\n- /spec/paused\n", ("/spec/replicas", "/spec/paused")),
        ('{"jsonPointers": ["/spec"]}', ("/spec",)),
        ("jsonPointers: [/spec, 1]", ()),
        ("jsonPointers: []", ()),
        ("jqPathExpressions: [.spec]", ()),
        ("jsonPointers: [", ()),
        ("", ()),
        (None, ()),
    ],
    ids=["list", "JSON", "number", "empty list", "expressions", "broken", "empty", "none"],
)
def test_pointers_are_read_as_the_library_reads_them(text: str | None, expected: tuple[str, ...]) -> None:
    """Facts: ``ExtractIgnoreDifferencesFromAnnotations`` of Argo CD 3.6.1 and its tests."""
    metadata = {"name": "web", "namespace": "shop", "annotations": {"argocd.argoproj.io/ignore-differences": text}}
    item = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata}
    rules = [IgnoreRule("apps", "Deployment", "web", "shop", expected)] if expected else []

    assert [*annotated_rules([document(item)])] == rules


@pytest.mark.parametrize(
    ("option", "verdict"), [("RespectIgnoreDifferences=true", "unchanged"), ("Validate=true", "configured")]
)
def test_a_respected_difference_keeps_its_live_value(
    option: str, verdict: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    for folder, text in (("before", ANNOTATED), ("all", ANNOTATED.replace("replicas: 1", "replicas: 3"))):
        write(Path(folder), {"argo/shop.yaml": APPLICATION % option, "shop/web.yaml": text})
    found = plan(runs(against=DIR, flags=Flags(asked=AskedApplier(None)))).outcomes

    assert [str(outcome.verdict) for _, outcome in found] == [verdict]
