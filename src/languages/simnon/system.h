// A Simnon system as it is written: heading, variables by role, assignments by section.
//
//     CONTINUOUS SYSTEM   y = g(x, t, u)   x' = f(x, t, u)
//     DISCRETE SYSTEM     y = g(x, t, u)   x(next) = f(x, t, u)   at the instants that TSAMP gives
//     CONNECTING SYSTEM   u = h(x, t, y)   over the other systems
//
// Expressions are those of the class tree: variables of the system by their name, those of others as
// SYSTEM.v, the TIME variable as `time`. Boolean values have become numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/source.h"
#include "ir/class_tree.h"
#include "ir/system_summary.h"

namespace cutset::simnon {

enum class Section { Initial, Output, Dynamics, Connect };

std::string_view spelling(Section section);
std::string_view spelling(SystemKind kind);
std::string_view spelling(SystemRole role);  // the word that declares it

struct SystemVariable {
    std::string name;
    Span where;  // of its declaration or first appearance
    SystemRole role = SystemRole::Auxiliary;
    std::optional<double> constant;  // V:number; of an external system its PAR and INIT variables
    Span constant_where;
    std::optional<std::size_t> initial;   // the assignment in the INITIAL section
    std::optional<std::size_t> assigned;  // the assignment in any other
    bool read_before = false;  // an input that a sampling reads as it was just before, see report_loops
};

struct SystemAssignment {
    Section section = Section::Output;
    std::string target;
    std::string system;  // of the target; empty: its own
    Span where;          // the statement
    Span target_where;
    tree::Expression value;
};

struct System {
    SystemKind kind = SystemKind::Continuous;
    std::string name;
    Span where;  // the name
    Span whole;
    Span end;                       // the END statement
    std::vector<std::string> text;  // comments that stand before the first statement
    std::vector<SystemVariable> variables;
    std::vector<SystemAssignment> assignments;
    // Other systems that it refers to, in the order of their first appearance.
    struct Reference {
        std::string name;
        Span where;
    };
    std::vector<Reference> systems;
    bool complete = true;  // no errors were found in it
    std::string library;   // the shared library of an external system; it has no assignments here

    // Exact, else the only one that differs in upper and lower case only.
    std::optional<std::size_t> find(std::string_view name) const;
    bool ambiguous(std::string_view name) const;  // several differ in that only, and none is exact
    std::size_t add(SystemVariable variable);     // the only way to add one

  private:
    std::unordered_map<std::string, std::vector<std::size_t>> by_letters_;  // looked up only
};

bool same_letters(std::string_view a, std::string_view b);  // without regard to upper and lower case
std::string upper(std::string_view text);

}  // namespace cutset::simnon
