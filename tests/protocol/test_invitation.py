"""The join file: what is written can be read, and what cannot be used is named, all of it."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_protocol.invitation import Invitation, InvitationFault, parse, render

Z85 = string.digits + string.ascii_letters + ".-:+=^!/*?&<>()[]{}@%$#"
keys = st.text(Z85, min_size=40, max_size=40)
names = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=40)
tokens = st.text(string.ascii_letters + string.digits + "_.~-", min_size=1, max_size=64)


@given(names, names, tokens | st.none(), st.tuples(keys, keys, keys) | st.none())
def test_what_is_written_is_read(endpoint, name, token, three):
    server, public, secret = three or (None, None, None)
    invitation = Invitation(endpoint, name, token, server, public, secret)
    assert parse(render(invitation)) == invitation
    assert invitation.curve == (three is not None)


@given(st.text())
def test_any_text_is_a_join_file_or_refused_in_one_line(text):
    try:
        assert parse(text).endpoint
    except InvitationFault as fault:
        assert "\n" not in str(fault) and str(fault).isprintable()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "endpoint: missing"),
        ("endpoint = 3", "endpoint: must be a text"),
        ('endpoint = "tcp://127.0.0.1:1"\ntoken = ""', "token: must be"),
        ('endpoint = "tcp://127.0.0.1:1"\nsecret = "x"', "secret: no such key"),
        (f'endpoint = "tcp://127.0.0.1:1"\nserver_key = "{"a" * 40}"', "public_key, secret_key: missing"),
        (f'endpoint = "tcp://127.0.0.1:1"\nserver_key = "{"a" * 39}"', "server_key: must be a key of 40"),
        ("endpoint = ", "it is not TOML"),
        ("x = 1\n" + "[" * 20_000, "at most 4096"),
        ("a" + ".a" * 1_000 + " = 1", "more than 64 dots"),
        (f"endpoint = {'9' * 4_000}", "endpoint: must be a text"),
    ],
)
def test_a_fault_is_named(text, told):
    with pytest.raises(InvitationFault, match=told.replace("(", r"\(")):
        parse(text)


def test_all_faults_are_named_at_once():
    with pytest.raises(InvitationFault) as fault:
        parse('token = "a b"\npublic_key = "short"')
    assert all(word in str(fault.value) for word in ("endpoint", "token", "public_key", "server_key"))


def test_what_cannot_stand_in_a_join_file_is_not_written():
    with pytest.raises(InvitationFault):
        render(Invitation("tcp://127.0.0.1:1", "two\nlines"))
