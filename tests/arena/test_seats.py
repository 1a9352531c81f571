"""Who may sit down: the list as a file, its faults, and that a change of the file is noticed."""

import os
from pathlib import Path

import pytest

from donuts_referee.arena import seats as module
from donuts_referee.arena.seats import Seat, SeatList, SeatsFault, hashed, render

TOKEN = "a" * 48
KEY = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"
OTHER = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"


def folder(tmp_path: Path, text: str | bytes, secret: str | None = None) -> Path:
    """A folder of seats as `donuts arena seats` makes it, with this list."""
    at = tmp_path / "seats"
    at.mkdir(mode=0o700, exist_ok=True)
    for name, content in (("seats.toml", text), ("server.key", secret)):
        if content is not None:
            (at / name).write_bytes(content if isinstance(content, bytes) else content.encode())
            (at / name).chmod(0o600)
    return at


def fault(at: Path) -> str:
    with pytest.raises(SeatsFault) as caught:
        SeatList.load(at)
    said = str(caught.value)
    assert said.isprintable()
    return said


def test_a_list_comes_back_as_it_was_written(tmp_path: Path) -> None:
    seats = (
        Seat("a", hashed(TOKEN)),
        Seat("b.1+x_-", None, OTHER, revoked=True),
        Seat("both", "0" * 64, "1" * 40),
    )
    text = render(SeatList(seats, KEY, None, "tcp://arena.example:7464"))
    loaded = SeatList.load(folder(tmp_path, text, f"{OTHER}\n"))
    assert loaded.seats == seats
    assert (loaded.server_public, loaded.server_secret) == (KEY, OTHER)
    assert loaded.endpoint == "tcp://arena.example:7464"
    assert render(loaded) == text
    assert OTHER not in text.replace(f'curve_key = "{OTHER}"', "")


def test_an_empty_list_seats_nobody(tmp_path: Path) -> None:
    loaded = SeatList.load(folder(tmp_path, render(SeatList([]))))
    assert loaded.seats == ()
    assert loaded.by_token(TOKEN) is None and loaded.by_key(KEY) is None and loaded.by_name("a") is None


def test_a_seat_is_found_by_what_it_shows_and_a_revoked_one_too() -> None:
    alice, bob, eve = (
        Seat("alice", hashed(TOKEN)),
        Seat("bob", None, KEY),
        Seat("eve", hashed("x"), None, True),
    )
    seats = SeatList([alice, bob, eve])
    assert seats.by_token(TOKEN) is alice
    assert seats.by_token("x") is eve and eve.revoked
    assert seats.by_key(KEY) is bob
    assert seats.by_name("eve") is eve
    assert seats.by_key("") is None


@pytest.mark.parametrize("token", ["", "A" * 48, "a" * 47, hashed(TOKEN), "ü", "\udcff", "\0", "a" * 100_000])
def test_no_other_token_takes_the_seat(token: str) -> None:
    assert SeatList([Seat("alice", hashed(TOKEN))]).by_token(token) is None


def test_tokens_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """By their hashes only, and by the function that is made for it."""
    compared: list[tuple[str, str]] = []
    real = module.hmac.compare_digest

    def compare(one: str, other: str) -> bool:
        compared.append((one, other))
        return real(one, other)

    monkeypatch.setattr(module.hmac, "compare_digest", compare)
    assert SeatList([Seat("alice", hashed(TOKEN))]).by_token(TOKEN) is not None
    assert compared == [(hashed(TOKEN), hashed(TOKEN))]


def test_a_list_does_not_show_its_secrets() -> None:
    assert OTHER not in repr(SeatList([], KEY, OTHER)) + str(SeatList([], KEY, OTHER))


def test_every_fault_is_named_at_once(tmp_path: Path) -> None:
    said = fault(
        folder(
            tmp_path,
            f"""
            x = 1
            [server]
            publickey = "{KEY}"
            endpoint = "tcp://*:7464"
            [seats.""]
            token_sha256 = "{"0" * 64}"
            [seats.".."]
            token_sha256 = "{"1" * 64}"
            [seats."a\\u001b[31m"]
            token_sha256 = "{"2" * 64}"
            [seats.none]
            [seats.short]
            token_sha256 = "abc"
            curve_key = "{KEY[:39]}"
            revoked = 1
            colour = "red"
            [seats.twin]
            token_sha256 = "{"0" * 64}"
            [seats.Short]
            curve_key = "{KEY}"
            [seats.key]
            curve_key = "{KEY}"
            """,
        )
    )
    for part in (
        "x: unknown",
        "server.publickey: unknown",
        "server.endpoint: 'tcp://*:7464'",
        "seats.: a name is",
        "seats...: a name is",
        "seats.a\\x1b[31m: a name is",
        "seats.none: has neither token_sha256 nor curve_key",
        "seats.short.token_sha256: must be 64 hexadecimal digits",
        "seats.short.curve_key: must be a public key",
        "seats.short.revoked: must be true or false",
        "seats.short.colour: unknown",
        "seats.twin: seats. has the same token",
        "seats.Short: seats.short differs from it by case only",
        "seats.key: seats.Short has the same key",
    ):
        assert part in said


