"""Names in objects and the objects with credentials, cached for masks without any credential itself."""

from collections.abc import Iterable

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.secrets.credential_places import credentials_in, may_have_places
from kubectl_applylint.secrets.literals import maps, names, names_in
from kubectl_applylint.secrets.secret_places import is_secret


@dataclass(frozen=True, slots=True)
class NamesAndCredentials:
    """The names in objects, and the objects (by ``id``) that are Secrets or contain credentials."""

    names: frozenset[str]
    credentials: frozenset[int]


def names_and_credentials(objects: Iterable[JsonObject]) -> NamesAndCredentials:
    """Return both, found in one walk."""
    named, credentials = set[str](), set[int]()
    for item in objects:
        if is_secret(ref_of(item)):
            credentials.add(id(item))
            named |= names([item])
            continue
        entries = [*maps(item)]
        named |= names_in(entries)
        if may_have_places(entries) and any(credentials_in(item)):
            credentials.add(id(item))
    return NamesAndCredentials(frozenset(named), frozenset(credentials))


def has_credentials(item: JsonObject) -> bool:
    """Return whether an object is a Secret, or has a credential at a known place."""
    return is_secret(ref_of(item)) or (may_have_places([*maps(item)]) and any(credentials_in(item)))
