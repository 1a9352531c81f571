// A whole bot for DONUTS in standard C++, without dependencies: it plays a random legal square.
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

int main() {
    // endl flushes: a line that stays in a buffer was never said
    std::cout << "hello donuts=1-1 name=cpp-random" << std::endl;
    for (std::string line; std::getline(std::cin, line) && !std::cin.eof();) {
        std::istringstream tokens(line);
        std::string verb, id, token, legal;
        tokens >> verb >> id;
        if (verb == "bye") break;
        while (tokens >> token) {
            if (token.rfind("legal=", 0) == 0) legal = token.substr(6);
            if (token.rfind("seed=", 0) == 0) std::srand(unsigned(std::atoll(token.c_str() + 5)));
        }
        const std::size_t squares = (legal.size() + 1) / 3;  // a1,b1,c1: three
        const std::size_t chosen = squares ? std::size_t(std::rand()) % squares : 0;
        if (verb == "turn" && squares)
            std::cout << "move " << id << ' ' << legal.substr(3 * chosen, 2) << std::endl;
        if (verb == "game") std::cout << "ready " << id << std::endl;
        if (verb == "ping") std::cout << "pong " << id << std::endl;
    }
}
