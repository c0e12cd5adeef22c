"""Parameters as Argo CD's generators give them; whole sets are in test_argocd.py."""

from collections.abc import Mapping

import pytest

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.argocd.generators import (
    GeneratorError,
    Parameters,
    RepositoryView,
    has_all_parameters,
    parameters,
    unknown_generators,
)

HERE = "https://example.com/o/r"
FILES = {
    "apps/My_App/x.yaml": b"",
    "apps/.git/x.yaml": b"",
    "env/prod.JSON": b'{"n": 1, "on": false, "none": null, "f": 1.5, "list": [1], "deep": {"er": "x"}}',
    "env/many.json": b'[{"n": 1}, {"n": 2}]',
    "bad/list.json": b'[{"n": 1}, 7]',
    "bad/text.yaml": b"no object",
    "bad/broken.yaml": b"a: [",
    "bad/bytes.yaml": b"\xff",
    "good/empty.yaml": b" \n",
    "good/comment.yaml": b"# nothing\n",
}
REPOSITORY = RepositoryView(FILES, ("apps", "apps/My_App", "apps/.git", "env", ""), FILES.__getitem__, (HERE,))


def parameters_of(generator: Json, *, is_go: bool = False) -> list[Mapping[str, Json]]:
    return list(parameters(generator, REPOSITORY, is_go=is_go))


def git(**spec: Json) -> Json:
    return {"git": {"repoURL": HERE, **spec}}


@pytest.mark.parametrize(
    ("is_go", "path"), [pytest.param(False, "path", id="plain"), pytest.param(True, "path.path", id="Go")]
)
def test_the_parameters_of_a_folder(is_go: bool, path: str) -> None:
    assert parameters_of(git(directories=[{"path": "apps/*"}]), is_go=is_go) == [
        {
            path: "apps/My_App",
            "path.basename": "My_App",
            "path.basenameNormalized": "my-app",
            "path[0]": "apps",
            "path[1]": "My_App",
        }
    ]


def test_the_parameters_of_a_file_are_its_path_and_content() -> None:
    assert parameters_of(git(files=[{"path": "env/prod.JSON"}])) == [
        {
            "n": "1",
            "on": "false",
            "deep.er": "x",
            "path": "env",
            "path.basename": "env",
            "path.basenameNormalized": "env",
            "path[0]": "env",
            "path.filename": "prod.JSON",
            "path.filenameNormalized": "prod.json",
        }
    ]


def test_each_object_of_a_list_in_a_file_counts() -> None:
    assert [each["n"] for each in parameters_of(git(files=[{"path": "env/many.json"}]))] == ["1", "2"]


@pytest.mark.parametrize(
    ("directories", "paths"),
    [
        pytest.param([{"path": "apps"}, {"path": "./env"}], ["apps", "env"], id="several, sorted"),
        pytest.param([{"path": "*"}, {"path": "env", "exclude": True}], ["apps"], id="left out"),
        pytest.param([{"path": "env", "exclude": True}, {"path": "*"}], ["apps"], id="left out before it is taken"),
        pytest.param([{"path": "env", "exclude": "true"}], ["env"], id="a text is not true"),
        pytest.param([{"path": "none"}], [], id="not there"),
        pytest.param(None, [], id="null"),
    ],
)
def test_folders_are_included_and_excluded_by_patterns(directories: Json, paths: list[str]) -> None:
    assert [each["path"] for each in parameters_of(git(directories=directories))] == paths


def test_folders_of_another_repository_are_unknown() -> None:
    generator: Json = {"git": {"repoURL": "https://example.com/o/other", "directories": [{"path": "*"}]}}

    assert parameters_of(generator) == [{}]
    assert [name for name, _ in unknown_generators(generator, REPOSITORY)] == ["git of https://example.com/o/other"]


def test_folders_of_another_revision_are_unknown() -> None:
    generator = git(directories=[{"path": "apps/*"}], revision="v1.0.0")
    here = replace(REPOSITORY, is_here=lambda revision: revision != "tag v1.0.0")

    assert [*parameters(generator, here, is_go=False)] == [{}]
    assert [name for name, _ in unknown_generators(generator, here)] == ["git of tag v1.0.0"]
    assert len(parameters_of(generator)) == 1


