"""Values for drawn edits that no base manifest has, and how often each kind is drawn."""

from collections.abc import Mapping

from kubectl_applylint.core.values import Json

CONTAINER, POD = "container", "pod"
"""First step of places inside any container and inside any pod spec."""

ALTERNATIVES: Mapping[str | int, list[Json]] = {
    "type": ["Recreate", "RollingUpdate", "OnDelete", "ClusterIP", "NodePort", "LoadBalancer", "ExternalName"],
    "imagePullPolicy": ["Always", "Never", "IfNotPresent"],
    "replicas": [0, 1, 4, 7],
    "protocol": ["TCP", "UDP", "SCTP"],
    "restartPolicy": ["Always", "OnFailure", "Never"],
    "dnsPolicy": ["Default", "ClusterFirstWithHostNet"],
    "image": ["nginx", "nginx:latest", "app:3", "app@sha256:" + "1" * 64],
}
"""Values worth trying, by the name of the field."""

_NODE_AFFINITY = {
    "nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]
        }
    }
}
ADDITIONS: Mapping[tuple[str | int, ...], Mapping[str, list[Json]]] = {
    ("Deployment", "spec"): {
        "strategy": [
            {"type": "Recreate"},
            {"type": "RollingUpdate"},
            {"rollingUpdate": {"maxSurge": 2}},
            {"type": "Recreate", "rollingUpdate": None},
        ],
        "paused": [True],
        "replicas": [2, 5],
        "minReadySeconds": [0, 10],
    },
    ("StatefulSet", "spec"): {
        "updateStrategy": [{"type": "OnDelete"}, {"type": "RollingUpdate", "rollingUpdate": {"partition": 1}}],
        "podManagementPolicy": ["Parallel", "OrderedReady"],
        "persistentVolumeClaimRetentionPolicy": [{"whenDeleted": "Delete"}],
        "minReadySeconds": [4],
    },
    ("DaemonSet", "spec"): {
        "updateStrategy": [{"type": "OnDelete"}, {"rollingUpdate": {"maxUnavailable": 2}}],
        "minReadySeconds": [4],
    },
    ("Service", "spec"): {
        "type": ["NodePort", "ClusterIP", "LoadBalancer", "ExternalName"],
        "sessionAffinity": ["ClientIP", "None"],
        "clusterIP": ["None", "10.0.9.9", ""],
        "externalTrafficPolicy": ["Local", "Cluster"],
        "internalTrafficPolicy": ["Local"],
        "ipFamilyPolicy": ["PreferDualStack", "SingleStack"],
        "externalIPs": [["1.2.3.4"]],
    },
    ("Job", "spec"): {
        "parallelism": [2],
        "completions": [3],
        "suspend": [True, False],
        "activeDeadlineSeconds": [50],
        "ttlSecondsAfterFinished": [5],
        "podReplacementPolicy": ["Failed"],
    },
    ("CronJob", "spec"): {
        "suspend": [True],
        "timeZone": ["Etc/UTC"],
        "startingDeadlineSeconds": [60],
        "successfulJobsHistoryLimit": [1],
    },
    (CONTAINER, "*"): {
        "imagePullPolicy": ["Always", "Never"],
        "command": [["a", "b"]],
        "workingDir": ["/w"],
        "stdin": [True],
        "resources": [{"limits": {"cpu": "2", "memory": "1Gi"}}, {"requests": {"cpu": "0.1"}}],
        "startupProbe": [{"httpGet": {"path": "/", "port": 80}}],
        "livenessProbe": [{"exec": {"command": ["true"]}}, {"grpc": {"port": 90}}],
        "terminationMessagePolicy": ["FallbackToLogsOnError"],
        "securityContext": [{"privileged": True}, {"allowPrivilegeEscalation": False}],
        "restartPolicy": ["Always"],
    },
    (POD,): {
        "hostNetwork": [True],
        "dnsPolicy": ["Default"],
        "priorityClassName": ["system-node-critical"],
        "schedulerName": ["s"],
        "shareProcessNamespace": [True],
        "enableServiceLinks": [False],
        "automountServiceAccountToken": [False],
        "serviceAccountName": ["sa2"],
        "serviceAccount": ["sa3"],
        "affinity": [_NODE_AFFINITY],
        "terminationGracePeriodSeconds": [1],
        "overhead": [{"cpu": "1"}],
        "readinessGates": [[{"conditionType": "x/y"}]],
        "hostAliases": [[{"ip": "9.9.9.9", "hostnames": ["q"]}]],
    },
    ("ConfigMap",): {"immutable": [True, False], "binaryData": [{"b": "AAE="}], "data": [{}]},
    ("Secret",): {
        "immutable": [True],
        "type": ["kubernetes.io/tls"],
        "stringData": [{"user": "new", "extra": "1"}],
        "data": [{"user": "dQ=="}],
    },
    ("PersistentVolumeClaim", "spec"): {
        "volumeName": ["pv-z"],
        "volumeMode": ["Block"],
        "storageClassName": ["slow"],
    },
    ("HorizontalPodAutoscaler", "spec"): {
        "minReplicas": [1, 3],
        "behavior": [{"scaleUp": {"policies": [{"type": "Pods", "value": 1, "periodSeconds": 15}]}}],
    },
    ("Widget", "spec"): {"frozen": ["zzz"], "unknownField": [1], "mode": ["bogus", "fast"]},
}
"""Fields that authors commonly add, with values, by the place that they are added to."""

MERGE_KEYS = ("name", "containerPort", "port", "mountPath", "key", "ip", "topologyKey", "type", "devicePath")

WEIGHTS: Mapping[str, int] = {
    "Deployment": 10,
    "StatefulSet": 5,
    "DaemonSet": 4,
    "Service": 5,
    "Job": 3,
    "CronJob": 4,
    "ConfigMap": 4,
    "Secret": 3,
    "Widget": 5,
    "Ingress": 4,
    "HorizontalPodAutoscaler": 3,
    "Pod": 2,
    "PersistentVolumeClaim": 2,
    "NetworkPolicy": 2,
}
"""How often people apply each kind; any other counts 1."""
