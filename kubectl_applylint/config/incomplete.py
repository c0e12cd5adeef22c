"""The option ``incomplete``: units that may be incomplete without exit code 3."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from kubectl_applylint.config.entries import keys
from kubectl_applylint.config.settings import ConfigFault, Setting, SettingEntry, from_text
from kubectl_applylint.config.types import DAY, TEXT, Option
from kubectl_applylint.config.units import PATTERN
from kubectl_applylint.units.accepted import AcceptedGap

INCOMPLETE_OPTIONS: Final[Mapping[str, Option]] = {
    "unit": Option(PATTERN, "the root of the unit, or KIND/NAMESPACE/NAME of what declares it; * and ** match any"),
    "reason": Option(TEXT, "why it is accepted"),
    "until": Option(DAY, "the last day on which it applies"),
}
"""The keys of a mapping under ``incomplete``."""


def incomplete(setting: Setting, options: Mapping[str, Option]) -> Iterator[AcceptedGap | ConfigFault]:
    """Yield each unit that the option accepts as incomplete, or the first error of an entry."""
    for text in setting.texts:
        yield ConfigFault(f"{setting.place}: {text!r} needs a reason; write - unit: {text}, and reason: below it")
    for entry in setting.entries:
        yield _gap(entry, setting, options)


def incomplete_in(content: bytes, file: str) -> Iterator[AcceptedGap]:
    """Yield the valid entries of the configuration file of another revision."""
    for item in from_text(content.decode("utf-8", "replace"), Path(file), file):
        if isinstance(item, Setting) and item.name == "incomplete":
            found = incomplete(item, INCOMPLETE_OPTIONS)
            yield from (one for one in found if isinstance(one, AcceptedGap))


def _gap(entry: SettingEntry, setting: Setting, options: Mapping[str, Option]) -> AcceptedGap | ConfigFault:
    """Return the unit that one mapping under ``incomplete`` accepts, or its first error."""
    found = keys(entry, options)
    if isinstance(found, ConfigFault):
        return found
    values: dict[str, Any] = {name: got[0] for name, got in found.items()}
    missing = next((name for name in ("unit", "reason") if not str(values.get(name, "")).strip()), "")
    if missing:
        return ConfigFault(f"{entry.place}: {missing} is required")
    file = "" if setting.is_trusted else str(setting.folder / Path(setting.place.file).name)
    return AcceptedGap(values["unit"], values["reason"], values.get("until"), file)
