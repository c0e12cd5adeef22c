"""Records what the libraries of Flux build of random sources, and compares it with what applylint builds.

    python -m tests.fidelity.record_flux_builds --seed anything --cases 400              # compares
    python -m tests.fidelity.record_flux_builds --seed anything --cases 40 --out FILE    # records as well

``--cases`` is the number of Kustomizations; there are ten templates, five objects and five ignore files for each.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from kubectl_applylint.core.go_yaml import format_yaml
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.tools.flux.envsubst import SubstitutionError, substitute
from kubectl_applylint.tools.flux.kustomization_fields import KUSTOMIZATION
from kubectl_applylint.tools.flux.source_files import packed_files
from tests.cluster.flux_build_program import answers, flux_build_program
from tests.fidelity import flux_builds
from tests.fidelity.flux_texts import ignore_questions, object_questions, template_questions
from tests.fidelity.pairs import Pair, parse_arguments, read_pairs, write_pairs

RECORDED = Path(__file__).parent / "flux-builds.jsonl.gz"


def is_same_template(question: JsonObject, recorded: JsonObject) -> bool:
    """Return whether applylint substitutes as recorded, with the same error."""
    try:
        made = substitute(question["template"], question["variables"].get, is_strict=question["strict"])
    except SubstitutionError as error:
        return bool(recorded["error"] == str(error))
    if recorded["error"]:
        return False
    text = "".join(map(str, made)).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    # Go writes one character for each byte of a part of a character.
    return bool(text.replace("\ufffd", "") == recorded["text"].replace("\ufffd", ""))


def is_same_object(question: JsonObject, recorded: JsonObject) -> bool:
    """Return whether applylint writes an object as recorded; the program cannot read some texts."""
    return bool(recorded["error"]) or format_yaml(question["object"]) == recorded["text"]


def is_same_source(question: JsonObject, recorded: JsonObject) -> bool:
    """Return whether applylint ignores the recorded files."""
    files = question["files"]
    found = packed_files(files, lambda path: str(files[path]).encode(), question["ignore"] or "")
    return bool(sorted(found) == recorded["files"])


def is_same_type(_: JsonObject, recorded: JsonObject) -> bool:
    """Return whether applylint knows the fields of a kustomization file."""
    return bool(recorded["objects"] == [KUSTOMIZATION])


Compare = Callable[[JsonObject, JsonObject], bool]
KINDS: Mapping[str, Compare] = {
    "kustomization": flux_builds.is_same,
    "template": is_same_template,
    "object": is_same_object,
    "files": is_same_source,
    "fields": is_same_type,
}
"""Comparisons of answers, by the first of these fields that a question has."""


def kind_of(question: JsonObject) -> str:
    """Return the kind of a question."""
    return next(kind for kind in KINDS if kind in question)


def questions(seed: str, cases: int) -> Iterator[JsonObject]:
    """Yield questions of all kinds."""
    yield {"fields": True}
    yield from flux_builds.questions(seed, cases)
    yield from template_questions(seed, 10 * cases)
    yield from object_questions(seed, 5 * cases)
    yield from ignore_questions(seed, 5 * cases)


def recorded_pairs(kind: str) -> list[Pair]:
    """Return the recorded questions of a kind, with their answers."""
    return [pair for pair in read_pairs(RECORDED) if kind_of(pair[0]) == kind]


def main(argv: Sequence[str] | None = None) -> int:
    """Ask the program, print the shares of equal answers, and return 1 if one differs."""
    arguments = parse_arguments(argv, __doc__, 400)
    asked = list(questions(arguments.seed, arguments.cases))
    given = answers(flux_build_program(os.environ), asked)
    pairs = list(zip(asked, given, strict=True))
    if arguments.out:
        write_pairs(arguments.out, pairs)
    differs = 0
    for kind, is_same in KINDS.items():
        of_kind = [pair for pair in pairs if kind_of(pair[0]) == kind]
        wrong = [question for question, answer in of_kind if not is_same(question, answer)]
        print(f"{kind}: {len(of_kind) - len(wrong)} of {len(of_kind)} equal", *map(json.dumps, wrong[:3]), sep="\n  ")
        differs += len(wrong)
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
