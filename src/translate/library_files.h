// Library files that were looked at but not read: each is parsed when something refers to a name that it
// declares, so that a model pays for what it uses.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "ir/class_tree.h"
#include "translate/used_classes.h"

namespace cutset {

// Which file it is, whatever name it goes by: device and number. Nothing when there is none.
using FileIdentity = std::pair<std::uint64_t, std::uint64_t>;
std::optional<FileIdentity> file_identity(const std::string& path);

class LibraryFiles {
  public:
    struct Library {
        FileIdentity identity;
        std::shared_ptr<tree::File> file;   // stands in the ClassTree; empty until the library is read
        std::vector<std::string> declared;  // sorted
        bool read = false;
    };

    void put(Library library) { all_.push_back(std::move(library)); }
    // The library, if it is one that was not read yet.
    Library* find(const FileIdentity& identity);

    // What is referred to, also by names that are read later.
    void refer(std::string_view name) { names_.refer(name); }
    void refer(const tree::Expression& e) { names_.add(e); }
    void refer_to_all(const tree::File& file);
    // A file that was read: what of it is referred to, now or later, refers to further names.
    void add(const tree::File& file);

    // The next library with a name that is referred to, else null. With `all` the next of those that are
    // left.
    Library* next(bool all = false);
    // Whether a name is referred to that no file has and the language does not know.
    bool any_missing();
    const ReferredNames& names() const { return names_; }

  private:
    using Declaration = std::variant<const tree::Class*, const tree::Function*, const tree::Table*>;
    void take(const Declaration& d);
    void follow();

    std::vector<Library> all_;
    ReferredNames names_;
    std::unordered_multimap<std::string, Declaration> declarations_;  // by name, classes by file name too
    std::set<const void*> taken_;  // declarations whose names are in names_
    std::size_t followed_ = 0;     // of the names
};

}  // namespace cutset
