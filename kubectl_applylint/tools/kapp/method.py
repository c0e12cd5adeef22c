"""How kapp writes one object of an app."""

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.tools.kapp.app import KappApp
from kubectl_applylint.tools.kapp.rules import KappRules


@dataclass(frozen=True, slots=True)
class KappWrite:
    """What kapp goes by for one object, whose manifest has its labels already."""

    app: KappApp
    rules: KappRules = field(default=KappRules(), repr=False)
    strategy: str = ""
    """How an object is updated that does not say it itself."""
    by_memory: bool = True
    """Whether kapp compares with what it wrote last where nobody has changed the object since."""
    is_new_version: bool = False
    """Whether the object is created as a new version, whatever exists."""
