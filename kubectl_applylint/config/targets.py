"""The option ``targets``: the clusters that a repository is applied to."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from kubectl_applylint.config.entries import keys
from kubectl_applylint.config.settings import ConfigFault, Setting, SettingEntry
from kubectl_applylint.config.types import TEXT, WORD, Option, Type
from kubectl_applylint.config.units import PATTERN
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.selector import Selector, fits
from kubectl_applylint.run.compare.against import Against, AgainstKind

NAME: Final = "name"
"""The label with the name of the target, which every target has."""
_LABEL: Final = regex(r"[A-Za-z0-9](?:[\w./-]*[A-Za-z0-9])?=[\w.-]*")
_STATES: Final = (AgainstKind.SNAPSHOT, AgainstKind.LIVE, AgainstKind.NONE)

WORDLESS: Final = Type(lambda text, folder: text, {"not": {}})
"""The type of plain values, which are not allowed."""


def _label(text: str, folder: Path) -> str:
    if not _LABEL.fullmatch(text):
        raise ValueError(f"{text!r} is not a label such as env=prod")
    return text


@dataclass(frozen=True, slots=True)
class ConfiguredTarget:
    """One cluster: its labels and state, and the patterns of its units; without patterns all units."""

    name: str
    labels: tuple[str, ...] = ()
    against: Against | None = None
    """Its live state, ``None`` if no source of it is configured."""
    context: str = ""
    units: tuple[str, ...] = ()
    namespace: str = ""
    kubernetes_version: str = ""

    def is_meant(self, selector: Selector) -> bool:
        """Return whether a label selector matches the target; its name is the label ``name``."""
        labels = dict(label.split("=", 1) for label in self.labels)
        return fits(selector, {**labels, NAME: self.name})


def target_options(options: Mapping[str, Option]) -> Mapping[str, Option]:
    """Return the keys of a mapping under ``targets``; ``options`` are all that a run has."""
    shared = {name: options[name] for name in ("against", "namespace", "kubernetes-version")}
    return {
        "name": Option(TEXT, "what the cluster is called"),
        "labels": Option(Type(_label, WORD), "labels that --targets chooses by, such as env=prod", many=True),
        "context": Option(TEXT, "the context of the kubeconfig with which the live state is read"),
        "units": Option(PATTERN, "the roots of the units that go there, with * and **; without any, all", many=True),
        **shared,
    }


def targets(setting: Setting, options: Mapping[str, Option]) -> Iterator[ConfiguredTarget | ConfigFault]:
    """Yield each target that the option names, or the first error of an entry."""
    names: set[str] = set()
    for text in setting.texts:
        yield ConfigFault(f"{setting.place}: targets: {text!r} must be a mapping, for example: - name: {text}")
    for entry in setting.entries:
        found = _target(entry, options)
        if isinstance(found, ConfiguredTarget) and found.name in names:
            yield ConfigFault(f"{entry.place}: there are two targets with the name {found.name}")
        names |= {found.name} if isinstance(found, ConfiguredTarget) else set()
        yield found


def _target(entry: SettingEntry, options: Mapping[str, Option]) -> ConfiguredTarget | ConfigFault:
    """Return the target that one mapping under ``targets`` declares, or its first error."""
    found = keys(entry, options)
    if isinstance(found, ConfigFault):
        return found
    if "name" not in found:
        return ConfigFault(f"{entry.place}: name is missing: what is the cluster called?")
    values: dict[str, Any] = {name.replace("-", "_"): got[0] for name, got in found.items() if got}
    values |= {name: tuple(found[name]) for name in ("labels", "units") if name in found}
    against = values.get("against") or (Against(AgainstKind.LIVE) if "context" in values else None)
    if against and against.kind not in _STATES:
        return ConfigFault(f"{entry.place}: against: a target has a snapshot:FILE, or live with its context")
    return ConfiguredTarget(**{**values, "against": against})
