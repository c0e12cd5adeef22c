"""The objects of a check that pods of a Kubernetes cluster share: an Indexed Job, and one that merges the parts.

Their names and fields are those of batch/v1 and of the Pod Security Standard "restricted". An index writes its
part whole or not at all, so that one that is run again replaces it.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import JsonObject

RETRIES: Final = 3
_FOLDER: Final = "/parts"
_HOME: Final = "/tmp"
_CLONE: Final = f"{_HOME}/repository"
_USER: Final = 65532
"""Any but root's does: an image whose own user is root, or has no number, is rejected without one."""
_FETCH: Final = (
    f'git init -q {_CLONE} && cd {_CLONE} && git fetch -q --depth 1 -- "$1" "$2" && git checkout -q --detach FETCH_HEAD'
)
"""A folder that git itself makes belongs to the user of the pod, as git wants it; that of a volume does not."""
_CHECK: Final = (
    f'part="{_FOLDER}/part-$JOB_COMPLETION_INDEX.json"; rm -f "$part";'
    ' applylint check --shard auto -o part="$part" --exit-zero "$@"; code=$?; test -e "$part" || exit "$code"'
)
"""An index has done its work if there is a part, which holds the problems, too."""
_WAIT: Final = f'until set -- {_FOLDER}/part-*.json; test $# -ge "$APPLYLINT_SHARDS" && test -e "$1"; do sleep 5; done'
_MERGE: Final = (
    f'applylint merge "$@" {_FOLDER}/part-*.json; code=$?; test "$code" -gt 3 || rm -f {_FOLDER}/part-*.json;'
    ' exit "$code"'
)
"""Parts are removed after use: a later run must not merge them. A program that was killed is run again."""


@dataclass(frozen=True, slots=True)
class ShardedCheck:
    """A check that ``shards`` pods share."""

    shards: int
    image: str
    name: str
    namespace: str
    check: Sequence[str]
    """The arguments of ``check`` in each pod."""
    merge: Sequence[str]
    """The arguments of ``merge``, but for the parts."""
    asks_cluster: bool
    """Whether the check reads the cluster that it runs in."""
    repository: str = ""
    """What is cloned; empty where the image has the manifests."""
    revision: str = "HEAD"
    storage_class: str = ""
    access_mode: str = "ReadWriteMany"
    deadline: int = 3600
    """Seconds after which what there is of parts is merged."""


def job_objects(wanted: ShardedCheck) -> tuple[JsonObject, ...]:
    """Return the objects in the order in which they are applied."""
    return (*_rights(wanted), _claim(wanted), _shards(wanted), _merging(wanted))


def job_json(objects: Sequence[JsonObject]) -> str:
    """Return the objects as a list that kubectl reads."""
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)}, ensure_ascii=False, indent=2) + "\n"


def _rights(wanted: ShardedCheck) -> Iterator[JsonObject]:
    account = {"automountServiceAccountToken": False}
    yield {**_header("v1", "ServiceAccount", wanted.name, wanted), **account}
    if not wanted.asks_cluster:
        return
    # What belongs to no namespace is named after one, so that Jobs in two of them share nothing.
    name, group = f"{wanted.namespace}-{wanted.name}", "rbac.authorization.k8s.io"
    rules = [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["get", "list"]}]
    yield {**_header(f"{group}/v1", "ClusterRole", name, wanted), "rules": rules}
    subject = {"kind": "ServiceAccount", "name": wanted.name, "namespace": wanted.namespace}
    role = {"apiGroup": group, "kind": "ClusterRole", "name": name}
    yield {**_header(f"{group}/v1", "ClusterRoleBinding", name, wanted), "roleRef": role, "subjects": [subject]}


def _claim(wanted: ShardedCheck) -> JsonObject:
    chosen = {"storageClassName": wanted.storage_class} if wanted.storage_class else {}
    spec = {"accessModes": [wanted.access_mode], "resources": {"requests": {"storage": "1Gi"}}, **chosen}
    return {**_header("v1", "PersistentVolumeClaim", wanted.name, wanted), "spec": spec}


