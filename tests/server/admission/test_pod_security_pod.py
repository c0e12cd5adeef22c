import pytest

from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing
from kubectl_applylint.server.admission.pod_security_pod import (
    Pod,
    names,
    noun_with_names,
    quote_names,
    setting,
    several,
)


def test_containers_have_the_order_of_the_server() -> None:
    lists = {"containers": [{"name": "b"}], "ephemeralContainers": [{"name": "c"}], "initContainers": [{"name": "a"}]}

    assert [each["name"] for each in Pod({}, lists).containers] == ["a", "b", "c"]
    assert Pod({}, {"containers": None}).containers == ()


@pytest.mark.parametrize(
    ("spec", "for_windows", "own_users"),
    [
        pytest.param({}, False, False, id="nothing said"),
        pytest.param({"os": {"name": "windows"}, "hostUsers": False}, True, True, id="both"),
        pytest.param({"os": {"name": "linux"}, "hostUsers": True}, False, False, id="neither"),
        pytest.param({"os": None, "hostUsers": None}, False, False, id="null"),
    ],
)
def test_a_pod_has_its_system_and_user_namespace(spec: JsonObject, for_windows: bool, own_users: bool) -> None:
    pod = Pod({"annotations": None}, spec)

    assert (pod.is_for_windows, pod.has_own_users, pod.annotations) == (for_windows, own_users, {})


@pytest.mark.parametrize(
    ("bad", "setters"),
    [
        pytest.param((), [], id="none"),
        pytest.param(("pod",), ["pod"], id="the pod"),
        pytest.param(("pod", "a"), ["pod", 'container "a"'], id="the pod and a container"),
        pytest.param(("a", "b"), ['containers "a", "b"'], id="containers"),
    ],
)
def test_violating_security_contexts_are_named(bad: tuple[str, ...], setters: list[str]) -> None:
    containers = [{"name": name, "securityContext": {"bad": name in bad}} for name in ("a", "b")]
    pod = Pod({}, {"securityContext": {"bad": "pod" in bad}, "containers": containers})

    assert pod.setters(lambda context: context.get("bad") is True) == setters


@pytest.mark.parametrize(
    ("context", "found"),
    [
        ({"procMount": "Default"}, "Default"),
        ({"procMount": ""}, ""),
        ({"procMount": None}, MISSING),
        ({}, MISSING),
        (None, MISSING),
    ],
    ids=["set", "empty", "null", "absent", "no context"],
)
def test_a_setting_is_read_from_the_security_context(context: Json, found: Json | Missing) -> None:
    assert setting({"securityContext": context}, "procMount") == found


def test_words_follow_the_number() -> None:
    assert [several("volume", number) for number in (0, 1, 2)] == ["volumes", "volume", "volumes"]
    assert noun_with_names("container", ["a", "b"]) == 'containers "a", "b"'
    assert quote_names([]) == ""
    assert names([{"name": "a"}, {}], lambda container: True) == ["a", ""]
