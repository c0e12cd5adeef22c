"""Elements of one list that client-side apply treats as the same."""

from kubectl_applylint.core.gotext import show
from kubectl_applylint.core.paths import Index, render
from kubectl_applylint.core.values import mapping
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.schema.walk import identity, merging_lists, walk


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each element whose merge key an earlier element of its list has as well.

    ``params["twins"]``: ``same`` for elements that server-side apply also treats as the same, ``distinct`` for those
    that
    it distinguishes by further keys. Facts: list, key, value, first (the position of the earlier element), and for
    ``distinct`` the keys that differ, here and there.
    """
    if subject.kind is None or not subject.once(_may_have_twins):
        return
    for path, value, node in walk(subject.manifest, subject.kind.root):
        if not (isinstance(value, list) and node.merges and node.merge_key):
            continue
        seen: dict[str, int] = {}
        for position, element in enumerate(value):
            if not isinstance(element, dict) or element.get(node.merge_key) is None:
                continue
            key = element[node.merge_key]
            first = seen.setdefault(show(key), position)
            here, there = identity(element, node), identity(value[first], node)
            if first != position and (here == there) is (params["twins"] == "same"):
                facts = {"list": render(path), "key": node.merge_key, "value": key, "first": first}
                differing = [(a, b) for a, b in zip(there, here, strict=True) if a != b]
                words = [" ".join(map(show, side)) for side in zip(*differing, strict=True)] or ["", ""]
                related = ((subject.document, (*path, Index(first)), f"{node.merge_key} {show(key)} is here as well"),)
                yield Hit((*path, Index(position)), {**facts, "there": words[0], "here": words[1]}, related)


def _may_have_twins(subject: Subject) -> bool:
    """Return whether some list has two elements with one key, without finding them: most objects have none."""
    if subject.kind is None or not subject.kind.strategic:
        return False
    for elements, node in merging_lists(subject.manifest, subject.kind.root):
        given = (mapping(element).get(node.merge_key) for element in elements)
        keys = [show(key) for key in given if key is not None]
        if len(set(keys)) < len(keys):
            return True
    return False