def _shards(wanted: ShardedCheck) -> JsonObject:
    check = _container("check", wanted, _CHECK, wanted.check)
    spec = {
        "completionMode": "Indexed",
        "completions": wanted.shards,
        "parallelism": wanted.shards,
        "backoffLimitPerIndex": RETRIES,
        # What fails in a quarter of the pods fails in all of them.
        "maxFailedIndexes": max(1, wanted.shards // 4),
        "activeDeadlineSeconds": wanted.deadline,
        "podFailurePolicy": _failures("check", 2),
        "template": _template(wanted, [check], asks_cluster=wanted.asks_cluster),
    }
    return {**_header("batch/v1", "Job", wanted.name, wanted), "spec": spec}


def _merging(wanted: ShardedCheck) -> JsonObject:
    # Where parts are missing in the end, the report says which.
    wait = _container("wait", wanted, f"timeout {wanted.deadline} sh -c '{_WAIT}' || true", memory=("16Mi", "64Mi"))
    merge = _container("merge", wanted, _MERGE, wanted.merge)
    spec = {
        "backoffLimit": RETRIES,
        "podFailurePolicy": _failures("merge", 1, 2, 3),
        "template": _template(wanted, [wait, merge]),
    }
    return {**_header("batch/v1", "Job", f"{wanted.name}-merge", wanted), "spec": spec}


def _failures(container: str, *codes: int) -> JsonObject:
    """Return what to do with pods that fail: these codes are answers, and another run gives the same ones."""
    disrupted = {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}
    answered = {"containerName": container, "operator": "In", "values": list(codes)}
    return {"rules": [disrupted, {"action": "FailJob", "onExitCodes": answered}]}


def _template(wanted: ShardedCheck, containers: list[JsonObject], *, asks_cluster: bool = False) -> JsonObject:
    fetch = _container("fetch", wanted, _FETCH, (wanted.repository, wanted.revision))
    *first, last = [fetch, *containers] if wanted.repository else containers
    # The folder that it makes is not there before.
    started = [{key: value for key, value in one.items() if key != "workingDir"} for one in first]
    claim = {"name": "parts", "persistentVolumeClaim": {"claimName": wanted.name}}
    spec = {
        "serviceAccountName": wanted.name,
        "automountServiceAccountToken": asks_cluster,
        "restartPolicy": "Never",
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": _USER,
            "runAsGroup": _USER,
            "fsGroup": _USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        **({"initContainers": started} if started else {}),
        "containers": [last],
        "volumes": [{"name": "home", "emptyDir": {}}, claim],
    }
    return {"metadata": {"labels": _labels(wanted)}, "spec": spec}


def _container(
    name: str,
    wanted: ShardedCheck,
    script: str,
    words: Sequence[str] = (),
    *,
    memory: tuple[str, str] = ("512Mi", "2Gi"),
) -> JsonObject:
    requested, most = memory
    return {
        "name": name,
        "image": wanted.image,
        "command": ["sh", "-c", script, name, *map(_unexpanded, words)],
        **({"workingDir": _CLONE} if wanted.repository else {}),
        "env": [{"name": "APPLYLINT_SHARDS", "value": str(wanted.shards)}, {"name": "HOME", "value": _HOME}],
        "resources": {"requests": {"cpu": "100m", "memory": requested}, "limits": {"memory": most}},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
        "volumeMounts": [{"name": "home", "mountPath": _HOME}, {"name": "parts", "mountPath": _FOLDER}],
    }


def _unexpanded(word: str) -> str:
    """Return a word as the kubelet gives it on: it replaces ``$(NAME)``, and takes ``$$`` for one dollar sign."""
    return word.replace("$", "$$")


def _header(version: str, kind: str, name: str, wanted: ShardedCheck) -> JsonObject:
    place = {} if kind.startswith("ClusterRole") else {"namespace": wanted.namespace}
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, **place, "labels": _labels(wanted)}}


def _labels(wanted: ShardedCheck) -> JsonObject:
    ours = {"name": "applylint", "instance": wanted.name, "managed-by": "applylint"}
    return {f"app.kubernetes.io/{name}": value for name, value in ours.items()}
