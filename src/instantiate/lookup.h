// Names: the table of a class, and types, tables and functions found inside-out, then in the file, then in
// libraries.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "instantiate/context.h"

namespace cutset {

// The table of names of a class, made at first use.
ClassInfo& class_info(Context& c, const tree::Class& type);

// The class to run: by name, or the last `model` of the first file. Null when errors were reported.
const tree::Class* find_model(Context& c, const std::string& name);

// A type as seen from inside `from`. Null when there is none; `candidates` then are all names in sight.
ClassInfo* find_type(Context& c, ClassInfo& from, std::string_view name);
std::vector<std::string> visible_types(Context& c, const ClassInfo& from);

struct FoundCallee {
    const tree::Table* table = nullptr;
    const tree::Function* function = nullptr;
    ClassInfo* in = nullptr;  // the class that declares it; null at file level
};
FoundCallee find_callee(Context& c, ClassInfo* from, const tree::File* file, std::string_view name);
std::vector<std::string> visible_callees(Context& c, const ClassInfo* from, const tree::File* file);

// Reports names declared twice at file level.
void check_files(Context& c);

// Whether an expression is a condition by its form.
bool is_condition(const tree::Expression& e, const ClassInfo& info);

}  // namespace cutset
