"""Case conversion keeps words apart and follows a language's acronyms."""

from __future__ import annotations

import pytest
from gg_codegen.naming import Case, convert, words
from hypothesis import given
from hypothesis import strategies as st

KEBAB = st.from_regex(r"[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*", fullmatch=True)


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (Case.CAMEL, "readTextFile"),
        (Case.PASCAL, "ReadTextFile"),
        (Case.SNAKE, "read_text_file"),
        (Case.UPPER_SNAKE, "READ_TEXT_FILE"),
        (Case.KEBAB, "read-text-file"),
    ],
)
def test_each_case(case: Case, expected: str) -> None:
    assert convert("read-text-file", case) == expected
    assert convert("read_text_file", case) == expected


@pytest.mark.parametrize(
    ("name", "case", "expected"),
    [
        ("model-id", Case.CAMEL, "modelID"),
        ("id", Case.CAMEL, "id"),
        ("id", Case.PASCAL, "ID"),
        ("id-list", Case.CAMEL, "idList"),
        ("model-id", Case.SNAKE, "model_id"),
        ("identity", Case.PASCAL, "Identity"),
    ],
)
def test_acronyms_touch_whole_words_of_capitalised_names(name: str, case: Case, expected: str) -> None:
    assert convert(name, case, {"id": "ID"}) == expected


@pytest.mark.parametrize("name", ["", "-", "a--b", "a-", "_a"])
def test_a_name_with_an_empty_word_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="a word of it is empty"):
        words(name)


@given(KEBAB)
def test_snake_and_kebab_lose_nothing(name: str) -> None:
    assert convert(convert(name, Case.SNAKE), Case.KEBAB) == name
    assert convert(convert(name, Case.UPPER_SNAKE), Case.KEBAB) == name


@given(KEBAB)
def test_camel_and_pascal_differ_in_the_first_letter_only(name: str) -> None:
    camel, pascal = convert(name, Case.CAMEL), convert(name, Case.PASCAL)
    assert camel[1:] == pascal[1:]
    assert camel[0].upper() == pascal[0]