@pytest.mark.parametrize(
    ("spec", "names"),
    [
        ({"files": [{"path": "good/{{name}}.yaml"}]}, ["comment.yaml", "empty.yaml"]),
        ({"files": [{"path": "{{name}}/empty.yaml"}]}, ["empty.yaml"]),
        ({"files": [{"path": "{{name}}.yaml"}]}, []),
        ({"files": [{"path": "{{path}}.json"}, {"path": "bad/*", "exclude": True}]}, ["many.json", "many.json"]),
        ({"directories": [{"path": "apps/{{name}}"}]}, [None]),
        ({"directories": [{"path": "other/{{name}}"}]}, []),
    ],
)
def test_unknown_parameters_in_a_pattern_match_any_name(spec: JsonObject, names: list[str | None]) -> None:
    found = parameters_of({"matrix": {"generators": [{"clusters": {}}, git(**spec)]}})

    assert [one.get("path.filename") for one in found] == names


@pytest.mark.parametrize(
    ("generator", "found"),
    [
        pytest.param({"list": {"elements": [{"a": "1"}, {"b": "2"}]}}, [{"a": "1"}, {"b": "2"}], id="list"),
        pytest.param({"list": {}}, [], id="an empty list"),
        pytest.param({"list": {"elementsYaml": "x", "elements": [{"a": "1"}]}}, [{}], id="a list that is computed"),
        pytest.param({"clusters": {}}, [{}], id="what others know"),
        pytest.param({"list": None}, [], id="null"),
        pytest.param(None, [], id="nothing"),
    ],
)
def test_lists_and_what_others_know(generator: Json, found: list[Mapping[str, str]]) -> None:
    assert parameters_of(generator) == found


def test_the_second_of_a_matrix_may_use_what_the_first_gives() -> None:
    first = {"list": {"elements": [{"a": "1"}, {"a": "2"}]}}
    second = {"list": {"elements": [{"b": "x{{a}}"}]}}

    assert parameters_of({"matrix": {"generators": [first, second]}}) == [{"a": "1", "b": "x1"}, {"a": "2", "b": "x2"}]
    assert parameters_of({"matrix": {"generators": [second, first]}})[0] == {"b": "x{{a}}", "a": "1"}


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_matrix_has_two_generators(count: int) -> None:
    with pytest.raises(GeneratorError, match=f"a matrix generator needs two generators, and has {count}"):
        parameters_of({"matrix": {"generators": [{"list": {"elements": [{"a": "1"}]}}] * count}})


@pytest.mark.parametrize(
    ("element", "message"),
    [
        (7, "an element of a list is not an object"),
        ({"a": 1}, "a in an element of a list is not a string, which goTemplate: true would permit"),
        ({"a": {"b": "c"}}, "a in an element of a list is not a string"),
        ({"values": "x"}, None),
        ({"values": {"a": "x"}}, None),
        ({"values": {"a": True}}, "values.a in an element of a list is not a string"),
    ],
)
def test_elements_without_go_templates_are_texts(element: Json, message: str | None) -> None:
    if message is None:
        assert len(parameters_of(elements(element))) == 1
        return
    with pytest.raises(GeneratorError, match=message):
        parameters_of(elements(element))


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("bad/list.json", "bad/list.json has no object, and no list of objects"),
        ("bad/text.yaml", "has no object"),
        ("bad/broken.yaml", "bad/broken.yaml cannot be parsed"),
        ("bad/bytes.yaml", "cannot be parsed"),
    ],
)
def test_a_file_of_parameters_has_objects(path: str, message: str) -> None:
    with pytest.raises(GeneratorError, match=message):
        parameters_of(git(files=[{"path": path}]))


def test_a_file_of_parameters_may_be_empty() -> None:
    found = parameters_of(git(files=[{"path": "good/*"}]))

    assert [one["path.filename"] for one in found] == ["comment.yaml", "empty.yaml"]


@pytest.mark.parametrize(("inner", "count"), [({}, 0), ({"list": None}, 0), ({"list": {}, "clusters": {}}, 2)])
def test_a_generator_in_another_has_one_kind(inner: Json, count: int) -> None:
    with pytest.raises(GeneratorError, match=f"a generator of a matrix or a merge generator has {count} kinds"):
        parameters_of({"matrix": {"generators": [inner, inner]}})


