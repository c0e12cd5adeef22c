"""The clusters of Kustomizations that no object in the files applies, as with a root that Terraform creates.

Flux applies a folder with its subfolders, so roots in ``clusters/prod`` and ``clusters/prod/apps`` are of one cluster.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from kubectl_applylint.core.state import Identity


def home_folders(roots: Iterable[tuple[str, Identity]]) -> Mapping[str, str]:
    """Return the folder of the cluster for each folder with roots: the topmost one above it that has roots as well.

    ``roots`` has the folder and the identity of each. The top of the repository is no cluster of its subfolders, and
    folders in which equal objects are declared are different clusters.
    """
    found: dict[str, set[Identity]] = defaultdict(set)
    for folder, identity in roots:
        found[folder].add(identity)
    tops = {folder: next((one for one in _above(folder) if one in found), folder) for folder in found}
    every = Counter((tops[folder], identity) for folder, names in found.items() for identity in names)
    ambiguous = {top for (top, _), number in every.items() if number > 1}
    return {folder: folder if top in ambiguous else top for folder, top in tops.items()}


def _above(folder: str) -> Iterator[str]:
    """Yield the folders above a folder, the topmost one first."""
    names = folder.split("/")
    yield from ("/".join(names[:number]) for number in range(1, len(names)))
