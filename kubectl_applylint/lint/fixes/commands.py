"""The effects of commands in fixes on one object, as defined by kubectl."""

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.fixes.sources import without_pipe

_OF_SHELL: Final = regex(r"\$\(|\$\{|`|[|;<>\n]|&&")
"""Shell syntax beyond one command with plain words."""
_LOOK: Final = regex(
    r"kubectl (?:get|describe|diff|explain|auth|api-resources|kustomize|wait|rollout status|apply view-last-applied)\b"
)
_DOES_MORE: Final = regex(r"[;>]|&&|\|(?! *grep )")
_SWITCHES: Final = ("--server-side", "--force-conflicts", "--ignore-not-found")
_OPTIONS: Final = ("-f", "-k", "-n", "-p", "--cascade", "--type", "--dry-run", "--field-manager")
_POINTER: Final = regex(r"(?:/[^/]+)+\Z")


@dataclass(frozen=True, slots=True)
class NoChange:
    """The command changes nothing."""


@dataclass(frozen=True, slots=True)
class Delete:
    """The command deletes the object, maybe with ``--cascade=orphan``."""


@dataclass(frozen=True, slots=True)
class MergePatch:
    """The command merges ``body`` into the live object as ``manager``."""

    body: JsonObject
    manager: str


@dataclass(frozen=True, slots=True)
class Removal:
    """The command removes these places of the live object, given by field names and element positions."""

    pointers: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Apply:
    """The command applies the manifest with these flags."""

    files: tuple[str, ...]
    kustomization: str = ""
    server_side: bool = False
    force_conflicts: bool = False
    field_manager: str = ""


Command: TypeAlias = NoChange | Delete | MergePatch | Removal | Apply


def command(text: str, ref: ObjectRef) -> Command | None:
    """Return the effect of a command on the object ``ref``, ``None`` if unknown."""
    text = without_pipe(text)
    if _LOOK.match(text) and not _DOES_MORE.search(text):
        return NoChange()
    if _OF_SHELL.search(text):
        return None
    try:
        words = shlex.split(text)
        read = _READERS.get(words[1]) if words[:1] == ["kubectl"] and words[1:] else None
        given = _parse_arguments(words[2:])
        return read(given, ref) if read and given else None
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class _Arguments:
    """The arguments after the verb: names, and the values of flags in their order."""

    names: tuple[str, ...] = ()
    flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def last(self, flag: str, default: str = "") -> str:
        """Return the value of a flag; the last one counts."""
        return self.flags.get(flag, (default,))[-1]

    def names_only(self, ref: ObjectRef) -> bool:
        """Return whether the arguments name ``ref`` and nothing else."""
        is_named = self.names in ((str(ref),), (f"{ref.kind.lower()}/{ref.name}",))
        return is_named and self.last("-n") == ref.namespace


def _parse_arguments(words: Sequence[str]) -> _Arguments | None:
    """Return the arguments after the verb, ``None`` for an unsupported flag."""
    names: list[str] = []
    flags: dict[str, tuple[str, ...]] = {}
    rest = iter(words)
    for word in rest:
        flag, equals, value = word.partition("=")
        if not flag.startswith("-"):
            names.append(word)
        elif flag in _SWITCHES:
            flags[flag] = (*flags.get(flag, ()), value if equals else "true")
        elif flag in _OPTIONS:
            flags[flag] = (*flags.get(flag, ()), value if equals else next(rest, ""))
        else:
            return None
    return _Arguments(tuple(names), flags)


def _delete(given: _Arguments, ref: ObjectRef) -> Command | None:
    """Return the deletion if the arguments name the object."""
    return Delete() if given.names_only(ref) else None


def _patch(given: _Arguments, ref: ObjectRef) -> Command | None:
    """Return the effect of ``kubectl patch``, ``None`` if unsupported."""
    if not given.names_only(ref):
        return None
    body = json.loads(given.last("-p"))
    match given.last("--type"):
        case "merge":
            return MergePatch(body, "kubectl-patch")
        case "json":
            return _removal(body)
        case _:
            return None


def _removal(operations: Sequence[Mapping[str, Json]]) -> Removal | None:
    """Return the removals of a JSON patch, ``None`` if it changes anything else. Its tests are assumed to hold."""
    writing = [one for one in operations if one.get("op") != "test"]
    paths = [str(one.get("path")) for one in writing if one.get("op") == "remove"]
    if not paths or len(paths) < len(writing) or not all(map(_POINTER.match, paths)):
        return None
    return Removal(tuple(tuple(map(_unescape_step, path.split("/")[1:])) for path in paths))


def _unescape_step(step: str) -> str:
    """Return one step of a JSON pointer without escapes."""
    return step.replace("~1", "/").replace("~0", "~")


def _annotate(given: _Arguments, ref: ObjectRef) -> Command | None:
    """Return the effect of ``kubectl annotate`` that removes annotations, ``None`` for any other."""
    keys = given.names[1:]
    if (
        not keys
        or not all(key.endswith("-") for key in keys)
        or not replace(given, names=given.names[:1]).names_only(ref)
    ):
        return None
    return MergePatch({"metadata": {"annotations": {key[:-1]: None for key in keys}}}, "kubectl-annotate")


def _apply(given: _Arguments, _: ObjectRef) -> Command | None:
    """Return the effect of ``kubectl apply``, ``None`` if it has unexpected arguments."""
    if given.names:
        return None
    if given.last("--dry-run", "none") != "none":
        return NoChange()
    return Apply(
        files=given.flags.get("-f", ()),
        kustomization=given.last("-k"),
        server_side=given.last("--server-side") == "true",
        force_conflicts=given.last("--force-conflicts") == "true",
        field_manager=given.last("--field-manager"),
    )


_READERS: Final[Mapping[str, Callable[[_Arguments, ObjectRef], Command | None]]] = {
    "delete": _delete,
    "patch": _patch,
    "annotate": _annotate,
    "apply": _apply,
}