def test_matrices_nest_one_level() -> None:
    one: Json = {"list": {"elements": [{"a": "1"}]}}
    nested: Json = {"matrix": {"generators": [one, {"matrix": {"generators": [one, one]}}]}}

    assert parameters_of(nested) == [{"a": "1"}]
    assert parameters_of({"matrix": {"generators": [one, nested]}}) == [{"a": "1"}]


def test_there_is_an_end() -> None:
    hundred = {"list": {"elements": [{str(number): "x"} for number in range(100)]}}

    assert len(parameters_of({"matrix": {"generators": [hundred, hundred]}})) == 1001


def elements(*values: Json) -> Json:
    return {"list": {"elements": [*values]}}


def merge(*generators: Json) -> Json:
    return {"merge": {"mergeKeys": ["name"], "generators": [*generators]}}


def test_merged_generators_add_to_the_parameters_of_the_first() -> None:
    first = elements({"name": "a", "x": "1"}, {"name": "b", "x": "2"})

    assert parameters_of(merge(first, elements({"name": "b", "x": "3", "y": "4"}, {"name": "c"}))) == [
        {"name": "a", "x": "1"},
        {"name": "b", "x": "3", "y": "4"},
    ]
    assert parameters_of(merge(first, {"clusters": {}})) == [{}]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"mergeKeys": ["name"]}, "a merge generator needs at least two generators"),
        ({"generators": [{"list": {}}, {"list": {}}]}, "a merge generator has no mergeKeys"),
    ],
)
def test_merged_generators_need_keys(spec: Json, message: str) -> None:
    with pytest.raises(GeneratorError, match=message):
        parameters_of({"merge": spec})


@pytest.mark.parametrize(
    ("selector", "names"),
    [
        ({"matchLabels": {"env": "prod"}}, ["a"]),
        ({"matchExpressions": [{"key": "env", "operator": "In", "values": ["prod", "test"]}]}, ["a", "b"]),
        ({"matchExpressions": [{"key": "env", "operator": "NotIn", "values": ["prod"]}]}, ["b", "c"]),
        ({"matchExpressions": [{"key": "env", "operator": "Exists"}]}, ["a", "b"]),
        ({"matchExpressions": [{"key": "env", "operator": "DoesNotExist"}]}, ["c"]),
        ({"matchExpressions": [{"key": "env", "operator": "Other"}]}, []),
    ],
)
def test_a_selector_leaves_parameters_out(selector: Json, names: list[str]) -> None:
    every = elements({"name": "a", "env": "prod"}, {"name": "b", "env": "test"}, {"name": "c"})
    assert isinstance(every, dict)

    assert [one["name"] for one in parameters_of({**every, "selector": selector})] == names
    assert parameters_of({"clusters": {}, "selector": selector}) == [{}]


SECRET = {"metadata": {"labels": {"env": "prod"}}, "data": {"name": "Prod_1"}}
CLUSTERS = replace(REPOSITORY, clusters=(SECRET,))


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, ["Prod_1", "in-cluster"]),
        ({"selector": {"matchLabels": {"env": "prod"}}}, ["Prod_1"]),
        ({"selector": {"matchLabels": {"env": "test"}}}, [""]),
        ({"selector": {"matchExpressions": [{"key": "env", "operator": "Exists"}]}}, [""]),
        ({"flatList": True}, [""]),
    ],
)
def test_clusters_are_those_of_secrets_and_the_own_one(spec: JsonObject, expected: list[str]) -> None:
    found = [*parameters({"clusters": spec}, CLUSTERS, is_go=False)]

    assert [one.get("name", "") for one in found] == expected
    assert [*unknown_generators({"clusters": spec}, CLUSTERS)] == ([("clusters", spec)] if expected == [""] else [])


def test_values_of_clusters_are_templates() -> None:
    spec = {"values": {"host": "{{nameNormalized}}.example.com"}}
    first, *_ = parameters({"clusters": spec}, CLUSTERS, is_go=False)

    assert (first["values.host"], first["metadata.labels.env"]) == ("prod-1.example.com", "prod")


