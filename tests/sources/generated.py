"""Generated manifest texts: every way to write a value, and now and then one that is wrong."""

import json
import string
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


SPACE = "␣"
"""Stands for a space inside a scalar of the tables."""
SCALARS = words("""
    y Y yes Yes YES yEs n N no No NO on On ON off OFF oFF true True TRUE tRUE false False FALSE t f ~ null Null NULL
    nULL 0 -0 +0 1 -1 +1 00 07 017 08 09.5 0777 0o17 0O17 0o8 0x1F 0X1f 0xg 0x -0x1F +0x1f 0b11 0B11 -0b11 0b2 0b
    0b-11 0b+1 1_000 1__0 _1 1_ 0x_1 0b1_1 0_8 1_0.5_0 .5_0 ._5 .5_ .5e1_0 1_e1 9223372036854775807
    9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616
    +18446744073709551615 0xFFFFFFFFFFFFFFFF 0x1FFFFFFFFFFFFFFFF 123456789012345678901234567890
    07777777777777777777777777 1.0 1.50 -0.0 0.0 1. .5 -.5 +.5 . .. 1.5.2 1e3 1E3 1e+3 1e-3 1e-7 0.000001 0.0000001
    1e20 1e21 1e22 1e400 -1e400 5e-324 1e-400 12e03 9.2e18 9.3e18 1.7976931348623157e308 4.35 0.1 9007199254740993
    9007199254740993.0 1e15 1.5e15 1:30 190:20:30 1:30.5 2001-01-01 2001-1-1 2001-01-01T10:00:00Z
    2001-12-14t21:59:43.10-05:00 12:30:45 .iNf inf NaN Infinity = << a abc foo-bar foo/bar:1.2 a:b a::b x=y a#b -a
    --a é 日本 😀 a'b a"b v1 v1.2.3 1.2.3 1s 100m 0.5Gi 1,000 $x a\\b 1- + +- ٣ !!str␣1 !!str␣~ !!int␣1 !!int␣'1'
    !!int␣0o17 !!float␣1 !!float␣1.5 !!float␣.5_5 !!bool␣yes !!bool␣'no' !!null␣~ !!null␣'' !!binary␣aGk=
    !!binary␣4oI= !!binary␣/w== !!timestamp␣2001-01-01 !␣1 !␣a !foo␣1 !foo␣a !!foo␣1
    !<tag:yaml.org,2002:int>␣5 !<x>␣y !Ref␣x !!merge␣x !!python/none␣1
""")
RISKY = words("""
    .inf .Inf .INF +.inf -.inf .nan .NaN .NAN http://x/y?z=1 ?a :a %d ${x} @x `x !x - !!str !!int␣1.0 !!int␣x
    !!float␣x !!bool␣1 !!null !!null␣x !!binary␣aGk !!timestamp␣2001-02-30 !!timestamp␣x
""")
"""Rejected wherever they stand, or inside of brackets."""
ESCAPES = (
    "\\n",
    "\\t",
    "\\\\",
    '\\"',
    "\\0",
    "\\e",
    "\\x41",
    "\\u00e9",
    "\\U0001F600",
    "\\N",
    "\\_",
    "\\L",
    "\\P",
    "\\ ",
)
WORDS = (
    "a",
    "b",
    "key",
    "name",
    "x y",
    "é",
    "日本",
    "with: colon",
    "hash # it",
    "tab\there",
    "",
    " lead",
    "trail ",
    "- d",
)
INVALID = (
    "\\z",
    "\\ud800",
    "[",
    "{",
    "}",
    "]",
    '"',
    "'",
    ": ",
    "\t",
    "*nope",
    "- ",
    "? ",
    "@",
    "&a",
    "!",
    "%",
    "|",
    "\x01",
)


