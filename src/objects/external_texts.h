// External functions of the standard library about texts and files, for arguments that are known.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "objects/evaluator.h"

namespace cutset::objects {

struct CallArguments {
    Evaluator& e;
    const std::vector<Value>& values;
    Span where;

    std::string text(std::size_t k) const { return values.at(k).text(); }
    double number(std::size_t k) const { return e.number_of(values.at(k).expr())->number; }
    Value integer(double x) const { return Value(Basic::Integer, e.pool().number(x)); }
    Value boolean(bool b) const { return Value(Basic::Boolean, e.pool().truth(b)); }
    Value string(std::string s) const { return Value(Basic::String, std::move(s)); }
};

// The results in the order of the outputs; null where there is none of that name.
using ExternalText = std::vector<Value> (*)(const CallArguments&);
ExternalText find_external_text(std::string_view symbol);

// A function that says something, or keeps what nothing here asks for: a call of it is left out.
bool changes_nothing(std::string_view symbol);

}  // namespace cutset::objects
