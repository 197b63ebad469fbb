"""Prose and comments are laid out without losing or changing a word."""

from __future__ import annotations

import ast

import pytest
from gg_codegen.text import block_comment, comment, docstring, string_literal, wrap
from hypothesis import given, settings
from hypothesis import strategies as st

PROSE = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Zs"), include_characters=" \n*`")
)


def test_paragraphs_are_filled_and_lists_and_code_are_kept() -> None:
    text = "one two\nthree\n\n* item one\n  goes on\n* item two\n\n```\nkeep   this\n```\n\n    indented   code"
    assert wrap(text, 11) == (
        "one two\nthree\n\n* item one\n  goes on\n* item two\n\n```\nkeep   this\n```\n\n    indented   code"
    )
    assert wrap("one two\nthree", 40) == "one two three"


@settings(deadline=None)
@given(PROSE, st.integers(min_value=10, max_value=100))
def test_wrapping_keeps_every_word(text: str, width: int) -> None:
    assert wrap(text, width).split() == text.split()


def test_wrapping_breaks_no_word_and_keeps_to_the_width() -> None:
    lines = wrap("a-long-hyphenated-word " * 8, 30).split("\n")
    assert all(len(line) <= 30 for line in lines)
    assert {line.strip() for line in lines} == {"a-long-hyphenated-word"}


def test_comments_have_no_trailing_blanks() -> None:
    assert comment("a\n\nb") == "// a\n//\n// b"
    assert comment("a", "# ") == "# a"
    assert block_comment("a") == "/** a */"
    assert block_comment("a\n\nb") == "/**\n * a\n *\n * b\n */"


def test_text_cannot_end_a_block_comment() -> None:
    assert block_comment("src/*.js */ alert()").count("*/") == 1


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\x00")))
def test_a_docstring_reads_back_as_its_text(text: str) -> None:
    value = ast.literal_eval(docstring(text))
    assert value.rstrip("\n") == text.rstrip("\n")


@settings(deadline=None)
@given(st.text(st.sampled_from('ab"\\\n\t $`%{}')))
def test_a_literal_reads_back_as_its_text(text: str) -> None:
    assert ast.literal_eval(string_literal(text)) == text


@pytest.mark.parametrize("text", ["é", "\x00", "\u2028"])
def test_a_literal_of_what_languages_escape_differently_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="plain ASCII"):
        string_literal(text)
