"""Secrets of ServiceAccounts that an update keeps, as seen on Kubernetes 1.36.3."""

from kubectl_applylint.server.kinds.service_account import prepare


def test_the_secrets_of_a_service_account_are_names() -> None:
    account = {"secrets": [{"name": "s", "namespace": "n", "kind": "Secret"}, {"namespace": "n"}]}

    assert prepare(account, None, 36)["secrets"] == [{"name": "s"}, {}]


def test_a_service_account_without_secrets() -> None:
    assert prepare({"metadata": {}}, None, 36) == {"metadata": {}}