@pytest.mark.parametrize("text", ["seats = 1", "seats = [1]", "server = 1\n", "[seats]\na = 1\n"])
def test_a_list_of_another_shape_is_refused(tmp_path: Path, text: str) -> None:
    assert "must " in fault(folder(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (b"[seats", "not TOML"),
        (b"\xff\xfe\0", "line 1: not UTF-8"),
        (b"\0\1\2", "not TOML"),
        (b"a = " + b"[" * 100_000, "nested too deeply"),
        (b"a = " + b"9" * 100_000, "not TOML"),
        (b"a" + b".a" * 100_000 + b" = 1", "more than 64 dots"),
        (b"#" * (4 << 20) + b"#", "more than 4194304 bytes"),
    ],
)
def test_what_is_no_list_is_refused_in_a_line(tmp_path: Path, text: bytes, right: str) -> None:
    said = fault(folder(tmp_path, text))
    assert right in said and "seats.toml" in said and len(said) < 600


def test_faults_without_number_are_counted(tmp_path: Path) -> None:
    said = fault(folder(tmp_path, "".join(f"k{number} = 1\n" for number in range(5000))))
    assert "and 4980 more" in said and len(said) < 4000


def test_a_missing_folder_or_list_says_what_makes_it(tmp_path: Path) -> None:
    assert "donuts arena seats --roster teams.csv --out" in fault(tmp_path / "seats")
    (tmp_path / "seats").mkdir(mode=0o700)
    said = fault(tmp_path / "seats")
    assert "seats.toml: no such file" in said and "donuts arena seats --roster" in said


def test_a_pipe_or_a_folder_in_the_place_of_the_list_is_refused(tmp_path: Path) -> None:
    at = tmp_path / "seats"
    at.mkdir(mode=0o700)
    os.mkfifo(at / "seats.toml", 0o600)
    assert "a pipe or a device" in fault(at)
    (at / "seats.toml").unlink()
    (at / "seats.toml").mkdir(mode=0o700)
    assert "a directory" in fault(at)
    (tmp_path / "file").write_text("")
    assert "no folder" in fault(tmp_path / "file")


def test_what_others_may_read_is_refused_with_the_chmod(tmp_path: Path) -> None:
    at = folder(tmp_path, f'[server]\npublic_key = "{KEY}"', OTHER)
    (at / "server.key").chmod(0o640)
    assert "(mode 0640)" in fault(at) and "chmod 600" in fault(at) and "server.key" in fault(at)
    (at / "seats.toml").chmod(0o604)
    assert "(mode 0604)" in fault(at) and "chmod 600" in fault(at) and "seats.toml" in fault(at)
    at.chmod(0o755)
    assert "(mode 0755)" in fault(at) and "chmod 700" in fault(at)


@pytest.mark.parametrize("secret", [None, "", "short", OTHER[:39] + "ü", OTHER + OTHER])
def test_a_public_key_needs_its_secret_key_which_is_not_shown(tmp_path: Path, secret: str | None) -> None:
    said = fault(folder(tmp_path, f'[server]\npublic_key = "{KEY}"', secret))
    assert "server.key" in said
    assert not secret or secret not in said


def test_a_secret_key_alone_is_not_read(tmp_path: Path) -> None:
    """A run that was cut short leaves it; nobody knows its public key yet."""
    assert SeatList.load(folder(tmp_path, "", OTHER)).server_secret is None


def test_a_change_is_noticed(tmp_path: Path) -> None:
    at = folder(tmp_path, render(SeatList([Seat("a", "0" * 64)])))
    loaded = SeatList.load(at)
    assert not loaded.stale()
    folder(tmp_path, render(SeatList([Seat("a", "0" * 64, revoked=True)])))
    assert loaded.stale()
    again = SeatList.load(at)
    assert not again.stale() and again.seats[0].revoked
    (at / "seats.toml").unlink()
    assert again.stale()


def test_another_file_of_the_same_size_and_age_is_noticed(tmp_path: Path) -> None:
    at = folder(tmp_path, render(SeatList([Seat("a", "0" * 64)])))
    loaded = SeatList.load(at)
    state = (at / "seats.toml").stat()
    fresh = at / "fresh"
    fresh.write_text(render(SeatList([Seat("a", "1" * 64)])))
    os.utime(fresh, ns=(state.st_atime_ns, state.st_mtime_ns))
    fresh.replace(at / "seats.toml")
    assert loaded.stale()


def test_a_list_that_was_never_a_file_is_not_stale() -> None:
    assert not SeatList([]).stale()
