"""Effects of an apply on one object: owners after a server-side apply, and laws of every apply."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import Confidence, Level, Outcome, Verdict
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import Absent, Knowledge, Present, State, Unknown
from kubectl_applylint.core.values import Json, JsonObject, equal
from kubectl_applylint.engine.predict import predict
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.walk import walk
from kubectl_applylint.server.ownership import without_managed_fields
from tests.fidelity.edits import donors, edit
from tests.fidelity.manifests import BASES, load_all

SCHEMA = load("1.36")


def config_map(**data: Json) -> JsonObject:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "settings", "namespace": "shop"},
        "data": data,
    }


def predict_server_side(
    live: JsonObject | None, manifest: JsonObject, manager: str = "ci", *, force: bool = False
) -> Outcome:
    request = ApplyRequest(
        manifest,
        State(Absent() if live is None else Present(live)),
        SCHEMA,
        Applier.KUBECTL_SERVER,
        field_manager=manager,
        force_conflicts=force,
    )
    return predict(request)


def stored_by(*applies: tuple[str, JsonObject]) -> JsonObject:
    """Return the object that forced applies by some managers leave."""
    live: JsonObject | None = None
    for manager, manifest in applies:
        live = predict_server_side(live, manifest, manager, force=True).result
    assert live is not None

    return live


def causes(outcome: Outcome) -> dict[str, str]:
    return {render(change.path): str(change.provenance) for change in outcome.changes}


def moves(outcome: Outcome) -> dict[str, tuple[str, str]]:
    return {render(c.path): (",".join(map(str, c.before)), ",".join(map(str, c.after))) for c in outcome.owner_changes}


@pytest.mark.parametrize(
    ("earlier", "manifest", "expected"),
    [
        pytest.param(
            [("ci", config_map(a="1", b="2"))],
            config_map(a="1"),
            {"data.b": "removed because no other manager owns it"},
            id="dropped",
        ),
        pytest.param(
            [("ci", config_map(a="1", b="2")), ("team", config_map(b="2"))],
            config_map(a="1"),
            {"data.b": "kept because it is shared with team"},
            id="dropped but shared",
        ),
        pytest.param(
            [("team", config_map(b="2")), ("ci", config_map(a="1"))],
            config_map(a="1"),
            {"data.b": "kept from live (manager team)"},
            id="never ours",
        ),
        pytest.param(
            [("team", config_map(b="2"))],
            config_map(b="3"),
            {"data.b": "set by the manifest (taken from team)"},
            id="taken",
        ),
        pytest.param([("team", config_map(b="2"))], config_map(b="2"), {}, id="joined"),
    ],
)
def test_changes_of_a_server_side_apply_name_the_managers(
    earlier: list[tuple[str, JsonObject]], manifest: JsonObject, expected: dict[str, str]
) -> None:
    assert causes(predict_server_side(stored_by(*earlier), manifest, force=True)) == expected


def test_a_forced_apply_takes_fields() -> None:
    outcome = predict_server_side(stored_by(("team", config_map(a="1", b="2"))), config_map(a="3", b="2"), force=True)

    assert (outcome.verdict, outcome.conflicts, moves(outcome)) == (
        Verdict.SERVERSIDE_APPLIED,
        (),
        {"data.a": ("team", "ci"), "data.b": ("team", "ci,team")},
    )


def test_a_conflict_says_with_whom_and_what_force_would_do() -> None:
    outcome = predict_server_side(stored_by(("team", config_map(a="1", b="2"))), config_map(a="3", b="4"))
    conflicts = [(render(c.path), str(c.owner), c.message) for c in outcome.conflicts]

    assert (outcome.verdict, outcome.status, outcome.intended and outcome.intended["data"]) == (
        Verdict.CONFLICT,
        409,
        {"a": "3", "b": "4"},
    )
    assert conflicts == [("data.a", "team", 'conflict with "team"'), ("data.b", "team", 'conflict with "team"')]
    assert outcome.error.startswith(
        'error: Apply failed with 2 conflicts: conflicts with "team":\n- .data.a\n- .data.b\n'
    )


def test_a_new_object_changes_no_owners() -> None:
    assert predict_server_side(None, config_map(a="1")).owner_changes == ()


def test_elements_of_a_keyed_list_are_distinguished_by_all_their_keys() -> None:
    def service(*ports: JsonObject) -> JsonObject:
        named = {"name": "web", "namespace": "shop"}
        return {"apiVersion": "v1", "kind": "Service", "metadata": named, "spec": {"ports": list(ports)}}

    udp, tcp = ({"name": each.lower(), "port": 53, "protocol": each} for each in ("UDP", "TCP"))
    outcome = predict_server_side(stored_by(("ci", service(udp, tcp))), service(udp))

    assert causes(outcome) == {"spec.ports[port=53,protocol=TCP]": "removed because no other manager owns it"}


MANIFESTS = [{**base, "metadata": {**base["metadata"], "namespace": "default"}} for base in load_all([BASES])]
DONORS = donors(MANIFESTS)


class Accepted(NamedTuple):
    """A manifest, and the apply of it that goes through."""

    manifest: JsonObject
    first: Outcome


def client_apply(manifest: JsonObject, live: JsonObject | None, *, tracks_owners: bool = True) -> Outcome:
    state = State(Absent() if live is None else Present(live))
    return predict(ApplyRequest(manifest, state, SCHEMA, tracks_owners=tracks_owners))


@st.composite
def accepted_applies(draw: st.DrawFn) -> Accepted:
    """Draw a manifest that was edited once or twice, applied to a new object or to that of its earlier version."""
    rng = draw(st.randoms(use_true_random=False))
    earlier, _ = edit(rng, draw(st.sampled_from(MANIFESTS)), DONORS)
    manifest, _ = edit(rng, earlier, DONORS)
    live = client_apply(earlier, None).result if draw(st.booleans()) else None
    # Where two elements have one key, or one has none, kubectl takes one for another, and rules speak about that. Nulls
    # in what is replaced whole, lists and some maps, it drops when it creates, and sends when it patches.
    assume(not is_ambiguous(manifest) and not is_ambiguous(live or {}))
    assume(not any(nulls_in_lists(manifest)) and not any(nulls_in_replaced_maps(manifest)))
    outcome = client_apply(manifest, live)
    assume(not outcome.refused)
    return Accepted(manifest, outcome)


def is_ambiguous(value: JsonObject) -> bool:
    """Return whether some list that merges has elements with the same key, or without one."""
    kind = SCHEMA.kind(value.get("apiVersion", ""), value.get("kind", ""))
    lists = ((inner, node) for _, inner, node in walk(value, kind.root) if node.merges) if kind else ()
    keys = (
        [e.get(n.merge_key) if isinstance(e, dict) else e for e in inner]
        for inner, n in lists
        if isinstance(inner, list)
    )
    return any(None in found or len(set(map(repr, found))) < len(found) for found in keys)


def nulls_in_lists(value: Json, *, inside: bool = False) -> Iterator[bool]:
    """Yield a true value for each null that has a list around it."""
    if isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from nulls_in_lists(inner, inside=inside or isinstance(value, list))
    elif inside and value is None:
        yield True


def nulls_in_replaced_maps(value: JsonObject) -> Iterator[bool]:
    """Yield a true value for each null in a map that a patch replaces whole, the selector of a PodDisruptionBudget."""
    kind = SCHEMA.kind(value.get("apiVersion", ""), value.get("kind", ""))
    for _, inner, node in walk(value, kind.root) if kind else ():
        if isinstance(inner, dict) and "replace" in node.patch_strategy:
            yield from nulls_in_lists(inner, inside=True)


def stored_content(outcome: Outcome) -> JsonObject:
    """Return what is stored but for the server's bookkeeping."""
    result = outcome.result or {}
    kept = {k: v for k, v in result["metadata"].items() if k not in ("managedFields", "resourceVersion", "generation")}
    return {**result, "metadata": kept}


