// A text that is edited in the studio: the present text, its version, and its history. Undoing is an inverse
// edit, so that the version only grows and everybody who follows the edits has the same text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "studio/message.h"

namespace cutset::studio {

inline constexpr std::size_t most_text_bytes = 16 << 20;

// Bytes [begin, end) become `text`.
struct TextEdit {
    std::size_t begin = 0, end = 0;
    std::string text;
    bool operator==(const TextEdit&) const = default;
};

class TextDocument {
  public:
    explicit TextDocument(std::string text) : text_(std::move(text)) {}

    const std::string& text() const { return text_; }
    std::uint64_t version() const { return version_; }
    bool can_undo() const { return !undo_.empty(); }
    bool can_redo() const { return !redo_.empty(); }

    // Ascending and disjoint edits in offsets of the present text, between characters. `join`: they belong to
    // the step before. Nothing is changed when they are refused.
    std::optional<Refusal> edit(const std::vector<TextEdit>& edits, bool join);
    // The edit that took the last step back; nothing when there is none.
    std::optional<TextEdit> undo() { return step(undo_, redo_); }
    std::optional<TextEdit> redo() { return step(redo_, undo_); }
    // The whole text becomes another one, as an edit of what differs.
    TextEdit replace(const std::string& text);

  private:
    // Each turns the text after it into the text before it; the last is applied first.
    using Step = std::vector<TextEdit>;
    std::optional<TextEdit> step(std::vector<Step>& from, std::vector<Step>& to);

    std::string text_;
    std::uint64_t version_ = 1;
    std::vector<Step> undo_, redo_;
};

// The smallest single edit that turns one text into the other, between characters.
TextEdit difference(std::string_view before, std::string_view after);

Json to_json(const std::vector<TextEdit>& edits);
// Of a call; what is wrong is reported there.
std::vector<TextEdit> read_edits(Arguments& arguments, const char* name);

}  // namespace cutset::studio
