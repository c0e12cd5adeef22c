"""Scores what ``applylint plan`` predicts of children of Metacontroller against recordings.

    python -m tests.fidelity.score_children tests/fidelity/metacontroller-children.jsonl.gz --show 5

``tests.fidelity.children_stories`` says what each figure compares.
"""

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from tests.fidelity.children_stories import METRICS, Scored, read_stories, score_story
from tests.fidelity.score import Groups, shares_of
from tests.fidelity.score_appliers import table

_LINE = 2500


def shares(results: Iterable[Scored]) -> Groups:
    """Return the share of right answers of each metric over all and for each kind of parent."""
    return shares_of((one.story.way, one.judgements) for one in results)


def examples(results: Iterable[Scored]) -> Iterator[str]:
    """Yield the stories that were predicted wrongly, each with what differs."""
    for result in results:
        wrong = {name: [each.why for each in found if not each.right] for name, found in result.judgements.items()}
        shown = {name: why for name, why in wrong.items() if why}
        if shown or result.crash:
            heading = {"id": result.story.id, "parent": result.story.way, **shown, "errors": result.story.errors}
            yield json.dumps({**heading, "crash": result.crash}, default=str)[:_LINE] + "\n"


def main(argv: Sequence[str] | None = None) -> None:
    """Print the figures of recordings."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--show", type=int, default=0, help="how many wrong predictions to print (0)")
    asked = parser.parse_args(argv)
    results = [score_story(story) for file in asked.files for story in read_stories(file)]
    for example in islice(examples(results), asked.show):
        print(example)
    print(table(shares(results), METRICS))


if __name__ == "__main__":
    main()
