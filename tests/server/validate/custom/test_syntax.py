import pytest

from kubectl_applylint.server.validate.custom.syntax import rewrite_optional


@pytest.mark.parametrize(
    ("expression", "plain"),
    [
        pytest.param("self.?a", 'self.optSelect("a")', id="a field"),
        pytest.param("self.? a_1.orValue(1)", 'self.optSelect("a_1").orValue(1)', id="a field after a blank"),
        pytest.param("self.?a.?b", 'self.optSelect("a").optSelect("b")', id="one after the other"),
        pytest.param("self[?'a']", "self.optSelect('a')", id="an element"),
        pytest.param("l[?0][1]", "l.optSelect(0)[1]", id="an element of an element"),
        pytest.param("l[?m[x]]", "l.optSelect(m[x])", id="brackets inside"),
        pytest.param("l[m[?x]]", "l[m.optSelect(x)]", id="inside of brackets"),
        pytest.param("a ? b : c[0]", "a ? b : c[0]", id="a choice"),
        pytest.param("'self.?a' == self.?a", "'self.?a' == self.optSelect(\"a\")", id="in a text"),
        pytest.param(r"""'\'.?a' + r"\.?b" """, r"""'\'.?a' + r"\.?b" """, id="in texts with escapes"),
        pytest.param("'''x'.?a''' != s.?b", "'''x'.?a''' != s.optSelect(\"b\")", id="in a long text"),
        pytest.param("self.a", "self.a", id="nothing optional"),
        pytest.param("] ?", "] ?", id="no expression"),
    ],
)
def test_optional_fields_and_elements_become_calls(expression: str, plain: str) -> None:
    assert rewrite_optional(expression) == plain
