// What the texts of several stages have in common.
#pragma once

#include <string>
#include <vector>

#include "ir/partition.h"

namespace cutset {

// Lines under headings; a heading without lines is not printed.
class SectionedText {
  public:
    explicit SectionedText(std::string title) : out_(std::move(title)) { out_ += '\n'; }

    void section(std::string heading) { heading_ = std::move(heading); }
    void line(const std::string& text);
    std::string take() { return std::move(out_); }

  private:
    std::string out_, heading_;
};

// "1 equation", "2 equations"
std::string counted(std::size_t n, const char* noun);
// `sign` is what stands between a discrete variable and its new value: "=" of an equation, ":=" once sorted.
void write_when(SectionedText& out, const FlatModel& model, const WhenClause& when, const char* sign);
// x, or x' for a derivative
std::string text_of(const FlatModel& model, Unknown unknown);
void write_blocks(SectionedText& out, const FlatModel& model, const std::vector<Block>& blocks);
// Switches, clocks and delays, each under a heading.
void write_events(SectionedText& out, const Partition& partition);

}  // namespace cutset
