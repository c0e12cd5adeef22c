"""What of objects is kept for masks: what names something, and which objects have credentials; never a credential."""

from collections.abc import Iterable

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.secrets.credential_places import credentials_in, may_have_places
from kubectl_applylint.secrets.literals import maps, names, names_in
from kubectl_applylint.secrets.secret_places import is_secret


@dataclass(frozen=True, slots=True)
class NamesAndCredentials:
    """What names something in objects, and which of them (by ``id``) are Secrets or have credentials."""

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
    """Tell whether an object is a Secret, or has a credential at a known place."""
    return is_secret(ref_of(item)) or (may_have_places([*maps(item)]) and any(credentials_in(item)))
