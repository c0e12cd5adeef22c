"""Words in place of unknown parameters."""

from kubectl_applylint.tools.argocd.parameter_tokens import has_tokens, with_tokens, without_tokens


def test_an_action_is_a_valid_name_while_it_is_rendered() -> None:
    value = {"host": "{{ .host }}", "more": ["x-{{ .host }}", 1, None], "plain": "a"}
    found, actions = with_tokens(value)

    assert [*actions.values()] == ["{{ .host }}"]
    (token,) = actions
    assert found == {"host": token, "more": [f"x-{token}", 1, None], "plain": "a"}
    assert without_tokens(found, actions) == value
    assert with_tokens("{{ .host }}")[0] == token
    assert has_tokens(found)
    assert not has_tokens(value)


def test_a_word_of_the_manifest_itself_stays() -> None:
    assert without_tokens("hole-01234567", {}) == "hole-01234567"
