#include "linear/matrix_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutset::cli {

namespace {

constexpr std::size_t most_modes_shown = 40;

// Letters, not bytes.
std::size_t width(const std::string& text) {
    return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string right(const std::string& text, std::size_t to) {
    return std::string(to > width(text) ? to - width(text) : 0, ' ') + text;
}

std::string left(const std::string& text, std::size_t to) {
    return text + std::string(to > width(text) ? to - width(text) : 0, ' ');
}

}  // namespace

std::string matrix_text(const std::string& name, const Eigen::MatrixXd& matrix,
                        const std::vector<std::string>& rows, const std::vector<std::string>& columns) {
    std::size_t first = name.size();
    for (const std::string& row : rows) first = std::max(first, width(row));
    std::vector<std::vector<std::string>> cells(std::size_t(matrix.cols()));
    std::vector<std::size_t> widths;
    for (Eigen::Index c = 0; c < matrix.cols(); ++c) {
        std::size_t widest = columns.empty() ? 0 : width(columns[std::size_t(c)]);
        for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
            cells[std::size_t(c)].push_back(matrix(r, c) == 0 ? "0" : fmt::format("{:.6g}", matrix(r, c)));
            widest = std::max(widest, cells[std::size_t(c)].back().size());
        }
        widths.push_back(widest);
    }
    std::string out = left(name, first);
    if (!columns.empty())
        for (std::size_t c = 0; c < columns.size(); ++c) out += "  " + right(columns[c], widths[c]);
    out += '\n';
    for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
        out += left(rows.empty() ? "" : rows[std::size_t(r)], first);
        for (std::size_t c = 0; c < cells.size(); ++c)
            out += "  " + right(cells[c][std::size_t(r)], widths[c]);
        out += '\n';
    }
    return out;
}

std::string modes_text(const std::vector<Mode>& modes, const std::vector<std::string>& states) {
    std::string out = fmt::format("{:<28} {:>10} {:>12}   {}\n", "eigenvalue", "damping", "rad/s", "states");
    for (std::size_t i = 0; i < modes.size() && i < most_modes_shown; ++i) {
        const Mode& mode = modes[i];
        const double re = mode.eigenvalue.real() + 0.0, im = mode.eigenvalue.imag();  // + 0: no -0
        const std::string value = im == 0  ? fmt::format("{:.6g}", re)
                                  : im > 0 ? fmt::format("{:.6g} + {:.6g}j", re, im)
                                           : fmt::format("{:.6g} - {:.6g}j", re, -im);
        std::string who;
        for (const Participant& p : participants(mode))
            who += fmt::format("{}{} {:.0f} %", who.empty() ? "" : ", ", states[std::size_t(p.state)],
                               100 * p.share);
        out +=
            fmt::format("{:<28} {:>10} {:>12.5g}   {}\n", value,
                        mode.damping ? fmt::format("{:.4g}", *mode.damping + 0.0) : "-", mode.frequency, who);
    }
    if (modes.size() > most_modes_shown) out += fmt::format("and {} more\n", modes.size() - most_modes_shown);
    return out;
}

}  // namespace cutset::cli
