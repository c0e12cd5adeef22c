"""Names of kinds on a command line: ``deploy``, ``deployments.apps``, ``hpa.v2.autoscaling``."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import dig, items, mapping
from kubectl_applylint.schema.types import Kind

SHORT_NAMES: Final[Mapping[str, str]] = {
    "certificatesigningrequests.certificates.k8s.io": "csr",
    "configmaps": "cm",
    "cronjobs.batch": "cj",
    "customresourcedefinitions.apiextensions.k8s.io": "crd",
    "daemonsets.apps": "ds",
    "deployments.apps": "deploy",
    "endpoints": "ep",
    "events": "ev",
    "horizontalpodautoscalers.autoscaling": "hpa",
    "ingresses.networking.k8s.io": "ing",
    "ipaddresses.networking.k8s.io": "ip",
    "limitranges": "limits",
    "namespaces": "ns",
    "networkpolicies.networking.k8s.io": "netpol",
    "nodes": "no",
    "persistentvolumeclaims": "pvc",
    "persistentvolumes": "pv",
    "poddisruptionbudgets.policy": "pdb",
    "pods": "po",
    "priorityclasses.scheduling.k8s.io": "pc",
    "replicasets.apps": "rs",
    "replicationcontrollers": "rc",
    "resourcequotas": "quota",
    "serviceaccounts": "sa",
    "services": "svc",
    "statefulsets.apps": "sts",
    "storageclasses.storage.k8s.io": "sc",
    "volumeattributesclasses.storage.k8s.io": "vac",
}
"""The short names of built-in kinds (``ShortNames`` of their storage), for use without a cluster."""


@dataclass(frozen=True, slots=True)
class ObjectArgument:
    """One object as named on a command line: ``word`` is the kind as the user spelled it."""

    word: str
    name: str

    def __str__(self) -> str:
        return f"{self.word}/{self.name}"


def parse_objects(texts: Sequence[str]) -> tuple[ObjectArgument, ...]:
    """Return the objects of arguments ``KIND/NAME ...`` or ``KIND NAME ...``, as kubectl reads them.

    Raises ``ValueError`` for other arguments.
    """
    if len(texts) > 1 and not any("/" in text for text in texts):
        return tuple(parse_object(f"{texts[0]}/{name}") for name in texts[1:])
    return tuple(map(parse_object, texts))


def parse_object(text: str) -> ObjectArgument:
    """Return the object of an argument ``KIND/NAME``; raise ``ValueError`` for other texts."""
    word, slash, name = text.partition("/")
    if not (word and slash and name) or "/" in name:
        raise ValueError(f"{text!r} is not an object; write it like deployment/web")
    return ObjectArgument(word, name)


def is_name_of_kind(word: str, api_version: str, kind: str, names: Iterable[str]) -> bool:
    """Return whether kubectl reads ``word`` as a kind that also has these ``names`` (plural, singular, short ones).

    The word may be followed by the group, or by version and group.
    """
    name, _, rest = word.lower().partition(".")
    group, _, version = api_version.rpartition("/")
    return name in {kind.lower(), *names} and rest in ("", group, f"{version}.{group}".rstrip("."))


def names_of(kind: Kind) -> tuple[str, ...]:
    """Return the other names of a kind: the plural, the singular and the short names."""
    group = kind.api_version.rpartition("/")[0]
    short = SHORT_NAMES.get(f"{kind.resource}.{group}".rstrip("."), "")
    names = dig(kind.definition, "spec", "names")
    own = [mapping(names).get("singular"), *items(mapping(names).get("shortNames"))]
    return tuple(name for name in (kind.resource, short, *own) if isinstance(name, str) and name)
