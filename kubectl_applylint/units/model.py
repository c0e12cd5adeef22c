"""The unit: what one apply covers. Paths are those of a repository, with ``/`` between folders; ``""`` is its root."""

from enum import StrEnum
from typing import Any

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.values import JsonObject


class Form(StrEnum):
    """What the root of a unit is."""

    FOLDER = "folder"
    """The manifests in a folder, without those of its subfolders unless the configuration says otherwise."""
    FILE = "file"
    """One file, where others of its folder hold the same objects: alternatives."""
    KUSTOMIZATION = "kustomization"
    CHART = "chart"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is a unit: where that is written (``""`` and 0 where the layout alone says it), and what it is."""

    text: str
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{self.text} ({place})" if place else self.text


@dataclass(frozen=True, slots=True)
class HelmOptions:
    """What renders a chart beside its own values, as an object of a tool says it.

    ``files`` are paths of the repository, of which later ones count; ``inline`` are values in JSON that count more than
    all files, empty for none; ``release`` is the name of the release, empty where nothing tells.
    """

    files: tuple[str, ...] = ()
    inline: str = field(default="", repr=False)
    release: str = ""


@dataclass(frozen=True, slots=True)
class Applied:
    """Who applies a root, and how, as an object of the repository or the configuration says it.

    ``target`` names the cluster, or several with ``, `` between, empty where nothing tells. ``is_known_target`` is
    whether two units with the same target are certain to be applied to one cluster.
    ``prune`` is ``None`` where nobody says whether the tool prunes.
    """

    tool: str = "kubectl"
    namespace: str = ""
    target: str = ""
    is_known_target: bool = False
    prune: bool | None = None
    reason: Reason = Reason("")
    options: tuple[tuple[str, Any], ...] = ()
    """What the configuration says of this apply alone: settings of the run by the names of their fields."""
    helm: HelmOptions | None = None
    """What renders a chart, ``None`` where nothing tells."""
    tool_object: JsonObject | None = field(default=None, compare=False, repr=False)
    """The Kustomization of Flux or the Application of Argo CD that applies it, as the repository has it."""

    doubts: tuple[str, ...] = field(default=(), compare=False)
    """What is only assumed of it, a line each."""

    @property
    def prunes(self) -> bool:
        """Whether the tool deletes what leaves the root, or nobody says that it does not; ``kubectl`` is asked to."""
        return self.tool not in ("kubectl", "skaffold") and self.prune is not False


@dataclass(frozen=True, slots=True)
class Unit:
    """One apply: its root, what the root is, who applies it, and the files that it is made of."""

    root: str
    form: Form
    files: frozenset[str] = field(repr=False)
    applied: Applied = Applied()
    values: tuple[str, ...] = ()
    """The files with values that a chart is rendered with, beside its own values."""
    is_beside_chart: bool = False
    """Whether these are the plain manifests in the directory of a chart, which has the same root."""

    @property
    def shown(self) -> str:
        """The root as people write it, with the values of a chart; the root of the repository is ``.``."""
        names = ", ".join(path.rpartition("/")[2] for path in self.values)
        return f"{self.root or '.'} ({names})" if names else self.root or "."

    @property
    def release(self) -> str:
        """The name of the release or the app that it is: that of its directory, unless an object of a tool names it.

        Of one in the top directory it is that of ``helm template``.
        """
        told = self.applied.helm.release if self.applied.helm else ""
        return told or self.root.rpartition("/")[2] or "release-name"

    @property
    def key(self) -> tuple[str, ...]:
        """What makes two units of two revisions the same: the root, what applies it where, the release or values."""
        release = self.applied.helm.release if self.applied.helm else ""
        own = ("beside the chart",) if self.is_beside_chart else (release,) if release else self.values
        return (self.root, self.applied.namespace, self.applied.target, *own)

    @property
    def place(self) -> tuple[str, ...]:
        """What the units of a run are sorted by: root and values, then what else makes one different from another."""
        return (self.root, "\0".join(self.values), *self.key[1:])
