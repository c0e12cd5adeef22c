"""Objects of a set that Argo CD applies, and its message for a sync that fails."""

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.set_refusals import NOT_REACHED
from kubectl_applylint.tools.argocd.options import FAIL_ON_SHARED, GROUP
from kubectl_applylint.tools.argocd.program import blocking_error, sorted_documents
from kubectl_applylint.tools.argocd.projects import AppProject, Permissions
from kubectl_applylint.tools.argocd.waves import NOT_PERMITTED, SHARED
from tests.engine.test_set_apply import config, having, manifest
from tests.fidelity.argocd_message import message
from tests.rules.stories import document
from tests.tools.argocd.test_waves import APP, BAD, SYNC, UNREADABLE, apply_sync, with_marks


def with_hook(item: JsonObject, hook: str) -> JsonObject:
    return {**item, "metadata": {**item["metadata"], "annotations": {f"{GROUP}/hook": hook}}}


def test_hooks_of_other_events_are_left_out_and_of_several_objects_of_one_name_the_last_is_applied() -> None:
    hooks = [with_hook(config(name), name) for name in ("PostSync", "SyncFail", "PreDelete", "Skip")]
    every = [manifest("Service", "s", "shop"), config("a", a="1"), *hooks, config("a", a="2")]
    found = sorted_documents(SYNC, (document(item, index=index) for index, item in enumerate(every)))

    assert [each.ref.name for each in found] == ["a", "s", "PostSync"]
    assert found[0].object["data"] == {"a": "2"}


def test_the_message_names_failures_without_skipped_objects() -> None:
    text = message(apply_sync(config("a"), BAD).outcomes)

    assert text.startswith('ConfigMap "bad" is invalid: data[a b]: Invalid value')
    assert len(text.splitlines()) == 1
    assert message(apply_sync(config("a")).outcomes) == ""


def test_only_the_first_incomparable_object_is_reported() -> None:
    broken = {**config("z"), "metadata": {"name": "z", "namespace": "shop", "annotations": {"b": 1}}}
    both = [{**broken, "metadata": {**broken["metadata"], "name": name}} for name in ("z", "a")]
    written = [document(item, index=index) for index, item in enumerate(both)]

    assert "Kind=ConfigMap shop/z" in message(apply_sync(*both).outcomes, written)
    assert len(message(apply_sync(*both).outcomes, written).splitlines()) == 1


def test_a_sync_that_waits_says_for_what() -> None:
    asking = APP.with_tracking(with_marks(config("c"), 1, "Prune=confirm"))

    assert message(apply_sync(with_marks(config("a"), 1), with_marks(config("b"), 2), live=[asking]).outcomes) == (
        "waiting for pruning confirmation of /ConfigMap/c"
    )


def test_maps_are_taken_out_of_what_kubectl_says() -> None:
    labelled = {**config("c"), "data": "text"}

    assert message(apply_sync(labelled).outcomes).endswith("Go struct field ConfigMap.data of type string")


def test_an_incomparable_object_is_reported_as_such() -> None:
    wrong = {**config("a"), "metadata": {"name": "a", "namespace": "shop", "annotations": {"b": 1}}}

    found = message(apply_sync(wrong).outcomes)

    assert found.startswith("ComparisonError: failed to set app instance tracking info on manifest: failed to get")
    assert message(apply_sync(UNREADABLE).outcomes).startswith("unable to decode the manifest")


def test_an_object_that_cannot_be_read_stops_a_sync() -> None:
    why = "not reached: Argo CD stops at configmap/b, which it cannot read"

    assert blocking_error(SYNC, (), having()) is None
    assert blocking_error(replace(SYNC, unreadable="configmap/b"), (), having()) == FieldError("", NOT_REACHED, why)
    assert apply_sync(config("a"), sync=replace(SYNC, unreadable="configmap/b")).outcomes[0].refused
    forbidden = Permissions((AppProject("team", {}),), ("https://example.com/app",))
    message = "application repo https://example.com/app is not permitted in project 'team'"
    assert blocking_error(replace(SYNC, permissions=forbidden), (), having()) == FieldError("", NOT_PERMITTED, message)
    unknown = replace(forbidden, projects=(*forbidden.projects, AppProject("team", {"sourceRepos": ["*"]})))
    assert blocking_error(replace(SYNC, permissions=unknown), (), having()) is None


def test_an_object_of_another_application_stops_a_sync_that_fails_on_it() -> None:
    own, theirs = APP.with_tracking(config("a")), replace(APP, name="other").with_tracking(config("b"))
    failing = replace(SYNC, application=replace(APP, options=frozenset({FAIL_ON_SHARED})))
    documents = [document(config(name)) for name in ("a", "b", "c")]

    found = blocking_error(failing, documents, having(own, theirs))

    why = "Shared resource found: ConfigMap/b is part of applications app and other"
    assert found == FieldError("", SHARED, why)
    assert blocking_error(SYNC, documents, having(own, theirs)) is None
    assert blocking_error(failing, documents, having(own)) is None
