"""Defaults of resource.k8s.io; mirrors pkg/apis/resource, defaults.go of each version.

The time at which a taint is added is the server's clock and is omitted here.
"""

from typing import Final

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.default_rules import Defaults, Derived

_EQUAL: Final = {"DeviceToleration": {"operator": "Equal"}}


def _count(request: JsonObject) -> JsonObject:
    """One device, if an exact count is requested."""
    exact = request.get("allocationMode") == "ExactCount"
    return {"count": 1} if exact and not request.get("count") else {}


def _request(request: JsonObject) -> JsonObject:
    """One device of the class; a request without a class leaves that to its subrequests."""
    if not request.get("deviceClassName"):
        return {}
    mode = request.get("allocationMode") or "ExactCount"
    return _changed_fields(request, {"allocationMode": mode, **_count({**request, "allocationMode": mode})})


def _changed_fields(request: JsonObject, fields: JsonObject) -> JsonObject:
    return {key: value for key, value in fields.items() if request.get(key) != value}


_COUNT: Final = (Derived(("count",), ("allocationMode",), _count),)
_REQUEST: Final = (Derived(("allocationMode", "count"), ("deviceClassName", "allocationMode"), _request),)

DEVICES: Final = Defaults(
    package="io.k8s.api.resource",
    versions=("v1", "v1beta2"),
    constant={
        **_EQUAL,
        "ExactDeviceRequest": {"allocationMode": "ExactCount"},
        "DeviceSubRequest": {"allocationMode": "ExactCount"},
    },
    derived={"ExactDeviceRequest": _COUNT, "DeviceSubRequest": _COUNT},
)
DEVICES_FLAT: Final = Defaults(
    package="io.k8s.api.resource",
    versions=("v1beta1", "v1alpha3"),
    constant={**_EQUAL, "DeviceSubRequest": {"allocationMode": "ExactCount"}},
    derived={"DeviceRequest": _REQUEST, "DeviceSubRequest": _COUNT},
)
POOL_STATUS: Final = Defaults(
    package="io.k8s.api.resource", versions=("v1alpha3",), constant={"ResourcePoolStatusRequestSpec": {"limit": 100}}
)
CLAIMS_BY_CONTROLLER: Final = Defaults(
    package="io.k8s.api.resource",
    versions=("v1alpha2",),
    constant={"ResourceClaimSpec": {"allocationMode": "WaitForFirstConsumer"}},
)
