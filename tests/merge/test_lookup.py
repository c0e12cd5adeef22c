import pytest

from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.merge.lookup import OPAQUE, element_of, field_of
from kubectl_applylint.schema.types import Node, Shape

TEXT, NUMBER = Node(Shape.STRING), Node(Shape.INTEGER)
FIELDS = {"hostIP": TEXT, "hostip": NUMBER, "PodIP": NUMBER}
STRUCT = Node(Shape.OBJECT, struct="io.k8s.api.core.v1.HostIP", load_fields=lambda: FIELDS)


@pytest.mark.parametrize(
    ("node", "key", "found"),
    [
        pytest.param(STRUCT, "hostip", NUMBER, id="the exact name first"),
        pytest.param(STRUCT, "HOSTIP", TEXT, id="else the first without regard to case"),
        pytest.param(STRUCT, "podIp", NUMBER, id="the declared name in any case"),
        pytest.param(Node(Shape.OBJECT, value=TEXT), "anything", TEXT, id="a map of texts"),
        pytest.param(Node(Shape.OBJECT), "anything", OPAQUE, id="a map of anything"),
        pytest.param(Node(Shape.OBJECT, struct="io.k8s.Time"), "anything", OPAQUE, id="a type without fields"),
    ],
)
def test_the_schema_of_a_field(node: Node, key: str, found: Node) -> None:
    assert field_of(node, key) is found


def test_a_field_that_a_declared_type_does_not_have_is_an_error() -> None:
    with pytest.raises(MergeError) as error:
        field_of(STRUCT, "port")

    assert error.value.message == 'unable to find api field in struct HostIP for the json field "port"'


def test_the_schema_of_an_element() -> None:
    assert element_of(Node(Shape.LIST, item=TEXT)) is TEXT
    assert element_of(Node(Shape.LIST)) is OPAQUE
