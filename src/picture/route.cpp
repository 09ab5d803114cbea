#include "picture/route.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

namespace cutset::picture {

namespace {

constexpr double clearance = 5;  // between a block and a line that passes it
constexpr double corner_cost = 14, crossing_cost = 6;
constexpr double beside_cost = 1.5;  // for a length shared with another net, in addition
constexpr double lane = 3;           // between lines that were moved apart
constexpr std::uint32_t no_net = ~0u;

// What the search for one line may cost. The more it hastes for its goal, the fewer steps it needs, and the
// more crossings it takes. A line with a good way has found it after some hundred steps; for one in a thicket
// any way is good.
struct Effort {
    double surroundings;  // of both ends: no way leads farther
    double haste;         // the weight of the distance that is left
    std::size_t steps;
};
constexpr Effort efforts[] = {{80, 1.1, 800}, {80, 4, 6000}, {1e9, 12, 60000}};

// Directions of the search: right, up, left, down.
constexpr int way_x[] = {1, 0, -1, 0}, way_y[] = {0, 1, 0, -1};

int direction(Side side) {
    switch (side) {
        case Side::Right:
            return 0;
        case Side::Top:
            return 1;
        case Side::Left:
            return 2;
        case Side::Bottom:
            return 3;
    }
    return 0;
}

void make_sorted_set(std::vector<double>& values) {
    for (double& v : values) v = std::round(v * 100) / 100;
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

void drop_straight_points(std::vector<Spot>& points) {
    std::vector<Spot> out;
    for (const Spot& p : points) {
        if (!out.empty() && std::fabs(out.back().x - p.x) < 1e-9 && std::fabs(out.back().y - p.y) < 1e-9)
            continue;
        while (out.size() > 1) {
            const Spot &a = out[out.size() - 2], &b = out.back();
            const bool vertical = std::fabs(a.x - b.x) < 1e-9 && std::fabs(b.x - p.x) < 1e-9;
            const bool level = std::fabs(a.y - b.y) < 1e-9 && std::fabs(b.y - p.y) < 1e-9;
            if (!vertical && !level) break;
            out.pop_back();
        }
        out.push_back(p);
    }
    points = std::move(out);
}

class Router {
  public:
    Router(const std::vector<Box>& blocks, const std::vector<RouteLine>& lines)
        : blocks_(blocks), lines_(lines) {
        make_grid();
        close_blocks();
    }

    std::vector<std::vector<Spot>> run() {
        // Short lines first: long ones go around them.
        std::vector<std::uint32_t> order(lines_.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
        const auto length = [&](std::uint32_t i) {
            return std::fabs(lines_[i].from.at.x - lines_[i].to.at.x) +
                   std::fabs(lines_[i].from.at.y - lines_[i].to.at.y);
        };
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return length(a) < length(b); });
        std::vector<std::vector<Spot>> ways(lines_.size());
        for (std::uint32_t i : order) ways[i] = way_of(lines_[i]);
        return ways;
    }

  private:
    // Coordinates of the grid are in hundredths.
    static Spot rounded(Spot p) { return {std::round(p.x * 100) / 100, std::round(p.y * 100) / 100}; }

    static Spot stub(const RouteEnd& e, double length) {
        if (!e.leaves) return e.at;
        const int d = direction(*e.leaves);
        return {e.at.x + way_x[d] * length, e.at.y + way_y[d] * length};
    }
    // Where the search begins and ends: off the blocks; ends that face each other meet halfway.
    static std::pair<Spot, Spot> stubs(const RouteEnd& from, const RouteEnd& to) {
        double length = clearance;
        if (from.leaves && to.leaves && direction(*from.leaves) == (direction(*to.leaves) + 2) % 4) {
            const int d = direction(*from.leaves);
            const double between = way_x[d] * (to.at.x - from.at.x) + way_y[d] * (to.at.y - from.at.y);
            if (between > 0) length = std::min(length, between / 2);
        }
        return {rounded(stub(from, length)), rounded(stub(to, length))};
    }

    void make_grid() {
        for (const Box& b : blocks_) {
            xs_.insert(xs_.end(), {b.left - clearance, b.right + clearance});
            ys_.insert(ys_.end(), {b.bottom - clearance, b.top + clearance});
        }
        const auto add = [&](Spot p) {
            xs_.push_back(p.x);
            ys_.push_back(p.y);
        };
        for (const RouteLine& l : lines_)
            for (const auto& [from, to] : sections(l)) {
                const auto [a, b] = stubs(from, to);
                add(a);
                add(b);
            }
        make_sorted_set(xs_);
        make_sorted_set(ys_);
        const std::size_t nodes = xs_.size() * ys_.size();
        for (auto& list : closed_) list.assign(nodes, false);
        for (auto& list : used_) list.assign(nodes, no_net);
        state_.assign(nodes * 4, {});
    }

    std::size_t column(double x) const { return index(xs_, x); }
    std::size_t line(double y) const { return index(ys_, y); }
    static std::size_t index(const std::vector<double>& values, double v) {
        return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), v - 0.006) -
                                        values.begin());
    }
    std::size_t node(std::size_t i, std::size_t j) const { return j * xs_.size() + i; }

    // Pieces that cross a block, or run along its border.
    void close_blocks() {
        constexpr double border = 1;
        for (const Box& b : blocks_) {
            const std::size_t left = column(b.left - clearance), right = column(b.right + clearance);
            const std::size_t low = line(b.bottom - clearance), high = line(b.top + clearance);
            for (std::size_t j = low; j <= high && j < ys_.size(); ++j)
                if (ys_[j] > b.bottom - border && ys_[j] < b.top + border)
                    for (std::size_t i = left; i < right; ++i) closed_[0][node(i, j)] = true;
            for (std::size_t i = left; i <= right && i < xs_.size(); ++i)
                if (xs_[i] > b.left - border && xs_[i] < b.right + border)
                    for (std::size_t j = low; j < high; ++j) closed_[1][node(i, j)] = true;
        }
    }

    // From one point that is set to the next.
    static std::vector<std::pair<RouteEnd, RouteEnd>> sections(const RouteLine& l) {
        std::vector<std::pair<RouteEnd, RouteEnd>> out;
        RouteEnd at = l.from;
        for (const Spot& p : l.via) {
            const RouteEnd next{p, std::nullopt};
            out.emplace_back(at, next);
            at = next;
        }
        out.emplace_back(at, l.to);
        return out;
    }

    std::vector<Spot> way_of(const RouteLine& l) {
        std::vector<Spot> points{rounded(l.from.at)};
        for (const auto& [from, to] : sections(l)) {
            const auto [a, b] = stubs(from, to);
            std::vector<Spot> part;
            for (const Effort& effort : efforts)
                if (part.empty()) part = search({a, from.leaves}, {b, to.leaves}, l.net, effort);
            if (part.empty()) part = elbow(a, b);
            points.insert(points.end(), part.begin(), part.end());
        }
        points.push_back(rounded(l.to.at));
        drop_straight_points(points);
        return points;
    }

    static std::vector<Spot> elbow(Spot a, Spot b) {
        const double middle = (a.x + b.x) / 2;
        return {a, {middle, a.y}, {middle, b.y}, b};
    }

    struct State {
        std::uint32_t stamp = 0;
        bool done = false;
        double cost = 0;
        std::uint32_t before = 0;
    };

    // The ends are points of the grid.
    std::vector<Spot> search(const RouteEnd& from, const RouteEnd& to, std::uint32_t net,
                             const Effort& effort) {
        const Spot a = from.at, b = to.at;
        const Box window{std::min(a.x, b.x) - effort.surroundings, std::min(a.y, b.y) - effort.surroundings,
                         std::max(a.x, b.x) + effort.surroundings, std::max(a.y, b.y) + effort.surroundings};
        const auto outside = [&](std::size_t n) {
            const double x = xs_[n % xs_.size()], y = ys_[n / xs_.size()];
            return x < window.left || x > window.right || y < window.bottom || y > window.top;
        };
        const std::size_t start = node(column(a.x), line(a.y)), goal = node(column(b.x), line(b.y));
        ++stamp_;
        using Entry = std::tuple<double, std::uint32_t, std::uint32_t>;  // estimate, number, state
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
        std::uint32_t number = 0;
        const std::size_t goal_i = goal % xs_.size(), goal_j = goal / xs_.size();
        const auto estimate = [&](std::size_t n) {
            const std::size_t i = n % xs_.size(), j = n / xs_.size();
            const double dx = std::fabs(xs_[i] - xs_[goal_i]), dy = std::fabs(ys_[j] - ys_[goal_j]);
            return effort.haste * (dx + dy + (dx > 0 && dy > 0 ? corner_cost : 0));
        };
        const auto reach = [&](std::size_t n, int d, double cost, std::uint32_t before) {
            State& s = state_[n * 4 + static_cast<std::size_t>(d)];
            if (s.stamp == stamp_ && s.cost <= cost + 1e-9) return;
            s = {stamp_, false, cost, before};
            open.emplace(cost + estimate(n), number++,
                         static_cast<std::uint32_t>(n * 4 + static_cast<std::size_t>(d)));
        };
        constexpr std::uint32_t first = ~0u;
        for (int d = 0; d < 4; ++d)
            if (!from.leaves || d == direction(*from.leaves)) reach(start, d, 0, first);
        std::size_t steps = 0;
        while (!open.empty() && ++steps < effort.steps) {
            const std::uint32_t at = std::get<2>(open.top());
            open.pop();
            State& s = state_[at];
            if (s.done) continue;
            s.done = true;
            const std::size_t n = at / 4;
            const int d = static_cast<int>(at % 4);
            if (n == goal && arrives(to, d)) return take(at, net);
            for (int turn = 0; turn < 4; ++turn) {
                if (turn == (d + 2) % 4) continue;
                const auto next = neighbour(n, turn);
                if (!next || outside(*next)) continue;
                const double cost = s.cost + (turn == d ? 0 : corner_cost + touching_cost(n, net)) +
                                    piece_cost(n, *next, turn, net);
                reach(*next, turn, cost, at);
            }
        }
        return {};
    }

    // A line that ends where another leaves to the right comes from the right.
    static bool arrives(const RouteEnd& to, int d) { return !to.leaves || d != direction(*to.leaves); }

    std::optional<std::size_t> neighbour(std::size_t n, int d) const {
        const std::size_t i = n % xs_.size(), j = n / xs_.size();
        if ((d == 0 && i + 1 == xs_.size()) || (d == 2 && i == 0) || (d == 1 && j + 1 == ys_.size()) ||
            (d == 3 && j == 0))
            return std::nullopt;
        const std::size_t next =
            n + static_cast<std::size_t>(way_x[d]) + static_cast<std::size_t>(way_y[d]) * xs_.size();
        if (closed_[d % 2][std::min(n, next)]) return std::nullopt;
        return next;
    }

    // A corner on the line of another net looks like a branching of it.
    double touching_cost(std::size_t n, std::uint32_t net) const {
        const auto other = [&](std::uint32_t user) { return user != no_net && user != net; };
        const bool level = other(used_[0][n]) || (n > 0 && other(used_[0][n - 1]));
        const bool upright = other(used_[1][n]) || (n >= xs_.size() && other(used_[1][n - xs_.size()]));
        return level || upright ? 4 * crossing_cost : 0;
    }

    double piece_cost(std::size_t n, std::size_t next, int d, std::uint32_t net) const {
        const double length = d % 2 == 0 ? std::fabs(xs_[n % xs_.size()] - xs_[next % xs_.size()])
                                         : std::fabs(ys_[n / xs_.size()] - ys_[next / xs_.size()]);
        const std::uint32_t beside = used_[d % 2][std::min(n, next)];
        double cost = length;
        if (beside != no_net && beside != net) cost += beside_cost * length;
        // What runs across at the point that is reached.
        const std::size_t across = static_cast<std::size_t>(1 - d % 2);
        const std::size_t back = across == 0 ? 1 : xs_.size();
        const std::uint32_t ahead = used_[across][next];
        const std::uint32_t behind = next >= back ? used_[across][next - back] : no_net;
        if (ahead != no_net && ahead != net && ahead == behind) cost += crossing_cost;
        return cost;
    }

    std::vector<Spot> take(std::uint32_t at, std::uint32_t net) {
        std::vector<Spot> points;
        for (std::uint32_t s = at;; s = state_[s].before) {
            const std::size_t n = s / 4;
            points.push_back({xs_[n % xs_.size()], ys_[n / xs_.size()]});
            const std::uint32_t before = state_[s].before;
            if (before == ~0u) break;
            const std::size_t m = before / 4;
            used_[(s % 4) % 2][std::min(n, m)] = net;
        }
        std::reverse(points.begin(), points.end());
        return points;
    }

    const std::vector<Box>& blocks_;
    const std::vector<RouteLine>& lines_;
    std::vector<double> xs_, ys_;
    std::array<std::vector<bool>, 2> closed_;         // pieces to the right of and above each node
    std::array<std::vector<std::uint32_t>, 2> used_;  // by which net
    std::vector<State> state_;
    std::uint32_t stamp_ = 0;
};

