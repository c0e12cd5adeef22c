import pytest

from kubectl_applylint.core.paths import (
    ByKey,
    ByValue,
    Field,
    Index,
    Path,
    PathStep,
    as_written_in,
    fields,
    get,
    leaves,
    outermost_missing,
    parse,
    render,
    with_values,
)
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json

OBJECT = {
    "metadata": {"labels": {"a.b/c": "x"}},
    "spec": {"containers": [{"name": "web", "args": ["a", None]}], "empty": {}},
}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (fields("spec", "replicas"), "spec.replicas"),
        ((*fields("metadata", "labels", "a.b/c"),), 'metadata.labels["a.b/c"]'),
        ((Field("spec"), Field("containers"), Index(0), Field("image")), "spec.containers[0].image"),
        ((Field("ports"), ByKey((("port", 53), ("protocol", "UDP")))), "ports[port=53,protocol=UDP]"),
        ((Field("finalizers"), ByValue("x/y")), 'finalizers[="x/y"]'),
        ((Field("l"), ByKey((("name", Unknown("a variable", written="${NAME}")),))), "l[name=${NAME}]"),
        ((Field("l"), ByValue(Unknown("a variable"))), "l[=?]"),
        ((), ""),
    ],
)
def test_render(path: Path, text: str) -> None:
    assert render(path) == text


@pytest.mark.parametrize(
    "text",
    [
        "spec.replicas",
        'metadata.labels["a.b/c"]',
        "spec.containers[0].image",
        "",
        "spec.containers[name=web].ports[containerPort=80,protocol=TCP].name",
        'metadata.finalizers[="x/y"]',
        "spec.taints[key=example.com/gpu,effect=NoSchedule]",
        "spec.numbers[=3]",
    ],
)
def test_parse_reads_what_render_writes(text: str) -> None:
    assert render(parse(text)) == text


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("[port=80]", ByKey((("port", 80),))),
        ('[port="80"]', ByKey((("port", "80"),))),
        ("[a=true]", ByKey((("a", True),))),
        ("[a={}]", ByKey((("a", "{}"),))),
        ('[name="a,b]"]', ByKey((("name", "a,b]"),))),
        ("[=web]", ByValue("web")),
    ],
)
def test_parse_reads_keys_and_values(text: str, step: PathStep) -> None:
    assert parse(text) == (step,)


def test_parse_says_where_it_stops() -> None:
    with pytest.raises(ValueError, match=r"not a field path: 'spec\.\[x' \(at character 5\)"):
        parse("spec.[x")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((*fields("spec", "containers"), ByKey((("name", "web"),)), Field("args"), Index(1)), None),
        ((*fields("spec", "containers"), Index(0), Field("args"), ByValue("a")), "a"),
        ((*fields("spec", "containers"), Index(1)), MISSING),
        (fields("spec", "containers", "name"), MISSING),
        (fields("metadata", "labels", "a.b/c"), "x"),
    ],
)
def test_get_distinguishes_null_from_missing(path: Path, value: Json) -> None:
    assert get(OBJECT, path) is value


def test_the_outermost_field_that_is_missing() -> None:
    assert outermost_missing({"a": {}}, fields("a", "b", "c")) == fields("a", "b")
    assert outermost_missing({"a": {"b": {}}}, fields("a", "b", "c")) == fields("a", "b", "c")


def test_leaves_are_scalars_and_empty_containers() -> None:
    assert [(render(path), value) for path, value in leaves(OBJECT)] == [
        ('metadata.labels["a.b/c"]', "x"),
        ("spec.containers[0].name", "web"),
        ("spec.containers[0].args[0]", "a"),
        ("spec.containers[0].args[1]", None),
        ("spec.empty", {}),
    ]


@pytest.mark.parametrize(
    ("keys", "element", "spelled"),
    [
        pytest.param((("port", 53), ("protocol", "TCP")), {"port": 53}, "l[port=53]", id="without the default"),
        pytest.param((("port", 53),), {"port": 53, "name": "a"}, "l[port=53]", id="as it is"),
        pytest.param((("port", 53), ("protocol", "TCP")), {"port": 54}, "l[port=53,protocol=TCP]", id="another"),
        pytest.param((("port", 53),), "x", "l[port=53]", id="no object"),
    ],
)
def test_a_path_is_spelled_with_the_keys_that_are_written(
    keys: tuple[tuple[str, Json], ...], element: Json, spelled: str
) -> None:
    path = (Field("l"), ByKey(keys))

    assert render(as_written_in({"l": [element]}, path)) == spelled


@pytest.mark.parametrize("odd", [ByKey((("name", {"a": "b"}),)), ByValue(["a"])], ids=repr)
def test_paths_through_elements_that_no_scalar_names_are_hashable(odd: PathStep) -> None:
    assert {(odd,): "found"}[(odd,)] == "found"


def test_values_are_replaced_at_their_places() -> None:
    value: Json = {"a": [1, {"b": "x"}], "c": 2}
    places: dict[Path, Json] = {(Field("a"), Index(1), Field("b")): "y", (Field("d"),): 3}

    assert with_values(value, places) == {"a": [1, {"b": "y"}], "c": 2}
    assert with_values(value, {(): None}) is None
