// The unsaved history of a text, in a private file, so that a program that is killed loses nothing: the text
// that it began with, then each change. Reading it makes the same TextDocument again, with its undo.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "studio/opened_directory.h"
#include "studio/text_document.h"

namespace cutset::studio {

struct JournalEntry {
    enum class Kind { Edit, Undo, Redo };
    Kind kind = Kind::Edit;
    std::vector<TextEdit> edits;
    bool join = false;
};

// What was found of an earlier program.
struct RecoveredText {
    std::string name;
    std::optional<FileVersion> disk;  // that the text was read from; none: a new file
    TextDocument document{""};
};

class Journal {
  public:
    // `path`: of its file. Nothing is written before the first change.
    Journal(std::string path, std::string name, std::optional<FileVersion> disk);
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    // After each change; `before` is the text before the first one. What cannot be written is not kept:
    // false.
    bool add(const std::string& before, const JournalEntry& entry);
    // Everything is saved: `disk` is what the text is now.
    void clear(std::optional<FileVersion> disk);
    // Goes on with a file that was recovered.
    void go_on();

    static std::optional<RecoveredText> read(const std::string& path);

  private:
    bool write(const std::string& line);
    std::string path_, name_;
    std::optional<FileVersion> disk_;
    int descriptor_ = -1;
};

// Of a file's name in a folder.
std::string journal_path(const std::string& folder, const std::string& name);
// The folder of a directory's journals and checkpoints, made for this user only; nothing when it cannot be
// made.
std::optional<std::string> state_folder(const std::string& directory);

}  // namespace cutset::studio