// ---- lines that run on each other are moved apart

class Separation {
  public:
    Separation(const std::vector<Box>& blocks, const std::vector<RouteLine>& lines,
               std::vector<std::vector<Spot>>& ways)
        : blocks_(blocks), lines_(lines), ways_(ways) {}

    void run() {
        for (const bool vertical : {true, false}) separate(vertical);
    }

  private:
    struct Piece {
        std::uint32_t line = 0, at = 0;  // from point `at` to the next
        double place = 0, low = 0, high = 0;
        bool movable = false;
        double key = 0;  // order of those that run together
    };

    static double along(Spot p, bool vertical) { return vertical ? p.y : p.x; }
    static double across(Spot p, bool vertical) { return vertical ? p.x : p.y; }

    std::vector<Piece> pieces(bool vertical) const {
        std::vector<Piece> out;
        for (std::uint32_t l = 0; l < ways_.size(); ++l) {
            const std::vector<Spot>& way = ways_[l];
            for (std::uint32_t k = 0; k + 1 < way.size(); ++k) {
                if (std::fabs(across(way[k], vertical) - across(way[k + 1], vertical)) > 1e-6) continue;
                Piece p{l, k, across(way[k], vertical), 0, 0, k > 0 && k + 2 < way.size(), 0};
                if (std::fabs(along(way[k], vertical) - along(way[k + 1], vertical)) < 1e-6) continue;
                const bool rising = along(way[k], vertical) < along(way[k + 1], vertical);
                p.low = along(way[rising ? k : k + 1], vertical);
                p.high = along(way[rising ? k + 1 : k], vertical);
                if (p.movable) {
                    const Spot& before = way[rising ? k - 1 : k + 2];  // beyond the low end
                    const Spot& after = way[rising ? k + 2 : k - 1];
                    const double low_turn = across(before, vertical) < p.place ? -1 : 1;
                    const double high_turn = across(after, vertical) < p.place ? -1 : 1;
                    // To one side: there; rising across: the lower the farther ahead, falling the other way.
                    if (low_turn == high_turn)
                        p.key = low_turn * 1e6 - low_turn * (p.high - p.low);
                    else
                        p.key = low_turn < 0 ? -p.low * 1e-3 : p.high * 1e-3;
                }
                out.push_back(p);
            }
        }
        std::stable_sort(out.begin(), out.end(), [](const Piece& a, const Piece& b) {
            return std::tie(a.place, a.low) < std::tie(b.place, b.low);
        });
        return out;
    }

