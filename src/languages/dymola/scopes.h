// Which names of a model are submodels, cuts, nodes, paths, functions or tables. Known before the model is
// parsed, because these names decide whether a statement is an equation or a connection.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "base/name_table.h"
#include "languages/dymola/tokens.h"

namespace cutset::dymola {

struct Scope {
    std::size_t items = 0;  // about as many statements and declared names
    // Nodes count as cuts. Of variables only those are noted whose name begins statements too.
    enum Kind : std::uint8_t { Submodel = 1, Cut = 2, Path = 4, Callable = 8, Variable = 16 };
    NameTable<std::uint8_t> names;

    std::uint8_t of(std::string_view name) const {
        const std::uint8_t* const kinds = names.find(name);
        return kinds ? *kinds : 0;
    }
};

struct Scopes {
    Scope file;
    std::map<std::size_t, Scope> models;  // by the position of the token `model`
};

// One pass over the statements.
Scopes collect_scopes(const std::vector<Token>& tokens, std::string_view text);

}  // namespace cutset::dymola
