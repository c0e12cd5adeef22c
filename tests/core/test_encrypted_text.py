import base64

import pytest

from kubectl_applylint.core.encrypted_text import may_have_encrypted

TOKEN = "ENC[AES256_GCM,0a1b]"
CODED = base64.b64encode(TOKEN.encode()).decode()
CODED_JSON = base64.b64encode(f'{{"{TOKEN}": {{}}}}'.encode()).decode()


@pytest.mark.parametrize("text", [TOKEN, f"a {TOKEN}", CODED, CODED_JSON])
def test_encrypted_values_are_found(text: str) -> None:
    assert may_have_encrypted(text)


@pytest.mark.parametrize("text", ["", "ENC[x]", base64.b64encode(b"plain").decode()])
def test_other_texts_are_not_encrypted(text: str) -> None:
    assert not may_have_encrypted(text)
