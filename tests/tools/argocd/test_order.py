"""The order of a sync and its steps, as gitops-engine has them."""

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.argocd.application import ArgoApplication, ArgoSync
from kubectl_applylint.tools.argocd.options import GROUP
from kubectl_applylint.tools.argocd.order import steps, tasks
from tests.engine.test_set_apply import config, manifest

SYNC = ArgoSync(ArgoApplication("app", "shop"), prunes=True)
CRD = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.example.com"},
    "spec": {"group": "example.com", "names": {"kind": "Widget"}},
}
WIDGET = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w", "namespace": "shop"}}


def in_wave(item: JsonObject, wave: int, **more: str) -> JsonObject:
    annotations = {f"{GROUP}/sync-wave": str(wave), **{f"{GROUP}/{key}": text for key, text in more.items()}}
    return {**item, "metadata": {**item["metadata"], "annotations": annotations}}


def ordered(*objects: JsonObject) -> list[tuple[str, int]]:
    return [(task.item["metadata"]["name"], task.wave) for task in tasks(objects, "shop")]


def leaving(*objects: JsonObject, waves: tuple[int, ...] = ()) -> list[tuple[tuple[int, ...], list[str]]]:
    """Return the steps of a sync that these objects have left, by the names of what they prune."""
    found, _ = steps(SYNC, waves, objects)
    return [(step.places, sorted(name for *_, name in step.pruned)) for step in found]


def test_objects_are_sorted_by_wave_kind_and_name() -> None:
    service = manifest("Service", "s", "shop")

    assert ordered(service, config("b"), config("a"), in_wave(config("c"), -1)) == [
        ("c", -1),
        ("a", 0),
        ("b", 0),
        ("s", 0),
    ]


def test_namespaces_and_definitions_come_before_the_first_object_that_needs_them() -> None:
    namespace = in_wave(manifest("Namespace", "shop"), 3)

    assert ordered(in_wave(config("a"), 1), namespace) == [("shop", 1), ("a", 1)]
    assert ordered(in_wave(WIDGET, -1), CRD) == [("widgets.example.com", -1), ("w", -1)]
    assert ordered(CRD, config("a")) == [("a", 0), ("widgets.example.com", 0)]


def test_waves_of_what_is_pruned_are_mirrored_and_found_again_at_each_step() -> None:
    one, two, three = (in_wave(config(f"c{wave}"), wave) for wave in (1, 2, 5))

    assert leaving(one, two) == [((), ["c2"]), ((), ["c1"])]
    assert leaving(one, two, three) == [((), ["c5"]), ((), ["c2"]), ((), ["c1"])]
    assert leaving(one, two, waves=(0, 3)) == [((0,), []), ((), ["c2"]), ((), ["c1"]), ((1,), [])]


def test_what_is_pruned_last_comes_after_all_waves() -> None:
    last = in_wave(config("c"), 0, **{"sync-options": "PruneLast=true"})

    assert leaving(last, waves=(0, 2)) == [((0,), []), ((1,), []), ((), ["c"])]


def test_a_sync_waits_for_a_confirmation_and_for_finalizers_of_others() -> None:
    asking = in_wave(config("c"), 1, **{"sync-options": "Prune=confirm"})
    held = {**config("h"), "metadata": {**config("h")["metadata"], "finalizers": ["example.com/held"]}}

    found, waits_for = steps(SYNC, (0, 1), [{**asking, "metadata": {**asking["metadata"], "name": "d"}}, asking])
    assert [step.places for step in found] == [(0,)]
    assert str(waits_for) == "waiting for pruning confirmation of /ConfigMap/c and 1 more resources"
    found, waits_for = steps(SYNC, (0, 1), [held])
    assert ([step.places for step in found], str(waits_for)) == ([(0,)], "waiting for deletion of /ConfigMap/h")
    assert steps(SYNC, (0,), [held])[1] is None
