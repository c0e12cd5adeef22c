import dataclasses

import pytest

from kubectl_applylint.sources.cluster.connection import (
    CONNECTION_OPTIONS,
    FOR_EVER,
    Connection,
    OptionType,
    parse_timeout,
    process_environment,
)


def test_each_field_has_one_option_of_its_type() -> None:
    types = {"str": OptionType.TEXT, "bool": OptionType.BOOLEAN, "tuple": OptionType.REPEATED}

    assert {option.name: option.type for option in CONNECTION_OPTIONS} == {
        each.name: types[type(each.default).__name__] for each in dataclasses.fields(Connection)
    }


def test_flags_are_those_of_kubectl_and_unique() -> None:
    flags = [flag for option in CONNECTION_OPTIONS for flag in option.flags]

    assert len(set(flags)) == len(flags)
    assert {"-n", "-s", "--as", "--as-group", "--as-user-extra", "--request-timeout", "--cache-dir"} <= set(flags)


# kubectl 1.36.3 was given each of these with --request-timeout, and took these and no others.
@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        *(("0", 0), ("7", 7), ("+5", 5), ("10s", 10), ("1m30s", 90), ("1.5h", 5400), ("250ms", 0.25), (".5s", 0.5)),
        *(("2us", 2e-6), ("-1s", -1), ("1h2m", 3720), ("9999999999999", FOR_EVER), ("2562047h", FOR_EVER)),
    ],
)
def test_timeouts_are_seconds_or_go_durations(text: str, seconds: float) -> None:
    assert parse_timeout(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text",
    ["", "soon", "-1", "10 s", "1d", "s", "1.5", "10s!", "1x", "99999999999h", "2562048h", "+", "-", "١s", "9" * 99],
)
def test_other_timeouts_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match="not a length of time"):
        parse_timeout(text)


def test_tokens_do_not_show() -> None:
    assert "s3cret" not in repr(Connection(token="s3cret"))


def test_surroundings_are_those_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/nowhere")
    monkeypatch.setenv("KUBECONFIG", "/a:/b")

    cluster_view = process_environment()

    assert (cluster_view.home, cluster_view.environ["KUBECONFIG"]) == ("/nowhere", "/a:/b")
