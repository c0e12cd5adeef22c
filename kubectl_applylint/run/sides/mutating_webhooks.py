"""API groups that the mutating webhooks in a repository match: these may set missing fields."""

from collections.abc import Callable, Collection
from functools import cache
from typing import Final, TypeAlias

from kubectl_applylint.core.values import Json, items, text_at, texts_at
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.files.files import EXTENSIONS

WEBHOOK_KIND: Final = "MutatingWebhookConfiguration"
MutatedGroups: TypeAlias = Callable[[Collection[str]], frozenset[str]]
"""Returns those API groups whose objects a webhook may change."""


def mutated_group_finder(side: Side) -> MutatedGroups:
    """Return a finder for the groups that webhooks of a repository match; templates are ignored."""

    @cache
    def webhooks() -> tuple[Json, ...]:
        paths = [path for path in sorted(side.mentioning([WEBHOOK_KIND])) if path.endswith(EXTENSIONS)]
        texts = side.contents(paths)
        plain = [path for path in paths if path in texts and b"{{" not in texts[path]]
        found = side.read(plain).documents if plain else ()
        return tuple(
            one for each in found if each.ref.kind == WEBHOOK_KIND for one in items(each.object.get("webhooks"))
        )

    return lambda groups: frozenset(group for group in groups if any(_matches_group(one, group) for one in webhooks()))


def _matches_group(webhook: Json, group: str) -> bool:
    """Return whether a webhook matches a group; one without rules gets them from its controller at run time.

    The name of such a webhook is a domain that contains its group, as in knative's library.
    """
    rules = items(webhook.get("rules")) if isinstance(webhook, dict) else []
    if not rules:
        return f".{text_at(webhook, 'name')}".endswith(f".{group}")
    return any(name in ("*", group) for rule in rules for name in texts_at(rule, "apiGroups"))
