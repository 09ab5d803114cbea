// The pictures of all classes of a text: each is made when it is asked for, and kept.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "ir/class_tree.h"
#include "picture/class_picture.h"
#include "picture/class_reader.h"
#include "picture/layout_lines.h"
#include "picture/outside.h"
#include "translate/model_text.h"

namespace cutset::picture {

class ClassPictures {
  public:
    // What was read, as far as it could be read; both outlive this. What was reported about it is shown in
    // the pictures of the classes that it concerns.
    ClassPictures(const Sources& sources, const ClassTree& classes, const Diagnostics& reported = {});
    // Of a language with inheritance. Classes of libraries are read when a picture uses them.
    ClassPictures(Sources& sources, ObjectText& text, const Diagnostics& reported = {});
    ~ClassPictures();

    // In the order of the files and their texts, inner classes after theirs.
    struct Entry {
        std::string key, name, title;
        ClassKind kind = ClassKind::Model;
        bool runnable = false;
        bool main_file = false;  // of the file that the user named
        SourceId source;
        std::string documentation;
    };
    const std::vector<Entry>& list() const { return entries_; }
    // The class that stands for the file that the user named; "" when it has none.
    std::string default_key();
    // By key, or by a name that means one class: as it is, else without regard to upper and lower case.
    std::optional<std::string> find(std::string_view name);

    // Null when there is no such class.
    const ClassPicture* picture(std::string_view key);
    const Outside* outside(std::string_view key);
    const Sources& sources() const { return sources_; }
    // The equations of a class as MathML, by where their texts begin.
    std::map<std::uint32_t, std::string> formulas(std::string_view key);

  private:
    struct Class;
    struct Objects;
    Class* add(std::string key, std::unique_ptr<ClassReader> reader, const Class* parent, Entry entry);
    void add_tree(const tree::Class& c, const std::string& prefix, bool main_file, const Class* parent);
    void add_systems(SourceId source, bool main_file);
    void add_object_class(const object::Class& c, bool main_file);
    Class* class_of(std::string_view key);
    Class* visible(std::string_view name, const Class& from);
    const std::vector<LayoutLine>& layout_lines(SourceId source);
    void make_outside(Class& c);
    void make_picture(Class& c);

    const Sources& sources_;
    const Diagnostics reported_;
    std::vector<Entry> entries_;
    std::vector<std::unique_ptr<Class>> classes_;
    std::map<std::string, Class*, std::less<>> by_key_;
    std::map<std::uint32_t, std::vector<LayoutLine>> layout_lines_;  // by source
    std::unique_ptr<Objects> objects_;
};

// Of a text in any language.
std::unique_ptr<ClassPictures> class_pictures(ModelText& text, const Diagnostics& reported = {});

}  // namespace cutset::picture
