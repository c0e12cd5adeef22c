"""A type with every kind of field that server-side apply distinguishes."""

from kubectl_applylint.schema.types import Node, Shape

TEXT = Node(Shape.STRING)
NUMBER = Node(Shape.INTEGER)
ITEM_FIELDS = {
    "a": TEXT,
    "b": Node(Shape.STRING, default="dd"),
    "n": NUMBER,
    "labels": Node(Shape.OBJECT, value=TEXT),
}
ITEM = Node(Shape.OBJECT, load_fields=lambda: ITEM_FIELDS)
SUB_FIELDS = {"x": NUMBER, "y": NUMBER}
SPEC_FIELDS = {
    "keyed": Node(Shape.LIST, item=ITEM, list_type="map", map_keys=("a", "b")),
    "set": Node(Shape.LIST, item=TEXT, list_type="set"),
    "atomic": Node(Shape.LIST, item=TEXT),
    "patched": Node(Shape.LIST, item=ITEM, patch_strategy=("merge",), merge_key="n"),
    "texts": Node(Shape.LIST, item=TEXT, patch_strategy=("merge",)),
    "labels": Node(Shape.OBJECT, value=TEXT),
    "sub": Node(Shape.OBJECT, load_fields=lambda: SUB_FIELDS),
    "whole": Node(Shape.OBJECT, value=TEXT, map_type="atomic"),
    "free": Node(Shape.OBJECT, preserve_unknown=True),
    "on": Node(Shape.BOOLEAN),
    "size": NUMBER,
    "raw": Node(Shape.ANY, format="raw"),
    "amount": Node(Shape.STRING, format="quantity"),
    "any": Node(Shape.ANY),
    "port": Node(Shape.STRING, format="int-or-string"),
    "either": Node(Shape.STRING, format="int-or-string", source={"x-kubernetes-int-or-string": True}),
    "uuid": Node(Shape.STRING, format="uuid", source={"type": "string", "format": "uuid"}),
    "wait": Node(Shape.STRING, format="duration"),
}
SPEC = Node(Shape.OBJECT, load_fields=lambda: SPEC_FIELDS)
