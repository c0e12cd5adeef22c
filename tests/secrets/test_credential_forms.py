"""Credentials that are known by their form."""

import base64
import time

import pytest

from kubectl_applylint.secrets.credential_forms import has_certain_form, may_have_forms, without_entries, without_forms
from kubectl_applylint.secrets.secret_places import MASK

CODED, CERTIFICATE = (
    base64.b64encode(f"-----BEGIN {name}-----\n{'MIIE' * 20}\n-----END {name}-----\n".encode()).decode()
    for name in ("RSA PRIVATE KEY", "CERTIFICATE")
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgres://web:pw@db/shop", f"postgres://web:{MASK}@db/shop"),
        ("redis://:pw@cache", f"redis://:{MASK}@cache"),
        ("https://web@db/x:y", "https://web@db/x:y"),
        ("image@sha256:abc", "image@sha256:abc"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
            f"-----BEGIN RSA PRIVATE KEY-----{MASK}-----END RSA PRIVATE KEY-----",
        ),
        ('{"name":"A_TOKEN","value":"x\\"y"},', f'{{"name":"A_TOKEN","value":"{MASK}"}},'),
        ('{"name":"A","value":"x"}', '{"name":"A","value":"x"}'),
        (f"a: {CODED}", f"a: {MASK}"),
        (f"a: {CERTIFICATE}", f"a: {CERTIFICATE}"),
        ("x --password=abc y", f"x --password={MASK} y"),
        ("--clientSecret='a b' c", f"--clientSecret={MASK} c"),
        ("--tls-secret=web --token-file=a --token=/run/token", "--tls-secret=web --token-file=a --token=/run/token"),
        ("--from-literal=password=abc", f"--from-literal=password={MASK}"),
        ("Server=db;Password=abc;User=u;Pwd=d", f"Server=db;Password={MASK};User=u;Pwd={MASK}"),
        ("AccountKey=ab==;PWD=/work", f"AccountKey={MASK};PWD=/work"),
        ("dsn=postgres://web:pw@db?password=abc&a=b", f"dsn=postgres://web:{MASK}@db?password={MASK}&a=b"),
        ("postgres://web:$(PASSWORD)@db ${A_TOKEN}", "postgres://web:$(PASSWORD)@db ${A_TOKEN}"),
        ("TOKEN=$(A) PASSWORD=${B} PASS=true API_KEY=", "TOKEN=$(A) PASSWORD=${B} PASS=true API_KEY="),
        ("Authorization: Basic eDp5, x", f"Authorization: Basic {MASK}, x"),
        ('{"authorization": "Bearer abc"}', f'{{"authorization": "Bearer {MASK}"}}'),
        ("spec.auth.token: Required value", "spec.auth.token: Required value"),
    ],
    ids=[
        *("URL", "no user", "no password", "digest", "key", "annotation", "other variable", "coded key", "certificate"),
        *("argument", "quoted", "names of places", "literal", "connection string", "account", "dsn", "reference"),
        *("references", "basic", "bearer", "message"),
    ],
)
def test_forms_of_credentials_are_known(text: str, shown: str) -> None:
    assert without_forms(text) == shown


RANDOM = "aB3" * 20
CLAIMS = "eyJ" + "hbGciOi" * 3


@pytest.mark.parametrize(
    "token",
    [
        *(f"{start}{RANDOM}" for start in ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_11AB_", "glpat-")),
        *(f"{start}{RANDOM}" for start in ("xoxb-12-34-", "xoxp-", "sk_live_")),
        f"AGE-SECRET-KEY-1{RANDOM.upper()}",
        f"{CLAIMS}.{CLAIMS}.{RANDOM}",
    ],
)
@pytest.mark.parametrize("text", ["{}", "a: {} b", '{{"a":"{}"}}', "https://a/b?c={}&d=e", "(?{}?)"])
def test_tokens_are_known_by_their_beginning(text: str, token: str) -> None:
    message = text.format(token)

    assert without_forms(message) == text.format(MASK)
    assert may_have_forms(message)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at: postgres://web:pw@db/shop", True),
        ("at: postgres://web:${PASSWORD}@db/shop, https://web@db/x:y, image@sha256:abc", False),
        (f"key: {CODED}", True),
        (f"key: {CERTIFICATE}", False),
        ("-----BEGIN RSA PRIVATE KEY-----", True),
        (f"a: ghp_{RANDOM}", True),
        ("a: ghp_x, --token=x, password: x", False),
    ],
)
def test_credentials_are_recognized_in_any_text(text: str, expected: bool) -> None:
    assert has_certain_form(text) == expected


