// Which names of a model are submodels, cuts, nodes, paths, functions or tables. Known before the model is
// parsed, because these names decide whether a statement is an equation or a connection.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "languages/dymola/tokens.h"

namespace cutset::dymola {

struct Scope {
    enum Kind : std::uint8_t { Submodel = 1, Cut = 2, Path = 4, Callable = 8 };  // nodes count as cuts
    std::unordered_map<std::string_view, std::uint8_t> names;

    std::uint8_t of(std::string_view name) const {
        const auto it = names.find(name);
        return it == names.end() ? 0 : it->second;
    }
};

struct Scopes {
    Scope file;
    std::map<std::size_t, Scope> models;  // by the position of the token `model`
};

// One pass over the statements.
Scopes collect_scopes(const std::vector<Token>& tokens, std::string_view text);

}  // namespace cutset::dymola
