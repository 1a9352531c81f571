// Messages as the values that a bot works with.
#include "donuts/bot.hpp"

namespace donuts {

Game::Game(const Message& message)
    : id(message.integer("id")),
      you(message.text("you")[0]),
      size(static_cast<int>(message.integer("size"))),
      rings(static_cast<int>(message.integer("rings"))),
      main(message.integer("main")),
      increment(message.integer("inc")),
      margin(message.integer("margin")),
      preparation(message.integer("prep")),
      move_limit(message.find_integer("movemax")),
      opponent(message.find_text("opp").value_or("")),
      seed(message.integer("seed")) {}

Turn::Turn(const Message& message)
    : id(message.integer("id")),
      game(message.integer("game")),
      ply(static_cast<int>(message.integer("ply"))),
      you(message.text("you")[0]),
      size(static_cast<int>(message.integer("size"))),
      rings(static_cast<int>(message.integer("rings"))),
      layout(message.text("layout")),
      cells(message.text("cells")),
      last(message.find_text("last").value_or("")),
      legal(message.list("legal")),
      clock(message.integer("clock")),
      opponent_clock(message.integer("oclock")),
      increment(message.integer("inc")),
      limit(message.integer("limit")),
      margin(message.integer("margin")),
      spent(message.integer("spent")),
      resent(message.find_integer("resend").value_or(0) != 0) {
    const auto squares = static_cast<std::size_t>(size * size);
    if (layout.size() == squares && cells.size() == squares) return;
    throw InvalidMessage("layout or cells have other than size x size squares", message.verb, id, true);
}

std::size_t Turn::index(const std::string& square) const {
    const int column = square.size() == 2 ? square[0] - 'a' : -1,
              row = square.size() == 2 ? square[1] - '1' : -1;
    if (column < 0 || column >= size || row < 0 || row >= size)
        throw std::out_of_range("no square: " + square);
    return static_cast<std::size_t>(row * size + column);
}

End::End(const Message& message)
    : game(message.integer("id")),
      result(message.text("result")),
      why(message.text("why")),
      text(message.find_text("text").value_or("")),
      cells(message.text("cells")),
      moves(message.list("moves")),
      more(message.integer("more") != 0) {}

}  // namespace donuts