@dataclass(slots=True)
class Writer:
    """Writes one document; ``anchors`` are the names that may be referred to, those of maps apart."""

    random: Random
    anchors: list[str] = field(default_factory=list)
    maps: list[str] = field(default_factory=list)
    named: int = 0

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, *makers: Callable[[], str]) -> str:
        return self.random.choice(makers)()

    def scalar(self) -> str:
        return self.pick(self.plain_scalar, self.plain_scalar, self.number, self.single, self.double, self.word)

    def plain_scalar(self) -> str:
        return self.random.choice(RISKY if self.chance(0.01) else SCALARS).replace(SPACE, " ")

    def number(self) -> str:
        r = self.random
        digits = "".join(r.choice("0123456789_.eE+-xob:") for _ in range(r.randint(1, 8)))
        return r.choice(("", "-", "+", "0x", "0b", "0o", "0", ".")) + (
            digits if self.chance(0.5) else str(r.randint(0, 2**66))
        )

    def single(self) -> str:
        return "'" + self.random.choice(WORDS).replace("'", "''") + self.random.choice(("", "''", " y", "1")) + "'"

    def double(self) -> str:
        inner = self.random.choice(WORDS).replace('"', "")
        return f'"{inner}{"".join(self.random.choices(ESCAPES, k=self.random.randint(0, 2)))}"'

    def word(self) -> str:
        return "".join(self.random.choices(string.ascii_letters + "-_./", k=self.random.randint(1, 9)))

    def key(self) -> str:
        quoted = self.pick(self.single, self.double)
        # A number of its own keeps keys apart that kubectl would otherwise merge in no certain order.
        number = self.random.randint(0, 10**6)
        spelled = self.random.choice((f"{number}", f"{number}.5", f"0x{number:x}", f"k{number}", f"k{number}"))
        return (
            self.random.choice((spelled,) * 6 + ("yes", "n", "1e6", "0.1", ".inf", quoted))
            if self.chance(0.99)
            else "~"
        )

    def anchor(self, names: list[str]) -> str:
        self.named += 1
        name = f"a{self.named}" if self.chance(0.9) else "again"
        names.append(name)
        return f"&{name} "

    def reference(self) -> str:
        known = self.anchors + self.maps
        return f"*{self.random.choice(known)}" if known else self.scalar()

    def inline(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.6):
            text = self.reference() if self.chance(0.1) else self.scalar()
            return self.anchor(self.anchors) + text if self.chance(0.05) and text[0] != "*" else text
        return self.pick(lambda: self.flow_list(depth), lambda: self.flow_map(depth))

    def flow_list(self, depth: int) -> str:
        items = [self.inline(depth - 1) for _ in range(self.random.randint(0, 4))]
        return self.space("[", self.random.choice((",", ", ", " , ", ",\n      ")).join(items), "]")

    def flow_map(self, depth: int) -> str:
        entries = [f"{self.key()}: {self.inline(depth - 1)}" for _ in range(self.random.randint(0, 3))]
        return self.space("{", ", ".join(entries), "}")

    def space(self, start: str, inner: str, end: str) -> str:
        cluster_view = self.random.choice(("", "", " ", "\n        "))
        trailing = "," if inner and self.chance(0.1) else ""
        return f"{start}{cluster_view}{inner}{trailing}{cluster_view}{end}"

    def block(self, depth: int, indent: int) -> str:
        """Return what follows a key's colon or a dash, up to and with the end of the line."""
        if depth <= 0 or self.chance(0.45):
            return self.inline_line(depth, indent)
        return self.pick(
            lambda: self.block_map(depth, indent), lambda: self.block_list(depth, indent), lambda: self.text(indent)
        )

    def inline_line(self, depth: int, indent: int) -> str:
        if self.chance(0.07):
            return self.comment() + "\n"
        if self.chance(0.07):
            more = "\n" * self.random.randint(1, 2) + " " * (indent + 1)
            return f" {more.join(self.word() for _ in range(3))}\n"
        gap = " \t" if self.chance(0.01) else self.random.choice((" ", " ", " ", "  ", f"\n{' ' * (indent + 2)}"))
        return f"{gap}{self.inline(depth)}{self.comment()}\n"

    def comment(self) -> str:
        return self.random.choice(("", "", "", "", " # note", " #", "  ", "\t# x: y"))

    def between(self, indent: int) -> str:
        return self.random.choice(("", "", "", "", "", "\n", "# at the start\n", f"{' ' * indent}# note: x\n", "   \n"))

    def block_map(self, depth: int, indent: int) -> str:
        inner = indent + self.random.choice((1, 2, 2, 2, 4))
        inside: list[str] = []
        head = f" {self.anchor(inside)}" if self.chance(0.25) else ""
        self.maps += inside if self.chance(0.02) else []
        lines = "".join(self.entry(depth, inner) for _ in range(self.random.randint(1, 4)))
        self.maps += inside
        return f"{head}{self.comment()}\n{lines}"

    def entry(self, depth: int, indent: int) -> str:
        prefix = self.between(indent) + " " * indent
        if self.maps and self.chance(0.2):
            return f"{prefix}<<: {self.merge_key()}\n"
        if self.chance(0.05):
            return f"{prefix}? {self.key()}\n{' ' * indent}:{self.block(depth - 1, indent)}"
        return f"{prefix}{self.key()}{self.random.choice(('', '', '', ' '))}:{self.block(depth - 1, indent)}"

    def merge_key(self) -> str:
        one = f"*{self.random.choice(self.maps)}"
        wrong = self.random.choice(("1", "[1]", "", "*nope"))
        return (
            wrong if self.chance(0.03) else self.random.choice((one, one, f"[{one}, {{m: 1}}]", "{m: 1, k1: 2}", "[]"))
        )

    def block_list(self, depth: int, indent: int) -> str:
        inner = indent + self.random.choice((0, 0, 2, 2, 1))
        items = (
            f"{self.between(inner)}{' ' * inner}-{self.item(depth - 1, inner)}"
            for _ in range(self.random.randint(1, 4))
        )
        return f"{self.comment()}\n{''.join(items)}"

    def item(self, depth: int, indent: int) -> str:
        if depth > 0 and self.chance(0.3):
            first = f" {self.key()}:{self.block(depth - 1, indent + 2)}"
            return first + "".join(self.entry(depth - 1, indent + 2) for _ in range(self.random.randint(0, 2)))
        return self.block(depth, indent)

    def text(self, indent: int) -> str:
        wide = self.random.choice(("", "", "2", "4"))
        style = self.random.choice("|>") + self.random.choice((f"{wide}-", f"+{wide}", wide))
        inner = " " * (indent + int(wide or 2))
        kinds = ("text", "text", "a: b", "# no comment", "- x", "t ", "---", "a\tt")
        first = [inner + self.random.choice(kinds) for _ in range(self.random.randint(0, 1))]
        more = (inner + self.random.choice((*kinds, "  more", "", "\tt")) for _ in range(self.random.randint(0, 3)))
        lines = [*first, *more] if first or self.chance(0.1) else []
        return f" {style}{self.random.choice(('', ' # note'))}\n" + "".join(f"{line}\n" for line in lines)


