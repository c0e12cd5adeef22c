"""AppProjects of Argo CD: the sources, destinations and kinds that they permit.

Mirrors ``app_project_types.go``, ``ValidatePermissions`` and ``validateSyncPermissions`` of Argo CD 3.6. An answer is
``None`` if it depends on what is not known here, such as the name under which Argo CD knows a cluster.
"""

from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import partial
from typing import Final

from kubectl_applylint.core.patterns.globs import glob_matches
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import JsonObject, mapping, objects_at, text_at, texts_at

OWN_CLUSTER: Final = "in-cluster"
"""The name that every Argo CD has for its own cluster."""
OWN_SERVER: Final = "https://kubernetes.default.svc"
DEFAULT_PROJECT: Final = "default"
_AS_CREATED: Final[JsonObject] = {
    "sourceRepos": ["*"],
    "destinations": [{"server": "*", "namespace": "*"}],
    "clusterResourceWhitelist": [{"group": "*", "kind": "*"}],
}
"""What Argo CD permits in the project ``default`` that it creates at its first start (``initializeDefaultProject``)."""
_HOST: Final = r"[\w.~@*!$&'(),;=+-]*"
_PLAIN_URL: Final = regex(rf"(?:[a-z][a-z0-9+.-]*://{_HOST}(?::\d+)?|{_HOST})(?:/[\w.~:/@*!$&'(),;=+-]*)?")
"""A URL that Go writes as it reads it."""
_SSH_URL: Final = regex(r"(?P<scheme>ssh://)?[^/:]*@[^@]+")
_VARIABLE: Final = regex(r"\{\{|\$\{|\$\(|[<>]")
"""What a program replaces that is not run here."""


@dataclass(frozen=True, slots=True)
class AppProject:
    """An AppProject."""

    name: str
    spec: JsonObject = field(repr=False)


def declared_project(item: JsonObject) -> AppProject:
    """Return the AppProject that a manifest leads to: an apply keeps what ``default`` has and the manifest does not."""
    name, spec = text_at(item, "metadata", "name"), mapping(item.get("spec"))
    return AppProject(name, {**_AS_CREATED, **spec} if name == DEFAULT_PROJECT else spec)


@dataclass(frozen=True, slots=True)
class Destination:
    """The cluster of an Application by its URL and its name, ``None`` if that is not known."""

    server: str | None = None
    name: str | None = None
    is_named: bool = False
    """Whether the Application names the cluster, so that messages do as well."""

    @property
    def shown(self) -> str:
        """The cluster as messages of Argo CD show it."""
        return (self.name if self.is_named else self.server) or ""


def destination_of(application: JsonObject) -> Destination:
    """Return the cluster of an Application."""
    server, name = (text_at(application, "spec", "destination", key) for key in ("server", "name"))
    if bool(server) == bool(name) or _VARIABLE.search(server + name):
        return Destination()
    if name:
        return Destination(OWN_SERVER if name == OWN_CLUSTER else None, name, is_named=True)
    # A Secret may give Argo CD's own cluster another name.
    return Destination(server)


@dataclass(frozen=True, slots=True)
class Permissions:
    """What the project of an Application permits.

    ``projects`` are the AppProjects with its name: none if it is not known, several if the files of several clusters or
    patches have one each. What one of them permits is taken to be permitted.
    """

    projects: tuple[AppProject, ...] = ()
    urls: tuple[str, ...] = ()
    """The sources of the Application."""
    destination: Destination = Destination()
    namespace: str = ""
    """The destination namespace of the Application."""
    wanted: ObjectRef | None = None
    """The AppProject to look up if the files have none; ``None`` if its namespace is not known."""

    @property
    def application_error(self) -> str:
        """Why the Application is not permitted, in the words of Argo CD; empty if it may be."""
        return self._first_error(self._application_error)

    def object_error(self, ref: ObjectRef, *, is_namespaced: bool) -> str:
        """Return why an object is not permitted, in the words of Argo CD; empty if it may be."""
        return self._first_error(partial(self._object_error, ref, is_namespaced=is_namespaced))

    def _first_error(self, error_of: Callable[[AppProject], str]) -> str:
        """Return the error in the first project if there is one in each."""
        errors = [error_of(one) for one in self.projects]
        return errors[0] if errors and all(errors) else ""

    def _application_error(self, project: AppProject) -> str:
        for url in self.urls:
            if permits_source(project, url) is False:
                return f"application repo {url} is not permitted in project '{project.name}'"
        if permits_destination(project, self.destination, self.namespace) is False:
            return (
                f"application destination server '{self.destination.shown}' and namespace '{self.namespace}' do not"
                f" match any of the allowed destinations in project '{project.name}'"
            )
        return ""

    def _object_error(self, ref: ObjectRef, project: AppProject, *, is_namespaced: bool) -> str:
        if not permits_kind(project, ref, is_namespaced=is_namespaced):
            return f"resource {ref.group}:{ref.kind} is not permitted in project {project.name}"
        namespace = ref.namespace or self.namespace
        if is_namespaced and permits_destination(project, self.destination, namespace) is False:
            return f"namespace {namespace} is not permitted in project '{project.name}'"
        return ""


