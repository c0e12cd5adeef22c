"""The preferences of kubectl: which file is read, and the defaults of kubectl apply in it."""

from collections.abc import Mapping

import pytest

from kubectl_applylint.config.configuration import ConfigError
from kubectl_applylint.config.kuberc import (
    KubercFile,
    UnreadableKubercError,
    apply_defaults,
    is_typed,
    kuberc_file,
)

BETA = "apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\n"
ALPHA = BETA.replace("v1beta1", "v1alpha1")
SERVER_SIDE = BETA + 'defaults: [{command: apply, options: [{name: server-side, default: "true"}]}]\n'
OLD = ALPHA + 'overrides: [{command: apply, flags: [{name: server-side, default: "true"}]}]\n'
USUAL = KubercFile("/home/me/.kube/kuberc", is_named=False)


def defaults_of(text: str) -> list[str]:
    return [str(one) for one in apply_defaults(text, "kuberc")]


@pytest.mark.parametrize(
    ("flag", "environ", "version", "wanted"),
    [
        ("", {}, "", USUAL),
        ("", {"KUBERC": "mine"}, "", KubercFile("mine", is_named=True)),
        ("other", {"KUBERC": "mine"}, "", KubercFile("other", is_named=True)),
        ("", {"KUBERC": "off"}, "", None),
        ("", {"KUBECTL_KUBERC": "False"}, "1.36", None),
        ("", {}, "1.34", USUAL),
        ("", {}, "1.33", None),
        ("", {"KUBECTL_KUBERC": "true"}, "1.33", USUAL),
        ("", {"KUBECTL_KUBERC": "true"}, "1.32", None),
        (USUAL.path, {"KUBERC": "mine"}, "", KubercFile("mine", is_named=True)),
        (USUAL.path, {}, "", KubercFile(USUAL.path, is_named=True)),
    ],
)
def test_the_file_is_that_of_kubectl(
    flag: str, environ: Mapping[str, str], version: str, wanted: KubercFile | None
) -> None:
    assert kuberc_file(flag, environ, "/home/me", version) == wanted


def test_a_named_file_cannot_be_used_with_kuberc_off() -> None:
    with pytest.raises(ConfigError, match="KUBERC=off"):
        kuberc_file("mine", {"KUBERC": "off"}, "/home/me", "")


@pytest.mark.parametrize(
    "text",
    [
        SERVER_SIDE,
        OLD,
        f"{BETA.replace('v1beta1', 'v1')}\n---\n{OLD}---\n{BETA}",
        f"# mine\n---\n\n---\n{SERVER_SIDE}",
        SERVER_SIDE + "aliases: [{name: ap, command: apply}]\ncredentialPluginPolicy: DenyAll\nunknown: 1\n",
    ],
)
def test_the_first_valid_document_counts(text: str) -> None:
    assert defaults_of(text) == ["--server-side=true"]


@pytest.mark.parametrize("command", ["get", "apply view-last-applied", '""'])
def test_only_defaults_of_apply_count(command: str) -> None:
    assert defaults_of(SERVER_SIDE.replace("command: apply", f"command: {command}")) == []


@pytest.mark.parametrize("text", ["", "\n---\n", BETA, OLD.replace("v1alpha1", "v1beta1")])
def test_a_file_may_have_no_defaults(text: str) -> None:
    assert defaults_of(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "{a: [",
        "[]",
        "kind: Preference\napiVersion: v1\n",
        SERVER_SIDE.replace('"true"', "true"),
        BETA + "defaults: {command: apply}\n",
        BETA + "defaults: [apply]\n",
        BETA + "aliases: [{name: ap, command: apply, options: [{name: server-side, default: true}]}]\n",
    ],
)
def test_a_file_without_valid_preferences_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableKubercError, match='quote values such as "true"'):
        defaults_of(text)


@pytest.mark.parametrize(("name", "message"), [("nope", "invalid flag nope"), ("--prune", "without dashes")])
def test_flags_that_kubectl_rejects_are_errors(name: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        defaults_of(SERVER_SIDE.replace("server-side", name))


@pytest.mark.parametrize(
    ("name", "word", "wanted"),
    [
        ("server-side", "--server-side", True),
        ("server-side", "--server-side=false", True),
        ("server-side", "--server-sides", False),
        ("namespace", "-nshop", True),
        ("namespace", "-Rn", True),
        ("selector", "-n", False),
        ("force", "-f", False),
    ],
)
def test_typed_flags_are_found_in_each_spelling(name: str, word: str, *, wanted: bool) -> None:
    assert is_typed(name, ["plan", word]) == wanted
