// Expressions as text of a programming language: one printer, a table of spellings per language.
//
// Brackets are set by the strength of the operators, which the languages share. What a leaf or a shared
// subexpression is called is asked for by a callback.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "expr/expr.h"

namespace cutset {

struct CodeSpelling {
    enum class Choice { Ternary, Merge, Keywords };  // c ? a : b, merge(a, b, c), if c then a else b
    enum class Raise { Call, Stars, Caret };         // power(x, y), x**y, x^y
    Choice choice = Choice::Ternary;
    Raise raise = Raise::Call;
    const char* both = " && ";
    const char* either = " || ";
    const char* negation = "!";
    const char* equal = " == ";  // empty: equal_call(a, b)
    const char* not_equal = " != ";
    const char* equal_call = "";
    const char* truth = "1";
    const char* falsehood = "0";
    // A condition as a number, a number as a condition: text before and after.
    const char* number_of_condition[2] = {"(double)(", ")"};
    const char* condition_of_number[2] = {"(", " != 0)"};
    std::string (*number)(double) = nullptr;
    const char* (*function)(Op) = nullptr;  // its name, or nullptr
};

// C11 and Fortran 2008 with the helpers that the emitters add, and Simnon.
const CodeSpelling& c_spelling();
const CodeSpelling& fortran_spelling();
const CodeSpelling& simnon_spelling();

class CodePrinter {
  public:
    // The text of a node that has a name or a form of its own, nothing for the usual form. It must need no
    // brackets. `without_events`: it stands inside noevent(…).
    using Own = std::function<std::optional<std::string>(CodePrinter&, Expr, bool without_events)>;

    CodePrinter(const CodeSpelling& spelling, Own own) : spelling_(spelling), own_(std::move(own)) {}

    std::string number(Expr e);     // as a real number
    std::string condition(Expr e);  // as a condition
    // The usual form, for an `own` that only wraps it.
    std::string plain(Expr e);
    const CodeSpelling& spelling() const { return spelling_; }

  private:
    class Writer;
    const CodeSpelling& spelling_;
    Own own_;
    bool without_events_ = false;
};

// What the printer could not write in the language: the first such node of an expression, or null.
Expr not_in_language(Expr e, const CodeSpelling& spelling);

}  // namespace cutset
