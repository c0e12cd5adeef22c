"""A pod as the checks of Pod Security read it, and the texts of their messages."""

from collections.abc import Callable, Iterable

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, dig, mapping


@dataclass(frozen=True, slots=True)
class Pod:
    """Metadata and spec of a pod or pod template."""

    metadata: JsonObject
    spec: JsonObject

    @property
    def containers(self) -> tuple[JsonObject, ...]:
        """All containers, in the order in which the server checks them."""
        lists = (self.spec.get(name) or [] for name in ("initContainers", "containers", "ephemeralContainers"))
        return tuple(container for each in lists for container in each)

    @property
    def annotations(self) -> JsonObject:
        """The annotations of the pod."""
        return mapping(self.metadata.get("annotations"))

    @property
    def is_for_windows(self) -> bool:
        """Whether the pod declares that it runs on Windows."""
        return dig(self.spec, "os", "name") == "windows"

    @property
    def has_own_users(self) -> bool:
        """Whether the pod has its own user namespace."""
        return self.spec.get("hostUsers") is False

    def setters(self, is_bad: Callable[[JsonObject], bool]) -> list[str]:
        """Return the names of bad security contexts: ``pod``, ``container "a"``."""
        bad = names(self.containers, lambda container: is_bad(context(container)))
        return [*(["pod"] if is_bad(context(self.spec)) else []), *([noun_with_names("container", bad)] if bad else [])]


def context(holder: JsonObject) -> JsonObject:
    """Return the security context of a pod's spec or of a container."""
    return mapping(holder.get("securityContext"))


def setting(holder: JsonObject, *path: str) -> Json | Missing:
    """Return a field of a security context, ``MISSING`` if it is absent."""
    found = dig(context(holder), *path)
    return MISSING if found is None else found


def names(containers: Iterable[JsonObject], is_bad: Callable[[JsonObject], bool]) -> list[str]:
    """Return the names of the containers that violate a check."""
    return [str(container.get("name", "")) for container in containers if is_bad(container)]


def quote_names(words: Iterable[str]) -> str:
    """Return the names in quotation marks, joined by commas."""
    return ", ".join(f'"{word}"' for word in words)


def several(noun: str, number: int) -> str:
    """Return a noun in the singular or plural."""
    return noun if number == 1 else f"{noun}s"


def noun_with_names(noun: str, found: list[str]) -> str:
    """Return a noun in the singular or plural, and the quoted names."""
    return f"{several(noun, len(found))} {quote_names(found)}"