def permits_kind(project: AppProject, ref: ObjectRef, *, is_namespaced: bool) -> bool:
    """Return whether a project permits the kind of an object, of cluster-wide ones also the name."""
    spec = project.spec
    if is_namespaced:
        permitted = spec.get("namespaceResourceWhitelist")
        is_listed = permitted is None or _is_listed(ref, spec, "namespaceResourceWhitelist", has_names=False)
        return is_listed and not _is_listed(ref, spec, "namespaceResourceBlacklist", has_names=False)
    is_listed = _is_listed(ref, spec, "clusterResourceWhitelist", has_names=True)
    return is_listed and not _is_listed(ref, spec, "clusterResourceBlacklist", has_names=True)


def _is_listed(ref: ObjectRef, spec: JsonObject, name: str, *, has_names: bool) -> bool:
    return any(_matches_kind(ref, one, has_names=has_names) for one in objects_at(spec, name))


def _matches_kind(ref: ObjectRef, entry: JsonObject, *, has_names: bool) -> bool:
    is_kind = fnmatchcase(ref.kind, text_at(entry, "kind")) and fnmatchcase(ref.group, text_at(entry, "group"))
    name = text_at(entry, "name") if has_names else ""
    return is_kind and (not name or fnmatchcase(ref.name, name))


def permits_source(project: AppProject, url: str) -> bool | None:
    """Return whether a project permits a source: a pattern matches it, and no denial does."""
    patterns = texts_at(project.spec, "sourceRepos")
    found = [_matches_source(one, url) for one in patterns]
    denied = (_opposite(matches) for matches, one in zip(found, patterns, strict=True) if _is_denial(one))
    return _both(_either(*found), _opposite(_either(*denied)))


def _matches_source(pattern: str, url: str) -> bool | None:
    denial = pattern[:1] if _is_denial(pattern) else ""
    wanted, own = _comparable_url(url), _comparable_url(pattern.removeprefix(denial))
    return None if wanted is None or own is None else _matches_pattern(denial + own, wanted, "/")


def _comparable_url(url: str) -> str | None:
    """Return a URL as Argo CD compares it; ``None`` if Go's parser of URLs may change it."""
    text = url.strip().lower()
    ssh = _SSH_URL.fullmatch(text)
    if ssh and not ssh["scheme"]:
        text = f"ssh://{text.replace(':', '/', 1)}"
    is_known = _PLAIN_URL.fullmatch(text) and not _VARIABLE.search(text)
    return text.removesuffix(".git").removeprefix("ssh://") if is_known else None


def permits_destination(project: AppProject, destination: Destination, namespace: str) -> bool | None:
    """Return whether a project permits a cluster and a namespace: an entry matches them, and no denial does."""
    if destination == Destination() or _VARIABLE.search(namespace):
        return None
    entries = objects_at(project.spec, "destinations")
    denied = _either(*(_is_denied(one, destination, namespace) for one in entries))
    permitted = _both(_either(*(_matches_entry(one, destination, namespace) for one in entries)), _opposite(denied))
    return None if permitted and project.spec.get("permitOnlyProjectScopedClusters") is True else permitted


def _matches_entry(entry: JsonObject, destination: Destination, namespace: str) -> bool | None:
    is_cluster = _either(_matches_cluster(entry, "server", destination), _matches_cluster(entry, "name", destination))
    return _both(is_cluster, _matches_pattern(text_at(entry, "namespace"), namespace))


def _is_denied(entry: JsonObject, destination: Destination, namespace: str) -> bool | None:
    """Return whether an entry that does not match denies a cluster and a namespace."""
    server, name = (_matches_cluster(entry, key, destination) for key in ("server", "name"))
    is_namespace = _matches_pattern(text_at(entry, "namespace"), namespace)
    others = [
        _opposite(matches) for key, matches in (("server", server), ("name", name)) if _is_denial(text_at(entry, key))
    ]
    is_other_cluster = _both(_either(*others), is_namespace)
    is_other_namespace = _both(_is_denial(text_at(entry, "namespace")) and not is_namespace, server)
    is_unmatched = _opposite(_matches_entry(entry, destination, namespace))
    return _both(is_unmatched, _either(is_other_cluster, is_other_namespace))


def _matches_cluster(entry: JsonObject, key: str, destination: Destination) -> bool | None:
    """Return whether the URL or the name of a cluster matches an entry."""
    pattern, value = text_at(entry, key), destination.server if key == "server" else destination.name
    if value is None:
        return {"": False, "*": True}.get(pattern)
    return _matches_pattern(pattern, value)


def _matches_pattern(pattern: str, text: str, separators: str = "") -> bool:
    if _is_denial(pattern):
        return not glob_matches(pattern[1:], text, separators)
    return pattern == "*" or glob_matches(pattern, text, separators)


def _is_denial(pattern: str) -> bool:
    return pattern.startswith("!")


def _both(*answers: bool | None) -> bool | None:
    return False if False in answers else None if None in answers else True


def _either(*answers: bool | None) -> bool | None:
    return True if True in answers else None if None in answers else False


def _opposite(answer: bool | None) -> bool | None:
    return None if answer is None else not answer
