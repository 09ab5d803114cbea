#include "graph/layered_layout.h"

#include <algorithm>
#include <numeric>

namespace cutset::graph {

namespace {

constexpr int order_sweeps = 24;
constexpr int place_sweeps = 40;
constexpr double line_height = 10;  // that an edge takes in a column it passes

class Layout {
  public:
    Layout(const std::vector<LayeredBox>& boxes,
           const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges, const LayeredGap& gap)
        : boxes_(boxes), edges_(edges), gap_(gap) {}

    LayeredLayout run() {
        assign_columns();
        add_passages();
        order();
        place();
        return result();
    }

  private:
    struct Node {
        std::uint32_t column = 0;
        double height = 0;
        double y = 0;                              // of the middle
        std::vector<std::uint32_t> before, after;  // in the columns next to it
    };

    void assign_columns() {
        const std::size_t n = boxes_.size();
        nodes_.resize(n);
        std::vector<std::vector<std::uint32_t>> after(n);
        std::vector<std::uint32_t> open_edges(n);
        for (const auto& [from, to] : edges_) {
            after[from].push_back(to);
            ++open_edges[to];
        }
        std::vector<std::uint32_t> open;
        for (std::uint32_t i = 0; i < n; ++i)
            if (open_edges[i] == 0) open.push_back(i);
        for (std::size_t k = 0; k < open.size(); ++k)
            for (std::uint32_t to : after[open[k]]) {
                nodes_[to].column = std::max(nodes_[to].column, nodes_[open[k]].column + 1);
                if (--open_edges[to] == 0) open.push_back(to);
            }
        std::uint32_t most = 0;
        for (std::uint32_t i = 0; i < n; ++i)
            if (!boxes_[i].last) most = std::max(most, nodes_[i].column + 1);
        for (std::uint32_t i = 0; i < n; ++i) {
            nodes_[i].height = boxes_[i].height;
            if (boxes_[i].last) nodes_[i].column = most;
        }
        for (std::uint32_t i = 0; i < n; ++i) {
            if (!boxes_[i].first || after[i].empty()) continue;
            std::uint32_t next = most;
            for (std::uint32_t to : after[i]) next = std::min(next, nodes_[to].column);
            nodes_[i].column = next - 1;
        }
        most = 0;
        for (const Node& node : nodes_) most = std::max(most, node.column);
        columns_.resize(most + 1);
        for (std::uint32_t i = 0; i < n; ++i) columns_[nodes_[i].column].push_back(i);
    }

    void add_passages() {
        for (const auto& [from, to] : edges_) {
            std::vector<std::uint32_t>& way = ways_.emplace_back();
            std::uint32_t at = from;
            for (std::uint32_t c = nodes_[from].column + 1; c <= nodes_[to].column; ++c) {
                std::uint32_t next = to;
                if (c < nodes_[to].column) {
                    next = std::uint32_t(nodes_.size());
                    nodes_.push_back({c, line_height, 0, {}, {}});
                    columns_[c].push_back(next);
                    way.push_back(next);
                }
                nodes_[at].after.push_back(next);
                nodes_[next].before.push_back(at);
                at = next;
            }
        }
    }

    // Pairs of edges between neighbouring columns that cross.
    std::size_t crossings() const {
        std::vector<std::size_t> position(nodes_.size());
        for (const auto& column : columns_)
            for (std::size_t i = 0; i < column.size(); ++i) position[column[i]] = i;
        std::size_t count = 0;
        for (const auto& column : columns_) {
            std::vector<std::size_t> ends;  // in the order of their beginnings
            for (std::uint32_t n : column) {
                const std::size_t first = ends.size();
                for (std::uint32_t to : nodes_[n].after) ends.push_back(position[to]);
                std::sort(ends.begin() + std::ptrdiff_t(first), ends.end());
            }
            for (std::size_t i = 0; i < ends.size(); ++i)
                for (std::size_t j = i + 1; j < ends.size(); ++j) count += ends[j] < ends[i];
        }
        return count;
    }

    void order() {
        std::vector<double> position(nodes_.size());
        const auto number = [&](const std::vector<std::uint32_t>& column) {
            for (std::size_t i = 0; i < column.size(); ++i) position[column[i]] = double(i);
        };
        for (const auto& column : columns_) number(column);
        auto best = columns_;
        std::size_t fewest = crossings();
        for (int sweep = 0; sweep < order_sweeps && fewest > 0; ++sweep) {
            const bool forward = sweep % 2 == 0;
            for (std::size_t k = 0; k < columns_.size(); ++k) {
                auto& column = columns_[forward ? k : columns_.size() - 1 - k];
                std::vector<std::pair<double, std::uint32_t>> keys;
                for (std::uint32_t n : column) {
                    const auto& near = forward ? nodes_[n].before : nodes_[n].after;
                    double key = position[n];
                    if (!near.empty()) {
                        key = 0;
                        for (std::uint32_t m : near) key += position[m];
                        key /= double(near.size());
                    }
                    keys.emplace_back(key, n);
                }
                std::stable_sort(keys.begin(), keys.end(),
                                 [](const auto& a, const auto& b) { return a.first < b.first; });
                for (std::size_t i = 0; i < column.size(); ++i) column[i] = keys[i].second;
                number(column);
            }
            if (const std::size_t now = crossings(); now < fewest) {
                fewest = now;
                best = columns_;
            }
        }
        columns_ = std::move(best);
    }