    void separate(bool vertical) {
        const std::vector<Piece> all = pieces(vertical);
        for (std::size_t begin = 0; begin < all.size();) {
            std::size_t end = begin + 1;
            double reach = all[begin].high;
            while (end < all.size() && all[end].place - all[begin].place < 0.5 &&
                   all[end].low < reach - 1e-6) {
                reach = std::max(reach, all[end].high);
                ++end;
            }
            if (end - begin > 1)
                spread({all.begin() + static_cast<std::ptrdiff_t>(begin),
                        all.begin() + static_cast<std::ptrdiff_t>(end)},
                       vertical);
            begin = end;
        }
    }

    // How far a piece may move to each side.
    std::pair<double, double> room(const Piece& p, bool vertical) const {
        double less = 9, more = 9;
        for (const Box& b : blocks_) {
            const double low = vertical ? b.bottom : b.left, high = vertical ? b.top : b.right;
            if (p.high < low - 1 || p.low > high + 1) continue;
            const double near = vertical ? b.left : b.bottom, far = vertical ? b.right : b.top;
            if (far <= p.place) less = std::min(less, p.place - far - 2);
            if (near >= p.place) more = std::min(more, near - p.place - 2);
        }
        return {std::max(less, 0.0), std::max(more, 0.0)};
    }