def test_generators_that_need_other_data_are_named() -> None:
    inner: Json = [{"git": {}}, {"pullRequest": {}}]

    assert [*unknown_generators({"matrix": {"generators": inner}, "selector": {}}, CLUSTERS)] == [("pullRequest", {})]
    assert [*unknown_generators({"clusters": {"flatList": True}}, REPOSITORY)] == [("clusters", {"flatList": True})]


def test_merged_generators_are_not_known_if_one_is_not() -> None:
    known, unknown = merge(elements({"name": "a"}), elements()), merge({"clusters": {}}, elements({"name": "a"}))
    assert isinstance(unknown, dict)

    assert [*unknown_generators(known, REPOSITORY)] == []
    assert [*unknown_generators({"matrix": {"generators": [known, unknown]}}, REPOSITORY)] == [
        ("clusters", unknown["merge"])
    ]


@pytest.mark.parametrize(
    ("action", "names"),
    [
        ('{{ hasKey .clusters "kurumi" }}', ["a"]),
        ('{{ hasKey .clusters "biscuit" }}', []),
        ("{{ unknownFunction .clusters }}", [None]),
    ],
    ids=["selected", "not selected", "undecided"],
)
def test_a_selector_may_depend_on_what_a_template_finds(action: str, names: list[str | None]) -> None:
    first = {"list": {"elements": [{"name": "a", "clusters": {"kurumi": {}}}]}}
    second = {"list": {"elements": [{"enabled": action}]}}
    selector = {"matchLabels": {"enabled": "true"}}
    found = parameters_of({"matrix": {"generators": [first, second]}, "selector": selector}, is_go=True)

    assert [one.get("name") for one in found] == names


def test_go_templates_get_what_files_and_elements_have() -> None:
    element: Json = {"n": 1, "on": False, "none": None, "list": [{"a": 1}], "deep": {"er": True}}
    expected = {"n": 1.0, "on": False, "none": None, "list": [{"a": 1.0}], "deep.er": True}

    assert parameters_of({"list": {"elements": [element]}}, is_go=True) == [expected]
    assert parameters_of(git(files=[{"path": "env/prod.JSON"}]), is_go=True)[0]["list"] == [1.0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("- a: x\n- a: z", [{"a": "x"}, {"a": "z"}]), ("{{ .apps | toJson }}", [{}]), ("a: x", [{}]), ("- [", [{}])],
    ids=["known", "not known", "no list", "no YAML"],
)
def test_elements_in_yaml(text: str, expected: Json) -> None:
    assert parameters_of({"list": {"elementsYaml": text}}, is_go=True) == expected


def test_a_list_may_have_the_elements_that_a_file_has() -> None:
    elements: Json = {"list": {"elementsYaml": "{{ .list | toJson }}"}}
    first: Json = {"list": {"elements": [{"list": [{"name": "web", "on": True}]}]}}

    found = parameters_of({"matrix": {"generators": [first, elements]}}, is_go=True)

    assert [(one["name"], one["on"]) for one in found] == [("web", True)]


def test_a_selector_compares_parameters_as_text() -> None:
    generator: Json = {
        "list": {"elements": [{"n": 1, "on": True}, {"n": 2, "on": True}]},
        "selector": {
            "matchLabels": {"on": "true"},
            "matchExpressions": [{"key": "n", "operator": "In", "values": ["2"]}],
        },
    }

    assert parameters_of(generator, is_go=True) == [{"n": 2.0, "on": True}]


@pytest.mark.parametrize(
    ("generator", "expected"),
    [
        ({"list": {}}, True),
        ({"git": {}, "selector": {}}, True),
        ({"clusters": {}}, False),
        ({"matrix": {"generators": [{"git": {}}, {"list": {}}]}}, True),
        ({"matrix": {"generators": [{"git": {}}, {"clusters": {}}]}}, False),
    ],
)
def test_parameters_are_complete_without_generators_that_ask_a_cluster(generator: Json, expected: bool) -> None:
    assert has_all_parameters(generator) is expected


TREE = RepositoryView(
    dict.fromkeys(("a/x.yaml", "a/b/x.yaml", "a/b/c/x.yaml", "top.yaml", "{d}/x.yaml"), b"{}"),
    ("", "a", "a/b", "a/b/c", "{d}"),
    lambda _: b"n: 1",
    (HERE,),
)


