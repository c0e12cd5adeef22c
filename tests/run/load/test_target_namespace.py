"""Effects of ``spec.targetNamespace`` of Flux, as ``kubectl kustomize`` 1.36 wrote ``namespace: target``."""

from kubectl_applylint.run.load.target_namespace import in_target_namespace
from kubectl_applylint.sources.text.manifests import read_text

TEXT = """\
apiVersion: v1
kind: ServiceAccount
metadata: {name: web}
---
apiVersion: v1
kind: Namespace
metadata: {name: one}
---
apiVersion: example.com/v1
kind: Foo
metadata: {name: foo, namespace: x}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: b}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: x}
subjects:
- {kind: ServiceAccount, name: web}
- {kind: ServiceAccount, name: web, namespace: other}
- {kind: ServiceAccount, name: default}
- {kind: ServiceAccount, name: default, namespace: other}
- {kind: ServiceAccount, name: absent}
- {kind: User, name: web}
- web
"""


def test_names_follow_the_namespace_as_kustomize_writes_them() -> None:
    account, namespace, custom, binding = in_target_namespace(read_text(TEXT, "a.yaml").documents, "target")

    assert (account.ref.namespace, namespace.ref.name, custom.ref.namespace) == ("", "target", "target")
    assert namespace.object["metadata"]["name"] == "target"
    assert custom.object["metadata"]["namespace"] == "target"
    named = [one.get("namespace") if isinstance(one, dict) else one for one in binding.object["subjects"]]
    assert named == ["target", "other", "target", "target", None, None, "web"]
