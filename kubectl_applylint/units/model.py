"""The unit: the scope of one apply. Paths are relative to the repository, with ``/``; ``""`` is its root."""

from enum import StrEnum
from typing import Any, TypeAlias

from kubectl_applylint.core.holes import Hole
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import ObjectRef, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.sources.store.chart_source import ChartSource


class Form(StrEnum):
    """The type of a unit's root."""

    FOLDER = "folder"
    """The manifests in a folder, without subfolders unless the configuration includes them."""
    FILE = "file"
    """One file, in a folder whose files define the same objects: alternatives."""
    KUSTOMIZATION = "kustomization"
    CHART = "chart"
    RELEASE = "release"
    """A HelmRelease of Flux, or an Application with options of Argo CD; its root is ``HelmRelease/NAMESPACE/NAME`` or
    ``Application/NAMESPACE/NAME``."""
    RESOURCE_SET = "resource-set"
    """The objects of a ``ResourceSet`` of the Flux operator; its root is ``ResourceSet/NAMESPACE/NAME``."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is a unit: the place of its declaration (``""`` and 0 for the layout), and its description."""

    text: str
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        return f"{self.text} ({self.place})" if self.place else self.text

    @property
    def place(self) -> str:
        """The file with the line, or empty."""
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True, slots=True)
class HelmOptions:
    """Options for rendering a chart in addition to its own values, from an object of a tool.

    ``files`` are paths of the repository, later ones override earlier ones; ``inline`` are values in JSON that override
    all files, empty for none; ``release`` is the name of the release, empty if unknown.
    """

    files: tuple[str, ...] = ()
    inline: str = field(default="", repr=False)
    release: str = ""


@dataclass(frozen=True, slots=True)
class Substitutes:
    """The variables that a Kustomization of Flux replaces: by name, the text or why it is not known."""

    values: tuple[tuple[str, str | Unknown], ...] = field(default=(), repr=False)
    others: Unknown | None = None
    """Why other variables may be set as well; ``None`` if none is."""
    fault: str = ""
    """Why nothing can be replaced."""
    secrets: tuple[tuple[str, Hole], ...] = ()
    """The values of Secrets: the variable, empty for all those of a Secret that is not in the files, and its hole
    without a place."""
    is_strict: bool = True
    """Whether Flux fails at a variable without a value, instead of inserting nothing."""

    @property
    def key(self) -> tuple[object, ...]:
        """A value that is equal in two revisions if the variables are, in whatever files they are written."""
        holes = tuple((one.identity, one.digest) for _, one in self.secrets)
        return self.values, self.others, self.fault, holes, self.is_strict


Texts: TypeAlias = tuple[tuple[str, str | Unknown], ...] | Unknown | None
"""The data of an object by key: ``Unknown`` if not even its keys are known, ``None`` if it does not exist."""


@dataclass(frozen=True, slots=True)
class ValuesFiles:
    """The values files of a chart in its source, which replace its own values; later ones override earlier ones."""

    names: tuple[str, ...] = ()
    ignores_missing: bool = False


@dataclass(frozen=True, slots=True)
class ReleaseInputs:
    """What the controller renders a HelmRelease from, besides the object itself."""

    chart: ChartSource | None = None
    reason: str = ""
    """Why the source of the chart is not known."""
    place: str = field(default="", compare=False)
    """Where the source is named: ``file:line``."""
    values: tuple[tuple[str, str, str, Texts], ...] = field(default=(), repr=False)
    """The objects with values: kind, namespace, name and data."""
    holes: tuple[Hole, ...] = ()
    """The Secrets with values that are not known."""
    folder: str | None = None
    """The folder of the repository that is the chart; ``None`` for a chart of another source."""
    values_files: ValuesFiles = ValuesFiles()

    @property
    def key(self) -> tuple[object, ...]:
        """A value that is equal in two revisions if the inputs are."""
        return (
            self.chart,
            self.folder,
            self.values_files,
            self.reason,
            self.values,
            tuple((one.identity, one.digest) for one in self.holes),
        )


@dataclass(frozen=True, slots=True)
class Installation:
    """The objects in the files that configure the Argo CD of an Application."""

    projects: tuple[str, ...] = field(default=(), repr=False)
    """The AppProjects that may be that of the Application, each in JSON."""
    settings: str = field(default="", repr=False)
    """The settings in the ConfigMap ``argocd-cm`` that change predictions, in JSON; empty if none are known."""
    differing: tuple[str, ...] = ()
    """The settings that have several values in the files."""


