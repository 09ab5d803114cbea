// How long the stages from text to Program have taken.
#pragma once

namespace cutset {

// Seconds.
struct StageTimes {
    double parse = 0, instantiate = 0, sort = 0, generate = 0;
    double sum() const { return parse + instantiate + sort + generate; }
    void add(const StageTimes& other) {
        parse += other.parse;
        instantiate += other.instantiate;
        sort += other.sort;
        generate += other.generate;
    }
};

}  // namespace cutset