    void spread(const std::vector<Piece>& group, bool vertical) {
        std::map<std::uint32_t, double> nets;  // key of each
        std::map<std::uint32_t, bool> fixed;
        for (const Piece& p : group) {
            const std::uint32_t net = lines_[p.line].net;
            const auto [found, added] = nets.emplace(net, p.key);
            if (!added && std::fabs(p.key) > std::fabs(found->second)) found->second = p.key;
            fixed[net] = fixed[net] || !p.movable;
        }
        if (nets.size() < 2) return;
        std::vector<std::pair<double, std::uint32_t>> order;
        for (const auto& [net, key] : nets) order.emplace_back(fixed[net] ? 0 : key, net);
        std::sort(order.begin(), order.end());
        double less = 9, more = 9;
        for (const Piece& p : group) {
            const auto [l, m] = room(p, vertical);
            less = std::min(less, l);
            more = std::min(more, m);
        }
        // What cannot move stays in the middle.
        std::size_t centre = (order.size() - 1) / 2;
        double middle = (order.size() % 2 == 0) ? 0.5 : 0;
        for (std::size_t k = 0; k < order.size(); ++k)
            if (fixed[order[k].second]) {
                centre = k;
                middle = 0;
            }
        const double before = static_cast<double>(centre) + middle,
                     after = static_cast<double>(order.size() - 1 - centre) - middle;
        double gap = lane;
        if (before > 0) gap = std::min(gap, less / before);
        if (after > 0) gap = std::min(gap, more / after);
        std::map<std::uint32_t, double> shift;
        for (std::size_t k = 0; k < order.size(); ++k)
            shift[order[k].second] = (static_cast<double>(k) - static_cast<double>(centre) - middle) * gap;
        for (const Piece& p : group) {
            if (!p.movable || fixed[lines_[p.line].net]) continue;
            const double place = p.place + shift[lines_[p.line].net];
            for (const std::uint32_t k : {p.at, p.at + 1})
                (vertical ? ways_[p.line][k].x : ways_[p.line][k].y) = place;
        }
    }

    const std::vector<Box>& blocks_;
    const std::vector<RouteLine>& lines_;
    std::vector<std::vector<Spot>>& ways_;
};

}  // namespace

std::vector<std::vector<Spot>> route(const std::vector<Box>& blocks, const std::vector<RouteLine>& lines) {
    if (lines.empty()) return {};
    std::vector<std::vector<Spot>> ways = Router(blocks, lines).run();
    Separation(blocks, lines, ways).run();
    return ways;
}

}  // namespace cutset::picture