@dataclass(frozen=True, slots=True)
class SourceFilter:
    """The files of a source of Flux that its artifact has."""

    ignore: str = field(default="", repr=False)
    """The patterns of files that it leaves out, as in ``.gitignore``."""
    sparse: tuple[str, ...] = ()
    """The starts of paths to which the checkout of a git repository is limited, empty for all files."""

    def may_have(self, folder: str) -> bool:
        """Return whether the checkout may have files of a folder."""
        home = f"{folder}/".lstrip("/")
        starts = [one.removeprefix("./") for one in self.sparse]
        return not starts or any(home.startswith(start) or start.startswith(home) for start in starts)


@dataclass(frozen=True, slots=True)
class IncludedSource:
    """A git repository whose files the source of a Kustomization of Flux includes, with its own includes."""

    name: str
    """The object: ``GitRepository flux-system/shared``."""
    from_path: str = ""
    """The file or folder that is copied, empty for all files."""
    to_path: str = ""
    url: str = ""
    revision: str = ""
    """As in ``Declared``."""
    source: ChartSource | None = None
    """The repository as a source of the store; ``None`` for the examined repository."""
    reason: str = ""
    """Why its files are not known, empty if they can be."""
    filter: SourceFilter = SourceFilter()
    includes: tuple["IncludedSource", ...] = ()

    @property
    def sources(self) -> tuple[ChartSource, ...]:
        """The repositories that have its files, besides the examined one."""
        own = () if self.source is None or self.reason else (self.source,)
        return (*own, *(source for one in self.includes for source in one.sources))

    @property
    def names(self) -> tuple[str, ...]:
        """The objects of the repository and of those that it includes."""
        return (self.name, *(name for one in self.includes for name in one.names))


@dataclass(frozen=True, slots=True)
class Applied:
    """Who applies a root, and how, according to an object of the repository or the configuration.

    ``target`` is the name of the cluster, or several separated by ``, ``, empty if unknown. ``is_known_target``: two
    units with the same target are certainly applied to one cluster. ``prune`` is ``None`` if it is unknown whether the
    tool prunes.
    """

    tool: str = "kubectl"
    namespace: str = ""
    target: str = ""
    is_known_target: bool = False
    prune: bool | None = None
    reason: Reason = Reason("")
    options: tuple[tuple[str, Any], ...] = ()
    """Options that the configuration sets for this apply: settings of the run by field name."""
    helm: HelmOptions | None = None
    """Options for rendering a chart, ``None`` if unknown."""
    tool_object: JsonObject | None = field(default=None, compare=False, repr=False)
    """The Flux Kustomization or Argo CD Application that applies it, as the unit that declares it renders it."""
    declared_by: ObjectRef | None = None
    """The object that declares a unit of its own, also if other objects apply the same path."""
    generated_by: ObjectRef | None = None
    """The ApplicationSet that generates the declaring object, if the repository does not contain that object."""
    other_repositories: tuple[str, ...] = ()
    """The URLs of its sources that are other repositories, if it has several."""
    source: str = ""
    """The source of the manifests if it is not the repository: ``OCIRepository apps/web``."""
    fetched_source: ChartSource | None = None
    """The other git repository or the OCI artifact that has the manifests."""
    revision: str = ""
    """The other branch, tag or commit of the repository that its source names: ``tag v1.2.0``."""
    other_revisions: tuple[str, ...] = ()
    """The other revisions of the repository that sources of several name."""
    assumed_revisions: tuple[str, ...] = ()
    """The branches of its sources that are taken to be the examined revision, since no default branch is known."""
    includes: tuple[IncludedSource, ...] = ()
    """The git repositories whose files its source includes, in the order in which they are copied."""
    source_identity: str = field(default="", repr=False)
    """A digest of the object that names the source, if that is not followed."""
    gap: str = ""
    """Why nothing of it is examined: its source is another repository, or another revision."""
    unknown_files: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """Patterns of the files of the repository that the Applications of a set may depend on, if they are not known."""
    unknown_generators: str = field(default="", compare=False, repr=False)
    """The generators of the declaring Application whose parameters are not known, in JSON."""
    generator_revisions: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """The branches that generators of the declaring Application read, if these are ``assumed_revisions``."""
    is_suspended: bool = False
    """Whether the tool applies nothing at present."""
    is_written: bool = field(default=False, compare=False)
    """Whether the declaring object is known as its file has it, and not as the unit that applies it renders it."""
    cluster: str = ""
    """The path of the root declaration through which it is reached, empty for the layout and the configuration."""
    has_assumed_values: bool = field(default=False, compare=False)
    """Whether a chart that nothing declares renders the declaring object, with values that are assumed."""
    variables: Substitutes = Substitutes()
    release: ReleaseInputs = ReleaseInputs()
    inputs: str = field(default="", repr=False)
    """The inputs of a ``ResourceSet``, a list in JSON."""
    installation: Installation = Installation()
    source_filter: SourceFilter = SourceFilter()
    """The files that the artifact of its source has."""
    makes_namespace: bool = field(default=False, compare=False)
    """Whether its tool also makes its namespace, which did not exist before a change."""
    doubts: tuple[str, ...] = field(default=(), compare=False)
    """Assumptions about it, a line each."""
    program: str = ""
    """The program of the tool that applies it, if it does not have the name of the tool."""

    @property
    def inputs_key(self) -> tuple[object, ...]:
        """A value that is equal in two revisions if all is that the objects are built from, besides files."""
        named = (self.fetched_source, self.revision, self.other_revisions, self.assumed_revisions)
        files = (*named, self.includes, self.source_filter, self.source_identity)
        return (self.variables.key, *files, self.release.key, self.helm)

    @property
    def applies_objects(self) -> bool:
        """Whether objects of the repository are applied at present."""
        return not (self.gap or self.is_suspended)

    @property
    def prunes(self) -> bool:
        """Whether the tool deletes removed objects, or may do so; kubectl and Skaffold do so only on request."""
        return self.tool not in ("kubectl", "skaffold") and self.prune is not False