@settings(max_examples=60)
@given(accepted_applies())
def test_a_second_apply_stores_the_same(case: Accepted) -> None:
    """An apply is idempotent in what it stores, whatever it sends and says, unless the second apply is rejected."""
    again = client_apply(case.manifest, case.first.result)
    assume(not again.refused)

    assert equal(stored_content(again), stored_content(case.first))


@settings(max_examples=60)
@given(accepted_applies())
def test_a_third_apply_has_the_result_of_the_second(case: Accepted) -> None:
    """kubectl prints "unchanged" for an empty patch; a patch that changes nothing is sent with every apply again."""
    again = client_apply(case.manifest, case.first.result)
    assume(not again.refused)
    third = client_apply(case.manifest, again.result)

    assert (third.verdict, third.requests) == (again.verdict, again.requests)
    assert again.verdict is (Verdict.CONFIGURED if again.requests else Verdict.UNCHANGED)


@settings(max_examples=60)
@given(accepted_applies())
def test_owners_change_nothing_else_of_a_fresh_object_and_its_second_apply(case: Accepted) -> None:
    """A check does not track the owners of objects that it did not read: its rules find the same."""
    first, tracked = (client_apply(case.manifest, None, tracks_owners=tracks) for tracks in (False, True))
    assume(tracked.result is not None)
    assert equal(first.result, without_managed_fields(tracked.result or {}))
    assert (first.verdict, first.requests, first.errors) == (tracked.verdict, tracked.requests, tracked.errors)

    again, later = (client_apply(case.manifest, each.result) for each in (first, tracked))
    assert (again.verdict, again.requests, again.errors) == (later.verdict, later.requests, later.errors)


