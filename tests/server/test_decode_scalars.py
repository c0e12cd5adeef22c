"""Single values as apimachinery 0.36.3 and Go 1.26 read them."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, equal
from kubectl_applylint.schema.types import Node, Shape
from kubectl_applylint.server import decode_scalars
from kubectl_applylint.server.decode_scalars import DecodeMode, Read, UnfitError

INT32 = Node(Shape.INTEGER, format="int32")
INT64 = Node(Shape.INTEGER, format="int64")
EVERY_READER = [
    decode_scalars.text,
    decode_scalars.boolean,
    decode_scalars.number,
    decode_scalars.int_or_string,
    decode_scalars.quantity,
    decode_scalars.base64_bytes,
    decode_scalars.time,
    decode_scalars.micro_time,
]


def read(node: Node, mode: DecodeMode, value: Json) -> Json:
    reader = decode_scalars.reader(node, mode)
    assert reader is not None
    return reader(value)


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        pytest.param("2026-01-31T10:00:00Z", "2026-01-31T10:00:00Z", id="as stored"),
        pytest.param("2026-01-31T00:30:00+02:00", "2026-01-30T22:30:00Z", id="another zone"),
        pytest.param("2026-01-31T10:00:00.999Z", "2026-01-31T10:00:00Z", id="fraction is cut off"),
        pytest.param("2026-01-31T1:02:03Z", "2026-01-31T01:02:03Z", id="hour of one digit"),
        pytest.param("2024-02-29T10:00:00Z", "2024-02-29T10:00:00Z", id="leap day"),
    ],
)
def test_times_are_stored_in_utc_to_the_second(value: str, stored: str) -> None:
    assert decode_scalars.time(value) == stored


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("now", 'parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"'),
        ("2026-01-01", 'parsing time "2026-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'),
        ("2026-13-01T00:00:00Z", 'parsing time "2026-13-01T00:00:00Z": month out of range'),
        ("2026-02-30T00:00:00Z", 'parsing time "2026-02-30T00:00:00Z": day out of range'),
        ("2026-01-01T24:00:00Z", 'parsing time "2026-01-01T24:00:00Z": hour out of range'),
        ("2026-01-01T00:00:00Zx", 'parsing time "2026-01-01T00:00:00Zx": extra text: "x"'),
    ],
)
def test_an_invalid_time_has_the_message_of_go(value: str, message: str) -> None:
    with pytest.raises(UnfitError) as caught:
        decode_scalars.time(value)

    assert caught.value.message == message


def test_micro_times_need_six_decimal_places() -> None:
    assert decode_scalars.micro_time("2026-01-31T10:00:00.123456+01:00") == "2026-01-31T09:00:00.123456Z"
    with pytest.raises(UnfitError, match=r'cannot parse "Z" as "\.000000"'):
        decode_scalars.micro_time("2026-01-31T10:00:00Z")


@pytest.mark.parametrize(
    ("value", "byte"),
    [
        pytest.param("new", 0, id="group that ends early"),
        pytest.param("dG9rZW4=-b", 8, id="something after the padding"),
        pytest.param("a\nb*c", 3, id="letter that is none of the 64"),
        pytest.param("a===", 1, id="padding too early"),
        pytest.param("aa=x", 2, id="half a padding"),
        pytest.param("aa=", 3, id="padding that ends early"),
        pytest.param("aaaa=", 4, id="padding of nothing"),
        pytest.param("aaaa\naa", 5, id="group that ends early behind a line end"),
    ],
)
def test_invalid_base64_is_rejected_at_the_byte_of_go(value: str, byte: int) -> None:
    with pytest.raises(UnfitError, match=f"illegal base64 data at input byte {byte}$"):
        decode_scalars.base64_bytes(value)


@given(st.binary(max_size=20), st.integers(0, 8))
def test_base64_may_be_broken_into_lines(content: bytes, width: int) -> None:
    """encoding/base64: "New line characters (\\r and \\n) are ignored."."""
    spelt = base64.b64encode(content).decode()

    assert decode_scalars.base64_bytes(spelt[:width] + "\r\n" + spelt[width:]) == spelt


@pytest.mark.parametrize(
    ("node", "value", "created", "patched"),
    [
        pytest.param(INT32, 2**31 - 1, 2**31 - 1, 2**31 - 1, id="largest"),
        pytest.param(INT32, 99999999999, None, 1215752191, id="beyond 32 bits"),
        pytest.param(INT32, 2**31, None, -(2**31), id="wraps to the smallest"),
        pytest.param(INT64, 99999999999, 99999999999, 99999999999, id="within 64 bits"),
        pytest.param(INT32, 3.0, 3, 3, id="whole float"),
        pytest.param(INT32, 1e22, None, 0, id="float beyond 64 bits"),
        pytest.param(INT32, 1.5, None, None, id="fraction"),
        pytest.param(INT32, True, None, None, id="true is no number"),
        pytest.param(INT32, "1", None, None, id="text"),
    ],
)
def test_integers_that_do_not_fit_are_rejected_or_cut(
    node: Node, value: Json, created: int | None, patched: int | None
) -> None:
    """``None`` stands for a rejection. A PATCH of replicas with 99999999999 was seen to store 1215752191."""
    for mode, stored in ((DecodeMode.CREATE, created), (DecodeMode.PATCH, patched)):
        if stored is None:
            with pytest.raises(UnfitError):
                read(node, mode, value)
        else:
            assert equal(read(node, mode, value), stored)


@pytest.mark.parametrize(
    ("reader", "value", "stored"),
    [
        pytest.param(decode_scalars.number, 1, 1, id="number without a point"),
        pytest.param(decode_scalars.number, 1.0, 1, id="number that is written without a point"),
        pytest.param(decode_scalars.number, 0.5, 0.5, id="number with a fraction"),
        pytest.param(decode_scalars.number, 1e300, 1e300, id="large number"),
        pytest.param(decode_scalars.int_or_string, 80, 80, id="port number"),
        pytest.param(decode_scalars.int_or_string, "80", "80", id="a text of digits stays a text"),
        pytest.param(decode_scalars.quantity, 2, "2", id="amount written as a number"),
        pytest.param(decode_scalars.quantity, 0.5, "500m", id="amount written as a fraction"),
        pytest.param(decode_scalars.quantity, " 1024Mi ", "1Gi", id="amount with spaces around"),
        pytest.param(decode_scalars.boolean, False, False, id="false"),
        pytest.param(decode_scalars.text, "", "", id="empty text"),
    ],
)
def test_values_take_their_stored_form(reader: Read, value: Json, stored: Json) -> None:
    assert equal(reader(value), stored)


@pytest.mark.parametrize("reader", EVERY_READER)
@pytest.mark.parametrize("value", [[None], {"a": 1}], ids=["list", "map"])
def test_containers_are_no_single_values(reader: Read, value: Json) -> None:
    with pytest.raises(UnfitError):
        reader(value)


@pytest.mark.parametrize("reader", EVERY_READER)
def test_unknown_values_fit_every_type(reader: Read) -> None:
    unknown = Unknown("the server chooses it")

    assert reader(unknown) is unknown


def test_bytes_may_be_listed() -> None:
    assert decode_scalars.base64_bytes([104, 105]) == "aGk="


def test_containers_have_no_reader() -> None:
    assert decode_scalars.reader(Node(Shape.LIST, item=INT32), DecodeMode.CREATE) is None
