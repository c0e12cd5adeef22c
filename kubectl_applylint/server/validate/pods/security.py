"""Permissions of containers and pods on their node: users, profiles, sysctls, host namespaces.

Mirrors ``ValidateSecurityContext``, ``validatePodSpecSecurityContext`` and their helpers.
"""

import re
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.server.validate import dsl as v

_PROFILES: Final = ("Localhost", "RuntimeDefault", "Unconfined")
_LONGEST_PROFILE: Final = 4095
_ID: Final = v.between(0, 2**31 - 1)
_LONGEST_CREDENTIALS: Final = 64 * 1024
_SYSCTL_PART: Final = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_SYSCTL: Final = rf"({_SYSCTL_PART}[\./])*{_SYSCTL_PART}"
_LONGEST_SYSCTL: Final = 253
_IPC_SYSCTLS: Final = {
    "kernel.sem",
    *(f"kernel.{name}" for name in ("shm", "shmall", "shmmax", "shmmni", "shm_rmid_forced")),
    *(f"kernel.{name}" for name in ("msg", "msgmax", "msgmnb", "msgmni")),
}
_ANY_SELINUX_POLICY_SINCE: Final = 37


def _seccomp_profile(fld: v.FieldContext) -> v.FieldErrors:
    kind, profile = fld.child("type"), fld.child("localhostProfile")
    if not kind.text():
        yield kind.required("type is required when seccompProfile is set")
    elif kind.value not in _PROFILES:
        yield kind.not_supported(_PROFILES)
    if kind.value != "Localhost" and profile.there:
        yield profile.invalid("can only be set when seccomp type is Localhost", fld.value)
    elif kind.value == "Localhost" and not profile.there:
        yield profile.required("must be set when seccomp type is Localhost")
    elif profile.there:
        yield from (profile.invalid(fault) for fault in v.relative_path(profile.text()))


def _app_armor_profile(fld: v.FieldContext) -> v.FieldErrors:
    kind, profile = fld.child("type"), fld.child("localhostProfile")
    if not kind.text():
        yield kind.required("type is required when appArmorProfile is set")
    elif kind.value not in _PROFILES:
        yield kind.not_supported(_PROFILES)
    elif kind.value != "Localhost" and profile.there:
        yield profile.invalid("can only be set when AppArmor type is Localhost")
    elif kind.value == "Localhost":
        yield from _local_app_armor_profile(profile)


def _local_app_armor_profile(fld: v.FieldContext) -> v.FieldErrors:
    name = fld.text()
    if name != name.strip():
        yield fld.invalid("must not be padded with whitespace")
    elif not name:
        yield fld.required("must be set when AppArmor type is Localhost")
    if len(name.encode()) > _LONGEST_PROFILE:
        yield fld.too_long(_LONGEST_PROFILE)


def _credentials(fld: v.FieldContext) -> v.FieldErrors:
    size = len(fld.text().encode())
    if size == 0:
        return (fld.invalid("gmsaCredentialSpec cannot be an empty string"),)
    words = "gmsaCredentialSpec size must be under 64 KiB"
    return (fld.invalid(words),) if size > _LONGEST_CREDENTIALS else ()


_LABEL_OF_DOMAIN: Final = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
_DOMAIN: Final = regex(rf"{_LABEL_OF_DOMAIN}(?:\.{_LABEL_OF_DOMAIN})*")
_NET_BIOS: Final = regex(r'[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}')
_CONTROL_CHARACTERS: Final = regex(r"[\x00-\x1f\x7f]")


def _windows_user(fld: v.FieldContext) -> v.FieldErrors:
    """Require a user of the form ``DOMAIN\\USER`` or ``USER``."""
    name = fld.text()
    domain, slash, user = name.rpartition("\\")
    if not name:
        yield fld.invalid("runAsUserName cannot be an empty string")
    elif _CONTROL_CHARACTERS.search(name):
        yield fld.invalid("runAsUserName cannot contain control characters")
    elif "\\" in domain:
        yield fld.invalid("runAsUserName cannot contain more than one backslash")
    else:
        faults = (_windows_domain_faults(domain) if slash else []) + _windows_user_faults(user)
        yield from (fld.invalid(f"runAsUserName's {fault}") for fault in faults)


def _windows_domain_faults(domain: str) -> list[str]:
    long = ["Domain length must be under 256 characters"] if len(domain) >= 256 else []
    known = _NET_BIOS.fullmatch(domain) or _DOMAIN.fullmatch(domain)
    return long + ([] if known else ["Domain doesn't match the NetBios nor the DNS format"])


def _windows_user_faults(user: str) -> list[str]:
    faults = [] if user else ["User cannot be empty"]
    if len(user) > 104:
        faults.append("User length must not be longer than 104 characters")
    if user and not user.strip(". "):
        faults.append("User cannot contain only periods or spaces")
    if re.search(r'["/\\:;|=,+*?<>@\[\]]', user):
        faults.append('User cannot contain the following characters: "/\\:;|=,+*?<>@[]')
    return faults


