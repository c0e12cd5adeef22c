from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import Change
from kubectl_applylint.core.state import Absent, State
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.explanations import explain_by, explain_server_side
from kubectl_applylint.merge.managed_fields import ManagedFieldsCodec
from tests.engine.test_set_apply import config
from tests.stories import SCHEMA


def request(applier: Applier) -> ApplyRequest:
    return ApplyRequest(config("a"), State(Absent()), SCHEMA, applier)


def test_a_request_is_explained_by_its_manifest_and_its_manager() -> None:
    asked = request(Applier.KUBECTL_CLIENT)

    def changes(*sides: JsonObject | None, **more: object) -> tuple[Change, ...]:
        assert sides == (None, config("b"), asked.manifest)
        assert more == {"kind": asked.kind, "manager": "kubectl-client-side-apply"}
        return ()

    assert explain_by(changes)(asked, None, config("b"), asked.kind, ManagedFieldsCodec()) == ()


def test_server_side_apply_sets_what_the_manifest_says() -> None:
    asked = request(Applier.KUBECTL_SERVER)
    found = explain_server_side(asked, None, asked.manifest, asked.kind, ManagedFieldsCodec())

    assert "a" in [change.after for change in found]
