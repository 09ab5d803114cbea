#include "studio/text_document.h"

#include <algorithm>
#include <utility>

#include "studio/messages.h"

namespace cutset::studio {

namespace {

// Between two characters of UTF-8, not within one.
bool is_boundary(std::string_view text, std::size_t at) {
    return at == text.size() || (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
}

void apply(std::string& text, const TextEdit& edit) {
    text.replace(edit.begin, edit.end - edit.begin, edit.text);
}

TextEdit inverse_of(const std::string& text, const TextEdit& edit) {
    return {edit.begin, edit.begin + edit.text.size(), text.substr(edit.begin, edit.end - edit.begin)};
}

}  // namespace

TextEdit difference(std::string_view before, std::string_view after) {
    std::size_t begin = 0, same = 0;
    const std::size_t shorter = std::min(before.size(), after.size());
    while (begin < shorter && before[begin] == after[begin]) ++begin;
    while (!is_boundary(before, begin) || !is_boundary(after, begin)) --begin;
    while (same < shorter - begin && before[before.size() - 1 - same] == after[after.size() - 1 - same])
        ++same;
    while (!is_boundary(before, before.size() - same) || !is_boundary(after, after.size() - same)) --same;
    return {begin, before.size() - same, std::string(after.substr(begin, after.size() - same - begin))};
}

std::optional<Refusal> TextDocument::edit(const std::vector<TextEdit>& edits, bool join) {
    std::size_t last = 0, size = text_.size();
    for (const TextEdit& e : edits) {
        if (e.begin > e.end || e.end > text_.size() || e.begin < last)
            return messages::edits_out_of_order(e.begin, e.end, text_.size());
        if (!is_boundary(text_, e.begin) || !is_boundary(text_, e.end))
            return messages::edit_in_character(e.begin, e.end);
        last = e.end;
        size += e.text.size() - (e.end - e.begin);
    }
    if (size > most_text_bytes) return messages::text_too_large();
    if (edits.empty()) return std::nullopt;
    if (!join || undo_.empty() || !redo_.empty()) undo_.emplace_back();
    // From the end, so that the offsets of the others hold; the inverse of a later one is in offsets of the
    // text that the earlier ones have not changed yet.
    for (auto e = edits.rbegin(); e != edits.rend(); ++e) {
        undo_.back().push_back(inverse_of(text_, *e));
        apply(text_, *e);
    }
    redo_.clear();
    ++version_;
    return std::nullopt;
}

TextEdit TextDocument::replace(const std::string& text) {
    TextEdit edit = difference(text_, text);
    CUTSET_ASSERT(!this->edit({edit}, false));
    return edit;
}

std::optional<TextEdit> TextDocument::step(std::vector<Step>& from, std::vector<Step>& to) {
    if (from.empty()) return std::nullopt;
    const Step inverses = std::move(from.back());
    from.pop_back();
    std::string target = text_;
    Step back;
    for (auto e = inverses.rbegin(); e != inverses.rend(); ++e) {
        back.push_back(inverse_of(target, *e));
        apply(target, *e);
    }
    to.push_back(std::move(back));
    TextEdit edit = difference(text_, target);
    text_ = std::move(target);
    ++version_;
    return edit;
}

Json to_json(const std::vector<TextEdit>& edits) {
    Json out = Json::array();
    for (const TextEdit& e : edits) out.push_back({{"begin", e.begin}, {"end", e.end}, {"text", e.text}});
    return out;
}

std::vector<TextEdit> read_edits(Arguments& arguments, const char* name) {
    constexpr std::size_t most_edits = 10000;
    std::vector<TextEdit> out;
    const Json* const list = arguments.list(name);
    if (!list) return out;
    if (list->size() > most_edits) arguments.fail("more than 10000 edits");
    for (const Json& one : *list) {
        if (!one.is_object()) {
            arguments.fail("an edit is no object");
            return out;
        }
        Arguments members(one);
        TextEdit edit;
        edit.begin = members.count("begin", most_text_bytes);
        edit.end = members.count("end", most_text_bytes);
        edit.text = members.text("text");
        if (const auto problem = members.problem()) {
            arguments.fail("an edit: " + problem->message);
            return out;
        }
        out.push_back(std::move(edit));
    }
    return out;
}

}  // namespace cutset::studio