def test_the_path_of_a_webhook_is_a_credential() -> None:
    assert without_forms(f"'https://hooks.slack.com/services/T0/B0/{RANDOM}'") == f"'https://hooks.slack.com/{MASK}'"


@pytest.mark.parametrize(
    "text",
    [
        *("ghp_short", f"xghp_{RANDOM}", "glpat-", "https://hooks.slack.com/services/", "xoxb-a", f"{CLAIMS}.{CLAIMS}"),
        *(f"age1{RANDOM.lower()}", f"ghs-{RANDOM}", f"sk_test_{RANDOM}", "https://slack.com/services/abc"),
    ],
)
def test_texts_like_tokens_stay(text: str) -> None:
    assert without_forms(text) == text


@pytest.mark.parametrize("quote", ['"', "'", "\\"])
@pytest.mark.parametrize(
    "name",
    [
        *("DB_PASSWORD", "passwd", "PASSPHRASE", "PGPASS", "A_TOKEN", "secret", "CREDENTIAL", "credentials", "DSN"),
        *("CONNECTION_STRING", "connectionString", "PRIVATE_KEY", "apiKey", "ACCESS_KEY", "SECRETKEY", "SIGNING_KEY"),
        *("ENCRYPTION_KEY", "AUTH_KEY", "TO\u212aEN", "\u017fecret"),
    ],
)
def test_every_name_of_a_credential_is_recognized_in_a_text(name: str, quote: str) -> None:
    assert may_have_forms(f'{{"name": "{name}{quote}')
    assert not may_have_forms(f'{{"name": "{name}s_OF')


@pytest.mark.parametrize(
    "message",
    ["a --token=x", '{"headers": {"authorization": "Basic x"}}', CODED, '"kind": "Secret"', '"a": "password: x\\n"'],
    ids=["argument", "header", "key", "object", "line"],
)
def test_a_text_with_a_mark_of_credentials_may_have_some(message: str) -> None:
    assert may_have_forms(message)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a: b\npassword: x # y\n", f"a: b\npassword: {MASK}\n"),
        ("[db]\npassword = x\nport = 1", f"[db]\npassword = {MASK}\nport = 1"),
        ("- 'apiKey': \"x\"\n", f"- 'apiKey': {MASK}\n"),
        ("password: x", "password: x"),
        ("token:\n  secretKey: {a: b}\npassword: |\n", "token:\n  secretKey: {a: b}\npassword: |\n"),
        ('"token": "${A}",\n"apiKey": f(x),\n', '"token": "${A}",\n"apiKey": f(x),\n'),
        ("kind: Secret\nstringData: {a: b}\nc: d", f"kind: Secret\nstringData: {MASK}\nc: d"),
        ("kind: SecretStore\ndata:\n  a: b", "kind: SecretStore\ndata:\n  a: b"),
        ("a: {password: x, b: c}\nd: e", f"a: {{password: {MASK}, b: c}}\nd: e"),
        ('[{"b":"c","apiKey":"x y"}]', f'[{{"b":"c","apiKey":{MASK}}}]'),
        ('{"a":"Secret"}', '{"a":"Secret"}'),
        ('{"a": Secret', '{"a": Secret'),
    ],
    ids=[
        "yaml",
        "ini",
        "quoted",
        "one line",
        "no scalars",
        "code",
        "flow",
        "another kind",
        "flow map",
        "list",
        "json",
        "broken json",
    ],
)
def test_entries_of_files_are_masked(text: str, shown: str) -> None:
    assert without_entries(text, dict) == shown


@pytest.mark.parametrize(
    "text",
    [
        "password=a://" * 20_000,
        "a://?" + "token_" * 50_000,
        "password: x" + " " * 300_000 + "y\n",
        "kind: Secret\ndata:\n" + "  \n" * 100_000,
        "a: " + "://a${" * 50_000 + "\n token: " + "://a" * 80_000,
        "authorization" + " " * 300_000,
        "a: token\n" + "{, " * 100_000 + "token" * 50_000,
    ],
    ids=["nested", "query", "spaces", "lines", "templates", "header", "flow"],
)
def test_long_texts_are_masked_in_no_time(text: str) -> None:
    started = time.process_time()

    without_entries(without_forms(text), dict)
    assert time.process_time() - started < 5
