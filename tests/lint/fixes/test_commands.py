import pytest

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.fixes.commands import Apply, Command, Delete, MergePatch, NoChange, Removal, command

WEB = ObjectRef("apps/v1", "Deployment", "shop", "web")
NO_MARK = {"metadata": {"annotations": {"example.com/mark": None}}}


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("kubectl get deployment/web -n shop -o yaml", NoChange()),
        ("kubectl get pods -A -o yaml | grep -n web", NoChange()),
        ("kubectl diff -f web.yaml", NoChange()),
        ("kubectl apply --dry-run=server -f web.yaml", NoChange()),
        ("kubectl delete deployment/web -n shop", Delete()),
        ("kubectl delete deployment.apps/web -n shop --cascade=orphan", Delete()),
        ("kubectl annotate deployment/web -n shop example.com/mark-", MergePatch(NO_MARK, "kubectl-annotate")),
        (
            'kubectl patch deployment/web -n shop --type=merge -p \'{"spec":{"paused":null}}\'',
            MergePatch({"spec": {"paused": None}}, "kubectl-patch"),
        ),
        (
            'kubectl patch deployment/web -n shop --type=json -p \'[{"op":"test","path":"/a","value":1},'
            '{"op":"remove","path":"/a/example.com~1b/0"}]\'',
            Removal((("a", "example.com/b", "0"),)),
        ),
        ("kubectl apply -f web.yaml -f 'two words.yaml'", Apply(("web.yaml", "two words.yaml"))),
        ("kubectl apply -k overlays/prod", Apply((), "overlays/prod")),
        (
            "kubectl apply --server-side --force-conflicts --force-conflicts=false --field-manager=ci -f web.yaml",
            Apply(("web.yaml",), server_side=True, field_manager="ci"),
        ),
    ],
)
def test_a_command_is_what_kubectl_does_for_it(text: str, done: Command) -> None:
    assert command(text, WEB) == done


@pytest.mark.parametrize(
    "text",
    [
        "",
        "kubectl",
        "helm upgrade web .",
        "kubectl delete deployment/web -n other",
        "kubectl delete deployment/web",
        "kubectl delete service/web -n shop",
        "kubectl delete deployment/web -n shop --wait=false",
        "kubectl delete deployment/web -n shop && kubectl apply -f web.yaml",
        "kubectl get deployment/web -n shop -o yaml > before.yaml",
        "kubectl get deployment/web -n shop -o yaml | kubectl replace -f -",
        'kubectl patch deployment/web -n shop --type=json -p "$(cat patch)"',
        "kubectl patch deployment/web -n shop --type=merge -p '{'",
        "kubectl patch deployment/web -n shop -p '{}'",
        'kubectl patch deployment/web -n shop --type=json -p \'[{"op":"add","path":"/a","value":1}]\'',
        "kubectl annotate deployment/web -n shop example.com/mark=new",
        "kubectl apply set-last-applied -f web.yaml",
        "kubectl apply -f 'web.yaml",
        "kubectl edit deployment/web -n shop",
    ],
)
def test_a_command_with_an_unpredictable_effect_is_unknown(text: str) -> None:
    assert command(text, WEB) is None
