// Several function objects as one, for std::visit.
#pragma once

namespace cutset {

template <class... Ts>
struct overloaded : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
overloaded(Ts...) -> overloaded<Ts...>;

}  // namespace cutset
