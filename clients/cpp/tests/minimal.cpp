// Gives every message that a referee sends to the bot on pipes and looks at its answers: minimal_test BOT
// FOLDER.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include "json.hpp"

namespace {

const std::string ping = "ping 900719925474099", pong = "pong 900719925474099";
int checks = 0, failures = 0;

void check(bool good, const std::string& what) {
    checks++;
    if (good) return;
    failures++;
    std::cerr << "FAILED: " << what.substr(0, 300) << std::endl;
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream rest(text);
    for (std::string part; std::getline(rest, part, separator);) parts.push_back(part);
    return parts;
}

/// What the bot says after its `hello`, in lines, when it is given this input and then the end of it.
std::vector<std::string> run(const std::string& bot, const std::string& input) {
    std::ofstream("minimal_test.in", std::ios::binary) << input;
    check(std::system(("\"" + bot + "\" <minimal_test.in >minimal_test.out").c_str()) == 0,
          "exits with 0: " + input);
    std::ifstream file("minimal_test.out", std::ios::binary);
    std::string hello;
    check(std::getline(file, hello) && hello.rfind("hello donuts=1-1 name=", 0) == 0,
          "hello comes first: " + hello);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

/// The answers that would be right, of which the bot gives one; none: it says nothing.
std::vector<std::string> answers(const std::string& line) {
    const std::vector<std::string> tokens = split(line, ' ');
    if (tokens[0] == "game") return {"ready " + tokens[1]};
    if (tokens[0] == "ping") return {"pong " + tokens[1]};
    std::vector<std::string> moves;
    for (const std::string& token : tokens) {
        if (tokens[0] != "turn" || token.rfind("legal=", 0) != 0) continue;
        for (const std::string& square : split(token.substr(6), ','))
            moves.push_back("move " + tokens[1] + " " + square);
    }
    return moves;
}

void ask(const std::string& bot, const std::string& line) {
    const std::vector<std::string> said = run(bot, line + "\n" + ping + "\n"), right = answers(line);
    std::size_t at = 0;
    if (!right.empty()) {
        bool found = false;
        for (const std::string& answer : right) found = found || (!said.empty() && said[0] == answer);
        check(found, "no right answer to " + line);
        at++;
    }
    if (line.rfind("bye", 0) != 0) {
        check(said.size() > at && said[at] == pong, "no pong after " + line);
        at++;
    }
    check(said.size() <= at, "something is said besides to " + line);
}

/// What a bot says to what it cannot read is its own affair, but it goes on.
void survive(const std::string& bot, const std::string& line) {
    const std::vector<std::string> said = run(bot, line + "\n" + ping + "\n");
    check(!said.empty() && said.back() == pong, "the bot does not go on after " + line);
}

std::string bytes_of(const std::string& hex) {
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return bytes;
}

void run_file(const std::string& bot, const std::string& path) {
    std::ifstream file(path);
    const int before = checks;
    for (std::string row; std::getline(file, row);) {
        const json::Value vector = json::Reader(row).read();
        if (vector.at("from").text != "referee") continue;
        if (vector.has("text")) {
            ask(bot, vector.at("text").text);
        } else if (vector.at("encoding").text == "text" && vector.has("message")) {
            ask(bot, bytes_of(vector.at("hex").text));
        } else if (vector.at("encoding").text == "text" && vector.at("name").text.rfind("bye", 0) != 0) {
            survive(bot, bytes_of(vector.at("hex").text));
        }
    }
    check(checks > before, path + " holds no vectors");
}

}  // namespace

int main(int count, char** words) {
    if (count != 3) return std::cerr << "usage: minimal_test BOT FOLDER" << std::endl, 2;
    const std::string bot = words[1], folder = words[2];
    for (const char* name : {"messages", "acceptances", "refusals"})
        run_file(bot, folder + "/" + name + ".jsonl");
    ask(bot, "ping 5 x_a=" + std::string(4096 - 11, 'b'));
    survive(bot, std::string(100000, 'z'));
    survive(bot, "");
    survive(bot, "tern 5 x=1");
    check(run(bot, "ping 5\nping 6") == std::vector<std::string>{"pong 5"}, "half a line is answered");
    std::cerr << checks << " checks, " << failures << " failed" << std::endl;
    return failures != 0;
}
