"""The order of a sync and its steps, as gitops-engine has them."""

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.argocd.application import ArgoApplication, ArgoSync
from kubectl_applylint.tools.argocd.options import GROUP, PHASES, SYNC_PHASE
from kubectl_applylint.tools.argocd.order import Stage, steps, tasks
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


def names_and_waves(*objects: JsonObject) -> list[tuple[str, int]]:
    return [(task.item["metadata"]["name"], task.stage[1]) for task in tasks(objects, "shop")]


def in_sync(*waves: int) -> list[Stage]:
    return [(SYNC_PHASE, wave) for wave in waves]


def leaving(*objects: JsonObject, waves: tuple[int, ...] = ()) -> list[tuple[tuple[int, ...], list[str]]]:
    """Return the steps of a sync that these objects have left, by the names of what they prune."""
    found, _ = steps(SYNC, in_sync(*waves), objects)
    return [(step.places, sorted(name for *_, name in step.pruned)) for step in found]


def test_objects_are_sorted_by_wave_kind_and_name() -> None:
    service = manifest("Service", "s", "shop")

    assert names_and_waves(service, config("b"), config("a"), in_wave(config("c"), -1)) == [
        ("c", -1),
        ("a", 0),
        ("b", 0),
        ("s", 0),
    ]


def test_hooks_are_sorted_by_phase_before_waves() -> None:
    after, before = in_wave(config("after"), -5, hook="PostSync"), in_wave(config("before"), 5, hook="PreSync")
    both, during = in_wave(config("both"), 6, hook="PostSync,PreSync"), in_wave(config("during"), 1, hook="Sync")
    found = tasks([after, both, config("a"), during, before], "shop")

    assert [(PHASES[task.stage[0]], task.item["metadata"]["name"]) for task in found] == [
        ("PreSync", "before"),
        ("PreSync", "both"),
        ("Sync", "a"),
        ("Sync", "during"),
        ("PostSync", "after"),
    ]


def test_prune_last_comes_before_hooks_after_a_sync() -> None:
    last = in_wave(config("c"), 0, **{"sync-options": "PruneLast=true"})
    found, _ = steps(SYNC, [(0, 9), (SYNC_PHASE, 2), (2, -1)], [last])

    assert [(step.places, len(step.pruned)) for step in found] == [((0,), 0), ((1,), 0), ((), 1), ((2,), 0)]


def test_namespaces_and_definitions_come_before_the_first_object_that_needs_them() -> None:
    namespace = in_wave(manifest("Namespace", "shop"), 3)

    assert names_and_waves(in_wave(config("a"), 1), namespace) == [("shop", 1), ("a", 1)]
    assert names_and_waves(in_wave(WIDGET, -1), CRD) == [("widgets.example.com", -1), ("w", -1)]
    assert names_and_waves(CRD, config("a")) == [("a", 0), ("widgets.example.com", 0)]


def test_waves_of_what_is_pruned_are_mirrored_and_found_again_at_each_step() -> None:
    one, two, three = (in_wave(config(f"c{wave}"), wave) for wave in (1, 2, 5))

    assert leaving(one, two) == [((), ["c2"]), ((), ["c1"])]
    assert leaving(one, two, three) == [((), ["c5"]), ((), ["c2"]), ((), ["c1"])]
    assert leaving(one, two, waves=(0, 3)) == [((0,), []), ((), ["c2"]), ((), ["c1"]), ((1,), [])]


def test_prune_last_comes_after_all_waves() -> None:
    last = in_wave(config("c"), 0, **{"sync-options": "PruneLast=true"})

    assert leaving(last, waves=(0, 2)) == [((0,), []), ((1,), []), ((), ["c"])]


def test_a_sync_waits_for_a_confirmation_and_for_finalizers_of_others() -> None:
    asking = in_wave(config("c"), 1, **{"sync-options": "Prune=confirm"})
    held = {**config("h"), "metadata": {**config("h")["metadata"], "finalizers": ["example.com/held"]}}

    found, waits_for = steps(SYNC, in_sync(0, 1), [{**asking, "metadata": {**asking["metadata"], "name": "d"}}, asking])
    assert [step.places for step in found] == [(0,)]
    assert str(waits_for) == "waiting for pruning confirmation of /ConfigMap/c and 1 more resources"
    found, waits_for = steps(SYNC, in_sync(0, 1), [held])
    assert ([step.places for step in found], str(waits_for)) == ([(0,)], "waiting for deletion of /ConfigMap/h")
    assert steps(SYNC, in_sync(0), [held])[1] is None
