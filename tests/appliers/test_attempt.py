"""Results of one write, and errors that kubectl finds before it sends anything."""

from dataclasses import replace

import pytest

from kubectl_applylint.appliers.attempt import (
    UNMAPPED,
    Attempt,
    deletion_warnings,
    is_being_deleted,
    mapping_failure,
    send,
    undecodable,
    with_live_version,
    without_resource_version,
)
from kubectl_applylint.core.outcome import Confidence, FieldError, Level, Verdict, Write
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Gvk
from kubectl_applylint.server.write import Answer, Refused, Stored

SCHEMA = load("1.36")
WRITE = Write("PATCH", "application/json", {"spec": {}})
LIVE: JsonObject = {"metadata": {"name": "web"}}
DOUBT = Confidence(Level.LOW, ("the schema is unknown",))
REF = ObjectRef("v1", "Pod", "shop", "web")


@pytest.mark.parametrize(
    ("answer", "attempt"),
    [
        pytest.param(
            Stored(LIVE, DOUBT, ("server",)),
            Attempt(Verdict.CONFIGURED, (WRITE,), LIVE, warnings=("kubectl", "server"), confidence=DOUBT),
            id="stored",
        ),
        pytest.param(
            refused := Refused(409, ()),
            Attempt(Verdict.CONFLICT, (WRITE,), refusal=refused, warnings=("kubectl",)),
            id="conflict",
        ),
        pytest.param(
            invalid := Refused(422, (FieldError("spec", "", "bad"),)),
            Attempt(Verdict.REJECTED, (WRITE,), refusal=invalid, warnings=("kubectl",)),
            id="rejected",
        ),
    ],
)
def test_the_outcome_of_a_write(answer: Answer, attempt: Attempt) -> None:
    def ask(write: Write, live: JsonObject | None, /, *, settled: bool = False) -> Answer:
        assert (write, live, settled) == (WRITE, LIVE, False)
        return answer

    assert send(WRITE, LIVE, ask, Verdict.CONFIGURED, ("kubectl",)) == attempt


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        pytest.param({"name": "web", "labels": {"a": "b"}}, None, id="good"),
        pytest.param(None, None, id="null is empty"),
        pytest.param(
            {"labels": {"a": 1}},
            "unable to decode the manifest: json: cannot unmarshal number into Go struct field "
            "ObjectMeta.metadata.labels of type string",
            id="a number as a label",
        ),
    ],
)
def test_metadata_that_kubectl_cannot_decode(metadata: JsonObject | None, message: str | None) -> None:
    attempt = undecodable({"apiVersion": "v1", "kind": "Pod", "metadata": metadata})

    if message is None:
        assert attempt is None
    else:
        assert attempt == Attempt(Verdict.REJECTED, refusal=Refused(0, (FieldError("", "", message),)))


@pytest.mark.parametrize(
    ("gvk", "is_missing"),
    [
        pytest.param(("apps/v1", "Deployment"), False, id="served"),
        pytest.param(("extensions/v1beta1", "Deployment"), True, id="removed"),
        pytest.param(("apps/v1", "Deploiment"), True, id="never served"),
        pytest.param(("example.com/v1", "Lamp"), False, id="perhaps a custom resource"),
    ],
)
def test_a_kind_that_kubectl_does_not_find(gvk: Gvk, is_missing: bool) -> None:
    cause = FieldError(
        "",
        UNMAPPED,
        f'no matches for kind "{gvk[1]}" in version "{gvk[0]}": ensure CRDs are installed first',
    )
    expected = Attempt(Verdict.REJECTED, refusal=Refused(0, (cause,)))

    assert mapping_failure(SCHEMA, gvk) == (expected if is_missing else None)


def test_a_kind_that_discovery_has_shown_is_found() -> None:
    gvk = ("extensions/v1beta1", "Deployment")

    assert mapping_failure(replace(SCHEMA, discovered=frozenset({gvk})), gvk) is None


@pytest.mark.parametrize(
    ("live", "is_it"),
    [
        pytest.param(None, False, id="no object"),
        pytest.param({"metadata": {}}, False, id="no time"),
        pytest.param({"metadata": {"deletionTimestamp": None}}, False, id="null"),
        pytest.param({"metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"}}, True, id="a time"),
    ],
)
def test_an_object_that_is_being_deleted(live: JsonObject | None, is_it: bool) -> None:
    words = "Detected changes to resource web which is currently being deleted."

    assert is_being_deleted(live) == is_it
    assert deletion_warnings(REF, live) == ((words,) if is_it else ())


def test_a_create_names_no_version() -> None:
    assert without_resource_version({"metadata": {"name": "web", "resourceVersion": "7"}}) == LIVE


@pytest.mark.parametrize(
    ("own", "live", "sent"),
    [
        pytest.param({}, {"resourceVersion": "7"}, {"resourceVersion": "7"}, id="none of its own"),
        pytest.param({"resourceVersion": "6"}, {"resourceVersion": "7"}, {"resourceVersion": "6"}, id="its own"),
        pytest.param({}, {}, {}, id="none at all"),
    ],
)
def test_a_replacement_names_the_version_that_is_live(own: JsonObject, live: JsonObject, sent: JsonObject) -> None:
    assert with_live_version({"metadata": {"name": "web", **own}}, {"metadata": live}) == {
        "metadata": {"name": "web", **sent}
    }
