#include "picture/place.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace cutset::picture {

namespace {

constexpr double column_gap = 22, row_gap = 14;  // between blocks
constexpr double column = 52, row = 34;          // what a block of usual size takes
constexpr int most_columns = 8;
constexpr double headroom = 70;  // above the first block; higher up are the rows of loose blocks
constexpr double step = 4;       // between the heights that are tried
constexpr int most_steps = 40;
constexpr double cell_size = 60;

Box box_at(Spot at, double width, double height, double gap_x = 0, double gap_y = 0) {
    return {at.x - width / 2 - gap_x, at.y - height / 2 - gap_y, at.x + width / 2 + gap_x,
            at.y + height / 2 + gap_y};
}

bool overlap(const Box& a, const Box& b) {
    constexpr double touching = 1e-6;
    return a.left < b.right - touching && b.left < a.right - touching && a.bottom < b.top - touching &&
           b.bottom < a.top - touching;
}

// Boxes that are taken, by cells of the plane.
class TakenPlaces {
  public:
    void add(const Box& b) {
        each_cell(b, [&](std::pair<long, long> key) { cells_[key].push_back(b); });
        lowest_ = std::min(lowest_, b.bottom);
        highest_ = std::max(highest_, b.top);
    }
    bool free(const Box& b) const {
        bool good = true;
        each_cell(b, [&](std::pair<long, long> key) {
            if (!good) return;
            const auto found = cells_.find(key);
            if (found == cells_.end()) return;
            for (const Box& other : found->second)
                if (overlap(b, other)) {
                    good = false;
                    return;
                }
        });
        return good;
    }
    double lowest() const { return lowest_; }
    double highest() const { return highest_; }

  private:
    template <class Visit>
    static void each_cell(const Box& b, Visit visit) {
        const auto index = [](double v) { return static_cast<long>(std::floor(v / cell_size)); };
        for (long i = index(b.left); i <= index(b.right); ++i)
            for (long j = index(b.bottom); j <= index(b.top); ++j) visit({i, j});
    }
    std::map<std::pair<long, long>, std::vector<Box>> cells_;
    double lowest_ = 0, highest_ = 0;
};

class Placement {
  public:
    Placement(const std::vector<PlaceBlock>& blocks, const std::vector<PlaceLine>& lines,
              const std::optional<Box>& frame)
        : blocks_(blocks),
          lines_(lines),
          frame_(frame),
          spots_(blocks.size()),
          known_(blocks.size()),
          lines_of_(blocks.size()) {}

    std::vector<Spot> run() {
        for (std::uint32_t i = 0; i < blocks_.size(); ++i)
            if (blocks_[i].at) settle(i, *blocks_[i].at);
        for (std::uint32_t l = 0; l < lines_.size(); ++l) {
            const auto [from, to] = std::pair(lines_[l].from, lines_[l].to);
            lines_of_[from].push_back(l);
            if (to != from) lines_of_[to].push_back(l);
            if (!known_[from] && !known_[to]) settle(from, seed(from));
            if (!known_[to]) settle(to, best(to));
            if (!known_[from]) settle(from, best(from));
        }
        place_loose();
        return std::move(spots_);
    }

  private:
    void settle(std::uint32_t i, Spot at) {
        spots_[i] = at;
        known_[i] = true;
        taken_.add(box_at(at, blocks_[i].width, blocks_[i].height));
    }

    bool fits(std::uint32_t i, Spot at) const {
        const Box box = box_at(at, blocks_[i].width, blocks_[i].height);
        if (!frame_ && box.top > headroom) return false;
        if (frame_ && (box.left < frame_->left + 4 || box.right > frame_->right - 4 ||
                       box.bottom < frame_->bottom + 4 || box.top > frame_->top - 4))
            return false;
        return taken_.free(box_at(at, blocks_[i].width, blocks_[i].height, column_gap, row_gap));
    }

    // The first of a group of blocks that are joined to none with a place.
    Spot seed(std::uint32_t i) const {
        const PlaceBlock& b = blocks_[i];
        if (frame_) return free_spot_in_frame(i);
        if (taken_.lowest() == 0) return {0, -b.height / 2};
        return {0, taken_.lowest() - row_gap - 6 - b.height / 2};
    }

    Spot free_spot_in_frame(std::uint32_t i) const {
        const PlaceBlock& b = blocks_[i];
        for (double y = frame_->top - 12 - b.height / 2; y > frame_->bottom + b.height / 2; y -= 10)
            for (double x = frame_->left + 12 + b.width / 2; x < frame_->right - b.width / 2; x += 10)
                if (fits(i, {x, y})) return {x, y};
        return {frame_->left + b.width / 2,
                std::min(frame_->bottom, taken_.lowest()) - row_gap - b.height / 2};
    }

