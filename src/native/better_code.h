// When it pays to compile once more, with care.
//
// LLVM takes very many times as long for better code as that saves in one run. What runs seldom (Jacobians,
// as a rule) is done before better code would be there.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "generate/machine_code.h"

namespace cutset::native {

class BetterCodePays {
  public:
    // How the call sites of the Program call functions.
    explicit BetterCodePays(std::span<const CallForm> forms) : forms_(forms) {}

    // Runs of a section after which better code of it pays, or CompiledSection::never.
    static std::uint32_t section(const Section& section);
    // Of the functions that it calls, by MachineCode::place.
    std::map<std::uint32_t, std::uint32_t> functions(const Section& section) const;
    // The next of all these after so many runs.
    std::uint32_t next(const Section& section, std::uint32_t runs) const;

  private:
    std::span<const CallForm> forms_;
};

}  // namespace cutset::native
