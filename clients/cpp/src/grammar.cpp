// Which verbs there are, which keys each may have, and what values a key takes: the tables of DBP-6 as data.
#include "grammar.hpp"

#include <algorithm>
#include <sstream>

#include "letters.hpp"

namespace donuts {

namespace {

bool is_square(std::string_view raw) {
    return raw.size() == 2 && raw[0] >= 'a' && raw[0] <= 'i' && raw[1] >= '1' && raw[1] <= '9';
}

bool consists_of(std::string_view raw, std::string_view letters) {
    return raw.find_first_not_of(letters) == std::string_view::npos;
}

bool is_board(std::string_view raw, std::string_view letters) {
    return (raw.size() == 36 || raw.size() == 81) && consists_of(raw, letters);
}

bool is_layout(std::string_view raw) { return is_board(raw, "HVDA"); }
bool is_cells(std::string_view raw) { return is_board(raw, ".xo"); }
bool is_word(std::string_view raw) { return raw.size() <= 32 && is_key(raw); }
bool is_side(std::string_view raw) { return raw == "x" || raw == "o"; }
bool is_proof(std::string_view raw) { return raw == "win" || raw == "draw" || raw == "loss"; }
bool is_result(std::string_view raw) { return is_proof(raw) || raw == "void"; }

bool is_range(std::string_view raw) {
    const std::size_t dash = raw.find('-');
    if (dash == std::string_view::npos) return false;
    const auto low = read_integer(raw.substr(0, dash)), high = read_integer(raw.substr(dash + 1));
    return low && high && *low <= 999999 && *high <= 999999;
}

bool is_seconds(std::string_view raw) {
    return !raw.empty() && raw.size() <= 12 && consists_of(raw, "0123456789.");
}

bool is_time_control(std::string_view raw) {
    const std::size_t plus = raw.find('+');
    if (plus == std::string_view::npos) return raw == "inf" || is_seconds(raw);
    return is_seconds(raw.substr(0, plus)) && is_seconds(raw.substr(plus + 1));
}

constexpr const char* a_word =
    "a word of at most 32 lower-case letters, digits and _ that begins with a letter";
constexpr const char* an_integer = "an integer from 0 to 9007199254740991";
constexpr const char* a_square = "a square such as e4";
constexpr const char* squares = "at most 81 squares such as e4";
constexpr const char* a_flag = "0 or 1";

const Key keys[] = {
    {"donuts", Key::token, 0, 0, is_range, "a range lo-hi of versions such as 1-1"},
    {"name", Key::string, 1, 40, nullptr, "1 to 40 characters, none of them a control character"},
    {"ver", Key::string, 0, 40, nullptr, "at most 40 characters, none of them a control character"},
    {"author", Key::string, 0, 40, nullptr, "at most 40 characters, none of them a control character"},
    {"caps", Key::list, 0, 32, is_word, "at most 32 words of lower-case letters, digits and _"},
    {"seat", Key::string, 1, 128, nullptr, "1 to 128 characters, none of them a control character"},
    {"session", Key::string, 1, 64, nullptr, "1 to 64 characters, none of them a control character"},
    {"tc", Key::token, 0, 0, is_time_control, "a time control such as 10+0.1, 60 or inf"},
    {"id", Key::integer, 0, max_integer, nullptr, an_integer},
    {"sq", Key::token, 0, 0, is_square, a_square},
    {"eval", Key::integer, 0, 1000, nullptr, "an integer from 0 to 1000"},
    {"proof", Key::token, 0, 0, is_proof, "win, draw or loss"},
    {"nodes", Key::integer, 0, max_integer, nullptr, an_integer},
    {"depth", Key::integer, 0, max_integer, nullptr, an_integer},
    {"pv", Key::list, 0, 81, is_square, squares},
    {"text", Key::string, 0, 200, nullptr, "at most 200 characters, none of them a control character"},
    {"code", Key::token, 0, 0, is_word, a_word},
    {"maxline", Key::integer, 1, max_integer, nullptr, "an integer from 1 to 9007199254740991"},
    {"ref", Key::string, 1, 80, nullptr, "1 to 80 characters, none of them a control character"},
    {"you", Key::token, 0, 0, is_side, "x or o"},
    {"size", Key::integer, 6, 9, nullptr, "6 or 9"},
    {"rings", Key::integer, 1, 40, nullptr, "an integer from 1 to 40"},
    {"main", Key::integer, 0, max_integer, nullptr, an_integer},
    {"inc", Key::integer, 0, max_integer, nullptr, an_integer},
    {"margin", Key::integer, 0, max_integer, nullptr, an_integer},
    {"prep", Key::integer, 0, max_integer, nullptr, an_integer},
    {"movemax", Key::integer, 0, max_integer, nullptr, an_integer},
    {"opp", Key::string, 1, 40, nullptr, "1 to 40 characters, none of them a control character"},
    {"seed", Key::integer, 0, max_integer, nullptr, an_integer},
    {"game", Key::integer, 0, max_integer, nullptr, an_integer},
    {"ply", Key::integer, 0, 80, nullptr, "an integer from 0 to 80"},
    {"layout", Key::token, 0, 0, is_layout, "36 or 81 letters out of H, V, D and A"},
    {"cells", Key::token, 0, 0, is_cells, "36 or 81 characters out of . x and o"},
    {"last", Key::token, 0, 0, is_square, a_square},
    {"legal", Key::list, 0, 81, is_square, squares},
    {"clock", Key::integer, 0, max_integer, nullptr, an_integer},
    {"oclock", Key::integer, 0, max_integer, nullptr, an_integer},
    {"limit", Key::integer, 0, max_integer, nullptr, an_integer},
    {"spent", Key::integer, 0, max_integer, nullptr, an_integer},
    {"resend", Key::integer, 0, 1, nullptr, a_flag},
    {"why", Key::token, 0, 0, is_word, a_word},
    {"result", Key::token, 0, 0, is_result, "win, draw, loss or void"},
    {"winner", Key::token, 0, 0, is_side, "x or o"},
    {"five", Key::list, 0, 81, is_square, squares},
    {"moves", Key::list, 0, 81, is_square, squares},
    {"more", Key::integer, 0, 1, nullptr, a_flag},
    {"min", Key::integer, 0, max_integer, nullptr, an_integer},
    {"max", Key::integer, 0, max_integer, nullptr, an_integer},
};

/// A word for each key: @ before an argument, * after what is required, - where it may be none, + where not
/// empty.
Form form(const char* verb, const char* fields) {
    Form made{verb, {}};
    std::istringstream words(fields);
    for (std::string word; words >> word;) {
        const auto marked = [&word](char mark) { return word.find(mark) != std::string::npos; };
        const bool positional = marked('@');
        const std::string name =
            word.substr(positional ? 1 : 0, word.find_last_not_of("*-+") + (positional ? 0 : 1));
        const Key* key =
            std::find_if(std::begin(keys), std::end(keys), [&](const Key& k) { return name == k.name; });
        made.fields.push_back({key, positional, positional || marked('*'), marked('-'), !marked('+')});
    }
    return made;
}

const std::vector<Form>& forms(Sender from) {
    static const std::vector<Form> of_bot = {
        form("hello", "donuts* name* ver author caps seat session tc"),
        form("ready", "@id"),
        form("move", "@id @sq eval proof nodes depth pv text"),
        form("resign", "@id"),
        form("info", "@id eval proof nodes depth pv text"),
        form("pong", "@id"),
        form("error", "@id- code text"),
        form("bye", "text"),
    };
    static const std::vector<Form> of_referee = {
        form("welcome", "donuts* session* caps* maxline* ref* name"),
        form("game", "@id you* size* rings* main* inc* margin* prep* movemax opp seed*"),
        form("turn",
             "@id game* ply* you* size* rings* layout* cells* last*- legal*+ clock* oclock* inc* limit* "
             "margin* "
             "spent* resend"),
        form("cancel", "@id why"),
        form("ping", "@id"),
        form("error", "@id- code text"),
        form("end", "@id result* winner*- why* text ply* cells* five moves* more*"),
        form("bye", "why min max"),
    };
    return from == Sender::bot ? of_bot : of_referee;
}

bool accepts(const Field& field, const Value& value) {
    const Key& key = *field.key;
    const auto within = [&key](std::uint64_t count) { return key.low <= count && count <= key.high; };
    if (key.kind == Key::integer) {
        const auto* number = std::get_if<std::uint64_t>(&value);
        const bool is_size = std::string_view(key.name) == "size";
        return number != nullptr && within(*number) && !(is_size && *number != 6 && *number != 9);
    }
    if (key.kind == Key::list) {
        const auto* list = std::get_if<List>(&value);
        return list != nullptr && within(list->size()) && (field.empty || !list->empty()) &&
               std::all_of(list->begin(), list->end(),
                           [&key](const std::string& item) { return key.accepts(item); });
    }
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr) return false;
    if (key.kind == Key::token) return key.accepts(*text);
    const auto count = count_characters(*text);
    return count && within(*count);
}

std::string described(const Value& value) {
    if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
    if (const auto* text = std::get_if<std::string>(&value)) return "'" + shown(*text) + "'";
    std::string joined;
    for (const std::string& item : std::get<List>(value)) joined += (joined.empty() ? "" : ",") + item;
    return "the list '" + shown(joined) + "'";
}

}  // namespace