def yaml_value(random: Random) -> str:
    """Return ``v`` and its value in block style, wrong about once in ten."""
    writer = Writer(random)
    entries = "".join(writer.entry(3, 0) for _ in range(random.randint(0, 2)))
    text = f"v:{writer.block(3, 0)}{entries}"
    return mutate(random, text) if random.random() < 0.08 else text


def mutate(random: Random, text: str) -> str:
    """Return ``text`` with a part inserted, removed or moved."""
    at = random.randrange(len(text) + 1)
    length = random.randint(1, 4)
    return random.choice(
        (text[:at] + random.choice(INVALID) + text[at:], text[:at] + text[at + length :], text[:at] + "\n" + text[at:])
    )


def json_value(random: Random, depth: int = 3) -> object:
    """Return a value that JSON can spell."""
    makers: list[Callable[[], object]] = [
        lambda: random.choice(
            (None, True, False, 0, -1, 2**63 - 1, 2**63, 1.0, 1.5, 1e21, 1e-7, "", "<&>", "\u2028", "😀", "\x7f")
        ),
        lambda: random.randint(-(2**65), 2**65),
        lambda: random.random() * 10 ** random.randint(-30, 30),
    ]
    if depth > 0:
        makers.append(lambda: [json_value(random, depth - 1) for _ in range(random.randint(0, 3))])
        makers.append(
            lambda: {random.choice(WORDS): json_value(random, depth - 1) for _ in range(random.randint(0, 3))}
        )
    return random.choice(makers)()


def manifest(random: Random, name: str) -> str:
    """Return one ConfigMap called ``name`` with a generated field ``v``: mostly YAML, sometimes JSON."""
    if random.random() < 0.1:
        whole: dict[str, object] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}}
        return json.dumps(
            {**whole, "v": json_value(random)}, indent=random.choice((None, 1)), ensure_ascii=random.random() < 0.5
        )
    head = f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n"
    value = yaml_value(random)
    text = head + value if random.random() < 0.8 else value + head
    text = random.choice(("", "", "", "---\n", "# about\n", "\n\n")) + text + random.choice(("", "", "...\n", "---\n"))
    return text.replace("\n", "\r\n") if random.random() < 0.05 else text
