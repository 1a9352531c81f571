"""The order of messages is one table, and the picture is that table."""

from donuts_protocol.messages import FROM_BOT, FROM_REFEREE
from donuts_protocol.states import ROWS, TABLE, Sender, State, diagram, moves_of


def test_the_table_is_a_function():
    assert len(TABLE) == len(ROWS)


def test_every_verb_has_its_place_and_no_other_has():
    for sender, messages in ((Sender.BOT, FROM_BOT), (Sender.REFEREE, FROM_REFEREE)):
        assert {row.verb for row in ROWS if row.sender is sender} == {message.verb for message in messages}


def test_every_state_can_be_reached_and_left():
    reached = {State.CONNECTED}
    for _ in State:
        reached |= {row.then for row in ROWS if row.state in reached}
    assert reached == set(State)
    assert {row.state for row in ROWS} == set(State) - {State.CLOSED}


def test_the_bot_speaks_first_and_the_referee_last():
    moves = moves_of(Sender.BOT)
    assert moves[State.CONNECTED] == {"hello": State.GREETED}
    assert all(State.CLOSED not in then.values() for then in moves.values())
    assert moves[State.CLOSED] == {}
    assert all(moves_of(Sender.REFEREE)[s].get("bye") is State.CLOSED for s in State if s is not State.CLOSED)


def test_a_question_is_answered_in_its_own_state_alone():
    for verb, states in {
        "ready": {State.PREPARING},
        "move": {State.THINKING},
        "resign": {State.THINKING},
        "info": {State.THINKING},
        "pong": {State.IDLE_PINGED, State.PLAYING_PINGED},
        "hello": {State.CONNECTED},
    }.items():
        assert {row.state for row in ROWS if row.sender is Sender.BOT and row.verb == verb} == states


def test_a_thinking_bot_is_never_pinged():
    asked = {row.state for row in ROWS if row.verb == "ping"}
    assert asked == {State.IDLE, State.PLAYING}


def test_the_picture_shows_every_row():
    lines = diagram().splitlines()
    assert lines[0] == "stateDiagram-v2"
    for row in ROWS:
        if row.verb == "error" or (row.verb == "bye" and row.sender is Sender.REFEREE):
            continue  # in the notes
        arrow = f"    {row.state} --> {row.then}: "
        [labels] = [line.removeprefix(arrow) for line in lines if line.startswith(arrow)]
        assert f"{row.sender} {row.verb}" in labels.split(", ")
    for line in lines:
        if "-->" in line and "[*]" not in line:
            state, rest = line.strip().split(" --> ")
            then, labels = rest.split(": ")
            for label in labels.split(", "):
                sender, verb = label.split(" ")
                assert TABLE[State(state), Sender(sender), verb] == then


def test_the_notes_of_the_picture_are_true():
    referee, bot = moves_of(Sender.REFEREE), moves_of(Sender.BOT)
    assert all("error" in referee[state] for state in State if state is not State.CLOSED)
    assert {s for s in State if "error" not in bot[s]} == {State.CONNECTED, State.LEAVING, State.CLOSED}
    assert all(then == state for state in State for verb, then in bot[state].items() if verb == "error")
