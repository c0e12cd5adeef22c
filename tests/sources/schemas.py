"""Texts of definitions as generators write them."""

from collections.abc import Mapping


def fields(number: int, description: str = "x") -> str:
    """Return the lines of so many fields of a schema."""
    lines = (f"field{at}:\n  description: {description} {at}\n  type: string\n" for at in range(number))
    return "".join(lines)


def definition(properties: Mapping[str, str]) -> str:
    """Return a definition with objects of some names, each with the fields of some lines."""
    start = "kind: CustomResourceDefinition\nspec:\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n"
    each = (f"{name}:\n  properties:\n{indent(4, lines)}  type: object\n" for name, lines in properties.items())
    inner = indent(14, "".join(each))
    return f"{start}        properties:\n          spec:\n            properties:\n{inner}        type: object\n"


def indent(spaces: int, lines: str) -> str:
    """Return lines with more spaces before them."""
    return "".join(f"{' ' * spaces}{line}\n" if line else "\n" for line in lines.removesuffix("\n").split("\n"))