    double distance(std::uint32_t upper, std::uint32_t lower) const {
        return (nodes_[upper].height + nodes_[lower].height) / 2 + gap_.row;
    }

    void place() {
        for (const auto& column : columns_) {
            double y = 0;
            for (std::size_t i = 0; i < column.size(); ++i) {
                if (i > 0) y += distance(column[i - 1], column[i]);
                nodes_[column[i]].y = y;
            }
            for (std::uint32_t n : column) nodes_[n].y -= y / 2;
        }
        for (int sweep = 0; sweep < place_sweeps; ++sweep) {
            const bool forward = sweep % 2 == 0;
            for (std::size_t k = 0; k < columns_.size(); ++k) {
                const auto& column = columns_[forward ? k : columns_.size() - 1 - k];
                std::vector<double> wanted;
                for (std::uint32_t n : column) {
                    const auto& near = forward ? nodes_[n].before : nodes_[n].after;
                    double y = nodes_[n].y;
                    if (!near.empty()) {
                        y = 0;
                        for (std::uint32_t m : near) y += nodes_[m].y;
                        y /= double(near.size());
                    }
                    wanted.push_back(y);
                }
                // Pushed down where there is no room, and pushed up: the mean of both leaves room too.
                std::vector<double> down = wanted, up = wanted;
                for (std::size_t i = 1; i < column.size(); ++i)
                    down[i] = std::max(down[i], down[i - 1] + distance(column[i - 1], column[i]));
                for (std::size_t i = column.size(); i-- > 1;)
                    up[i - 1] = std::min(up[i - 1], up[i] - distance(column[i - 1], column[i]));
                for (std::size_t i = 0; i < column.size(); ++i) nodes_[column[i]].y = (down[i] + up[i]) / 2;
            }
        }
    }

    LayeredLayout result() const {
        LayeredLayout out;
        double top = nodes_[0].y, bottom = top;
        for (const Node& n : nodes_) {
            top = std::min(top, n.y - n.height / 2);
            bottom = std::max(bottom, n.y + n.height / 2);
        }
        out.height = bottom - top;
        std::vector<double> left(columns_.size()), right(columns_.size());
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            left[c] = c == 0 ? 0 : right[c - 1] + gap_.column;
            double width = 0;
            for (std::uint32_t n : columns_[c])
                if (n < boxes_.size()) width = std::max(width, boxes_[n].width);
            right[c] = left[c] + width;
        }
        out.width = right.back();
        for (std::uint32_t i = 0; i < boxes_.size(); ++i) {
            const std::uint32_t c = nodes_[i].column;
            const double spare = right[c] - left[c] - boxes_[i].width;
            // Sources to the right, next to what they lead to; the last column to the left.
            const double shift = boxes_[i].first ? spare : boxes_[i].last ? 0 : spare / 2;
            out.boxes.push_back({left[c] + shift, nodes_[i].y - nodes_[i].height / 2 - top});
        }
        // Edges leave and arrive along the sides of boxes in the order of where they go and come from.
        std::vector<std::vector<std::pair<double, std::uint32_t>>> leaving(boxes_.size()),
            arriving(boxes_.size());
        for (std::uint32_t e = 0; e < edges_.size(); ++e) {
            const auto [from, to] = edges_[e];
            leaving[from].emplace_back(nodes_[ways_[e].empty() ? to : ways_[e].front()].y, e);
            arriving[to].emplace_back(nodes_[ways_[e].empty() ? from : ways_[e].back()].y, e);
        }
        std::vector<double> begin(edges_.size()), end(edges_.size());
        const auto spread = [&](auto& lists, std::vector<double>& y) {
            for (std::uint32_t i = 0; i < boxes_.size(); ++i) {
                std::stable_sort(lists[i].begin(), lists[i].end());
                for (std::size_t k = 0; k < lists[i].size(); ++k)
                    y[lists[i][k].second] =
                        out.boxes[i].top + boxes_[i].height * double(k + 1) / double(lists[i].size() + 1);
            }
        };
        spread(leaving, begin);
        spread(arriving, end);
        for (std::uint32_t e = 0; e < edges_.size(); ++e) {
            const auto [from, to] = edges_[e];
            auto& way = out.edges.emplace_back();
            way.emplace_back(out.boxes[from].left + boxes_[from].width, begin[e]);
            for (std::uint32_t n : ways_[e]) {
                way.emplace_back(left[nodes_[n].column], nodes_[n].y - top);
                way.emplace_back(right[nodes_[n].column], nodes_[n].y - top);
            }
            way.emplace_back(out.boxes[to].left, end[e]);
        }
        return out;
    }

    const std::vector<LayeredBox>& boxes_;
    const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges_;
    const LayeredGap& gap_;
    std::vector<Node> nodes_;  // boxes, then passages of edges
    std::vector<std::vector<std::uint32_t>> columns_;
    std::vector<std::vector<std::uint32_t>> ways_;  // by edge: its passages
};

}  // namespace

LayeredLayout layered_layout(const std::vector<LayeredBox>& boxes,
                             const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges,
                             const LayeredGap& gap) {
    if (boxes.empty()) return {};
    return Layout(boxes, edges, gap).run();
}

}  // namespace cutset::graph
