#include "results/canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace cutset {

std::string length_text(double length) {
    std::string text = fmt::format("{:.2f}", length);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::u32string decode_utf8(std::string_view s) {
    std::u32string out;
    for (std::size_t i = 0; i < s.size();) {
        const unsigned char c = static_cast<unsigned char>(s[i]);
        const int more = c < 0x80                ? 0
                         : c >= 0xC2 && c < 0xE0 ? 1
                         : c >= 0xE0 && c < 0xF0 ? 2
                         : c >= 0xF0 && c < 0xF5 ? 3
                                                 : -1;
        char32_t code = more == 0 ? c : more == 1 ? c & 0x1F : more == 2 ? c & 0x0F : c & 0x07;
        bool good = more >= 0 && i + static_cast<std::size_t>(std::max(more, 0)) < s.size();
        for (int k = 1; good && k <= more; ++k) {
            const unsigned char d = static_cast<unsigned char>(s[i + k]);
            good = (d & 0xC0) == 0x80;
            code = code << 6 | (d & 0x3F);
        }
        if (good && code >= 0xD800 && code < 0xE000) good = false;
        if (good && code > 0x10FFFF) good = false;
        if (good && more == 2 && code < 0x800) good = false;
        if (good && more == 3 && code < 0x10000) good = false;
        if (!good) {
            out += U'\uFFFD';
            ++i;
            continue;
        }
        out += code < 32 || code == 127 || (code >= 0x80 && code < 0xA0) ? U' ' : code;
        i += 1 + static_cast<std::size_t>(more);
    }
    return out;
}

std::string encode_utf8(char32_t c) {
    std::string out;
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0 | c >> 6);
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0 | c >> 12);
        out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | c >> 18);
        out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
        out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    }
    return out;
}

std::vector<TextRun> text_runs(std::string_view utf8) {
    constexpr std::u32string_view raised = U"⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺";
    constexpr std::u32string_view plain = U"0123456789−+";
    std::vector<TextRun> runs;
    for (char32_t c : decode_utf8(utf8)) {
        const std::size_t at = raised.find(c);
        const bool up = at != std::u32string_view::npos;
        if (runs.empty() || runs.back().raised != up) runs.push_back({{}, up});
        runs.back().text += up ? plain[at] : c;
    }
    return runs;
}

double helvetica_advance(char32_t c) {
    // From the font metrics of Helvetica, for the characters 32 to 126.
    static constexpr short ascii[] = {
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
        556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
        611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
        667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
        222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};
    if (c >= 32 && c < 127) return ascii[c - 32];
    if (c == U'°') return 400;
    if (c == U'·') return 278;
    if (c == U'−' || c == U'×' || c == U'±') return 584;
    if (c == U'…') return 1000;
    if (c == U'Ω') return 768;
    return 576;
}

double helvetica_width(std::string_view utf8, double size) {
    double width = 0;
    for (const TextRun& run : text_runs(utf8))
        for (char32_t c : run.text) width += helvetica_advance(c) * (run.raised ? raised_size : 1.0);
    return width * size / 1000;
}

namespace {

// x never falls: points of one strip stand together.
void reduce_forward(std::vector<Point>& points, double strip) {
    std::vector<Point> out;
    std::size_t i = 0;
    while (i < points.size()) {
        const double here = std::floor(points[i].x / strip);
        std::size_t end = i, low = i, high = i;
        while (end < points.size() && std::floor(points[end].x / strip) == here) {
            if (points[end].y < points[low].y) low = end;
            if (points[end].y > points[high].y) high = end;
            ++end;
        }
        std::size_t chosen[4] = {i, std::min(low, high), std::max(low, high), end - 1};
        for (std::size_t k = 0; k < 4; ++k)
            if (k == 0 || chosen[k] != chosen[k - 1]) out.push_back(points[chosen[k]]);
        i = end;
    }
    points = std::move(out);
}

// Any direction: steps too small to see are joined, and what was drawn already is not drawn again.
void reduce_path(std::vector<Point> points, double strip, std::vector<std::vector<Point>>& out) {
    struct Segment {
        std::int64_t a, b;
        bool operator==(const Segment&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Segment& s) const {
            return static_cast<std::size_t>(s.a) * 0x9E3779B97F4A7C15ull ^ static_cast<std::size_t>(s.b);
        }
    };
    std::unordered_set<Segment, Hash> drawn;
    const auto cell = [&](Point p) {
        return static_cast<std::int64_t>(std::llround(p.x / strip)) << 32 ^
               (static_cast<std::int64_t>(std::llround(p.y / strip)) & 0xFFFFFFFF);
    };
    out.push_back({points.front()});
    Point last = points.front();
    for (std::size_t i = 1; i < points.size(); ++i) {
        const Point p = points[i];
        const bool end = i + 1 == points.size();
        if (std::hypot(p.x - last.x, p.y - last.y) < strip && !end) continue;
        const std::int64_t a = cell(last), b = cell(p);
        const bool fresh = drawn.insert({std::min(a, b), std::max(a, b)}).second;
        if (fresh) {
            if (out.back().empty()) out.back().push_back(last);
            out.back().push_back(p);
        } else if (!out.back().empty()) {
            out.emplace_back();
        }
        last = p;
    }
    if (out.back().empty()) out.pop_back();
}

// In the middle of a level stretch no point is needed.
void drop_level_points(std::vector<Point>& points) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool level = kept > 0 && i + 1 < points.size() &&
                           std::fabs(points[i].y - points[kept - 1].y) < 0.004 &&
                           std::fabs(points[i + 1].y - points[kept - 1].y) < 0.004 &&
                           points[i].x >= points[kept - 1].x && points[i + 1].x >= points[i].x;
        if (!level) points[kept++] = points[i];
    }
    points.resize(kept);
}

}  // namespace

std::vector<std::vector<Point>> reduce_points(std::vector<std::vector<Point>> pieces, double strip) {
    std::vector<std::vector<Point>> out;
    for (std::vector<Point>& piece : pieces) {
        const bool forward =
            std::is_sorted(piece.begin(), piece.end(), [](Point a, Point b) { return a.x < b.x; });
        if (forward) {
            reduce_forward(piece, strip);
            drop_level_points(piece);
            out.push_back(std::move(piece));
        } else {
            reduce_path(std::move(piece), strip, out);
        }
    }
    return out;
}

}  // namespace cutset
