"""Names and credentials of objects."""

from kubectl_applylint.secrets.names_and_credentials import has_credentials, names_and_credentials

SECRET = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "stringData": {"pin": "4711"}}
PLAIN = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}, "data": {"color": "red", "type": 3}}
TELLING = {"kind": "Pod", "spec": {"containers": [{"name": "c", "env": [{"name": "DB_PASSWORD", "value": "x"}]}]}}


def test_objects_have_names_and_credentials() -> None:
    found = names_and_credentials([SECRET, PLAIN, TELLING])

    assert found.credentials == {id(SECRET), id(TELLING)}
    assert {"a", "b", "c", "pin", "color", "ConfigMap", "DB_PASSWORD"} <= found.names
    assert found.names.isdisjoint({"4711", "red", "x"})


def test_an_object_has_credentials_or_not() -> None:
    assert list(map(has_credentials, (SECRET, PLAIN, TELLING))) == [True, False, True]