@pytest.mark.parametrize(
    ("version", "live", "level", "reasons"),
    [
        ("1.36", Absent(), Level.HIGH, ()),
        ("1.30.14", Present(config_map(a="0")), Level.HIGH, ()),
        (
            "1.31",
            Absent(),
            Level.MEDIUM,
            ("the behavior of Kubernetes 1.31 is derived from its sources, not recorded",),
        ),
        (
            "1.36",
            Unknown("no cluster"),
            Level.LOW,
            ("the live object is unknown (no cluster): this is the result of a fresh install",),
        ),
        ("1.50", Absent(), Level.LOW, ("no schema for Kubernetes 1.50: using 1.37",)),
    ],
    ids=["recorded", "live", "from sources", "unknown object", "no tables"],
)
def test_confidence_depends_on_the_version_and_the_live_object(
    version: str, live: Knowledge, level: Level, reasons: tuple[str, ...]
) -> None:
    outcome = predict(ApplyRequest(config_map(a="1"), State(live), load(version)))

    assert outcome.confidence == Confidence(level, reasons)


def test_all_doubts_are_reported() -> None:
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    named = {"name": "data", "namespace": "shop"}
    claim = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": named, "spec": spec}
    outcome = predict(ApplyRequest(claim, State(Absent()), load("1.32")))

    assert outcome.confidence.level is Level.MEDIUM
    assert [reason.partition(" ")[0] for reason in outcome.confidence.reasons] == ["the", "assumed:"]


# The others go through all objects before, or have an order of their own.
_DECODING = sorted({*Applier} - {Applier.METACONTROLLER, Applier.FLUX, Applier.KAPP, Applier.ARGOCD})


@pytest.mark.parametrize("applier", _DECODING)
def test_objects_that_kubectl_cannot_decode_are_never_sent(applier: Applier) -> None:
    broken = {**config_map(a="1"), "metadata": {"name": "settings", "annotations": True}}

    outcome = predict(ApplyRequest(broken, State(Present(config_map(a="0"))), SCHEMA, applier))

    assert (outcome.verdict, outcome.requests, outcome.result) == (Verdict.REJECTED, (), config_map(a="0"))
    assert [cause.message for cause in outcome.errors] == [
        "unable to decode the manifest: json: cannot unmarshal bool into Go struct field "
        "ObjectMeta.metadata.annotations of type map[string]string"
    ]


def no_match_messages(version: str, api_version: str, kind: str, crds: tuple[JsonObject, ...] = ()) -> tuple[str, ...]:
    manifest = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "web"}}
    outcome = predict(ApplyRequest(manifest, State(Absent()), load(version, crds=crds)))
    return tuple(cause.message for cause in outcome.errors if cause.reason == "NoKindMatch")


def test_a_removed_version_is_rejected_as_kubectl_does() -> None:
    words = 'no matches for kind "PodDisruptionBudget" in version "policy/v1beta1": ensure CRDs are installed first'

    assert no_match_messages("1.25", "policy/v1beta1", "PodDisruptionBudget") == (words,)
    assert no_match_messages("1.24", "policy/v1beta1", "PodDisruptionBudget") == ()


def test_the_rejection_of_an_unknown_kind_is_certain_and_sends_nothing() -> None:
    manifest = {"apiVersion": "extensions/v1beta1", "kind": "Deployment", "metadata": {"name": "web"}}
    outcome = predict(ApplyRequest(manifest, State(Unknown("nobody looked")), load("1.37")))

    assert (outcome.verdict, outcome.requests, outcome.status) == (Verdict.REJECTED, (), None)
    assert outcome.confidence.level is Level.HIGH


def test_a_version_that_must_be_enabled_lowers_the_confidence() -> None:
    manifest = {"apiVersion": "resource.k8s.io/v1beta1", "kind": "DeviceClass", "metadata": {"name": "gpu"}}
    outcome = predict(ApplyRequest(manifest, State(Absent()), load("1.36")))

    assert (outcome.verdict, outcome.confidence.level) == (Verdict.CREATED, Level.MEDIUM)
    assert "only if --runtime-config enables it" in outcome.confidence.reasons[0]


def test_a_kind_with_a_definition_is_not_rejected() -> None:
    names = {"kind": "Ingress", "plural": "ingresses"}
    version = {"name": "v9", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
    spec = {"group": "networking.k8s.io", "names": names, "scope": "Cluster", "versions": [version]}
    crd = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "spec": spec}

    assert no_match_messages("1.37", "networking.k8s.io/v9", "Ingress") != ()
    assert no_match_messages("1.37", "networking.k8s.io/v9", "Ingress", (crd,)) == ()
