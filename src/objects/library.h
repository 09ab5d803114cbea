// The classes that a model can name: those of its file, and of libraries on disk, each parsed when something
// reaches it. A library is a directory:
//
//     Modelica 4.1.0/package.mo        the package Modelica; its directory may carry the version
//                    package.order     the order of what is in it
//                    Blocks/package.mo a package inside, in a directory of its own
//                    Constants.mo      a class inside, in a file of its own
//
// Top-level classes are looked for in the files that were added, then in the directories, in their order.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "ir/object_tree.h"

namespace cutset {

class ClassLibrary {
  public:
    // Where texts go that are read from now on, and what is reported about them. Both outlive the next calls.
    void attach(Sources& sources, Diagnostics& diagnostics);
    // A directory that holds libraries, looked into after the others; or before them.
    void add_directory(const std::string& directory);
    void put_directory_first(const std::string& directory);
    // A text that the classes depend on beside those that the library reads itself.
    void add_source(SourceId source) { looked_.files.push_back(source); }
    // Files of other languages are packages of their names; those of classes come first. `read` gives the
    // package, or null.
    using ForeignReader =
        std::function<std::shared_ptr<const object::File>(const std::string& path, Sources&, Diagnostics&)>;
    void read_foreign_by(std::vector<std::string> endings, ForeignReader read);
    // Classes that were parsed elsewhere. `within` puts them into a package that must be there already.
    void add(std::shared_ptr<const object::File> file);

    // The top-level class of that name, else null.
    const object::Class* top(std::string_view name);
    // The class of a package that stands in a file or directory of its own, else null.
    const object::Class* stored_member(const object::Class& package, std::string_view name);
    // The names of all such classes, in the order of package.order.
    std::vector<std::string> stored_members(const object::Class& package);
    // A.B.c by the texts alone: no inheritance, no imports.
    const object::Class* find(std::string_view dotted);
    // "A.B.c", from the text of the class and of those around it.
    static std::string path(const object::Class& c);

    // The file of modelica://Modelica.Blocks/Resources/x.txt: below the directory of that package. Empty when
    // there is no such package in a directory.
    std::string resource(std::string_view uri);

    // The names of the top-level classes, of files and in the directories; sorted.
    std::vector<std::string> top_names();

    // What was looked at: the classes would be the same while these are.
    struct Looked {
        std::vector<SourceId> files;
        std::vector<std::string> directories;
    };
    const Looked& looked() const { return looked_; }

  private:
    // A class on disk.
    struct Place {
        std::string path;  // of the file
        bool folder = false;
        bool foreign = false;
        std::string version;  // of a top-level library
        std::optional<const object::Class*> parsed;
    };
    struct Folder {
        std::string path;
        std::map<std::string, std::vector<Place>, std::less<>> places;  // several: versions
        std::vector<std::string> order;                                 // package.order
    };
    Folder read_folder(const std::string& directory, bool top_level);
    Place& chosen(const std::string& name, std::vector<Place>& versions) const;
    void read_order(Folder& folder, const std::string& path);
    void add_foreign(Folder& folder, const std::string& directory) const;
    const object::Class* parse_foreign(Place& place);
    const object::Class* parse(Place& place, const std::string& name, const object::Class* parent);
    void note_uses(const object::Class& c);

    Sources* sources_ = nullptr;
    Diagnostics* diagnostics_ = nullptr;
    std::vector<std::pair<std::string, std::optional<Folder>>> directories_;  // listed when first needed
    std::vector<std::shared_ptr<const object::File>> files_;
    std::unordered_map<std::string, const object::Class*> tops_;                         // of files
    std::unordered_map<const object::Class*, Folder> folders_;                           // of packages
    std::unordered_map<const object::Class*, std::vector<const object::Class*>> added_;  // by `within`
    std::unordered_map<std::string, std::string> uses_;                                  // versions wanted
    std::vector<std::string> foreign_endings_;
    ForeignReader read_foreign_;
    Looked looked_;
};

// What a directory of classes holds, sorted: files .mo and directories; and the names of its classes.
std::vector<std::string> class_entries(const std::string& directory);
std::vector<std::string> class_names(const std::string& directory);

}  // namespace cutset
