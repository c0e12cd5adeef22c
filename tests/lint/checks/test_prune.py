import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.checks._prune import flags_without_kind
from tests.rules.stories import subject

WEB: JsonObject = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web"},
    "spec": {
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {"containers": [{"name": "web", "image": "nginx"}]},
        },
    },
}
OTHERS = tuple(
    {"apiVersion": "v1", "kind": kind, "metadata": {"name": "shop"}} for kind in ("ConfigMap", "Secret", "Namespace")
)


@pytest.mark.parametrize(
    ("allowed", "typed"),
    [
        ((), "--prune-allowlist=core/v1/ConfigMap --prune-allowlist=core/v1/Secret"),
        (("core/v1/Secret", "apps/v1/Deployment", "core/v1/PersistentVolumeClaim"), "--prune-allowlist=core/v1/Secret"),
    ],
    ids=["kinds of the run", "kinds of its flags"],
)
def test_a_prune_that_spares_a_kind(allowed: tuple[str, ...], typed: str) -> None:
    flags = Flags(prune=True, selector="set=shop", prune_allowlist=allowed)

    assert flags_without_kind(subject(WEB, peers=OTHERS, flags=flags)) == f" --prune --selector=set=shop {typed}"


@pytest.mark.parametrize(
    "flags",
    [Flags(), Flags(prune=True, applyset="shop"), Flags(prune=True, prune_allowlist=("apps/v1/Deployment",))],
    ids=["no prune", "ApplySet", "no other kind"],
)
def test_nothing_is_pruned_where_no_other_kind_can_be_named(flags: Flags) -> None:

    assert flags_without_kind(subject(WEB, peers=OTHERS, flags=flags)) == ""
