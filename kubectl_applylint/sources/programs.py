"""Programs that render manifests: what they print, from files that are there or from copies of what git keeps."""

import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from kubectl_applylint.model import Document, Problem
from kubectl_applylint.sources.manifests import Input

TIMEOUT: Final = 120.0
"""Seconds; a program may fetch what is named from elsewhere."""
_LONGEST_COMPLAINT: Final = 600


def output(command: Sequence[str], where: str, advice: str, *, said: Callable[[str], str] = str) -> bytes | Problem:
    """Return what a program prints; it renders ``where``, and ``said`` makes of its complaint what people are told."""
    try:
        done = subprocess.run([*command], capture_output=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return Problem(where, f"it was not rendered within {TIMEOUT:.0f} seconds", "can what it fetches be had?")
    except OSError as error:
        return Problem(where, f"{command[0]} cannot be run: {error.strerror}", "repair it, or render elsewhere")
    if done.returncode != 0:
        text = " ".join(done.stderr.decode("utf-8", "replace").split())
        return Problem(where, f"it cannot be rendered: {said(text)[:_LONGEST_COMPLAINT]}", advice)
    return done.stdout


@contextmanager
def copied(texts: Mapping[str, bytes]) -> Iterator[str]:
    """Give the path of a folder that holds these files, by their paths in it, until the block ends."""
    with tempfile.TemporaryDirectory() as folder:
        for path, content in texts.items():
            place = os.path.join(folder, path)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as file:
                file.write(content)
        yield os.path.realpath(folder)


def labelled(found: Input, copy: str, label: Callable[[str], str]) -> Input:
    """Return what was rendered in a copy with its files called as ``label`` calls their paths."""

    def named(text: str) -> str:
        start, own, rest = text.partition(copy + os.sep)
        return f"{start}{label(rest)}" if own else text

    return replace(
        found,
        documents=tuple(replace(one, file=named(one.file)) for one in found.documents),
        problems=tuple(Problem(named(one.where), named(one.message)) for one in found.problems),
        texts={named(file): text for file, text in found.texts.items()},
        remarks=tuple((named(file), words) for file, words in found.remarks),
    )


def numbered(rendered: Iterable[Document]) -> tuple[Document, ...]:
    """Return rendered objects counted anew in the file that each comes from."""
    counts: Counter[str] = Counter()
    found = []
    for document in rendered:
        found.append(replace(document, index=counts[document.file]))
        counts[document.file] += 1
    return tuple(found)
