"""The loaded units of a run: their input, notes and cached results."""

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
    """One apply with its input; ``unit`` is ``None`` for the apply that the caller named."""

    unit: Unit | None
    input: RunInput
    earlier: Callable[[], RunInput | None] = field(default=_no_earlier, repr=False)
    """Returns the input of the earlier manifests, applied again; ``None`` if they are unknown."""
    declares: tuple[Unit, ...] = ()
    """The units that its objects declare, and that are not found by the files alone."""
    cached: CachedResult | None = field(default=None, repr=False)
    """The cached result of the unit; then ``input`` has no subjects."""
    key: str = ""
    """The cache key of its result; empty if the result is not cached."""
    place: UnitPlace = ()
    """The sort key of the unit in the run, the same in all shards."""
    seconds: float = field(default=0.0, compare=False)
    """The time that loading took."""
    gap: str = ""
    """The part that was not examined, if the configuration accepts that."""
    accepted: str = ""
    """The reason why the configuration accepts the unit as incomplete; empty if it does not."""


@dataclass(frozen=True, slots=True)
class LoadedUnits:
    """The loaded units of a request, sorted by their roots."""

    each: tuple[LoadedUnit, ...]
    run_notes: RunNotes = RunNotes()
    origin: str = ""
    """The state that all units were compared with; empty if the live state is unknown."""
    division: tuple[object, ...] = field(default=(), repr=False)
    """The values that must be equal in all shards: the units, and the revisions that are compared."""
    elsewhere: tuple[JsonObject, ...] = field(default=(), repr=False)
    """The Secrets in units that other shards examine."""
    content_key: str = field(default="", repr=False)
    """A digest of all objects of the run; empty if it is unknown."""

    @property
    def notes(self) -> tuple[str, ...]:
        """The lines of the notes about the run."""
        return self.run_notes.lines

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """The objects that are applied."""
        return tuple(chain.from_iterable(run.input.subjects for run in self.each))

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents that were read."""
        return tuple(chain.from_iterable(run.input.documents for run in self.each))

    @property
    def texts(self) -> Mapping[str, str]:
        """The input files by name."""
        return {file: text for run in self.each for file, text in run.input.texts.items()}

    @property
    def objects(self) -> Iterator[JsonObject]:
        """The manifests of both revisions and their live objects, which are read to mask credentials.

        For a unit with a cached result: only the objects with credentials, and an object with its names.
        """
        yield from self.elsewhere
        for run in self.each:
            yield from run.input.objects
            yield from (dict.fromkeys(run.cached.names),) if run.cached else ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of all units, each once."""
        return tuple(dict.fromkeys(chain.from_iterable(run.input.problems for run in self.each)))

    @property
    def is_unreachable(self) -> bool:
        """Whether the state that the manifests should be compared with could not be read at all."""
        return any(run.input.is_unreachable for run in self.each)
