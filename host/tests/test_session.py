"""Endings: blank ones are refused, the last one stands."""

from __future__ import annotations

import pytest
from gg_host.failures import ErrorCode, Failure
from gg_host.providers.call import Call
from gg_host.providers.session import Approved, ChangesRequested, Ending, Finished, SessionProvider

CALL = Call("session.finish")


def assert_ended(session: SessionProvider, ending: Ending, replaced: int) -> None:
    assert session.ending == ending
    assert session.replaced == replaced


def test_the_last_ending_stands_and_replacements_are_counted() -> None:
    session = SessionProvider()
    assert session.ending is None
    session.finish(CALL, "first")
    assert_ended(session, Finished("first"), 0)
    session.finish(CALL, " second \n")
    assert_ended(session, Finished(" second \n"), 1)


def test_a_reviewer_ends_either_way() -> None:
    session = SessionProvider()
    session.request_changes(CALL, ["", "  name the file ", "\n", "add a test"])
    assert session.ending == ChangesRequested(("name the file", "add a test"))
    session.approve(CALL)
    assert_ended(session, Approved(), 1)


def test_an_ending_can_be_taken_back() -> None:
    session = SessionProvider()
    session.finish(CALL, "done")
    session.revoke()
    assert session.ending is None


@pytest.mark.parametrize("summary", ["", "  ", "\n\t\u00a0"])
def test_a_blank_summary_is_refused_and_keeps_what_stood(summary: str) -> None:
    session = SessionProvider()
    session.finish(CALL, "done")
    with pytest.raises(Failure) as failed:
        session.finish(CALL, summary)
    assert failed.value.code is ErrorCode.INVALID_ARGUMENT
    assert_ended(session, Finished("done"), 0)


@pytest.mark.parametrize("items", [[], [""], [" ", "\n"]])
def test_changes_without_an_item_are_refused(items: list[str]) -> None:
    session = SessionProvider()
    with pytest.raises(Failure) as failed:
        session.request_changes(CALL, items)
    assert failed.value.code is ErrorCode.INVALID_ARGUMENT
    assert session.ending is None
