#include "results/select_columns.h"

#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace cutset {

namespace {

// y and x of `y(x)`: the outermost bracket that closes at the end. Nothing for other names.
std::optional<std::pair<std::string, std::string>> as_pair(const std::string& curve) {
    if (curve.empty() || curve.back() != ')') return std::nullopt;
    int depth = 0;
    for (std::size_t i = curve.size(); i-- > 0;) {
        if (curve[i] == ')') ++depth;
        if (curve[i] == '(' && --depth == 0) {
            if (i == 0) return std::nullopt;
            return std::pair(curve.substr(0, i), curve.substr(i + 1, curve.size() - i - 2));
        }
    }
    return std::nullopt;
}

}  // namespace

ColumnSelection select_columns(const Columns& all, const std::vector<std::string>& curves) {
    std::map<std::string_view, std::size_t> by_name;
    std::vector<std::size_t> slot(all.size());
    std::size_t stored = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        by_name.emplace(all[ColumnIndex(i)].name, i);
        slot[i] = all[ColumnIndex(i)].stored() ? stored++ : 0;
    }
    ColumnSelection selection;
    std::map<std::size_t, ColumnIndex> taken;
    auto take = [&](std::size_t i) {
        if (const auto found = taken.find(i); found != taken.end()) return found->second;
        const ColumnIndex added = selection.columns.add(all[ColumnIndex(i)]);
        if (all[ColumnIndex(i)].stored()) selection.stored.push_back(slot[i]);
        taken.emplace(i, added);
        return added;
    };
    take(0);
    auto want = [&](const std::string& name) {
        const auto found = by_name.find(name);
        if (found == by_name.end()) {
            selection.unknown.push_back(name);
            return;
        }
        const Column& column = all[ColumnIndex(found->second)];
        if (column.kind == ColumnKind::Alias) {
            const ColumnIndex target = take(column.alias_of.value);
            const ColumnIndex own = take(found->second);
            selection.columns[own].alias_of = target;
        } else {
            take(found->second);
        }
    };
    for (const std::string& curve : curves) {
        const auto pair = as_pair(curve);
        if (!pair || by_name.contains(curve)) {  // `der(x)` is a name of its own
            want(curve);
        } else {
            want(pair->first);
            want(pair->second);
        }
    }
    return selection;
}

}  // namespace cutset
