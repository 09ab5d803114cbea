// Sections of a Program, linearised where they run: exact derivatives of whatever a Program computes, in any
// number of directions at once (tangents, forward) or of one sum of results by everything (adjoints,
// backward).
//
// `record` runs sections and keeps the partial derivatives of each operation; what depends on nothing that
// varies leaves no trace. Loops are solved, and differentiated as what they are, implicit functions:
//     R(z, u) = 0   gives   R_z dz = -R_u du.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "generate/interpreter.h"
#include "numerics/linear/matrix_lu.h"

namespace cutset {

class SectionTape {
  public:
    explicit SectionTape(const Program& program);
    ~SectionTape();

    // Slots that vary: those set here, and those that sections computed from them.
    void set_varying(Slot slot, bool varies) { varying_[slot] = varies; }
    bool varies(Slot slot) const { return varying_[slot]; }

    // Runs the sections one after the other on `values`, forgetting what was recorded before. False when that
    // failed or something cannot be differentiated; `problem` says what.
    bool record(std::span<const Section* const> sections, Interpreter& values, bool backward = false);
    const std::string& problem() const { return problem_; }

    // tangents[slot * width + k]: those of results from those of what they depend on.
    void forward(std::span<double> tangents, std::size_t width);
    // adjoints[slot]: those of results are taken away and handed on to what they depend on. Needs `record`
    // with `backward`.
    void backward(std::span<double> adjoints);

    std::size_t size() const { return entries_.size(); }

  private:
    enum class Kind : std::uint32_t { Set, Add, Clear, Loop };
    struct Entry {
        Slot to, a, b;
        Kind kind;
        double da, db;
    };
    struct LoopMatrix;
    struct LoopEntry {
        std::uint32_t loop;
        std::size_t end;  // its inner entries: those between the Loop entry and here
    };

    bool record(const Section& section, Interpreter& values, bool backward, bool inside_loop);
    bool record_loop(std::uint32_t loop, Interpreter& values, bool backward);
    void add(Kind kind, Slot to, Slot a, double da, Slot b = 0, double db = 0);
    void forward(std::size_t begin, std::size_t end, double* t, std::size_t width);
    void backward(std::size_t begin, std::size_t end, double* adjoints);
    bool failed(std::string why) {
        problem_ = std::move(why);
        return false;
    }

    const Program& program_;
    std::vector<char> varying_;  // by slot
    std::vector<char> origin_;   // by slot, while a loop is looked at
    std::vector<Entry> entries_;
    std::vector<LoopEntry> loops_;
    std::unordered_map<std::uint32_t, std::unique_ptr<LoopMatrix>> matrices_;  // by loop
    std::string problem_;
};

}  // namespace cutset