@pytest.mark.parametrize(
    ("pattern", "folders"),
    [("*", ["a", "{d}"]), ("a/**", ["a/b"]), ("**/*", ["a/b"]), ("a/*/c", ["a/b/c"]), ("{d}", ["{d}"])],
)
def test_two_stars_match_one_folder_as_one_does(pattern: str, folders: list[str]) -> None:
    found = parameters(git(directories=[{"path": pattern}]), TREE, is_go=False)

    assert [values["path"] for values in found] == folders


@pytest.mark.parametrize(
    ("pattern", "folders"),
    [
        ("a/*.yaml", ["a/b/c", "a/b", "a"]),
        ("**/x.yaml", ["a/b/c", "a/b", "a", "{d}"]),
        ("a/b", ["a/b/c", "a/b"]),
        ("top.yaml", ["."]),
        ("{d}/[^y].yaml", ["{d}"]),
        ("{a,b}/x.yaml", []),
    ],
)
def test_files_match_as_git_lists_them(pattern: str, folders: list[str]) -> None:
    found = parameters(git(files=[{"path": pattern}]), TREE, is_go=False)

    assert [values["path"] for values in found] == folders


def list_generator(*elements: Json) -> Json:
    return {"list": {"elements": [*elements]}}


@pytest.mark.parametrize(
    ("is_go", "second", "expected"),
    [
        (True, {"n": "b", "o": {"x": "b", "y": "b"}, "p": "b"}, {"n": "a", "o.x": "a", "o.y": "b", "p": "b"}),
        (True, {"o": "b"}, {"n": "a", "o.x": "a"}),
        (True, {"n": {"x": "b"}}, {"n": "a", "o.x": "a"}),
    ],
    ids=["Go", "an object overrides", "a text overrides"],
)
def test_the_first_generator_of_a_matrix_overrides(is_go: bool, second: Json, expected: JsonObject) -> None:
    pair = [list_generator({"n": "a", "o": {"x": "a"}}), list_generator(second)]

    assert parameters_of({"matrix": {"generators": pair}}, is_go=is_go) == [expected]


def test_the_generators_of_a_matrix_do_not_contradict_each_other() -> None:
    first = list_generator({"n": "a", "o": "x"})

    assert parameters_of({"matrix": {"generators": [first, list_generator({"n": "a"})]}}) == [{"n": "a", "o": "x"}]
    with pytest.raises(GeneratorError, match="both generators of a matrix have the parameter n, with different values"):
        parameters_of({"matrix": {"generators": [first, list_generator({"n": "b"})]}})


def test_segments_of_a_path_are_one_value() -> None:
    pair = [git(directories=[{"path": "env"}]), git(directories=[{"path": "apps/*"}])]
    (found,) = parameters_of({"matrix": {"generators": pair}}, is_go=True)

    assert {name: value for name, value in found.items() if name.endswith("]")} == {"path[0]": "env"}


@pytest.mark.parametrize(
    ("is_go", "key", "is_unique"),
    [(False, "n", True), (False, "m", False), (True, "o", True), (True, "o.x", False), (True, ".n", True)],
    ids=["unique", "missing", "object", "field of an object", "leading dot"],
)
def test_merge_keys_are_unique(is_go: bool, key: str, is_unique: bool) -> None:
    own = list_generator(*({"n": n, **({"o": {"x": n}, ".n": n} if is_go else {})} for n in ("1", "2")))
    merged: Json = {"merge": {"mergeKeys": [key], "generators": [own, own]}}
    if is_unique:
        assert [one["n"] for one in parameters_of(merged, is_go=is_go)] == ["1", "2"]
        return

    with pytest.raises(GeneratorError, match="have the same mergeKeys"):
        parameters_of(merged, is_go=is_go)


def test_nulls_in_objects_of_the_second_generator_of_a_matrix_are_left_out() -> None:
    def found(first: Json, second: Json) -> list[Parameters]:
        both: Json = [{"list": {"elements": [{"v": one}]}} for one in (first, second)]
        return [*parameters({"matrix": {"generators": both}}, REPOSITORY, is_go=True)]

    assert found({}, {"k": None, "j": "x"}) == [{"v.": "", "v.j": "x"}]
    assert found({"k": None}, {}) == [{"v.": "", "v.k": None}]
    assert found("a", None) == [{"v": "a"}]
