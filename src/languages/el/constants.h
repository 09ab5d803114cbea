// Values that are known when a component is generated: construction parameters, constants, indices of EXPAND,
// sets, tables.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "languages/el/library.h"
#include "languages/el/syntax.h"

namespace cutset::el {

// A value of an enumeration: its number, from 1.
struct Literal {
    const Enumeration* type = nullptr;
    int number = 1;
    bool operator==(const Literal&) const = default;
};
struct Set {
    const Enumeration* type = nullptr;
    std::vector<int> numbers;
    bool operator==(const Set&) const = default;
};
struct Constant;
struct List {
    std::vector<Constant> items;
    bool operator==(const List&) const;
};
struct Constant {
    std::variant<double, long, bool, std::string, Literal, Set, List> value;
    bool operator==(const Constant&) const = default;
};

std::optional<double> number(const Constant& c);
std::string to_text(const Constant& c);
Expression to_expression(const Constant& c, Span where);

using Constants = std::map<std::string, Constant>;

// The constants that the files declare outside of components.
Constants global_constants(const Library& library);

// The value of the expression, or none where it needs something that is not known now: of `names` and the
// values of enumerations.
std::optional<Constant> evaluate(const Expression& e, const Constants& names, const Library& library);

// The values that an index takes, one after the other; none where the range is not known now or too long.
std::optional<std::vector<Constant>> index_values(const object::Iterator& i, const Constants& names,
                                                  const Library& library);

// Longest range of an EXPAND or SUM, and largest dimension.
inline constexpr long range_limit = 100000;

}  // namespace cutset::el
