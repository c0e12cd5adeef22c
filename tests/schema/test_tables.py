"""Facts of the built-in kinds, over several minors."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.schema import tables
from kubectl_applylint.schema.types import Kind, Node, Shape

MINORS = range(tables.OLDEST, tables.NEWEST + 1)


def kind_of(api_version: str, name: str, minor: int = 36) -> Kind:
    found = tables.kind(minor, (api_version, name))
    assert found is not None
    return found


@cache
def structs(minor: int) -> Mapping[str, Node]:
    """Return every type that the kinds of a minor reach, by the last three parts of its name: ``core.v1.PodSpec``."""
    pending = [kind_of(*gvk, minor).root for gvk in tables.kinds(minor)]
    seen: set[str] = set()
    while pending:
        node = pending.pop()
        if node.struct in seen:
            continue
        if node.struct and node.shape is Shape.OBJECT:
            seen.add(node.struct)
        pending.extend(inner for inner in (node.item, node.value, *node.fields.values()) if inner is not None)
    return {".".join(name.split(".")[-3:]): tables.struct(minor, name) for name in seen}


def each_field(minor: int) -> Iterator[tuple[str, str, Node]]:
    """Yield every field of the spec, the metadata and so on, but not of statuses: version and type, field, node."""
    for name, struct in structs(minor).items():
        if not name.endswith("Status"):
            yield from ((name, key, node) for key, node in struct.fields.items())


def field(name: str, minor: int = 36) -> Node:
    """Return the node of a field, spelled ``core.v1.PodSpec.containers``."""
    struct, _, key = name.rpartition(".")
    return structs(minor)[struct].fields[key]


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.slow
def test_every_field_of_every_kind_can_be_looked_up(minor: int) -> None:
    assert len(structs(minor)) > 400


@pytest.mark.parametrize("minor", MINORS)
def test_every_field_has_the_options_of_its_go_type(minor: int) -> None:
    unknown = [
        (name, key)
        for name, struct in structs(minor).items()
        for key, node in struct.fields.items()
        if None in (node.omitempty, node.omitzero, node.pointer)
    ]

    assert unknown == []


@pytest.mark.parametrize(
    ("api_version", "name", "resource", "namespaced", "subresources"),
    [
        ("v1", "Namespace", "namespaces", False, ("status",)),
        ("v1", "Endpoints", "endpoints", True, ()),
        ("apps/v1", "Deployment", "deployments", True, ("scale", "status")),
        ("networking.k8s.io/v1", "Ingress", "ingresses", True, ("status",)),
        ("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", True, ("status",)),
        ("apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions", False, ("status",)),
        ("apiregistration.k8s.io/v1", "APIService", "apiservices", False, ("status",)),
        ("authorization.k8s.io/v1", "SubjectAccessReview", "subjectaccessreviews", False, ()),
    ],
)
def test_a_kind_has_its_place_in_urls(
    api_version: str, name: str, resource: str, namespaced: bool, subresources: tuple[str, ...]
) -> None:
    kind = kind_of(api_version, name)

    assert (kind.resource, kind.namespaced, kind.subresources) == (resource, namespaced, subresources)
    assert (kind.api_version, kind.name, kind.strategic, kind.custom) == (api_version, name, True, False)


@pytest.mark.parametrize(
    ("gvk", "minors"),
    [
        (("apps/v1", "Deployment"), range(29, 38)),
        (("flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema"), range(29, 32)),
        (("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy"), range(30, 38)),
        (("networking.k8s.io/v1", "ServiceCIDR"), range(33, 38)),
        (("resource.k8s.io/v1", "ResourceClaim"), range(34, 38)),
        (("policy/v1beta1", "PodSecurityPolicy"), ()),
    ],
    ids=lambda value: value[1] if isinstance(value, tuple) and value else "",
)
def test_a_kind_is_known_from_the_minor_that_brings_it_to_the_one_that_removes_it(
    gvk: tuple[str, str], minors: range | tuple[()]
) -> None:
    assert [minor for minor in MINORS if tables.kind(minor, gvk)] == list(minors)


@pytest.mark.parametrize("name", ["DeploymentList", "Status", "DeleteOptions", "Scale", "WatchEvent"])
def test_types_without_a_url_are_no_kinds(name: str) -> None:
    assert [gvk for minor in MINORS for gvk in tables.kinds(minor) if gvk[1] == name] == []


def test_a_type_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(KeyError, match="declares no type nothing"):
        tables.struct(36, "nothing")


# Strategic merge: all fields of 1.36 outside of statuses that have a strategy; every other list is replaced whole.
MERGED = {
    ("merge", "name"): [
        "admissionregistration.v1.MutatingAdmissionPolicySpec.matchConditions",
        "admissionregistration.v1.MutatingWebhook.matchConditions",
        "admissionregistration.v1.MutatingWebhookConfiguration.webhooks",
        "admissionregistration.v1.ValidatingAdmissionPolicySpec.matchConditions",
        "admissionregistration.v1.ValidatingAdmissionPolicySpec.variables",
        "admissionregistration.v1.ValidatingWebhook.matchConditions",
        "admissionregistration.v1.ValidatingWebhookConfiguration.webhooks",
        "admissionregistration.v1alpha1.MutatingAdmissionPolicySpec.matchConditions",
        "admissionregistration.v1beta1.MutatingAdmissionPolicySpec.matchConditions",
        "core.v1.Container.env",
        "core.v1.EphemeralContainer.env",
        "core.v1.PodSpec.containers",
        "core.v1.PodSpec.ephemeralContainers",
        "core.v1.PodSpec.imagePullSecrets",
        "core.v1.PodSpec.initContainers",
        "core.v1.PodSpec.schedulingGates",
        "core.v1.ServiceAccount.secrets",
        "storage.v1.CSINodeSpec.drivers",
    ],
    ("merge", "containerPort"): ["core.v1.Container.ports", "core.v1.EphemeralContainer.ports"],
    ("merge", "mountPath"): ["core.v1.Container.volumeMounts", "core.v1.EphemeralContainer.volumeMounts"],
    ("merge", "devicePath"): ["core.v1.Container.volumeDevices", "core.v1.EphemeralContainer.volumeDevices"],
    ("merge", "port"): ["core.v1.ServiceSpec.ports"],
    ("merge", "ip"): ["core.v1.PodSpec.hostAliases"],
    ("merge", "topologyKey"): ["core.v1.PodSpec.topologySpreadConstraints"],
    ("merge", "uid"): ["meta.v1.ObjectMeta.ownerReferences"],
    ("merge", "rule"): ["apiextensions.v1.JSONSchemaProps.x-kubernetes-validations"],
    ("merge", ""): ["core.v1.NodeSpec.podCIDRs", "meta.v1.ObjectMeta.finalizers"],
    ("merge,retainKeys", "name"): [
        "core.v1.PodSpec.resourceClaims",
        "core.v1.PodSpec.volumes",
        "scheduling.v1alpha2.PodGroupSpec.resourceClaims",
        "scheduling.v1alpha2.PodGroupTemplate.resourceClaims",
    ],
    ("retainKeys", ""): ["apps.v1.DeploymentSpec.strategy"],
    ("replace", ""): ["policy.v1.PodDisruptionBudgetSpec.selector"],
}


@pytest.mark.parametrize(("strategy", "key"), MERGED)
def test_a_strategic_merge_uses_these_fields(strategy: str, key: str) -> None:
    found = [
        f"{name}.{each}"
        for name, each, node in each_field(36)
        if (",".join(node.patch_strategy), node.merge_key) == (strategy, key)
    ]

    assert sorted(found) == MERGED[strategy, key]


def test_no_other_field_has_a_strategy() -> None:
    found = {(",".join(node.patch_strategy), node.merge_key) for _, _, node in each_field(36)}

    assert found == {*MERGED, ("", "")}


def test_conditions_merge_by_type_but_not_those_of_every_kind() -> None:
    conditions = {name: node.fields["conditions"] for name, node in structs(36).items() if "conditions" in node.fields}
    merged = {name for name, node in conditions.items() if node.merge_key == "type"}

    assert {"apps.v1.DeploymentStatus", "core.v1.NodeStatus", "batch.v1.JobStatus"} < merged
    assert {"apiextensions.v1.CustomResourceDefinitionStatus", "certificates.v1.CertificateSigningRequestStatus"} == {
        name for name in conditions.keys() - merged if name.startswith(("apiext", "certificates.v1."))
    }


# Server-side apply: where it uses other keys than a strategic merge does.
@pytest.mark.parametrize(
    ("name", "list_type", "keys"),
    [
        ("core.v1.Container.ports", "map", ("containerPort", "protocol")),
        ("core.v1.ServiceSpec.ports", "map", ("port", "protocol")),
        ("core.v1.PodSpec.topologySpreadConstraints", "map", ("topologyKey", "whenUnsatisfiable")),
        ("core.v1.ResourceRequirements.claims", "map", ("name",)),
        ("core.v1.PodSpec.volumes", "map", ("name",)),
        ("apiextensions.v1.CustomResourceDefinitionStatus.conditions", "map", ("type",)),
        ("batch.v1.JobStatus.conditions", "atomic", ()),
        ("core.v1.PodStatus.hostIPs", "atomic", ()),
        ("resource.v1.ResourceClaimStatus.devices", "map", ("driver", "device", "pool", "shareID")),
        ("meta.v1.ObjectMeta.finalizers", "set", ()),
        ("storage.v1.CSIDriverSpec.volumeLifecycleModes", "set", ()),
        ("admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec.validationActions", "set", ()),
        ("discovery.v1.Endpoint.addresses", "set", ()),
        ("flowcontrol.v1.ResourcePolicyRule.verbs", "set", ()),
        ("batch.v1.PodFailurePolicyOnExitCodesRequirement.values", "set", ()),
        ("core.v1.ServiceAccount.imagePullSecrets", "atomic", ()),
        ("core.v1.Container.args", "atomic", ()),
        ("core.v1.PodSpec.tolerations", "atomic", ()),
    ],
)
def test_a_server_side_apply_merges_by_these_keys(name: str, list_type: str, keys: tuple[str, ...]) -> None:
    assert (field(name).list_type, field(name).map_keys) == (list_type, keys)


@pytest.mark.parametrize(
    "name",
    [
        "apps.v1.DeploymentSpec.selector",
        "core.v1.EnvVarSource.configMapKeyRef",
        "core.v1.EnvVarSource.secretKeyRef",
        "core.v1.EnvVarSource.fieldRef",
        "core.v1.EnvVarSource.resourceFieldRef",
        "core.v1.PodSpec.nodeSelector",
        "core.v1.ServiceSpec.selector",
        "core.v1.ReplicationControllerSpec.selector",
        "core.v1.NodeAffinity.requiredDuringSchedulingIgnoredDuringExecution",
        "core.v1.ResourceQuotaSpec.scopeSelector",
        "core.v1.PersistentVolumeClaimSpec.dataSource",
        "networking.v1.IngressServiceBackend.port",
        "rbac.v1.RoleBinding.roleRef",
        "admissionregistration.v1.ValidatingAdmissionPolicySpec.paramKind",
    ],
)
def test_these_maps_are_owned_whole(name: str) -> None:
    assert field(name).map_type == "atomic"


@pytest.mark.parametrize(
    "name",
    [
        "meta.v1.ObjectMeta.labels",
        "meta.v1.ObjectMeta.annotations",
        "core.v1.ConfigMap.data",
        "core.v1.Container.resources",
        "core.v1.ResourceRequirements.limits",
        "apps.v1.DeploymentSpec.strategy",
        "autoscaling.v2.HorizontalPodAutoscalerSpec.scaleTargetRef",
    ],
)
def test_these_maps_are_owned_by_field(name: str) -> None:
    assert field(name).map_type == ""


def test_a_field_can_overrule_the_map_type_of_its_type() -> None:
    claim = field("core.v1.PersistentVolumeSpec.claimRef")

    assert (claim.map_type, structs(36)["core.v1.ObjectReference"].map_type) == ("granular", "atomic")


@pytest.mark.parametrize(
    ("name", "shape", "format_name"),
    [
        ("core.v1.Container.image", Shape.STRING, ""),
        ("apps.v1.DeploymentSpec.replicas", Shape.INTEGER, "int32"),
        ("core.v1.PodSpec.activeDeadlineSeconds", Shape.INTEGER, "int64"),
        ("apiextensions.v1.JSONSchemaProps.maximum", Shape.NUMBER, "double"),
        ("core.v1.Container.tty", Shape.BOOLEAN, ""),
        ("certificates.v1.CertificateSigningRequestSpec.request", Shape.STRING, "byte"),
        ("meta.v1.ObjectMeta.creationTimestamp", Shape.STRING, "date-time"),
        ("coordination.v1.LeaseSpec.renewTime", Shape.STRING, "micro-time"),
        ("core.v1.EmptyDirVolumeSource.sizeLimit", Shape.STRING, "quantity"),
        ("core.v1.ServicePort.targetPort", Shape.STRING, "int-or-string"),
        ("apps.v1.ControllerRevision.data", Shape.ANY, "raw"),
        ("apiextensions.v1.JSONSchemaProps.default", Shape.ANY, "raw"),
        ("apiextensions.v1.JSONSchemaProps.items", Shape.ANY, ""),
        ("meta.v1.ManagedFieldsEntry.fieldsV1", Shape.ANY, "raw"),
    ],
)
def test_a_field_has_a_shape_and_a_format(name: str, shape: Shape, format_name: str) -> None:
    assert (field(name).shape, field(name).format) == (shape, format_name)


def test_maps_and_lists_say_what_they_hold() -> None:
    extra = field("certificates.v1.CertificateSigningRequestSpec.extra")
    limits = field("core.v1.ResourceRequirements.limits")

    assert extra.value == Node(Shape.LIST, item=Node(Shape.STRING))
    assert (limits.shape, limits.struct, limits.value) == (Shape.OBJECT, "", Node(Shape.STRING, format="quantity"))


def test_a_type_may_hold_itself() -> None:
    schema = structs(36)["apiextensions.v1.JSONSchemaProps"]

    assert schema.fields["not"].fields["properties"].value is schema


@pytest.mark.parametrize(
    ("name", "required"),
    [
        ("apps.v1.DeploymentSpec", ("selector", "template")),
        ("core.v1.Container", ("name",)),
        ("core.v1.ConfigMap", ()),
    ],
)
def test_a_type_names_its_required_fields(name: str, required: tuple[str, ...]) -> None:
    assert structs(36)[name].required == required


@pytest.mark.parametrize(
    ("name", "default"),
    [
        ("core.v1.ContainerPort.protocol", "TCP"),
        ("core.v1.ServicePort.protocol", "TCP"),
        ("core.v1.ReplicationControllerSpec.replicas", 1),
        ("core.v1.AzureDiskVolumeSource.cachingMode", "ReadWrite"),
        ("core.v1.LocalObjectReference.name", ""),
        ("core.v1.Container.name", ""),
        ("core.v1.ServicePort.port", 0),
        ("core.v1.ContainerStatus.ready", False),
        ("apps.v1.DeploymentSpec.replicas", MISSING),
        ("core.v1.Container.image", MISSING),
    ],
)
def test_a_field_has_the_default_that_openapi_v3_declares(name: str, default: Json) -> None:
    assert field(name).default is default or field(name).default == default


# What encoding/json does with an empty value.
@pytest.mark.parametrize(
    ("name", "omitempty", "omitzero", "pointer"),
    [
        ("apps.v1.DeploymentSpec.replicas", True, False, True),
        ("apps.v1.DeploymentSpec.strategy", True, False, False),
        ("apps.v1.DeploymentSpec.selector", False, False, True),
        ("apps.v1.Deployment.status", True, False, False),
        ("core.v1.Container.resources", True, False, False),
        ("core.v1.PodSpec.securityContext", True, False, True),
        ("core.v1.PodSpec.containers", False, False, False),
        ("core.v1.Volume.emptyDir", True, False, True),
        ("core.v1.Probe.httpGet", True, False, True),
        ("core.v1.GRPCAction.service", False, False, True),
        ("rbac.v1.Role.rules", False, False, False),
        ("meta.v1.ObjectMeta.creationTimestamp", True, True, False),
    ],
)
def test_a_field_says_when_it_is_written(name: str, omitempty: bool, omitzero: bool, pointer: bool) -> None:
    node = field(name)

    assert (node.omitempty, node.omitzero, node.pointer) == (omitempty, omitzero, pointer)


@pytest.mark.parametrize(
    ("name", "minor", "fact"),
    [
        ("meta.v1.ObjectMeta.creationTimestamp", 33, ("omitzero", False)),
        ("meta.v1.ObjectMeta.creationTimestamp", 34, ("omitzero", True)),
        ("core.v1.Container.env", 29, ("list_type", "")),
        ("core.v1.Container.env", 30, ("list_type", "map")),
        ("core.v1.LocalObjectReference.name", 29, ("default", MISSING)),
        ("core.v1.LocalObjectReference.name", 30, ("default", "")),
        ("core.v1.PodSpec.topologySpreadConstraints", 29, ("merge_key", "topologyKey")),
        ("apps.v1.DeploymentSpec.strategy", 29, ("retains_keys", True)),
        ("apps.v1.DeploymentSpec.strategy", 37, ("retains_keys", True)),
        ("policy.v1.PodDisruptionBudgetSpec.selector", 29, ("replaces", True)),
        ("core.v1.PodSpec.containers", 37, ("merges", True)),
    ],
)
def test_a_fact_holds_for_its_minor(name: str, minor: int, fact: tuple[str, Json]) -> None:
    attribute, value = fact

    assert getattr(field(name, minor), attribute) == value


def fresh(code: str) -> list[float]:
    """Run code in a new interpreter and return the numbers that it prints."""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return [float(word) for word in run.stdout.split()]


def test_loading_a_kind_reads_only_the_types_that_are_used() -> None:
    sizes = fresh(
        "from kubectl_applylint.schema import tables\n"
        "root = tables.kind(36, ('apps/v1', 'Deployment')).root\n"
        "print(tables.struct.cache_info().currsize)\n"
        "root.fields\n"
        "print(tables.struct.cache_info().currsize)\n"
    )

    assert sizes == [1, 4]


def test_loading_a_kind_takes_milliseconds() -> None:
    """About 4 ms, 3 of them the first use of importlib.resources; the bound leaves room for a busy machine."""
    seconds, more = fresh(
        "from time import perf_counter\n"
        "from kubectl_applylint.schema.load import load\n"
        "start = perf_counter()\n"
        "kind = load('1.36').kind('apps/v1', 'Deployment')\n"
        "print(perf_counter() - start)\n"
        "start = perf_counter()\n"
        "kind.root.fields['spec'].fields['template'].fields['spec'].fields['containers'].item.fields\n"
        "print(perf_counter() - start)\n"
    )

    assert (seconds < 0.1, more < 0.05) == (True, True)