const Field* Form::find(std::string_view key) const {
    const auto found =
        std::find_if(fields.begin(), fields.end(), [key](const Field& f) { return key == f.key->name; });
    return found == fields.end() ? nullptr : &*found;
}

const Form* find_form(Sender from, std::string_view verb) {
    const std::vector<Form>& all = forms(from);
    const auto found = std::find_if(all.begin(), all.end(), [verb](const Form& f) { return f.verb == verb; });
    return found == all.end() ? nullptr : &*found;
}

const Form& form_of(Sender from, std::string_view verb) {
    if (const Form* found = find_form(from, verb)) return *found;
    throw InvalidMessage("'" + shown(verb, 40) + "' is no verb that may come here", std::string(verb), {},
                         false);
}

bool is_key(std::string_view name) {
    return !name.empty() && name[0] >= 'a' && name[0] <= 'z' &&
           consists_of(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
}

void check_value(const Form& form, const Field& field, const Value& value, std::optional<std::uint64_t> id) {
    if (accepts(field, value)) return;
    const std::string none = field.empty ? "" : ", at least one";
    throw InvalidMessage(
        std::string(field.key->name) + " must be " + field.key->reads + none + ", not " + described(value),
        form.verb, id, true);
}

void check_message(const Form& form, const Message& message) {
    const auto id = form.find("id") != nullptr ? message.find_integer("id") : std::nullopt;
    for (const Field& field : form.fields) {
        if (field.required && !field.dash && !message.has(field.key->name)) {
            throw InvalidMessage(std::string(field.key->name) + " is missing", form.verb, id, true);
        }
    }
    for (const auto& [key, value] : message.values) {
        const Field* field = form.find(key);
        if (field == nullptr)
            throw InvalidMessage(form.verb + " has no key '" + shown(key, 40) + "'", form.verb, id, true);
        check_value(form, *field, value, id);
    }
}

}  // namespace donuts