_WINDOWS_OPTIONS: Final[v.Table] = {
    "gmsaCredentialSpecName": [v.well_formed(v.dns_subdomain)],
    "gmsaCredentialSpec": [_credentials],
    "runAsUserName": [_windows_user],
}
_PROFILES_AND_OPTIONS: Final[v.Table] = {
    "seccompProfile": [_seccomp_profile],
    "appArmorProfile": [_app_armor_profile],
    "windowsOptions": _WINDOWS_OPTIONS,
}


def _no_privileges_without_escalation(fld: v.FieldContext) -> v.FieldErrors:
    if fld.get("allowPrivilegeEscalation") is not False:
        return
    if fld.flag("privileged"):
        yield fld.invalid("cannot set `allowPrivilegeEscalation` to false and `privileged` to true")
    if "CAP_SYS_ADMIN" in [item.value for item in fld.at("capabilities", "add").items()]:
        yield fld.invalid("cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN")


def _unmasked_only_in_own_namespace(fld: v.FieldContext) -> v.FieldErrors:
    host_users = fld.nearest(".spec").get("hostUsers") is not False
    if fld.value != "Unmasked" or not host_users or fld.occasion.minor < 33:
        return ()
    return (fld.invalid("`hostUsers` must be false to use `Unmasked`"),)


CONTAINER_SECURITY: Final[v.Table] = {
    "": [_no_privileges_without_escalation, _PROFILES_AND_OPTIONS],
    "runAsUser": [_ID],
    "runAsGroup": [_ID],
    "procMount": [v.one_of("Default", "Unmasked"), _unmasked_only_in_own_namespace],
}
"""The constraints of ``securityContext`` of a container."""


def _system_controls(fld: v.FieldContext) -> v.FieldErrors:
    """Require well-formed, distinct sysctls outside of namespaces that the pod shares with the host."""
    spec = fld.nearest(".spec")
    tolerant = not fld.creating and any(_shared_with_host(spec.before(), item) for item in fld.before().items())
    seen: set[str] = set()
    for item in fld.items():
        name = item.child("name")
        if not name.text():
            yield name.required()
        elif len(name.text()) > _LONGEST_SYSCTL or not re.fullmatch(_SYSCTL, name.text()):
            yield name.invalid(f"must have at most {_LONGEST_SYSCTL} characters and match regex ^{_SYSCTL}$")
        elif name.text() in seen:
            yield name.duplicate()
        if not tolerant and (flag := _shared_with_host(spec, item)):
            yield name.invalid(f"may not be specified when '{flag}' is true")
        seen.add(name.text())


def _shared_with_host(spec: v.FieldContext, control: v.FieldContext) -> str:
    """Return the field by which a pod shares the namespace of a sysctl with its host, empty if it does not."""
    name = control.text("name").replace("/", ".")
    if spec.flag("hostNetwork") and name.startswith("net."):
        return "hostNetwork"
    is_ipc = name in _IPC_SYSCTLS or name.startswith("fs.mqueue.")
    return "hostIPC" if spec.flag("hostIPC") and is_ipc else ""


def _no_shared_processes_with_host(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid sharing both the pod's and the host's process namespace; ``fld`` is the pod's spec."""
    if not (fld.flag("shareProcessNamespace") and fld.flag("hostPID")):
        return ()
    place = fld.at("securityContext", "shareProcessNamespace")
    return (place.invalid("ShareProcessNamespace and HostPID cannot both be enabled", True),)


def _selinux_change_policy(fld: v.FieldContext) -> v.FieldErrors:
    """Require ``Recursive`` up to 1.36, except in pods that have a policy already."""
    in_use = fld.occasion.minor >= _ANY_SELINUX_POLICY_SINCE or fld.nearest(".spec").before().sets(
        "securityContext", "seLinuxChangePolicy"
    )
    return v.one_of("MountOption", "Recursive")(fld) if in_use else v.one_of("Recursive")(fld)


POD_SECURITY: Final[v.Table] = {
    "": [_no_shared_processes_with_host],
    "securityContext": [_PROFILES_AND_OPTIONS],
    "securityContext.fsGroup": [_ID],
    "securityContext.runAsUser": [_ID],
    "securityContext.runAsGroup": [_ID],
    "securityContext.supplementalGroups[*]": [_ID],
    "securityContext.sysctls": [_system_controls],
    "securityContext.fsGroupChangePolicy": [v.one_of("Always", "OnRootMismatch")],
    "securityContext.supplementalGroupsPolicy": [v.one_of("Merge", "Strict")],
    "securityContext.seLinuxChangePolicy": [_selinux_change_policy],
}
"""The constraints of ``securityContext`` of a pod, as a table of its spec."""
