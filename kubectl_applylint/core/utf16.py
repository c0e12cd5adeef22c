"""Numbers of UTF-16 code units, in which the Language Server Protocol counts the characters of a line."""


def utf16_length(text: str) -> int:
    """Return the number of code units of a text."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def index_at(text: str, units: int) -> int:
    """Return the index of the character at a number of code units, at most the length of the text.

    A number in the middle of a surrogate pair is that of the pair.
    """
    if text.isascii():
        return min(units, len(text))
    before = text.encode("utf-16-le", "surrogatepass")[: 2 * units]
    return len(before.decode("utf-16-le", "ignore"))
