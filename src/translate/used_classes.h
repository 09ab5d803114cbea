// What classes refer to by name, and the part of a ClassTree that a file needs: its own classes, and of the
// libraries only what it refers to.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ir/class_tree.h"

namespace cutset {

// Names of model types, functions and tables that are referred to, each once, in the order in which they were
// met.
class ReferredNames {
  public:
    void add(const tree::Class& c);
    void add(const tree::Function& f);
    void add(const tree::Table& t);
    void add(const tree::Expression& e);
    void refer(std::string_view name);

    const std::vector<std::string>& all() const { return order_; }
    bool contains(std::string_view name) const { return seen_.find(name) != seen_.end(); }
    // Whether one of the classes seen has a class, function or table of that name inside.
    bool declares(std::string_view name) const { return declared_.find(name) != declared_.end(); }
    // Types of submodels that are not declared inside of the classes seen; sorted.
    std::vector<std::string> undeclared_types() const;

  private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    using Set = std::unordered_set<std::string, Hash, std::equal_to<>>;
    class Walk;
    void declare(std::string_view name);

    std::vector<std::string> order_;
    Set seen_, declared_, types_;
};

// All of the first file, and the classes and functions of the others that are reached from it by name.
ClassTree used_classes(const ClassTree& all);

}  // namespace cutset
