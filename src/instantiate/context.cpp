#include "instantiate/context.h"

#include <fmt/format.h>

namespace cutset {

void Context::report(Diagnostic d) {
    if (d.where.known() &&
        !reported.insert({d.code, d.where.source.value, d.where.begin, d.where.end}).second)
        return;
    diagnostics.report(std::move(d));
}

std::uint32_t Context::shape(std::vector<std::uint32_t> dimensions) {
    if (dimensions.empty()) return 0;
    const auto [found, added] = shape_of.try_emplace(dimensions, static_cast<std::uint32_t>(shapes.size()));
    if (added) shapes.push_back(std::move(dimensions));
    return found->second;
}

std::size_t Context::count(std::uint32_t shape) const {
    std::size_t n = 1;
    for (std::uint32_t d : shapes[shape]) n *= d;
    return n;
}

std::string element_text(const std::vector<std::uint32_t>& dimensions, std::size_t element) {
    if (dimensions.empty()) return "";
    std::vector<std::size_t> numbers(dimensions.size());
    for (std::size_t k = dimensions.size(); k-- > 0;) {
        numbers[k] = dimensions[k] ? element % dimensions[k] + 1 : 0;
        if (dimensions[k]) element /= dimensions[k];
    }
    return fmt::format("[{}]", fmt::join(numbers, ","));
}

}  // namespace cutset
