"""Small readers of our output: they return characters or lines that would act instead of being shown."""

import re
from collections.abc import Iterator

_COLOURS = re.compile("\x1b\\[(?:[012]|3[1-6]|1;3[1-6])m")
_DIRECTIONS = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C}
_WITHOUT_WIDTH = {*range(0x200B, 0x200E), *range(0x2060, 0x2065), 0xFEFF, 0xAD}


def steering(text: str, *, color: bool = False) -> list[str]:
    """Return the characters that act on a terminal or are invisible, but for line breaks and our own colours."""
    bare = _COLOURS.sub("", text) if color else text
    steers = {letter for letter in {*bare} - {"\n"} if _steers(ord(letter))}
    return [letter for letter in bare if letter in steers]


def _steers(code: int) -> bool:
    is_control = code < 0x20 or 0x7F <= code < 0xA0
    is_half = 0xD800 <= code < 0xE000
    return is_control or is_half or code in _DIRECTIONS or code in _WITHOUT_WIDTH or 0xE0000 <= code < 0xE0080


def commands(log: str) -> Iterator[str]:
    """Yield the lines that the runner of GitHub Actions, or of Azure Pipelines, takes for commands.

    As ``ActionCommand.cs`` of github.com/actions/runner parses them: ``::`` at the start of a line, blanks before it do
    not count, with another ``::`` behind it; or ``##[``, anywhere in a line, with a bracket behind it.
    """
    for line in re.split("\r\n|[\r\n]", log):
        start = line.lstrip()
        bracket = re.search(r"##\w*\[", line)
        if (start.startswith("::") and "::" in start[2:]) or (bracket and "]" in line[bracket.end() :]):
            yield line


def sections(log: str) -> list[str]:
    """Return what GitLab takes for the border of a section of a job log."""
    return re.findall(r"section_(?:start|end):\d+:[^\r\n]*", log)
