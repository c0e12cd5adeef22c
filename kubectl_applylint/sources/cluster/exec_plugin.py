"""Credential plugins of a kubeconfig: runs the program, checks its output, and always terminates it.

Mirrors ``exec.Authenticator`` of client-go, except for a timeout when there is no terminal.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from typing import Final

from kubectl_applylint.core.values import Json, JsonObject, items, mapping, objects_at
from kubectl_applylint.sources.system.pipes import TooMuchOutputError, exchange

SECONDS: Final = 60.0
"""Timeout of a plugin without a terminal. With one, the user may have to log in, and can interrupt it."""
_MOST_OUTPUT: Final = 16 << 20
"""Maximum output of a plugin in bytes; a credential has a few thousand."""
_EXTENSION: Final = "client.authentication.k8s.io/exec"


class PluginError(Exception):
    """Raised if a plugin returns no credentials; the text may quote its standard error."""


def credential(plugin: JsonObject, cluster: JsonObject, *, seconds: float = SECONDS) -> JsonObject:
    """Run a plugin and return the status of the ``ExecCredential`` that it prints.

    Raises ``PluginError``, and ``OSError`` if it cannot be started. Without a terminal, or if it is never interactive,
    it runs in its own session: it cannot prompt, and its child processes are ended with it.
    """
    command, version = plugin.get("command"), plugin.get("apiVersion")
    if not isinstance(command, str) or not command:
        raise PluginError("the kubeconfig has no command for it")
    if not isinstance(version, str):
        raise PluginError("the kubeconfig has no apiVersion for it")
    is_interactive = _is_interactive(plugin.get("interactiveMode"))
    arguments = items(plugin.get("args"))
    if not all(isinstance(one, str) for one in arguments):
        raise PluginError("its args in the kubeconfig are not text")
    environ = {
        **os.environ,
        **_plugin_environment(plugin),
        "KUBERNETES_EXEC_INFO": _info(plugin, cluster, version, is_interactive),
    }
    return _parse_status(_plugin_output([command, *arguments], environ, None if is_interactive else seconds), version)


def _is_interactive(mode: Json) -> bool:
    has_terminal = sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()
    if mode == "Always" and not has_terminal:
        raise PluginError("it requires a terminal (interactiveMode Always), and stdin is not a terminal")
    return has_terminal and mode != "Never"


def _plugin_environment(plugin: JsonObject) -> Mapping[str, str]:
    entries = objects_at(plugin, "env")
    if not all(isinstance(entry.get("name"), str) and isinstance(entry.get("value"), str) for entry in entries):
        raise PluginError("its env in the kubeconfig is not a list of names and values")
    return {entry["name"]: entry["value"] for entry in entries}


def _info(plugin: JsonObject, cluster: JsonObject, version: str, is_interactive: bool) -> str:
    spec: dict[str, Json] = {"interactive": is_interactive}
    if plugin.get("provideClusterInfo"):
        extensions = objects_at(cluster, "extensions")
        config = next((one.get("extension") for one in extensions if one.get("name") == _EXTENSION), None)
        spec["cluster"] = {**cluster, **({} if config is None else {"config": config})}
    return json.dumps({"apiVersion": version, "kind": "ExecCredential", "spec": spec})


def _plugin_output(command: list[str], environ: Mapping[str, str], seconds: float | None) -> bytes:
    """Run a plugin and return its output; ``seconds`` is ``None`` if it may use the terminal."""
    is_alone = seconds is not None
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL if is_alone else None,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if is_alone else None,
        env=environ,
        start_new_session=is_alone,
    ) as process:
        try:
            printed, stderr = exchange(process, b"", timeout=seconds, most_output=_MOST_OUTPUT)
        except subprocess.TimeoutExpired:
            raise PluginError(f"it timed out after {seconds:g} s") from None
        except TooMuchOutputError:
            raise PluginError(f"it printed more than {_MOST_OUTPUT >> 20} MiB") from None
        finally:
            _terminate(process, is_group=is_alone)
    if process.returncode != 0:
        words = " ".join((stderr or b"").decode("utf-8", "replace").split())
        raise PluginError(f"it exited with {process.returncode}" + (f": {words}" if words else ""))
    return printed


def _terminate(process: subprocess.Popen[bytes], *, is_group: bool) -> None:
    """Terminate a plugin that still runs, and its child processes."""
    with contextlib.suppress(OSError):
        if is_group and process.returncode is None and hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        elif process.returncode is None:
            process.kill()


def _parse_status(printed: bytes, version: str) -> JsonObject:
    try:
        credential_json = json.loads(printed)
    except (ValueError, RecursionError):
        raise PluginError("its output is not JSON") from None
    if not isinstance(credential_json, dict) or credential_json.get("kind") != "ExecCredential":
        raise PluginError("its output is not an ExecCredential")
    if credential_json.get("apiVersion") != version:
        raise PluginError(f"its output is not in version {version}")
    return mapping(credential_json.get("status"))
