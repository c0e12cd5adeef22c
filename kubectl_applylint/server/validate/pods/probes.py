"""Probes and lifecycle hooks, and their common handlers.

Mirrors ``validateProbe``, ``validateLifecycle`` and ``validateHandler``.
"""

from typing import Final

from kubectl_applylint.server.validate import dsl as v

_MORE_THAN_ONE: Final = "may not specify more than 1 handler type"
_NONE: Final = "must specify a handler type"
_ZERO_SLEEP_SINCE: Final = 33
_BEFORE_THE_MIDDLE: Final = (f"SIGRTMIN+{number}" for number in range(1, 16))
_AFTER_THE_MIDDLE: Final = (f"SIGRTMAX-{number}" for number in range(14, 0, -1))
_LINUX_SIGNALS: Final = (
    *("SIGABRT", "SIGALRM", "SIGBUS", "SIGCHLD", "SIGCLD", "SIGCONT", "SIGFPE", "SIGHUP", "SIGILL", "SIGINT", "SIGIO"),
    *("SIGIOT", "SIGKILL", "SIGPIPE", "SIGPOLL", "SIGPROF", "SIGPWR", "SIGQUIT", "SIGSEGV", "SIGSTKFLT", "SIGSTOP"),
    *("SIGSYS", "SIGTERM", "SIGTRAP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGUSR1", "SIGUSR2", "SIGVTALRM"),
    *("SIGWINCH", "SIGXCPU", "SIGXFSZ", "SIGRTMIN", *_BEFORE_THE_MIDDLE, *_AFTER_THE_MIDDLE, "SIGRTMAX"),
)
_SIGNALS: Final = {"linux": tuple(sorted(_LINUX_SIGNALS)), "windows": ("SIGKILL", "SIGTERM")}


@v.always
def port_number_or_name(fld: v.FieldContext) -> v.FieldErrors:
    """Require a port number, 0 if absent, or the name of a port."""
    if isinstance(fld.value, str):
        return [fld.invalid(fault) for fault in v.port_name(fld.value)]
    return [fld.invalid(fault, fld.number()) for fault in v.port_number(fld.number())]


def _http_headers(fld: v.FieldContext) -> v.FieldErrors:
    """Require well-formed names of headers; errors have the path of the whole list."""
    for header in fld.items():
        yield from (fld.invalid(fault, header.text("name")) for fault in v.http_header(header.text("name")))


def _sleep_within_grace(fld: v.FieldContext) -> v.FieldErrors:
    """Require a sleep shorter than the pod's grace period; ``fld`` is the ``sleep``."""
    grace, seconds = fld.nearest(".spec").get("terminationGracePeriodSeconds"), fld.number("seconds")
    zero_allowed = fld.occasion.minor >= _ZERO_SLEEP_SINCE
    if not isinstance(grace, int) or (0 if zero_allowed else 1) <= seconds <= grace:
        return ()
    if zero_allowed:
        words = f"must be non-negative and less than terminationGracePeriodSeconds ({grace})"
    else:
        words = f"must be greater than 0 and less than terminationGracePeriodSeconds ({grace})"
    return (fld.invalid(words, seconds),)


def _known_signal(fld: v.FieldContext) -> v.FieldErrors:
    """Require a signal of the pod's operating system, which must be set."""
    system = fld.nearest(".spec").text("os", "name")
    if not system:
        return (fld.forbidden("may not be set for containers with empty `spec.os.name`"),)
    return () if fld.value in _SIGNALS.get(system, (fld.value,)) else (fld.not_supported(_SIGNALS[system]),)


_HANDLERS: Final[v.Table] = {
    "exec": {"command": [v.required()]},
    "httpGet": {
        "path": [v.required()],
        "port": [port_number_or_name],
        "scheme": [v.required_one_of("HTTP", "HTTPS")],
        "httpHeaders": [_http_headers],
    },
    "tcpSocket": {"port": [port_number_or_name]},
    "grpc": {"port": [port_number_or_name]},
    "sleep": [_sleep_within_grace],
}
_HANDLER: Final = v.union(_HANDLERS, none=_NONE, more=_MORE_THAN_ONE)
_PROBE: Final[v.Table] = {
    "": [_HANDLER],
    "initialDelaySeconds": [v.at_least(0)],
    "timeoutSeconds": [v.at_least(0)],
    "periodSeconds": [v.at_least(0)],
    "successThreshold": [v.at_least(0)],
    "failureThreshold": [v.at_least(0)],
    "terminationGracePeriodSeconds": [v.at_least(1, "must be greater than 0")],
}


def _not_for_readiness(fld: v.FieldContext) -> v.FieldErrors:
    return (fld.invalid("must not be set for readinessProbes"),)


_MUST_BE_ONE: Final = v.or_zero(v.between(1, 1, "must be 1"))
PROBES: Final[v.Table] = {
    "livenessProbe": [_PROBE, {"successThreshold": [_MUST_BE_ONE]}],
    "startupProbe": [_PROBE, {"successThreshold": [_MUST_BE_ONE]}],
    "readinessProbe": [_PROBE, {"terminationGracePeriodSeconds": [_not_for_readiness]}],
    "lifecycle.postStart": [_HANDLER],
    "lifecycle.preStop": [_HANDLER],
    "lifecycle.stopSignal": [_known_signal],
}
"""The constraints of a container's probes and lifecycle hooks."""

_FOR_SIDECARS: Final = [v.forbidden("may not be set for init containers without restartPolicy=Always")]
NO_PROBES: Final[v.Table] = {
    "lifecycle": _FOR_SIDECARS,
    "livenessProbe": _FOR_SIDECARS,
    "readinessProbe": _FOR_SIDECARS,
    "startupProbe": _FOR_SIDECARS,
}
"""The fields that init containers other than sidecars may not have."""
