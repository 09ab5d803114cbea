// Machine code kept on disk, found by key.
//
// Units of code are files code/XX/KEY under the folder of what is kept; what a Program consisted of is a file
// KEY.code beside the translations (native/code_record.h). Each file has its key and a checksum; one that is
// damaged, foreign, of another user or open to others is as good as none. Files appear by renaming, so any
// number of programs may use a folder at a time. Each of the drawers XX has a limit of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fingerprint.h"

namespace cutset {

class CodeStore {
  public:
    // In cache_folder(); none when nothing shall be kept.
    static std::shared_ptr<CodeStore> open();
    // `module`: the file that has the compiler; without one nothing is kept.
    CodeStore(std::string folder, const std::string& module);

    // Machine code depends on the library of the compiler too, which is loaded only when something must be
    // compiled: where it was the last time is written down.
    bool ready() const { return !identity_.empty(); }
    void compiler_is(const std::string& library);
    // Of the program, the compiler and the processor: a part of every key.
    const std::string& identity() const { return identity_; }

    std::optional<std::string> find(const Fingerprint& key) const;
    void keep(const std::vector<std::pair<Fingerprint, std::string>>& units) const;
    std::optional<std::string> find_record(const Fingerprint& key) const;
    void keep_record(const Fingerprint& key, std::string_view bytes) const;

    // For tests: of one drawer.
    void set_limit(std::uintmax_t bytes) { drawer_limit_ = bytes; }

  private:
    std::string drawer(const Fingerprint& key) const;
    std::string record_path(const Fingerprint& key) const;
    std::string note_path() const;

    std::string folder_, maker_, identity_;
    std::uintmax_t drawer_limit_;
};

}  // namespace cutset
