"""How kapp writes one object of an app."""

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.tools.kapp.app import KappApp
from kubectl_applylint.tools.kapp.rules import KappRules


@dataclass(frozen=True, slots=True)
class KappWrite:
    """The settings for writing one object; its manifest has the labels of the app already."""

    app: KappApp
    rules: KappRules = field(default=KappRules(), repr=False)
    strategy: str = ""
    """The default update strategy."""
    by_memory: bool = True
    """Whether kapp compares with its last written manifest if no one has changed the object since."""
    is_new_version: bool = False
    """Whether the object is created as a new version, even if it exists."""
