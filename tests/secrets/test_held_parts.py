"""Parts of what a Secret holds."""

import time

import pytest

from kubectl_applylint.secrets.held_parts import parts


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"db": {"password": "correct-horse", "host": "db.example.com"}}', ["correct-horse"]),
        ('{"id": "0f8fad5bd9cb469fa16570867728950e", "list": ["Ab1cd2Ef3gh4"]}',
         ["0f8fad5bd9cb469fa16570867728950e", "Ab1cd2Ef3gh4"]),
        ("db:\n  password: 'correct horse'\n  name: shop-db-2\n", ["correct horse"]),
        ("[db]\npassword = correct-horse\n", ["correct-horse"]),
        ("export DB_PASSWORD=correct-horse\nDB_HOST=db.example.com\n", ["correct-horse", "correct-horse"]),
        ("Server=db;Password=correct-horse;User=shop", ["correct-horse"]),
        ("web:$2y$05$abcdefghijk\nadmin:{SHA}abc=", ["$2y$05$abcdefghijk", "{SHA}abc="]),
        ("postgres://web:correct-horse@db/shop", ["correct-horse"]),
        ("password: ${PASSWORD}", []),
        ("correct-horse", []),
        ("{broken: true", []),
    ],
    ids=["JSON", "random", "YAML", "INI", "env", "connection", "htpasswd", "URL", "reference", "word", "broken"],
)  # fmt: skip
def test_credentials_inside_of_a_value_are_found(text: str, found: list[str]) -> None:
    assert [*parts(text)] == found


@pytest.mark.parametrize("text", ["a" * 300_000 + "=", "a=" * 150_000, "://a:" * 60_000, "a:b\n" * 80_000])
def test_long_texts_are_searched_in_no_time(text: str) -> None:
    started = time.process_time()

    assert [*parts(text)] == []
    assert time.process_time() - started < 5
