"""Names whose values are credentials."""

import json

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.secrets.credential_forms import may_have_forms
from kubectl_applylint.secrets.credential_names import has_credential, is_credential_key, is_literal


@pytest.mark.parametrize(
    ("name", "value", "telling"),
    [
        ("DB_PASSWORD", "x", True),
        ("password", "x", True),
        ("GITHUB_TOKEN", "x", True),
        ("AWS_SECRET_ACCESS_KEY", "x", True),
        ("API_KEY", "x", True),
        ("app.client.secret", "x", True),
        ("PGPASS", "x", True),
        ("PWD", "/work", False),
        ("TOKEN_FILE", "/run/token", False),
        ("PARTITION_KEY", "id", False),
        ("DB_PASSWORD", "$(OTHER)", False),
        ("DB_PASSWORD", "", False),
        ("DB_PASSWORD", 7, False),
    ],
)
def test_credentials_are_recognized_by_names_of_variables(name: str, value: Json, telling: bool) -> None:
    assert has_credential({"name": name, "value": value}) is telling


@pytest.mark.parametrize(
    "name",
    [
        *("MYSQL_PWD", "PGPASS", "PGPASSWORD", "REDIS_AUTH", "REDISCLI_AUTH", "SECRET_KEY_BASE", "GITHUB_PAT", "JWT"),
        *("TOKEN_VALUE", "password2", "API_KEY_1"),
        *("LITELLM_MASTER_KEY", "AIRFLOW__CORE__FERNET_KEY", "APP_KEY", "LICENSE_KEY", "N8N_LICENSE_KEY_1"),
        *("SHARED_KEY", "HMAC_KEY", "JWT_KEY", "TSIG_KEY", "VAULT_UNSEAL_KEY", "ENCRYPT_KEY", "SERVICE_ROLE_KEY"),
        *("ADMIN_PASSCODE", "ADMIN_PASSWORD_HASH", "AWS_CREDS"),
    ],
)
def test_further_names_of_variables_are_those_of_credentials(name: str) -> None:
    entry: JsonObject = {"name": name, "value": "x"}

    assert has_credential(entry)
    assert may_have_forms(json.dumps(entry))


@pytest.mark.parametrize(
    "name",
    [
        "TOKEN_URL",
        "PASSWORD_FILE",
        "PGPASSFILE",
        "PWD",
        "OLDPWD",
        "PATH",
        "COMPAT",
        "ENABLE_AUTH",
        "JWT_ISSUER",
        "TOKENS",
    ],
)
def test_names_of_variables_without_credentials_are_known(name: str) -> None:
    assert not has_credential({"name": name, "value": "x"})


@pytest.mark.parametrize(
    ("key", "verdict"),
    [
        *(
            (key, True)
            for key in ("password", "rootPassword", "token", "secretKey", "clientSecret", "A_SECRET", "api-key")
        ),
        *(
            (key, True)
            for key in ("orderDBPassword", "adminUIPassword", "masterKey", "preSharedKey", "passwordHash", "passcode")
        ),
        *(
            (key, False)
            for key in ("secret", "tlsSecret", "existingSecret", "passwordFile", "tokenUrl", "bypass", "keys")
        ),
        *(
            (key, False)
            for key in ("awsCreds", "topologyKey", "BYPASS", "userKey", "hash", "JWT_KEY_ID", "masterKeySecretName")
        ),
    ],
)
def test_keys_of_credentials_are_known(key: str, verdict: bool) -> None:
    assert is_credential_key(key) is verdict


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        *((value, True) for value in ("x", "4711", 4711, "$2y$10$abc", "/aB3/dEf", "<x", "a/b", "https://a/b")),
        *(
            (value, False)
            for value in ("", " ", "true", "No", None, True, 12, "0.5", "1e-6", "-", "$A", "$(A)", "${A}")
        ),
        *((value, False) for value in ("%A%", "<a>", "{{ .a }}", "x://{{ .a }}", "a://b:${C}@d", "/run/a", "./a.key")),
        *((value, False) for value in ("ENC[a]", "vault:a", "op://a/b")),
        ({}, False),
        ([], False),
    ],
)
def test_a_literal_is_no_reference(value: Json, verdict: bool) -> None:
    assert is_literal(value) is verdict
