"""What an apply does to one object, asked as a whole: here what only a server-side apply tells."""

import pytest

from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.outcome import Outcome, Verdict
from kubectl_applylint.paths import render
from kubectl_applylint.predict import predict
from kubectl_applylint.schema.load import load
from kubectl_applylint.state import Absent, Present, State
from kubectl_applylint.values import Json, JsonObject

SCHEMA = load("1.36")


def config_map(**data: Json) -> JsonObject:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "settings", "namespace": "shop"},
        "data": data,
    }


def applied(live: JsonObject | None, manifest: JsonObject, manager: str = "ci", *, force: bool = False) -> Outcome:
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
        live = applied(live, manifest, manager, force=True).result
    assert live is not None

    return live


def causes(outcome: Outcome) -> dict[str, str]:
    return {render(change.path): str(change.cause) for change in outcome.changes}


def moves(outcome: Outcome) -> dict[str, tuple[str, str]]:
    return {render(c.path): (",".join(map(str, c.before)), ",".join(map(str, c.after))) for c in outcome.owner_changes}


@pytest.mark.parametrize(
    ("earlier", "manifest", "expected"),
    [
        pytest.param(
            [("ci", config_map(a="1", b="2"))],
            config_map(a="1"),
            {"data.b": "removed because nobody else owns it"},
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
    assert causes(applied(stored_by(*earlier), manifest, force=True)) == expected


def test_a_forced_apply_takes_fields() -> None:
    outcome = applied(stored_by(("team", config_map(a="1", b="2"))), config_map(a="3", b="2"), force=True)

    assert (outcome.verdict, outcome.conflicts, moves(outcome)) == (
        Verdict.SERVERSIDE_APPLIED,
        (),
        {"data.a": ("team", "ci"), "data.b": ("team", "ci,team")},
    )


def test_a_conflict_says_with_whom_and_what_force_would_do() -> None:
    outcome = applied(stored_by(("team", config_map(a="1", b="2"))), config_map(a="3", b="4"))
    conflicts = [(render(c.path), c.manager, c.message) for c in outcome.conflicts]

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
    assert applied(None, config_map(a="1")).owner_changes == ()


def test_elements_of_a_keyed_list_are_told_apart_by_all_their_keys() -> None:
    def service(*ports: JsonObject) -> JsonObject:
        named = {"name": "web", "namespace": "shop"}
        return {"apiVersion": "v1", "kind": "Service", "metadata": named, "spec": {"ports": list(ports)}}

    udp, tcp = ({"name": each.lower(), "port": 53, "protocol": each} for each in ("UDP", "TCP"))
    outcome = applied(stored_by(("ci", service(udp, tcp))), service(udp))

    assert causes(outcome) == {"spec.ports[port=53,protocol=TCP]": "removed because nobody else owns it"}
