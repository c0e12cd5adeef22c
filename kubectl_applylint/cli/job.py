"""The command ``job``: manifests of Jobs in which pods of a cluster share a check. It applies nothing."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import yaml

from kubectl_applylint.cli.arguments import Arguments, parse
from kubectl_applylint.cli.job_options import JobOptions
from kubectl_applylint.cli.output import write
from kubectl_applylint.cli.show import refuse_forms
from kubectl_applylint.config.configuration import Config, ConfigError, Format
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.safe_text import Target
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.report.job import ShardedCheck, job_json, job_objects

MOST_SHARDS: Final = 10_000
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,%d}[a-z0-9])?"
_VALID: Final[Mapping[str, tuple[str, str]]] = {
    "image": (r"[A-Za-z0-9][\w.:/@-]*", "an image, as registry.example/applylint:1.0"),
    "job_name": (_LABEL % 43, "up to 45 lower case letters, digits and -"),
    "job_namespace": (_LABEL % 61, "up to 63 lower case letters, digits and -"),
    "repository": (r"(?:[A-Za-z0-9/.][!-~]*)?", "an address for git fetch, as https://git.example/shop.git"),
    "revision": (r"[A-Za-z0-9_][\w./-]*", "a commit, branch or tag"),
    "storage_class": (r"(?:[a-z0-9][a-z0-9.-]*)?", "the name of a storage class"),
}
"""What a value may be, and in words. The name leaves room for what Kubernetes adds: ``-merge``, an index, a suffix."""
_PASSWORD: Final = regex(r"[\w+.-]+://[^/@]*:[^/@]*@.*")
_OF_MERGE: Final = ("output", "show", "fail-on", "rules", "color", "timeout")
"""The options of ``check`` that a merge has, too, with a value."""


def job(program: str, arguments: Arguments, config: Config) -> int:
    """Print the manifests; raise ``ConfigError`` for values that no Job has."""
    refuse_forms("job", config, _RENDERERS)
    faults = list(_faults(arguments.job))
    if faults:
        raise ConfigError(faults)
    objects = job_objects(_wanted(program, arguments))
    for output in config.output:
        write(_RENDERERS[output.format](objects), output.file, Target.JSON)
    return 0


def _faults(options: JobOptions) -> Iterator[str]:
    if not 1 <= options.shards <= MOST_SHARDS:
        yield f"--shards: {options.shards} is not valid: use a number from 1 to {MOST_SHARDS}"
    if options.deadline < 1:
        yield f"--deadline: {options.deadline} is not valid: use a number of seconds from 1"
    for name, (pattern, words) in _VALID.items():
        value = getattr(options, name)
        if not re.fullmatch(pattern, value, re.ASCII):
            yield f"--{name.removeprefix('job_').replace('_', '-')}: {value!r} is not valid: use {words}"
    if _PASSWORD.fullmatch(options.repository):
        yield "--repository: the address contains a password, which everyone who may read Jobs could see; leave it out"


def _wanted(program: str, arguments: Arguments) -> ShardedCheck:
    words = arguments.files or (".", "--against", "live")
    checked = parse(program, ["check", *words])
    refused = [name for name, is_given in _not_in_pods(checked).items() if is_given]
    if refused:
        raise ConfigError(f"{name} is not possible in a Job: {why}" for name, why in refused)
    options = arguments.job
    against = checked.flags.get("against", ("live",))[-1]
    return ShardedCheck(
        shards=options.shards,
        image=options.image,
        name=options.job_name,
        namespace=options.job_namespace,
        check=tuple(_without_output(words)),
        merge=tuple(_of_merge(checked)),
        asks_cluster=against in ("live", "last-applied"),
        repository=options.repository,
        revision=options.revision,
        storage_class=options.storage_class,
        access_mode=options.access_mode,
        deadline=options.deadline,
    )


def _not_in_pods(checked: Arguments) -> Mapping[tuple[str, str], bool]:
    return {
        ("--shard", "each pod has its own"): bool(checked.share.shard),
        ("--fix", "no one reads the files of a pod afterwards"): checked.fix.fix,
        ("-", "pods have no standard input"): "-" in checked.files,
    }


def _without_output(words: Sequence[str]) -> Iterator[str]:
    """Yield the arguments without the outputs, which are those of the merge."""
    rest = iter(words)
    for word in rest:
        if word == "--":
            yield from (word, *rest)
        elif word in ("-o", "--output"):
            next(rest, None)
        elif not word.startswith(("-o", "--output=")):
            yield word


def _of_merge(checked: Arguments) -> Iterator[str]:
    for name in _OF_MERGE:
        yield from (f"--{name}={text}" for text in checked.flags.get(name, ()))
    yield from (f"-v{text}" for text in checked.flags.get("verbosity", ()))
    if "exit-zero" in checked.flags:
        yield "--exit-zero"
    if checked.config:
        yield f"--config={checked.config}"


def _yaml(objects: Sequence[JsonObject]) -> str:
    return yaml.dump_all(objects, Dumper=_Dumper, sort_keys=False, allow_unicode=False, width=1000)


class _Dumper(yaml.SafeDumper):
    """Repeats what stands in several places, instead of referring to the first one."""

    def ignore_aliases(self, data: object) -> bool:
        """Tell that nothing is referred to."""
        return True


_RENDERERS: Final[Mapping[Format, Callable[[Sequence[JsonObject]], str]]] = {
    Format.TEXT: _yaml,
    Format.YAML: _yaml,
    Format.JSON: job_json,
}