    // Where the block would stand if only this line mattered.
    Spot wanted(std::uint32_t i, const PlaceLine& line) const {
        const bool new_is_to = line.to == i;
        const std::uint32_t other = new_is_to ? line.from : line.to;
        const Side theirs = new_is_to ? line.from_side : line.to_side;
        const Side mine = new_is_to ? line.to_side : line.from_side;
        const Spot their = new_is_to ? line.from_offset : line.to_offset;
        const Spot my = new_is_to ? line.to_offset : line.from_offset;
        const PlaceBlock &a = blocks_[other], &b = blocks_[i];
        const Spot p = spots_[other];
        const bool across = theirs == Side::Left || theirs == Side::Right;
        const double way = theirs == Side::Right || theirs == Side::Top ? 1 : -1;
        const bool my_across = mine == Side::Left || mine == Side::Right;
        if (across && my_across) {
            if (theirs == mine)  // both ends look to one side
                return {p.x, p.y - (a.height + b.height) / 2 - row_gap - 4};
            return {p.x + way * ((a.width + b.width) / 2 + column_gap), p.y + their.y - my.y};
        }
        if (across) {
            const double down = mine == Side::Top ? -1 : 1;
            return {p.x + way * ((a.width + b.width) / 2 + column_gap),
                    p.y + their.y + down * (b.height / 2 + 10)};
        }
        if (my_across) {
            const double side = mine == Side::Left ? 1 : -1;
            return {p.x + their.x + side * (b.width / 2 + 10),
                    p.y + way * ((a.height + b.height) / 2 + row_gap)};
        }
        if (theirs == mine) return {p.x + (a.width + b.width) / 2 + column_gap, p.y};
        return {p.x + their.x - my.x, p.y + way * ((a.height + b.height) / 2 + row_gap)};
    }

    // Rows are filled to the right and go on below.
    bool beyond(double x) const { return !frame_ && std::fabs(x) > (most_columns - 0.5) * column; }

    double cost(Spot at, const std::vector<Spot>& wishes, std::uint32_t i) const {
        double sum = beyond(at.x) ? 8 : 0;
        std::size_t k = 0;
        for (std::uint32_t l : lines_of_[i]) {
            const PlaceLine& line = lines_[l];
            const std::uint32_t other = line.from == i ? line.to : line.from;
            if (!known_[other]) continue;
            const Spot w = wishes[k++];
            sum += std::fabs(at.x - w.x) / column + std::fabs(at.y - w.y) / row;
            const double ahead = line.to == i ? at.x - spots_[other].x : spots_[other].x - at.x;
            if (ahead < 1) sum += line.directed ? 2.5 : 0.3;
            if (!clear(at, spots_[other], i, other)) sum += 1;
        }
        return sum;
    }

    // Whether nothing stands on the straight way between two blocks.
    bool clear(Spot a, Spot b, std::uint32_t i, std::uint32_t other) const {
        const Box mine = box_at(a, blocks_[i].width, blocks_[i].height, 2, 2);
        const Box theirs = box_at(b, blocks_[other].width, blocks_[other].height, 2, 2);
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        const int parts = static_cast<int>(std::min(length / 12, 40.0));
        for (int k = 1; k < parts; ++k) {
            const double t = static_cast<double>(k) / parts;
            const Box spot = box_at({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}, 2, 2);
            if (overlap(spot, mine) || overlap(spot, theirs)) continue;
            if (!taken_.free(spot)) return false;
        }
        return true;
    }

    Spot best(std::uint32_t i) const {
        std::vector<Spot> wishes;
        for (std::uint32_t l : lines_of_[i]) {
            const std::uint32_t other = lines_[l].from == i ? lines_[l].to : lines_[l].from;
            if (known_[other]) wishes.push_back(wanted(i, lines_[l]));
        }
        Spot found{0, taken_.lowest() - row_gap - 6 - blocks_[i].height / 2};
        if (frame_) found = free_spot_in_frame(i);
        double least = frame_ ? 1000 : cost(found, wishes, i);
        const auto attempt = [&](Spot at) {
            if (!fits(i, at)) return false;
            const double c = cost(at, wishes, i);
            if (c < least - 1e-9) {
                least = c;
                found = at;
            }
            return true;
        };
        constexpr std::size_t most_wishes = 6;
        for (std::size_t k = 0; k < std::min(wishes.size(), most_wishes); ++k)
            for (const int shift : {0, 1, -1, 2}) {
                const double x = wishes[k].x + shift * column;
                for (const double way : {-1.0, 1.0})
                    for (int s = way > 0 ? 1 : 0; s < most_steps; ++s)
                        if (attempt({x, wishes[k].y + way * s * step})) break;
            }
        return found;
    }

    void place_loose() {
        double x = 0, y = headroom + row_gap, tallest = 0;
        int in_row = 0;
        for (std::uint32_t i = 0; i < blocks_.size(); ++i) {
            if (known_[i]) continue;
            const PlaceBlock& b = blocks_[i];
            if (frame_) {
                settle(i, free_spot_in_frame(i));
                continue;
            }
            for (;;) {
                if (in_row == most_columns) {
                    y += tallest + row_gap;
                    x = tallest = 0;
                    in_row = 0;
                }
                const Spot at{x + b.width / 2 - 15, y + b.height / 2};
                x += b.width + column_gap;
                tallest = std::max(tallest, b.height);
                ++in_row;
                if (!taken_.free(box_at(at, b.width, b.height, 1, 1))) continue;
                settle(i, at);
                break;
            }
        }
    }

    const std::vector<PlaceBlock>& blocks_;
    const std::vector<PlaceLine>& lines_;
    const std::optional<Box>& frame_;
    std::vector<Spot> spots_;
    std::vector<bool> known_;
    std::vector<std::vector<std::uint32_t>> lines_of_;  // of those that were looked at
    TakenPlaces taken_;
};

}  // namespace

std::vector<Spot> place(const std::vector<PlaceBlock>& blocks, const std::vector<PlaceLine>& lines,
                        const std::optional<Box>& frame) {
    return Placement(blocks, lines, frame).run();
}

}  // namespace cutset::picture
