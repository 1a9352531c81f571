"""A roster of teams as spreadsheets write it, and as they should not."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_referee.arena.teams import MOST_TEAMS, RosterFault, read_roster


def read(tmp_path: Path, data: bytes | str) -> tuple[str, ...]:
    path = tmp_path / "teams.csv"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return read_roster(path)


def fault(tmp_path: Path, data: bytes | str) -> str:
    with pytest.raises(RosterFault) as caught:
        read(tmp_path, data)
    said = str(caught.value)
    assert said.isprintable()
    return said


@pytest.mark.parametrize(
    "data",
    [
        "name\na\nb.1",
        "name\r\na\r\nb.1\r\n",
        "\ufeffname\r\na\r\nb.1\r\n",
        "\n\nname\n\na\n\nb.1\n\n",
        "city,name\nX,a\nY,b.1\n",
        'city;Name;x\n"X\nnorth; south";a;1\nY;b.1;2\n',
        "\ufeffTeam;City\na;X\nb.1;Y\n;\n",
        "TEAM\tcity\na\tX\nb.1\tY\n",
        '"name"\n"a"\n" b.1 "\n',
        "team,name\nReds,a\nBlues,b.1\n",
        "name,mail\na\nb.1,\n",
    ],
)
def test_the_column_of_names_is_read(tmp_path: Path, data: str) -> None:
    assert read(tmp_path, data) == ("a", "b.1")


@pytest.mark.parametrize(
    ("data", "right"),
    [
        ("", "empty"),
        ("\n\n", "empty"),
        ("name\n", "names no team"),
        ("alice\nbob\n", "line 1: has no column name (or team) but alice"),
        ("name,name\na,b\n", "line 1: has 2 columns name"),
        ("name\na\nb\na\n", "line 4: a is in line 2 already; names must differ by more than case"),
        ("name\nAlpha\nalpha\n", "line 3: alpha is in line 2 already"),
        ("mail,name\nx\n", "line 2: has no name in column 2"),
        ("mail,name\nx, \n", "line 2: has no name in column 2"),
        ("name\n..\n", "line 2: '..': a name is 1 to 40 of"),
        ("name\n.\n", "line 2: '.': a name"),
        ("name\na/b\n", "line 2: 'a/b': a name"),
        ("name\nThe Reds\n", "line 2: 'The Reds': a name"),
        ("name\nüml\n", "line 2: 'üml': a name"),
        ("name\n-rf\n", "line 2: '-rf': a name"),
        ("name\n" + "a" * 41, "a name is 1 to 40 of"),
        ("name\n\x1b[31mred\n", "line 2: '\\x1b[31mred': a name"),
        ("na\x1bme\n\n", "line 1: has no column name (or team) but na\\x1bme"),
        ('name\na\n"b', "line 3: not CSV"),
        ('name\n"a"b\n', "line 2: not CSV"),
        ("name\n" + "a" * 200_000, "line 2: not CSV"),
        (b"name\na\n\xff\n", "line 3: not UTF-8 text"),
        ("name\na\n".encode("utf-16"), "UTF-16"),
        (b"name\na\0b\n", "line 2: holds a NUL character"),
        (b"\x7fELF\0\0\0", "holds a NUL character"),
        (b"name\n" + b"a\n" * (2 << 20), "more than 4194304 bytes"),
    ],
)
def test_a_fault_has_its_line(tmp_path: Path, data: bytes | str, right: str) -> None:
    said = fault(tmp_path, data)
    assert right in said and "teams.csv: " in said and len(said) < 700


def test_all_faults_come_at_once_and_lines_count_from_the_first_of_a_row(tmp_path: Path) -> None:
    said = fault(tmp_path, 'x,name\n"two\nlines",a\n1,b c\n\n2,A\n3,\n')
    for part in ("line 4: 'b c'", "line 6: A is in line 2 already", "line 7: has no name"):
        assert part in said


def test_faults_without_number_are_counted(tmp_path: Path) -> None:
    said = fault(tmp_path, "name\n" + "!\n" * 100_000)
    assert "and 99981 more" in said and len(said) < 3000


def test_there_is_a_most_of_teams(tmp_path: Path) -> None:
    rows = [f"t{number}" for number in range(MOST_TEAMS + 1)]
    assert len(read(tmp_path, "\n".join(["name", *rows[:-1]]))) == MOST_TEAMS
    assert "an arena has 10000 seats at most" in fault(tmp_path, "\n".join(["name", *rows]))


def test_what_is_no_regular_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, right in (
        ("pipe", "a pipe"),
        (".", "a directory"),
        ("/dev/zero", "a device"),
        ("none", "no such"),
    ):
        with pytest.raises(RosterFault, match=right):
            read_roster(tmp_path / name)


@given(data=st.one_of(st.binary(), st.text().map(lambda text: f"name\n{text}".encode("utf-8", "replace"))))
def test_any_bytes_are_a_roster_or_a_line(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(data)
    try:
        names = read_roster(path)
    except RosterFault as fault:
        assert str(fault).isprintable()
    else:
        assert len({name.lower() for name in names}) == len(names) > 0
