"""The command ``index``, and runs that use what it writes."""

import os
from typing import Final

from kubectl_applylint.cli.arguments import Arguments
from kubectl_applylint.cli.output import say, write
from kubectl_applylint.cli.state import request_of
from kubectl_applylint.config.configuration import Config, ConfigError
from kubectl_applylint.core.problem import Problem, Unreadable
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.run.assemble import RunRequest
from kubectl_applylint.run.place_index import NoIndex, PlaceIndex, index_of, index_text, indexed, made_of, read_index
from kubectl_applylint.run.places import place_of
from kubectl_applylint.run.unit_runs import COMPARED, is_by_units
from kubectl_applylint.sources.contents import of_file
from kubectl_applylint.sources.git import GitError

_MAX_BYTES: Final = 256 * 1024**2


def index(program: str, arguments: Arguments, config: Config) -> int:
    """Write what each shard of a run would find out by itself."""
    request = request_of(arguments, config)
    files = request.files or (os.curdir,)
    missing = next((name for name in files if not os.path.exists(name)), None)
    if missing is not None:
        raise Unreadable(Problem(missing, f'the path "{missing}" does not exist', "check the spelling"))
    try:
        found = index_of(place_of(files, request.units), request.units)
    except GitError as fault:
        raise Unreadable(fault.problem) from fault
    write(index_text(found), arguments.share.index_output, Target.JSON)
    return 0


def with_index(program: str, arguments: Arguments, request: RunRequest) -> RunRequest:
    """Return a request whose files are known by the index that was named; one that is of no use is told in one line."""
    file = arguments.share.index
    if not file:
        return request
    if not is_by_units(request):
        raise ConfigError(["--index: this is one apply, of which nothing is to be found out"])
    if request.against.kind in COMPARED:
        say(program, [f"{file}: not used: a comparison of revisions reads what differs"])
        return request
    place = place_of(request.files, request.units)
    found = _read(file)
    if isinstance(found, PlaceIndex) and found.made_of != made_of(place, request.units):
        found = "it is of other files, or of another configuration or version"
    if not isinstance(found, PlaceIndex):
        say(program, [f"{file}: not used, and made afresh: {found}"])
        found = index_of(place, request.units)
    return replace(request, place=indexed(place, found))


def _read(file: str) -> PlaceIndex | str:
    """Return an index, or why there is none."""
    content = of_file(file, _MAX_BYTES)
    if isinstance(content, Problem):
        return content.message
    try:
        return read_index(content)
    except NoIndex as fault:
        return str(fault)
