"""The applies of a run, each with what it looks at and what is said of it."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.run.cache.cached_result import CachedResult
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.run_notes import RunNotes, UnitPlace
from kubectl_applylint.units.model import Unit


def _no_earlier() -> RunInput | None:
    return None


@dataclass(frozen=True, slots=True)
class LoadedUnit:
    """One apply: its unit, ``None`` where the caller named what is applied, and all that it looks at."""

    unit: Unit | None
    found: RunInput
    earlier: Callable[[], RunInput | None] = field(default=_no_earlier, repr=False)
    """Gives the same for the earlier manifests, applied once more; nothing where they are not known."""
    cached: CachedResult | None = field(default=None, repr=False)
    """What an earlier run has found in it; then ``found`` has no subjects."""
    key: str = ""
    """What its findings are to be kept by, empty if they are not."""
    place: UnitPlace = ()
    """What the units of the run are sorted by, whatever shard looks at each."""
    seconds: float = field(default=0.0, compare=False)
    """How long it took so far."""
    gap: str = ""
    """What was not examined, where the configuration accepts that."""
    accepted: str = ""
    """Why the configuration accepts that the unit is incomplete, empty where it does not."""


@dataclass(frozen=True, slots=True)
class LoadedUnits:
    """The applies of a request, by the roots of their units."""

    each: tuple[LoadedUnit, ...]
    said: RunNotes = RunNotes()
    origin: str = ""
    """What all were compared with, empty where nobody knows the live state."""
    division: tuple[object, ...] = field(default=(), repr=False)
    """What all machines that share the run have to agree on: which units there are, and between which revisions."""
    elsewhere: tuple[JsonObject, ...] = field(default=(), repr=False)
    """The Secrets that other shards look at."""
    content_key: str = field(default="", repr=False)
    """What changes when anything changes of all objects of the run, empty where nothing tells that."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What is said once of all."""
        return self.said.lines

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """All that is applied."""
        return tuple(chain.from_iterable(run.found.subjects for run in self.each))

    @property
    def documents(self) -> tuple[Document, ...]:
        """All that was read."""
        return tuple(chain.from_iterable(run.found.documents for run in self.each))

    @property
    def texts(self) -> Mapping[str, str]:
        """The input files by name."""
        return {file: text for run in self.each for file, text in run.found.texts.items()}

    @property
    def objects(self) -> Iterator[JsonObject]:
        """Every manifest, of the earlier revision too, and every live object that belongs to one.

        Of a unit whose findings are kept these are only what has credentials, and one that has its names.
        """
        yield from self.elsewhere
        for run in self.each:
            yield from run.found.objects
            yield from (dict.fromkeys(run.cached.names),) if run.cached else ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What could not be read."""
        return tuple(dict.fromkeys(chain.from_iterable(run.found.problems for run in self.each)))

    @property
    def is_unreachable(self) -> bool:
        """Whether what the manifests were to be compared with could not be read at all."""
        return any(run.found.is_unreachable for run in self.each)