def object_root(ref: ObjectRef) -> str:
    """Return the root of a unit that is not a path of the repository: the name of its declaring object."""
    return f"{ref.kind}/{ref.namespaced_name}"


@dataclass(frozen=True, slots=True)
class Unit:
    """One apply: its root and the type of it, who applies it, and the files that it consists of."""

    root: str
    form: Form
    files: frozenset[str] = field(repr=False)
    applied: Applied = Applied()
    values: tuple[str, ...] = ()
    """The values files for rendering a chart, in addition to its own values."""
    is_beside_chart: bool = False
    """Whether these are the plain manifests in the directory of a chart, which has the same root."""

    @property
    def shown(self) -> str:
        """The displayed root, with the values of a chart; the root of the repository is ``.``."""
        names = ", ".join(path.rpartition("/")[2] for path in self.values)
        return f"{self.root or '.'} ({names})" if names else self.root or "."

    @property
    def may_be_patched(self) -> bool:
        """Whether its objects may get fields from what is not known: from what applies the declaring object."""
        is_root = self.root == self.applied.cluster
        return not self.applied.reason.file or (self.applied.is_written and not is_root)

    @property
    def names(self) -> frozenset[str]:
        """The names by which it can be selected: the root, and those of its declaring object."""
        ref = self.applied.declared_by
        if ref is None:
            return frozenset({self.shown})
        own = object_root(ref)
        return frozenset({self.shown, own, f"{self.applied.cluster}/{own}"})

    @property
    def declaring_cluster(self) -> str:
        """The cluster of what its objects declare; that of a chart which nothing declares is the chart."""
        applied = self.applied
        is_root = self.form is Form.CHART and applied.tool_object is None and not applied.reason.file
        return applied.cluster or (self.shown if is_root else "")

    @property
    def has_own_values_only(self) -> bool:
        """Whether it is a chart for which no file names other values than those of the chart itself."""
        return self.form is Form.CHART and not self.values and self.applied.helm is None

    @property
    def release(self) -> str:
        """The name of the release or the app: that of its directory, unless an object of a tool sets it.

        In the top directory, it is the default of ``helm template``.
        """
        own = self.applied.helm.release if self.applied.helm else ""
        return own or self.root.rpartition("/")[2] or "release-name"

    @property
    def key(self) -> tuple[str, ...]:
        """The identity of a unit across revisions: its declaring object, or the root, who applies it where, the
        release or values.
        """
        if self.applied.declared_by:
            return ("", self.applied.cluster, str(self.applied.declared_by), self.applied.declared_by.namespace)
        release = self.applied.helm.release if self.applied.helm else ""
        own = ("beside the chart",) if self.is_beside_chart else (release,) if release else self.values
        return (self.root, self.applied.namespace, self.applied.target, *own)

    @property
    def place(self) -> tuple[str, ...]:
        """The sort key of the units of a run: root and values, then all else that distinguishes them."""
        return (self.root, "\0".join(self.values), *self.key[1:])
