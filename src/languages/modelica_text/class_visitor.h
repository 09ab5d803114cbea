// Goes through all that stands in a class: each outermost expression, each component, each argument of a
// modification, each iterator, in the order of the text. A visitor derives from it and overrides what it
// changes.
#pragma once

#include <vector>

#include "ir/object_tree.h"

namespace cutset::modelica {

class ClassVisitor {
  public:
    virtual ~ClassVisitor() = default;
    void visit(object::LongDefinition& body);
    void visit(object::Modification& m);
    void visit(std::vector<object::Equation>& equations);
    void visit(std::vector<object::Statement>& statements);

  protected:
    virtual void expression(object::Expression&) {}
    virtual void component(object::Component&) {}  // before what stands in it
    virtual void argument(object::Argument&) {}    // the same
    virtual void iterator(object::Iterator&) {}    // of a loop; the same

  private:
    void optional(Box<object::Expression>& e) {
        if (e) expression(*e);
    }
    void all(std::vector<object::Expression>& list) {
        for (object::Expression& e : list) expression(e);
    }
    void inside(object::Component& c);
    void loop(std::vector<object::Iterator>& iterators);
    void visit(object::Equation& e);
    void visit(object::Statement& s);
    template <class Branch>
    void branches(std::vector<Branch>& list) {
        for (Branch& b : list) {
            optional(b.condition);
            visit(b.body);
        }
    }
};

}  // namespace cutset::modelica
