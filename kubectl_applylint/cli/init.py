"""The command ``init``: proposes a hook, a CI file and a configuration for a repository, and writes new files."""

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from kubectl_applylint.cli.parsing.arguments import Arguments
from kubectl_applylint.cli.terminal.output import say, write
from kubectl_applylint.config.configuration import Config, ConfigError
from kubectl_applylint.config.settings import YAML_FILE, find
from kubectl_applylint.config.trust import outside_error
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.sources.git import git, git_config

_OWN: Final = "applylint"
_HOOKS: Final = ".pre-commit-config.yaml"
_GITLAB: Final = ".gitlab-ci.yml"
_GITLAB_PART: Final = ".gitlab/applylint.yml"
_WORKFLOWS: Final = (
    (".github", "github.", "github-actions.yml"),
    (".forgejo", "codeberg.org", "forgejo-actions.yml"),
    (".gitea", "gitea.", "forgejo-actions.yml"),
)
"""The folder of a forge's workflows, a part of the addresses of the forge, and the file of ``hooks``."""
_PIPELINES: Final = (
    ("azure-pipelines.yml", ("dev.azure.com", "visualstudio.com")),
    ("bitbucket-pipelines.yml", ("bitbucket.",)),
)
"""The file of a CI system, which is also that of ``hooks``, and parts of the addresses of its forge."""
_PLACEHOLDERS: Final = ("REPOSITORY", "OWNER/")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A file to create, or lines to add to an existing file."""

    file: str
    text: str
    is_new: bool = True


@dataclass(frozen=True, slots=True)
class RepositoryFiles:
    """The files of a repository that a hook manager or a CI system reads, and the addresses of its remotes."""

    texts: Mapping[str, str]
    folders: Collection[str] = ()
    remotes: Collection[str] = ()
    is_configured: bool = False
    """Whether it has a configuration of applylint."""

    def uses(self, file: str) -> bool:
        """Return whether a file, or one in a folder with this name, mentions applylint."""
        return any(_OWN in text for name, text in self.texts.items() if name == file or name.startswith(f"{file}/"))

    def is_at(self, address: str) -> bool:
        """Return whether a remote has this part in its address."""
        return any(address in remote for remote in self.remotes)


def init(program: str, arguments: Arguments, config: Config) -> int:
    """Print the proposed files; with ``--write`` create those that do not exist."""
    root = _root()
    proposed = tuple(proposals(_repository_files(root), _template))
    write("\n".join(map(_proposal_text, proposed)))
    new = [one for one in proposed if one.is_new]
    if arguments.writes:
        _create(root, new)
    say(program, _notes(proposed, new, is_written=arguments.writes))
    return 0


def _create(root: Path, proposed: Sequence[Proposal]) -> None:
    """Write new files; raise ``ConfigError``, before any is written, if a symlink leads one out of the repository."""
    whys = {one.file: outside_error(root / one.file, root.resolve()) for one in proposed}
    if any(whys.values()):
        raise ConfigError(f"{file}: {why}; nothing is written" for file, why in whys.items() if why)
    for one in proposed:
        (root / one.file).parent.mkdir(parents=True, exist_ok=True)
        write(one.text, str(root / one.file))


def proposals(found: RepositoryFiles, template: Callable[[str], str]) -> Iterator[Proposal]:
    """Yield what a repository does not have yet; ``template`` returns a file of ``hooks``."""
    if not found.uses(_HOOKS):
        text = template("pre-commit-config.yml")
        is_new = _HOOKS not in found.texts
        yield Proposal(_HOOKS, text if is_new else text.partition("\n")[2], is_new)
    for folder, address, name in _WORKFLOWS:
        file, is_used = f"{folder}/workflows/applylint.yml", found.uses(f"{folder}/workflows")
        if (folder in found.folders or found.is_at(address)) and not is_used and file not in found.texts:
            yield Proposal(file, template(name))
    if (_GITLAB in found.texts or found.is_at("gitlab.")) and not found.uses(_GITLAB):
        yield from _gitlab_proposals(found, template("gitlab-ci.yml"))
    for name, addresses in _PIPELINES:
        is_new = name not in found.texts
        if not found.uses(name) and (not is_new or any(map(found.is_at, addresses))):
            text = template(name)
            yield Proposal(name, text if is_new else text.partition("\n")[2], is_new)
    if not found.is_configured:
        yield Proposal(YAML_FILE, template("configuration.yml"))


def _gitlab_proposals(found: RepositoryFiles, text: str) -> Iterator[Proposal]:
    """Yield the job for GitLab, in a file of its own if the repository has jobs already."""
    if _GITLAB not in found.texts:
        yield Proposal(_GITLAB, text)
        return
    if _GITLAB_PART not in found.texts:
        yield Proposal(_GITLAB_PART, text)
    yield Proposal(_GITLAB, f"include:\n  - local: {_GITLAB_PART}\n", is_new=False)


def _proposal_text(proposal: Proposal) -> str:
    """Return a proposal with its file as a comment in the first line."""
    return f"# {proposal.file}" + ("" if proposal.is_new else " exists; add to it:") + f"\n{proposal.text}"


def _notes(proposed: Sequence[Proposal], new: Sequence[Proposal], *, is_written: bool) -> Iterator[str]:
    """Yield lines about what was written, or would be, and what is left to do."""
    names = ", ".join(one.file for one in new)
    if not proposed:
        yield "nothing to propose: the repository has a hook, a CI file and a configuration of applylint"
    elif names:
        yield f"written: {names}" if is_written else f"nothing was written; --write creates {names}"
    if any(word in one.text for one in proposed for word in _PLACEHOLDERS):
        yield "replace REPOSITORY and OWNER by the address of applylint's repository and its owner (docs/install.md)"


def _template(name: str) -> str:
    """Return a file of ``hooks``."""
    return files("kubectl_applylint.hooks").joinpath(name).read_text(encoding="utf-8")


def _root() -> Path:
    """Return the root of the repository of the current folder; that folder if there is none."""
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)


def _repository_files(root: Path) -> RepositoryFiles:
    """Return the files of a repository that decide what is proposed."""
    workflows = [path for folder, _, _ in _WORKFLOWS for path in (root / folder / "workflows").glob("*.y*ml")]
    named = (root / name for name in (_HOOKS, _GITLAB, _GITLAB_PART, *(name for name, _ in _PIPELINES)))
    existing = [path for path in (*named, *workflows) if os.path.lexists(path)]
    repository = git.repository(str(root))
    return RepositoryFiles(
        {path.relative_to(root).as_posix(): _text(path) for path in existing},
        folders=[folder for folder, _, _ in _WORKFLOWS if (root / folder).is_dir()],
        remotes=git_config.remotes(repository.root) if isinstance(repository, git.Repository) else (),
        is_configured=find(root) is not None or os.path.lexists(root / YAML_FILE),
    )


def _text(path: Path) -> str:
    """Return the text of a file, empty if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
