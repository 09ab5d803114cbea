// The line editor on a file, as a dialogue. The file is written at its end only, as a whole; what the user
// wrote there by other means meanwhile is kept beside it. What was typed is not lost: the editor stays open
// when the file cannot be written, and the text so far stands in a file of the recovery folder until it is
// written or given up.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/line_editor.h"
#include "session/workbench.h"

namespace cutset {

struct EditRequest {
    std::string path;
    std::string shown;                              // "TRIOD"
    std::optional<std::vector<std::string>> lines;  // instead of what the file holds
    std::optional<std::size_t> line;                // at which it begins
    LineEditor::Check check;
    LineEditor::Remarks remarks;
    bool recovers = false;  // the lines are those of a rescued text
    // A command of the session leaves the editor while nothing has been changed: in a script it was not meant
    // for the editor.
    bool commands_leave = false;
};
enum class EditEnd { Written, Unchanged, Left, Failed };
EditEnd edit_file(Workbench& bench, const EditRequest& request);

// A text of that file which a session left without writing it.
struct RescuedText {
    std::string path;
    std::vector<std::string> lines;
};
std::optional<RescuedText> rescued_text(const Workbench& bench, const std::string& path);
// Keeps a text that was typed for that file but cannot be used as it is; false where nothing is kept.
bool rescue_text(Workbench& bench, const std::string& path, const std::vector<std::string>& lines);

bool append_file(const std::string& path, const std::string& text, std::string& problem);

std::vector<std::string> lines_of(std::string_view text);
std::string text_of(const std::vector<std::string>& lines);

// Of models, in all languages.
inline const std::vector<std::string> model_endings = {".t", ".dym", ".mo", ".om", ".el"};

// The file that `written` means: as it stands, with one of the endings, in any letter case. Nothing when
// there is none.
std::optional<std::string> find_file(const std::string& written, const std::vector<std::string>& endings);

// The name, without the endings that find_file adds, of a file that was perhaps meant; empty for none.
std::string near_file(const std::string& written, const std::vector<std::string>& endings);

}  // namespace cutset
